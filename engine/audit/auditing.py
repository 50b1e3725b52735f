"""Run a mechanism on two neighbours, and derive a lower bound on its epsilon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.arguments import as_whole
from engine.array_types import Floats
from engine.audit.bounding import Audit, AuditRun, audit_draws
from engine.audit.choices import DEFAULT_RUNS, MIN_RUNS
from engine.audit.guess_who import KNOWN, Density, densities_of
from engine.audit.low_bits import possible_doubles
from engine.audit.pairs import Pair, checked_pair
from engine.errors import ParameterError
from engine.mechanisms.base import DataT, Mechanism, MechanismLike, checked_mechanism
from engine.mechanisms.planted.doubles import DoublesPrepared
from engine.mechanisms.prepared import Prepared
from engine.numerals import grouped
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.runners import in_order, runner
from engine.signatures import explained

MAX_NUMBERS = 10**8
"""Largest number of numbers drawn on each side: 800 MB."""


@explained
def audit_run(
    mechanism: MechanismLike,
    pair: Pair,
    privacy: PrivacyLike,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    confidence: float = 0.999,
    progress: Progress = silent,
) -> AuditRun:
    """Run a mechanism on both databases of a pair and audit its simulated releases.

    Optional post-processing is omitted: it cannot help to distinguish the databases, and can hide
    differences.  Results are reproducible and no release: if a database is private, so are they.

    Parameters
    ----------
    mechanism : Mechanism
    pair : Pair
    privacy : PrivacyLike
        The guarantee to refute.
    runs : int
        Draws on each side, at least 1,000.
    seed : int
    confidence : float
        Probability with which the bound holds.
    progress : Progress

    Returns
    -------
    AuditRun

    Raises
    ------
    ParameterError
        If the mechanism does not fit, or `runs` or `confidence` are out of range.

    See Also
    --------
    worst_case_pairs, replace_one_pair, PLANTED

    Examples
    --------
    Laplace noise that keeps its guarantee, and the same with half of the scale:

    >>> from engine import PLANTED, Interval, LaplaceRelease, Mean, Privacy, worst_case_pairs
    >>> right, asked = LaplaceRelease(query=Mean()), Privacy(1.0)
    >>> [pair, *_] = worst_case_pairs(right, Interval(0, 100), 10, asked)
    >>> for mechanism in (right, PLANTED["halved-scale"].planted(right)):
    ...     audit_run(mechanism, pair, asked, runs=20_000, seed=1).audit.violated
    False
    True
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    pair, runs = checked_pair(pair), as_whole("runs", runs, 1)
    if runs < MIN_RUNS:
        raise ParameterError("runs", f"{grouped(runs)} are too few; at least {grouped(MIN_RUNS)} are needed")
    mechanism = mechanism.unprocessed()
    rng = reproducible(seed)
    shares = part(progress, 0.0, 0.475), part(progress, 0.475, 0.95)
    (first, ready), (second, ready_too) = (
        _draws(mechanism, database, privacy, runs, rng, progress=here)
        for database, here in zip((pair.data, pair.neighbour), shares, strict=True)
    )
    progress(0.95, "choosing the event")
    known = None if ready is None or ready_too is None else _densities(ready, ready_too)
    result = audit_draws(first, second, privacy, confidence, densities=known, rng=rng)
    progress(1.0, "audited")
    return result


def audit_runs(
    mechanism: Mechanism[Any],
    pairs: Sequence[Pair],
    privacy: Privacy,
    *,
    runs: int,
    seed: int,
    confidence: float,
    steps: Iterable[Progress],
) -> Iterator[AuditRun]:
    """Yield the result of `audit_run` for each pair: sequentially, or in parallel on a cluster."""
    now = runner()
    if not now.is_elsewhere:
        for pair, here in zip(pairs, steps, strict=True):
            yield audit_run(
                mechanism, pair, privacy, runs=runs, seed=seed, confidence=confidence, progress=here
            )
        return
    turns = list(steps)

    def reported(fraction: float, message: str = "") -> None:
        turns[min(int(fraction * len(turns)), len(turns) - 1)](0.0, message)

    with now.opened() as pool:
        tasks = (
            pool.submit(audit_run, mechanism, pair, privacy, runs=runs, seed=seed, confidence=confidence)
            for pair in pairs
        )
        yield from in_order(tasks, now.width, len(pairs), reported, "simulated releases")


def audit_mechanism(
    mechanism: Mechanism[DataT], data: DataT, neighbour: DataT, privacy: PrivacyLike, **settings: Any
) -> Audit:
    """Return the audit of a mechanism on two databases that differ in one record, by `audit_run`."""
    return audit_run(mechanism, Pair("", "", "", data, neighbour), privacy, **settings).audit


def _draws(
    mechanism: Mechanism[DataT],
    database: DataT,
    privacy: Privacy,
    runs: int,
    rng: np.random.Generator,
    *,
    progress: Progress,
) -> tuple[Floats, Prepared | None]:
    """Return simulated releases from one database, shape (runs,) or (runs, D), and what drew them.

    None if no formula is known for their density.
    """
    ready = mechanism.prepare(database, privacy, part(progress, 0.0, 0.2))
    drawn: Floats | None = None
    for start in range(0, runs, ready.batch_size):
        size = min(ready.batch_size, runs - start)
        here = part(progress, *(0.2 + 0.8 * done / runs for done in (start, start + size)))
        here(0.0, "simulated releases")
        some = mechanism.output.in_order(ready.draw(rng, size, here), database.domain)
        if drawn is None:
            drawn = _room(runs, some.shape[1:])
        drawn[start : start + size] = some
    assert drawn is not None
    return drawn, ready if isinstance(ready, (*KNOWN, DoublesPrepared)) else None


def _densities(first: Prepared, second: Prepared) -> tuple[tuple[Density, Density], float | None] | None:
    """Return both densities, as `densities_of`; they are 0 for doubles that the noise cannot give."""
    if not (isinstance(first, DoublesPrepared) and isinstance(second, DoublesPrepared)):
        return densities_of((first, second))
    known = densities_of((first.ready, second.ready))
    if known is None:
        return None
    (one, other), _ = known
    return (_of_possible(one, first), _of_possible(other, second)), None


def _of_possible(density: Density, ready: DoublesPrepared) -> Density:
    return lambda answers: np.where(possible_doubles(ready.ready, answers[:, None], 1), density(answers), 0.0)


def _room(runs: int, shape: tuple[int, ...]) -> Floats:
    each = int(np.prod(shape, dtype=np.int64))
    if runs * each > MAX_NUMBERS:
        raise ParameterError(
            "runs",
            f"{grouped(runs)} releases of {grouped(each)} numbers each are too many to keep; "
            f"at most {grouped(MAX_NUMBERS // each)} are possible",
        )
    return np.empty((runs, *shape))
