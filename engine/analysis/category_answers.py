"""Released counts, tables and matrices beside the true ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from engine.analysis.preparing import SimulatedAnswer, simulated_answer
from engine.analysis.shared.projections import distinct_axes
from engine.array_types import Floats
from engine.data.categories import Categories
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable, Numbered
from engine.mechanisms.release import Release
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, silent


def show_answer(
    mechanism: Mechanism[Any],
    data: Any,
    privacy: Privacy,
    *,
    seed: int,
    released: Release | None,
    records: bool,
    progress: Progress,
) -> tuple[Any, SimulatedAnswer | None]:
    """Return what is shown: what was released, or else is simulated; and the truth, if it is to be seen.

    Of a release without the truth, no data are looked at.
    """
    answer = None
    if records or released is None:
        answer = simulated_answer(mechanism, data, privacy, seed=seed, progress=progress)
    value = answer.value if released is None and answer is not None else released and released.value
    return value, answer if records else None


def category_estimates(
    mechanism: Mechanism[Any],
    data: Categories | Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CategoryNumbers:
    """Return the estimate for each category, condition, quantile or candidate, and the true value."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    true = None if answer is None else answer.true_value
    numbers = cast(Numbered, mechanism).numbers(value, data.columns, data.domain)
    return numbers.compared(true, simulated=released is None)


def cross_table(
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
    """Return how many records have each pair of categories, beside the true numbers."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    domain = data.domain
    second, first = distinct_axes((across, up), len(domain.columns))  # rows go up
    true = None if answer is None else answer.true_answer
    return CrossTable.of(domain, (first, second), value, true, simulated=released is None)


@dataclasses.dataclass(frozen=True, eq=False)
class ReleasedMatrix:
    """A covariance or another symmetric matrix, from `show_matrix`."""

    names: tuple[str, ...]  # Of rows and columns
    released: Floats  # shape (d, d); What was released, or one simulated release
    truth: Floats | None = None  # shape (d, d); The true matrix (private)
    simulated: bool = False  # Whether `released` is simulated, and so private
    noun: str = "covariance"  # What it is: "covariance", "second moments"

    @classmethod
    def of(
        cls, names: Sequence[str], value: Any, truth: Any, about: str, *, simulated: bool
    ) -> ReleasedMatrix:
        """Return a matrix that was released, or could be; beside the true one, if it is given."""
        true = None if truth is None else np.array(truth["matrix"])
        return cls(tuple(names), np.array(value["matrix"]), true, simulated, cls.named(about))

    @staticmethod
    def named(about: str) -> str:
        """Name a matrix by what it is about: the mean, or the middle of the bounds."""
        return "covariance" if about == "mean" else "second moments"

    def findings(self) -> Iterator[Finding]:
        """Yield the matrix, and the true one."""
        kind = "one simulated release" if self.simulated else "released"
        yield Finding(f"{kind}: {self.noun}", self.released, public=not self.simulated)
        if self.truth is not None:
            yield Finding(f"true {self.noun}", self.truth)


def show_matrix(
    mechanism: Mechanism[Points],
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> ReleasedMatrix:
    """Return the matrix that a mechanism releases, beside the true one."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    truth = None if answer is None else answer.true_answer
    about = str(mechanism.settings().get("about", "mean"))
    return ReleasedMatrix.of(data.columns, value, truth, about, simulated=released is None)
