"""Audit all compared mechanisms in the same way: lower bounds on their epsilons."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.audit.choices import DEFAULT_RUNS, MIN_RUNS
from engine.comparison.results import ComparedMechanism
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms.planted.base import intended
from engine.numerals import grouped
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Cancelled, Progress, parts, silent

if TYPE_CHECKING:
    from engine.audit.bounding import Audit


@dataclasses.dataclass(frozen=True)
class ContenderAudit:
    """The audit of one mechanism."""

    # of the worst pair; its bound holds with the requested confidence, whichever pair is the worst
    audit: Audit | None
    pair: str = ""  # its label
    pairs: int = 0  # number of pairs tried
    problem: str = ""  # why there is no audit; "" if there is one

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"; "" without an audit."""
        return "" if self.audit is None else self.audit.verdict


@dataclasses.dataclass(frozen=True)
class AuditedContenders:
    """Audits of all compared mechanisms, from `audit_contenders`; public."""

    contenders: tuple[ComparedMechanism, ...]
    privacy: Privacy
    audits: tuple[ContenderAudit, ...]  # fewer than the mechanisms if it was cancelled
    runs: int  # simulated releases on either side of each pair
    confidence: float  # of each mechanism

    @property
    def violated(self) -> tuple[int, ...]:
        """Indices of the mechanisms whose guarantee is refuted."""
        return tuple(index for index, each in enumerate(self.audits) if each.verdict == "violated")


def audit_contenders(
    contenders: Sequence[ComparedMechanism],
    domain: Any,
    n: int,
    privacy: PrivacyLike,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    confidence: float = 0.999,
    progress: Progress = silent,
    **structure: Any,
) -> AuditedContenders:
    """Audit each mechanism on all of `worst_case_pairs`, which takes `structure`.

    The bound of a mechanism holds with probability `confidence`: each of its p pairs uses 1 - (1 -
    confidence)/p, so that all bounds hold at once.  When `progress` raises `Cancelled`, the audits so far are
    returned.
    """
    from engine.audit import audit_runs, worst_case_pairs  # slow, and comparisons need no audit

    privacy = as_privacy(privacy)
    if runs < MIN_RUNS:
        raise ParameterError("runs", f"{grouped(runs)} are too few; at least {grouped(MIN_RUNS)} are needed")
    audits: list[ContenderAudit] = []
    for contender, here in zip(contenders, parts(len(contenders), progress), strict=True):
        mechanism = contender.mechanism
        if not intended(mechanism).facts.is_private:
            audits.append(ContenderAudit(None, problem="it has no guarantee"))
            continue
        try:
            mechanism.refuse(privacy, domain, n)
            pairs = worst_case_pairs(mechanism, domain, n, privacy, **structure)
            steps = list(parts(len(pairs), here))
            each = 1 - (1 - confidence) / len(pairs)
            tried = list(
                audit_runs(mechanism, pairs, privacy, runs=runs, seed=seed, confidence=each, steps=steps)
            )
        except Cancelled:
            break
        except SensiscopeError as error:
            audits.append(ContenderAudit(None, problem=str(error)))
            continue
        worst = max(range(len(pairs)), key=lambda turn: tried[turn].audit.epsilon_lower_bound)
        audit = dataclasses.replace(tried[worst].audit, confidence=confidence)
        audits.append(ContenderAudit(audit, pairs[worst].label, len(pairs)))
    return AuditedContenders(tuple(contenders), privacy, tuple(audits), runs, confidence)
