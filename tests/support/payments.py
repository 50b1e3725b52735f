"""Releases with any cost: stand-ins for mechanisms, which an account pays for like real ones."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.ledger import Account, Cost
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy

NO_DATA = Sample([0.0], Interval(0, 1))


@dataclasses.dataclass(frozen=True)
class Stated:
    """States a cost, and releases what it draws."""

    stated: Cost
    draw: Callable[[], Any]
    name: str = "stated"

    @property
    def relation(self) -> str:
        return self.stated.neighbours

    @property
    def inexact(self) -> str:
        return self.stated.inexact

    @property
    def guarantee(self) -> Any:
        return self

    def cost(self, privacy: Privacy) -> Privacy:
        return self.stated.privacy

    def zcdp_cost(self, privacy: Privacy) -> Any:
        return self.stated.concentrated

    def loss(self, privacy: Privacy) -> Any:
        return self.stated.loss

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> "Stated":
        return self

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        pass

    def settings(self) -> dict[str, Any]:
        return {}

    def prepare(self, data: Any, privacy: Privacy, progress: Any) -> None:
        return None

    def release(self, prepared: None, data: Any, privacy: Privacy, rng: Any, progress: Any) -> Release:
        value, stated = self.draw(), self.stated.privacy
        private = Private({})
        return Release(
            "stated", "stated", value, stated, {}, {}, None, False, private, neighbours=self.relation
        )


def pay(
    account: Account, cost: Cost, about: Mapping[str, Any], draw: Callable[[], Any], **more: Any
) -> Release:
    """Release what `draw` returns, at this cost."""
    return account.release(Stated(cost, draw), NO_DATA, 1.0, about, **more)
