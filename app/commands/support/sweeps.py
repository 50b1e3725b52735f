"""``--sweep NAME=START:STOP:STEPS``: what a comparison varies."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.options import UsageError
from engine.errors import UnknownName

if TYPE_CHECKING:
    from engine.comparison import Sweep
    from engine.mechanisms.base import Mechanism

SHAPE = "NAME=START:STOP:STEPS"
PUBLIC = ("epsilon", "n")
"""What can be varied of every comparison."""


@dataclasses.dataclass(frozen=True)
class RequestedSweep:
    """A sweep as the option says it.

    Attributes
    ----------
    name : str
        What is varied.
    start, stop : float
        The first and the last value.
    steps : int
        How many there are.
    """

    name: str
    start: float
    stop: float
    steps: int

    @property
    def middle(self) -> float:
        """The value in the middle, as a factor of either end."""
        return math.sqrt(self.start * self.stop)

    def over(self, mechanisms: Sequence[Mechanism[Any]]) -> Sweep:
        """Return the values, if one of the mechanisms has what is to be varied.

        Raises
        ------
        UnknownName
            If none has it.
        ParameterError
            If the values make no sense.
        """
        from engine.comparison.sweeps import sweep_between, sweepable

        known = {declared.name: declared for declared in sweepable(mechanisms)}
        if self.name not in (*PUBLIC, *known):
            raise UnknownName("parameter to vary", self.name, [*PUBLIC, *known])
        declared = known.get(self.name)
        if declared is not None:
            for end in (self.start, self.stop):
                declared.check(end)
        whole = declared is not None and declared.kind == "int"
        return sweep_between(self.name, self.start, self.stop, self.steps, whole)


def requested_sweep(texts: Sequence[str] | None) -> RequestedSweep | None:
    """Read the option; None if there is none.

    Raises
    ------
    UsageError
        If it makes no sense, or two parameters are to be varied.
    """
    if not texts:
        return None
    if len(texts) > 1:  # errors would depend on two things at once
        names = " and ".join(text.partition("=")[0] for text in texts)
        raise UsageError(f"--sweep: {names} cannot be varied at once; choose one, and fix the others")
    try:
        return _read(texts[0])
    except ValueError:
        raise UsageError(f"--sweep: '{texts[0]}' is no {SHAPE}, for instance epsilon=0.1:10:7") from None


def _read(text: str) -> RequestedSweep:
    name, _, values = text.partition("=")
    start, stop, steps = values.split(":")
    if not name:
        raise ValueError
    return RequestedSweep(name.replace("-", "_"), float(start), float(stop), int(steps))
