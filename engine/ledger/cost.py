"""What one release costs, and the limit that you set."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from engine.errors import ParameterError
from engine.numerals import short
from engine.privacy import Privacy, PrivacyLike, as_privacy

if TYPE_CHECKING:
    from engine.mechanisms.base import Mechanism
    from engine.primitives.accounting import Concentrated
    from engine.primitives.losses import Loss

SLACK = 1e-6
"""The delta that advanced and concentrated composition take, unless a limit says otherwise."""


@dataclasses.dataclass(frozen=True)
class Cost:
    """What one release costs.

    Attributes
    ----------
    privacy : Privacy
        (epsilon, delta), or `NO_PROMISE`.
    concentrated : Concentrated or None
        The same release as delta-approximate rho-zCDP; None where nothing is promised.
    neighbours : str
        Between which databases that holds; costs between different ones do not add up.
    inexact : str
        Why the promise may fail in the last digits of floating point; "" where it does not.
    loss : Loss or None
        The privacy loss that the mechanism states; None for that of epsilon and delta.

    Examples
    --------
    The exponential mechanism costs no delta, and concentrated privacy of at most epsilon^2/8.

    >>> from engine import ExponentialRelease, Privacy
    >>> cost = Cost.of(ExponentialRelease(), Privacy(1.0, 1e-6))
    >>> cost.privacy, cost.concentrated.rho
    (Privacy(epsilon=1.0, delta=0.0), 0.125)
    """

    privacy: Privacy
    concentrated: Concentrated | None
    neighbours: str
    inexact: str = ""
    loss: Loss | None = None

    @classmethod
    def of(cls, mechanism: Mechanism[Any], asked: PrivacyLike, domain: Any = None) -> Cost:
        """Return what a release by `mechanism` costs, when `asked` is asked for.

        With `domain`, the public bounds, it is less where it follows from them, too.
        """
        asked = as_privacy(asked)
        if domain is not None:
            mechanism = mechanism.settled(domain)
        privacy, rho = mechanism.charged(asked)
        one = privacy == mechanism.cost(asked)  # and not several steps of what is stated
        loss = mechanism.loss(asked) if one and rho is not None else None
        return cls(privacy, rho, mechanism.neighbours, mechanism.inexact, loss)

    @property
    def dominating(self) -> Loss:
        """The privacy loss of what is promised."""
        from engine.primitives.losses import Loss

        return Loss.of_stated(self.privacy) if self.loss is None else self.loss


@dataclasses.dataclass(frozen=True)
class Limit:
    """How much may be spent on a dataset, between the same neighbours.

    Parameters
    ----------
    epsilon : float
        Above 0.
    delta : float, default 0
        What the deltas of all releases may sum to.
    slack : float
        The delta that advanced and concentrated composition take in addition.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, delta not in [0, 1), slack not in (0, 1), or
        delta and slack together not below 1.

    Examples
    --------
    >>> Limit(3.0, delta=1e-6).whole
    Privacy(epsilon=3.0, delta=2e-06)
    """

    epsilon: float
    delta: float = 0.0
    slack: float = SLACK

    def __post_init__(self) -> None:
        Privacy(self.epsilon, self.delta)
        if not (math.isfinite(self.slack) and 0 < self.slack < 1 - self.delta):
            raise ParameterError(
                "slack",
                f"{short(self.slack)} is not possible; it must be above 0, and below 1 together with delta",
            )

    @property
    def whole(self) -> Privacy:
        """What all releases together promise, whatever is chosen in the light of the earlier ones."""
        return Privacy(self.epsilon, self.delta + self.slack)
