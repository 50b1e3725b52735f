"""What the privacy losses of releases add up to, told beside the compositions that count."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from engine.ledger import Composition

NOT_COUNTED = (
    "Privacy losses hold if the releases and their costs were fixed beforehand, and count against no limit."
)
"""Why it stands beside the other compositions, and not among them."""


@dataclasses.dataclass(frozen=True)
class LossSum:
    """The sum, or why it is not told.

    Attributes
    ----------
    privacy : Privacy or None
        None where it is not told, and where nothing is promised.
    missing : str
        What would have to be installed, or what else is in the way.
    """

    privacy: Privacy | None = None
    missing: str = ""

    @classmethod
    def of(cls, spent: Composition, progress: Progress = silent) -> LossSum:
        """Add the losses up, if dp-accounting is there; of many releases it takes a while.

        A limit without a delta has no such sum, since that takes a delta.
        """
        from engine.errors import ParameterError

        if not spent.slack:
            return cls()
        try:
            result = spent.by_losses(progress)
        except ParameterError as error:
            return cls(missing=error.problem)
        return cls(None if result == NO_PROMISE else result)
