"""What theory promises of a ball, and what each step towards it costs: public facts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from engine.domain import Box
from engine.findings import Finding
from engine.mechanisms import BallMechanism
from engine.mechanisms.one_cluster import Guarantee, Share
from engine.privacy import PrivacyLike, as_privacy


@dataclasses.dataclass(frozen=True)
class BallPromise:
    """What is promised of a ball (public).

    Returned by `promise_ball`.

    Attributes
    ----------
    guarantee : Guarantee
        With probability 1 - beta.
    shares : tuple of Share
        What each step costs; together they cost the whole.
    """

    guarantee: Guarantee
    shares: tuple[Share, ...]

    def findings(self) -> Iterator[Finding]:
        """Yield the promise, and the budget of each step."""
        yield Finding("points that are promised to be in the ball", self.guarantee.promised, public=True)
        yield Finding("the smallest t that promises any", self.guarantee.needed, public=True)
        yield Finding("the radius is at most, times the smallest", self.guarantee.factor, public=True)
        for share in self.shares:
            yield Finding(f"{share.label}: epsilon", share.privacy.epsilon, public=True)


def promise_ball(mechanism: BallMechanism, domain: Box, n: int, privacy: PrivacyLike) -> BallPromise:
    """Return what theory promises of a ball (public)."""
    privacy = as_privacy(privacy)
    return BallPromise(mechanism.guarantee(domain, n, privacy), mechanism.shares(domain, n, privacy))
