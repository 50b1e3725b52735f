"""Audit a mechanism, or one with a planted mistake, on a named pair of neighbours."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine.arguments import as_data
from engine.audit.auditing import audit_runs
from engine.audit.bounding import AuditRun
from engine.audit.choices import DEFAULT_RUNS, MOVED
from engine.audit.low_bits import MAX_LOW_BITS_RUNS, LowBitsRun, low_bits_run
from engine.audit.pairs import Pair, as_meant, worst_case_pairs
from engine.audit.pairs_of_data import changes_record, pairs_from_data, replace_one_pair
from engine.data.database import PublicFacts
from engine.errors import ParameterError, UnknownName
from engine.findings import Finding
from engine.mechanisms import PLANTED
from engine.mechanisms.base import Mechanism, MechanismLike, checked_mechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.signatures import explained


@dataclasses.dataclass(frozen=True, eq=False)
class NeighbourAudit:
    """The audit of a pair of neighbours; as public as the pair.

    Returned by `audit_neighbours` and `attack_low_bits`.
    """

    pair: Pair
    run: Any
    bug: str = ""  # name of the planted mistake
    counts_ranges: bool = False  # whether the draws are counts of records in the boxes of `Ranges`

    def findings(self) -> Iterator[Finding]:
        """Yield the distinguishing event, and the conclusion about the guarantee."""
        public = self.pair.public
        if self.bug:
            yield Finding("a mistake was planted on purpose", PLANTED[self.bug].label, public=True)
        if isinstance(self.run, LowBitsRun):
            yield Finding("the low bits", self.run.result.describe(), public)
            yield Finding("the promise is", self.run.result.verdict, public)
        elif isinstance(self.run, AuditRun):
            yield Finding("event that distinguishes the two databases", self.run.audit.event, public)
            yield Finding("epsilon is at least", self.run.audit.epsilon_lower_bound, public)
            yield Finding("the promise is", self.run.audit.verdict, public)


@explained
def audit_neighbours(
    mechanism: MechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    pair: str = "",
    bug: str = "",
    record: int | None = None,
    value: Any = None,
    runs: int = DEFAULT_RUNS,
    confidence: float = 0.999,
    seed: int = 1,
    progress: Progress = silent,
) -> NeighbourAudit:
    """Simulate releases of two neighbours, and search for an event that distinguishes them.

    Parameters
    ----------
    mechanism : Mechanism
    data : Sample, Points, Categories or a graph; or PublicFacts
        The public facts are enough for public pairs.
    privacy : PrivacyLike
        The guarantee to refute.
    pair : str
        The name of one of `worst_case_pairs` or `pairs_from_data`, or "moved"; by default the first one, or
        the one that shows the mistake best.
    bug : str
        The name of a mistake to plant, from `PLANTED`.
    record, value : int, object
        As in `replace_one_pair`.
    runs : int
        Releases of either database.
    confidence : float
    seed : int
    progress : Progress

    Returns
    -------
    NeighbourAudit
        Its `run` is an `AuditRun`.

    Raises
    ------
    ParameterError
        If there is no such pair or mistake, the record has the value already, or the mechanism does not fit.

    See Also
    --------
    audit_run, Pair

    Examples
    --------
    Half of the required noise fails the audit:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, PublicFacts
    >>> facts, mean = PublicFacts(Interval(0, 100), 10), LaplaceRelease(query=Mean())
    >>> audit_neighbours(mean, facts, Privacy(1.0)).run.audit.violated
    False
    >>> audit_neighbours(mean, facts, Privacy(1.0), bug="halved-scale", runs=100_000).run.audit.violated
    True
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    data = as_data(data, mechanism)
    audited = with_bug(mechanism, bug)
    chosen = _chosen(
        mechanism, audited, data, privacy, pair, bug, record, value, progress=part(progress, 0.0, 0.1)
    )
    rest = part(progress, 0.1, 1.0)
    (run,) = audit_runs(audited, [chosen], privacy, runs=runs, seed=seed, confidence=confidence, steps=[rest])
    return NeighbourAudit(chosen, run, bug, mechanism.question == "ranges")


@explained
def attack_low_bits(
    mechanism: MechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    pair: str = "",
    bug: str = "",
    record: int | None = None,
    value: Any = None,
    runs: int = DEFAULT_RUNS,
    progress: Progress = silent,
) -> NeighbourAudit:
    """Draw real releases of two neighbours, and test their lowest bits.

    The releases stay hidden and spend no budget.

    Parameters
    ----------
    mechanism : Mechanism
    data : Sample, Points, Categories or a graph; or PublicFacts
        The public facts are enough for public pairs.
    privacy : PrivacyLike
        The guarantee to refute.
    pair, bug, record, value
        As in `audit_neighbours`.
    runs : int
        Releases of either database, at most `engine.audit.low_bits.MAX_LOW_BITS_RUNS`.
    progress : Progress

    Returns
    -------
    NeighbourAudit
        Its `run` is a `LowBitsRun`.

    Raises
    ------
    ParameterError
        If there is no such pair or mistake, or the mechanism releases no numbers on a grid.

    See Also
    --------
    low_bits_run, audit_run

    Examples
    --------
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, PublicFacts
    >>> facts, mean = PublicFacts(Interval(0, 100), 10), LaplaceRelease(query=Mean())
    >>> attack_low_bits(mean, facts, Privacy(1.0), runs=1000).run.found.off_grid
    0.0
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    data = as_data(data, mechanism)
    audited = with_bug(mechanism, bug)
    chosen = _chosen(
        mechanism, audited, data, privacy, pair, bug, record, value, progress=part(progress, 0.0, 0.1)
    )
    run = low_bits_run(
        audited, chosen, privacy, runs=min(runs, MAX_LOW_BITS_RUNS), progress=part(progress, 0.1, 1.0)
    )
    return NeighbourAudit(chosen, run, bug)


def with_bug(mechanism: Mechanism[Any], bug: str) -> Mechanism[Any]:
    """Return a mechanism with a planted mistake, by its name; "" for none."""
    if not bug:
        return mechanism
    if bug not in PLANTED:
        raise UnknownName("faulty variant", bug, PLANTED)
    if not PLANTED[bug].applies_to(mechanism):
        raise ParameterError("bug", f"{PLANTED[bug].label} is no bug of {mechanism.label}; choose another")
    return PLANTED[bug].planted(mechanism)


def _chosen(
    mechanism: Mechanism[Any],
    audited: Mechanism[Any],
    data: Any,
    privacy: Privacy,
    name: str,
    bug: str,
    record: int | None,
    value: Any,
    *,
    progress: Progress,
) -> Pair:
    known = not isinstance(data, PublicFacts)
    if name == MOVED and known:
        if record is None:
            raise ParameterError("record", "no record is named; say which one is moved")
        replaced = replace_one_pair(data, record, value)
        if not changes_record(replaced):
            raise ParameterError("value", "the record has this value already; give another one")
        pair = as_meant(mechanism, replaced)
        if pair is None:
            raise ParameterError("record", "there is no other record; at least two are needed")
        return pair
    pairs = {pair.name: pair for pair in worst_case_pairs(audited, data.domain, data.n, privacy)}
    if not name:
        worst = PLANTED[bug].worst_for(mechanism) if bug else ""
        return pairs.get(worst) or next(iter(pairs.values()))
    if name not in pairs and known:
        pairs |= {pair.name: pair for pair in pairs_from_data(audited, data, privacy, progress=progress)}
    if name not in pairs:
        raise UnknownName("pair of neighbors", name, pairs)
    return pairs[name]
