"""Results of an analysis as named numbers, for scripts and tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Protocol


@dataclasses.dataclass(frozen=True)
class Finding:
    """A named number or array; `findings_text` writes a list of them.

    Attributes
    ----------
    name : str
        A short description.
    value : object
    public : bool
        Whether it depends on public facts only.

    See Also
    --------
    findings_text
    """

    name: str
    value: Any
    public: bool = False


class Findings(Protocol):
    """The result of an analysis, as a list of findings."""

    def findings(self) -> Iterable[Finding]:
        """Yield the findings, the most important first."""


def findings_text(result: Findings | None) -> str:
    """Format the findings of an analysis, one per line, marking the confidential ones.

    Parameters
    ----------
    result : Findings or None
        The result of any analysis; None if it has no result.

    Returns
    -------
    str

    See Also
    --------
    Finding

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
