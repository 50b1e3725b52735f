"""What theory promises of a ball or of an interior point, in words, from public facts alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.model.wording.numbers import grouped, short

if TYPE_CHECKING:
    from engine.domain import Box
    from engine.mechanisms import BallMechanism, InteriorPoint
    from engine.mechanisms.one_cluster import BallGuarantee, Share
    from engine.privacy import Privacy


def promise_words(mechanism: BallMechanism | InteriorPoint, box: Box, n: int, asked: Privacy) -> str:
    """Say what is promised of a mechanism for n points of `box`, and how surely."""
    from engine.mechanisms import InteriorPoint, KBalls

    if isinstance(mechanism, InteriorPoint):
        return f"between the smallest and the largest record with probability {percent(1 - mechanism.beta)}"
    which = "first ball: " if isinstance(mechanism, KBalls) else ""
    return which + ball_words(mechanism.search.promise(box, n, asked), mechanism.t, n, mechanism.beta)


def ball_words(promise: BallGuarantee, t: int, n: int, beta: float) -> str:
    """Say how many of t points a ball holds for certain, how large it is, and how surely."""
    if promise.promised <= 0:
        few = promise.needed <= n
        advice = "ask for more points, or take a larger epsilon" if few else "take a larger epsilon"
        return (
            f"nothing is promised for t = {grouped(t)}, only from t = {grouped(promise.needed)} on; {advice}"
        )
    least, points = grouped(math.ceil(promise.promised)), f"{grouped(t)} points"
    return (
        f"at least {least} of {points} ({percent(promise.promised / t)}) within "
        f"{short(promise.factor, 3)} times the radius of the smallest ball with {points}, "
        f"with probability {percent(1 - beta)}, for points rounded to the grid"
    )


def share_words(share: Share) -> str:
    """Say what one step costs."""
    delta = f" (delta {short(share.privacy.delta, 3)})" if share.privacy.delta else ""
    return f"{share.label}: {short(share.privacy.epsilon, 4)}{delta}"


def percent(share: float) -> str:
    """Return a share as ``42 %``."""
    return f"{short(100 * share, 3)} %"
