"""Repeat one mechanism on the same data; the data are read only once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.arguments import SeedLike, as_data, as_seed, as_whole
from engine.array_types import Floats
from engine.errors import ParameterError
from engine.mechanisms.base import DataT, Mechanism, MechanismLike, checked_mechanism
from engine.mechanisms.prepared import Prepared
from engine.numerals import grouped
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.shown import ShownInALine
from engine.signatures import explained


@dataclasses.dataclass(frozen=True, repr=False)
class Simulation(ShownInALine):
    """Simulated releases from `simulate` (private: together they reveal the true value)."""

    # value that each run would have released, shape (runs,) or (runs, D); NaN where it refused
    values: Floats
    distances: Floats  # distance from the true value, shape (runs,); NaN where it refused
    true_value: Any
    seed: int
    prepared: Prepared  # theoretical density and quantiles

    @property
    def in_a_line(self) -> str:
        return f"{grouped(len(self.distances))} runs, seed={self.seed}; no releases, and confidential"

    @property
    def refused(self) -> int:
        """Number of runs without an answer."""
        return int(np.count_nonzero(np.isnan(self.distances)))

    @property
    def errors(self) -> Floats:
        """Errors of the runs with an answer."""
        return self.distances[~np.isnan(self.distances)]


@explained
def simulate(
    mechanism: MechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    runs: int,
    seed: SeedLike,
    progress: Progress = silent,
) -> Simulation:
    """Run `mechanism` many times; work that depends on the data (S*, sorting) is done once.

    Parameters
    ----------
    mechanism : Mechanism
    data : Sample, Points, Categories or a graph
        Data of a type that the mechanism accepts.
    privacy : PrivacyLike
        The budget.
    runs : int
        At least 1.
    seed : int
        The same seed gives the same values.
    progress : Progress

    Returns
    -------
    Simulation

    Raises
    ------
    ParameterError
        If `runs` < 1, or the mechanism does not fit.

    See Also
    --------
    simulate_releases, compare, reproducible

    Examples
    --------
    The Laplace noise on a mean has scale 10: the median of its absolute value is 10 ln 2 = 6.93.

    >>> import numpy as np
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> mechanism = LaplaceRelease(query=Mean(), clamp="none")
    >>> found = simulate(mechanism, data, Privacy(1.0), runs=100_000, seed=1)
    >>> found.true_value, round(np.median(found.distances).item(), 1)
    (40.0, 6.9)
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    data, runs, seed = as_data(data, mechanism), check_runs(runs), as_seed(seed)
    prepared = mechanism.prepare(data, privacy, part(progress, 0.0, 0.5))
    return simulate_prepared(
        mechanism, prepared, data, runs=runs, seed=seed, progress=part(progress, 0.5, 1.0)
    )


def simulate_prepared(
    mechanism: Mechanism[DataT],
    prepared: Prepared,
    data: DataT,
    *,
    runs: int,
    seed: int,
    progress: Progress = silent,
) -> Simulation:
    """Run a prepared `mechanism` many times, like `simulate`."""
    runs, seed = check_runs(runs), as_seed(seed)
    true_value, rng = prepared.true_value(part(progress, 0.0, 0.1)), reproducible(seed)
    sizes = [min(prepared.batch_size, runs - start) for start in range(0, runs, prepared.batch_size)]
    values = np.concatenate(list(batches(prepared, sizes, lambda _: rng, progress=part(progress, 0.1, 1.0))))
    distances = mechanism.output.errors(values, true_value, data.domain)
    return Simulation(values, distances, true_value, seed, prepared)


def batches(
    prepared: Prepared,
    sizes: Sequence[int],
    generator: Callable[[int], np.random.Generator],
    *,
    progress: Progress = silent,
) -> Iterator[Floats]:
    """Yield the values of successive batches; each batch has its own generator, by its number."""
    done, total = 0, sum(sizes)
    for number, some in enumerate(sizes):
        here = part(progress, done / total, (done + some) / total)
        here(0.0, "simulated releases")
        yield prepared.draw(generator(number), some, here)
        done += some


def runs_of_each(runs: int | Sequence[int], count: int) -> tuple[int, ...]:
    """Return the runs of each of `count` mechanisms: a number of each, or one number for all."""
    each = tuple(map(check_runs, runs)) if isinstance(runs, Sequence) else (check_runs(runs),) * count
    if len(each) != count:
        raise ParameterError(
            "runs", f"there are {len(each)} numbers for {count} mechanisms; give one of each"
        )
    return each


def check_runs(runs: float) -> int:
    """Return `runs`; raise `ParameterError` unless it is a whole number of at least 1."""
    return as_whole("runs", runs, 1)
