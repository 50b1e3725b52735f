"""What an analysis has found, in numbers with their names: what a script prints, and a table shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Protocol


@dataclasses.dataclass(frozen=True)
class Finding:
    """One number, or array of numbers, with its name; `findings_text` writes them.

    Attributes
    ----------
    name : str
        What it is, in a few words.
    value : object
    public : bool
        Whether it follows from public facts alone.
    """

    name: str
    value: Any
    public: bool = False


class Findings(Protocol):
    """The result of an analysis: it says what it has found."""

    def findings(self) -> Iterable[Finding]:
        """Yield what was found, the most important first."""


def findings_text(result: Findings | None) -> str:
    """Write what an analysis has found, a line each, and what of it is private.

    Parameters
    ----------
    result : Findings or None
        The result of any analysis; None where it found nothing.

    Returns
    -------
    str

    Examples
    --------
    >>> from engine import ExpectedError
    >>> print(findings_text(ExpectedError(typical=0.5, most=2.0, private=True)))
    typical error (confidential): 0.5
    95 % of all errors within (confidential): 2.0
    """
    if result is None:
        return "nothing was found"
    return "\n".join(
        f"{finding.name}{'' if finding.public else ' (confidential)'}: {finding.value}"
        for finding in result.findings()
    )
