"""Errors of a ledger, each on one line: what is wrong, where, and how to correct it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.errors import SensiscopeError
from engine.privacy import NO_PROMISE, Privacy

if TYPE_CHECKING:
    from engine.ledger.composition import Composition
    from engine.ledger.cost import Cost, Limit, Payable
    from engine.ledger.similar import SimilarData

NOTHING = "nothing was released"


def _called(title: str, unnamed: str) -> str:
    """Return the title of a dataset; `unnamed` for one from Python, which is just called "data"."""
    return unnamed if title in ("", "data") else title


class LedgerError(SensiscopeError):
    """The file of a `Ledger` cannot be read or written."""


class LedgerDamaged(LedgerError):
    """The file of a `Ledger` was changed or damaged: it is left unchanged until the user sets it aside."""


class MisstatedCost(LedgerError):
    """A release stated another cost than its entry in a `Ledger`; it was discarded, its entry counts."""


class Overspent(SensiscopeError):
    """A release would exceed the limit; see `Ledger`.

    Attributes
    ----------
    cost : Cost
        Cost of the release.
    limit : Limit
        The limit that was set.
    composition : Composition
        Of all releases, including this one.
    spent : Composition or None
        Of the releases before it.
    title : str
        Of the dataset.
    recounted : str
        Notice that earlier releases are now counted differently: `Account.recounted`.

    See Also
    --------
    Limit, Ledger
    """

    def __init__(
        self,
        cost: Cost,
        limit: Limit,
        composition: Composition,
        spent: Composition | None,
        title: str = "",
        recounted: str = "",
    ) -> None:
        now = "nothing" if spent is None else spent.describe()
        promises = composition.basic != NO_PROMISE
        right = "ask for less, or raise the limit" if promises else "remove the limit"
        super().__init__(
            f"{title or 'this dataset'}: {now} is spent for one row of the file"
            f"{recounted and f' ({recounted})'}, and with this release {composition.excess(limit)}; "
            f"{NOTHING}: {right}"
        )
        self.cost = cost
        self.limit = limit
        self.composition = composition
        self.spent = spent
        self.title = title
        self.recounted = recounted

    def epsilon_left(
        self, mechanism: Payable, privacy: Privacy, domain: Any = None, rows: int = 0
    ) -> float | None:
        """Return the largest epsilon with which the limit allows this release, rounded down; None if none.

        `rows` as in `Cost.of`.
        """
        from engine.ledger.composition import epsilon_left
        from engine.ledger.cost import Cost

        def cost(epsilon: float) -> Cost:
            return Cost.of(mechanism, Privacy(epsilon, privacy.delta), domain, rows)

        if self.composition.basic == NO_PROMISE:
            return None
        return epsilon_left(self.spent, self.limit, cost, privacy.epsilon)


class Resembling(SensiscopeError):
    """The first release of data that resemble others, before the user has said whether they are the same."""

    def __init__(self, similar: tuple[SimilarData, ...], title: str = "") -> None:
        super().__init__(
            f"{_called(title, 'this dataset')}: it resembles {_called(similar[0].title, 'an earlier one')}, "
            f"which has releases; {NOTHING}: say whether they are the same data"
        )
        self.similar = similar
        self.title = title
