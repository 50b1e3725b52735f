"""What can go wrong with a ledger, each in one line: what is wrong, where, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from engine.ledger.composition import Composition
    from engine.ledger.cost import Cost, Limit

NOTHING = "nothing was released"


class LedgerError(SensiscopeError):
    """The ledger cannot be read or written."""


class LedgerDamaged(LedgerError):
    """The file is not what was written: it is left as it is, until a person sets it aside."""


class Overspent(SensiscopeError):
    """A release would come to more than the limit that a person has set.

    Attributes
    ----------
    cost : Cost
        What the release would cost.
    limit : Limit
        What was set.
    composition : Composition
        What all releases would come to, this one among them.
    """

    def __init__(self, cost: Cost, limit: Limit, composition: Composition, title: str = "") -> None:
        of = f" of {title}" if title else ""
        super().__init__(
            f"with this release, {composition.words()} would be spent{of}, more than the limit of "
            f"{limit.words()}; {NOTHING}: ask for less, or raise the limit"
        )
        self.cost = cost
        self.limit = limit
        self.composition = composition
        self.title = title

    def __reduce__(self) -> tuple[type[Overspent], tuple[Cost, Limit, Composition, str]]:
        """Cross from one process to another."""
        return type(self), (self.cost, self.limit, self.composition, self.title)
