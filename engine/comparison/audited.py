"""All contenders of a comparison attacked in the same way: what their epsilon is at least."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from engine.audit.auditing import audit_runs
from engine.audit.bounding import FEWEST, Audit
from engine.audit.pairs import built_in
from engine.comparison.results import Contender
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms.planted.base import intended
from engine.numerals import grouped
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Cancelled, Progress, parts, silent


@dataclasses.dataclass(frozen=True)
class ContenderAudit:
    """What an audit found of one contender; `audit_contenders` returns some.

    Attributes
    ----------
    audit : Audit or None
        That of the worst pair, whose bound holds with the confidence that was asked for, whichever pair that
        is; None where there is none.
    pair : str
        The label of that pair.
    pairs : int
        On how many it was tried.
    problem : str
        Why there is no audit; "" where there is one.
    """

    audit: Audit | None
    pair: str = ""
    pairs: int = 0
    problem: str = ""

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"; "" where there is no audit."""
        return "" if self.audit is None else self.audit.verdict


@dataclasses.dataclass(frozen=True)
class AuditedContenders:
    """What audits of all contenders found, from `audit_contenders`; public.

    Attributes
    ----------
    contenders : tuple of Contender
    privacy : Privacy
        What was promised.
    found : tuple of ContenderAudit
        Of each contender; fewer if it was cancelled.
    runs : int
        Simulated releases on either side of each pair.
    confidence : float
        Of each contender.
    """

    contenders: tuple[Contender, ...]
    privacy: Privacy
    found: tuple[ContenderAudit, ...]
    runs: int
    confidence: float

    @property
    def violated(self) -> tuple[int, ...]:
        """Places of the contenders whose promise is refuted."""
        return tuple(place for place, each in enumerate(self.found) if each.verdict == "violated")


def audit_contenders(
    contenders: Sequence[Contender],
    domain: Any,
    n: int,
    privacy: PrivacyLike,
    runs: int,
    seed: int,
    *,
    confidence: float = 0.999,
    progress: Progress = silent,
    **structure: Any,
) -> AuditedContenders:
    """Audit each contender on all pairs of neighbours that follow from public facts.

    Parameters
    ----------
    contenders : sequence of Contender
    domain : Interval or Box
        Public range of a record.
    n : int
        Public number of records.
    privacy : PrivacyLike
        What is promised.
    runs : int
        Simulated releases on either side of each pair, at least 1,000.
    seed : int
    confidence : float
        Probability with which the bound of a contender holds.  Each of its p pairs is asked for
        1 - (1 - confidence)/p, so that the bounds of all of them hold at once.
    progress : Progress
        When it raises `Cancelled`, what there is by then is returned.
    **structure
        What else `built_in` takes.

    Returns
    -------
    AuditedContenders

    Raises
    ------
    ParameterError
        If there are too few runs.

    Examples
    --------
    Laplace noise that keeps its promise, and the same with half of the scale:

    >>> from engine import PLANTED, Interval, LaplaceRelease, Mean, labelled
    >>> right = LaplaceRelease(query=Mean())
    >>> both = labelled([right, PLANTED["halved-scale"].planted(right)])
    >>> found = audit_contenders(both, Interval(0, 100), 10, 1.0, runs=10_000, seed=1)
    >>> [each.verdict for each in found.found]
    ['consistent', 'violated']
    """
    privacy = as_privacy(privacy)
    if runs < FEWEST:
        raise ParameterError("runs", f"{grouped(runs)} are too few; at least {grouped(FEWEST)} are needed")
    found = tuple(_audits(contenders, domain, n, privacy, runs, seed, confidence, progress, structure))
    return AuditedContenders(tuple(contenders), privacy, found, runs, confidence)


def _audits(
    contenders: Sequence[Contender],
    domain: Any,
    n: int,
    privacy: Privacy,
    runs: int,
    seed: int,
    confidence: float,
    progress: Progress,
    structure: dict[str, Any],
) -> Iterator[ContenderAudit]:
    """Yield what is found of one contender after the other, until it is cancelled."""
    for contender, here in zip(contenders, parts(len(contenders), progress), strict=True):
        mechanism = contender.mechanism
        if not intended(mechanism).is_private:
            yield ContenderAudit(None, problem="it promises nothing")
            continue
        try:
            mechanism.refuse(privacy, domain, n)
            pairs = built_in(mechanism, domain, n, privacy, **structure)
            steps = list(parts(len(pairs), here))
            each = 1 - (1 - confidence) / len(pairs)
            tried = list(audit_runs(mechanism, pairs, privacy, runs, seed, confidence=each, steps=steps))
        except Cancelled:
            return
        except SensiscopeError as error:
            yield ContenderAudit(None, problem=str(error))
            continue
        worst = max(range(len(pairs)), key=lambda turn: tried[turn].audit.epsilon_lower_bound)
        audit = dataclasses.replace(tried[worst].audit, confidence=confidence)
        yield ContenderAudit(audit, pairs[worst].label, len(pairs))
