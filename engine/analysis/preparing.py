"""Cache prepared mechanisms and their seeded draws with the data (private)."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.analysis.memory import noise_budget, remembered
from engine.arguments import as_data
from engine.mechanisms.base import Mechanism, MechanismLike, checked_mechanism
from engine.mechanisms.prepared import Prepared
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.shown import ShownInALine
from engine.signatures import explained

MAX_PREPARED = 6
"""Largest number of cached prepared mechanisms, and of histograms: each may be as large as the data."""


@explained
def prepare(mechanism: MechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent) -> Any:
    """Prepare a mechanism on the data, cached; without noise, the budget is ignored.

    Results that do not depend on the budget are computed once for all budgets.

    Parameters
    ----------
    mechanism : Mechanism
    data : Sample, Points, Categories or a graph
    privacy : PrivacyLike
        The requested guarantee.
    progress : Progress

    Returns
    -------
    Prepared

    Raises
    ------
    ParameterError
        If the mechanism does not fit the data.

    See Also
    --------
    simulate_releases, Prepared

    Examples
    --------
    The second call returns the cached object:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data, mechanism = Sample([40.0] * 10, Interval(0, 100)), LaplaceRelease(query=Mean())
    >>> prepared = prepare(mechanism, data, Privacy(1.0))
    >>> prepared is prepare(mechanism, data, Privacy(1.0))
    True
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    data = as_data(data, mechanism)
    shared = mechanism.shared_work(data.domain)
    key = ("prepared", mechanism, shared and shared.key, noise_budget(mechanism, privacy))
    if shared is None:
        return remembered(data, key, lambda: mechanism.prepare(data, privacy, progress), MAX_PREPARED)

    def work() -> Prepared:
        mechanism.refuse(privacy, data.domain, data.n)
        counting, rest = part(progress, 0.0, 0.8), part(progress, 0.8, 1.0)
        counts = remembered(data, ("counts", shared.key), lambda: shared.count(data, privacy, counting))
        return shared.finish(counts, data, privacy, rest)

    return remembered(data, key, work)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SimulatedAnswer(ShownInALine):
    """A simulated answer with the truth (private), from `simulated_answer`."""

    value: Any  # in the form of a release: a matrix, points, counts of categories
    true_answer: Any  # the answer without noise, in the same form
    true_value: Any  # reference for errors: for the mode, all counts


def simulated_answer(
    mechanism: Mechanism[Any],
    data: Any,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    progress: Progress = silent,
) -> SimulatedAnswer:
    """Simulate an answer with a seed, and compute the truth."""
    privacy = as_privacy(privacy)

    def work() -> SimulatedAnswer:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.4))
        true = ready.true_value(part(progress, 0.4, 0.7))
        value = mechanism._draw_value(ready, data.domain, reproducible(seed), part(progress, 0.7, 1.0))
        return SimulatedAnswer(value, mechanism.output.true_answer(true, data.domain), true)

    return remembered(data, ("simulated answer", mechanism, privacy, seed), work)
