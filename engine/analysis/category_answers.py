"""What is released of categories and conditions, as pictures show it: a number for each, or for each pair."""

from __future__ import annotations

from typing import Any, cast

from engine.analysis.shared.projections import distinct_axes
from engine.analysis.shared.shown_answers import show_answer
from engine.data.categories import Categories
from engine.data.points import Points
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable, Numbered
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def show_numbers(
    mechanism: Mechanism[Any],
    data: Categories | Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CategoryNumbers:
    """Return what a mechanism says of each category, condition, quantile or candidate, beside what is true.

    Parameters
    ----------
    mechanism : CategoriesMechanism, CountingQueries, Quantiles or ScoredChoice
    data : Categories or Points
        Of a release without the truth, what is public about them is enough.
    privacy : PrivacyLike
    seed : int
        Of a simulated release.
    released : Release, optional
        To be shown in the place of a simulated one.
    records : bool
        Whether the truth is to be seen.
    progress : Progress

    Returns
    -------
    CategoryNumbers

    Examples
    --------
    60 answer no, 40 yes:

    >>> from engine import *
    >>> answers = CategoryDomain(["answer"], [["no", "yes"]])
    >>> data = Categories([[0]] * 60 + [[1]] * 40, answers)
    >>> found = show_numbers(ContingencyTable(), data, Privacy(1.0))
    >>> found.labels, found.truth.tolist()
    (('no', 'yes'), [60.0, 40.0])

    How many of three records satisfy each of two conditions, and the quartiles of a hundred:

    >>> data = Points([[1.0], [2.0], [3.0]], Box.of([0], [10]), ["x"])
    >>> found = show_numbers(CountingQueries(where="> 1; > 2"), data, Privacy(1.0))
    >>> found.labels, found.truth.tolist()
    (('x > 1', 'x > 2'), [2.0, 1.0])
    >>> data = Points([[float(place)] for place in range(101)], Box.of([0], [100]))
    >>> found = show_numbers(Quantiles(parts=4), data, Privacy(1.0))
    >>> found.labels, found.truth.tolist()
    (('25 %', '50 %', '75 %'), [25.0, 50.0, 75.0])

    The column with the largest mean:

    >>> from engine import ScoredChoice
    >>> data = Points([[0.25, 0.75]] * 200, Box.of([0, 0], [1, 1]), ["x", "y"])
    >>> found = show_numbers(ScoredChoice(), data, Privacy(1.0))
    >>> found.labels[found.chosen], found.truth.round(6).tolist()
    ('y', [0.25, 0.75])
    """
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    true = None if answer is None else answer.true_value
    numbers = cast(Numbered, mechanism).numbers(value, data.columns, data.domain)
    return numbers.compared(true, simulated=released is None)


def show_table(
    mechanism: ContingencyTable,
    data: Categories,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CrossTable | None:
    """Return how many records have each pair of categories, beside the true numbers.

    Parameters
    ----------
    mechanism : ContingencyTable
    data : Categories
        Of a release without the truth, what is public about them is enough.
    privacy : PrivacyLike
    across, up : int
        The two columns, by number: whose categories stand beside each other, and above each other.
    seed : int
        Of a simulated release.
    released : Release, optional
        To be shown in the place of a simulated one.
    records : bool
        Whether the truth is to be seen.
    progress : Progress

    Returns
    -------
    CrossTable or None
        None where no released margin holds both columns.

    Examples
    --------
    >>> from engine import Categories, CategoryDomain, ContingencyTable, Privacy
    >>> answers = CategoryDomain(["first", "second"], [["no", "yes"], ["no", "yes"]])
    >>> data = Categories([[0, 1]] * 60 + [[1, 1]] * 40, answers)
    >>> found = show_table(ContingencyTable(), data, Privacy(1.0))
    >>> found.names, found.truth.tolist()
    (('second', 'first'), [[0.0, 0.0], [60.0, 40.0]])
    """
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    domain = data.domain
    second, first = distinct_axes((across, up), len(domain.columns))  # rows go up
    true = None if answer is None else answer.true_answer
    return CrossTable.of(domain, (first, second), value, true, simulated=released is None)
