"""What an audit proves, as a chip and one line of numbers."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.model.wording.numbers import number, share

if TYPE_CHECKING:
    from engine.audit import AuditRun, LowBitsRun

NO_PROOF = "An audit can refute a guarantee, never prove it."


@dataclasses.dataclass(frozen=True)
class AuditVerdict:
    """What an audit proves.

    Attributes
    ----------
    state : {"consistent", "violated", "preliminary"}
    chip : str
        The verdict in a word, and on what.
    numbers : str
        What it rests on.
    """

    state: str
    chip: str
    numbers: str

    @property
    def sentence(self) -> str:
        """All of it, as it is read aloud and written below a saved picture."""
        return f"{self.chip}. {self.numbers}"


def audit_verdict(run: AuditRun) -> AuditVerdict:
    """Return what an audit proves; one that could not have refuted the guarantee is preliminary."""
    result = run.audit
    promised = _promised(result.privacy.epsilon)
    bound = (
        f"Measured lower bound {number(result.epsilon_lower_bound)} ({share(result.confidence)} confidence)."
    )
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", bound)
    if not run.could_refute:
        most = f"So few runs can show at most {_promised(run.largest_bound)}; {promised} is promised."
        return AuditVerdict("preliminary", "Preliminary", f"{bound} {most}")
    return AuditVerdict("consistent", f"Consistent with {promised}", f"{bound} {NO_PROOF}")


def low_bits_verdict(run: LowBitsRun) -> AuditVerdict:
    """Return what the attack on the low bits proves."""
    result = run.result
    promised = _promised(result.privacy.epsilon)
    looked = f"Low bits of {number(result.runs, 9)} real releases of either database."
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", looked)
    return AuditVerdict("consistent", f"Consistent with {promised}", looked)


def _promised(epsilon: float) -> str:
    return f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(epsilon)}"
