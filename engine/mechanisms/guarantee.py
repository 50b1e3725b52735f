"""What a release costs of the budget that it is given, in all currencies in which budgets add up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from engine.primitives.accounting import Concentrated, of_approximate, of_exponential
from engine.primitives.counts import concentrated_noise
from engine.primitives.losses import Loss
from engine.privacy import NO_PROMISE, Privacy


@dataclasses.dataclass(frozen=True)
class Guarantee:
    """What a release costs of the budget that it is given.

    Parameters
    ----------
    uses_delta : bool
        Whether delta is spent; without it, a release is private with delta = 0 whatever is asked.
    spent : callable, optional
        What is spent of a budget, where `uses_delta` does not say it.
    zcdp : callable, optional
        The concentrated privacy for a budget, where more is proved than follows from epsilon and delta.
    losses : callable, optional
        The privacy loss for a budget, where more is known than epsilon and delta.

    Examples
    --------
    A choice by scores costs epsilon alone, and less than other mechanisms where releases add up:

    >>> from engine import ExponentialRelease, Privacy
    >>> guarantee, asked = ExponentialRelease().guarantee, Privacy(1.0, 1e-6)
    >>> guarantee.cost(asked), guarantee.zcdp_cost(asked).rho
    (Privacy(epsilon=1.0, delta=0.0), 0.125)
    """

    uses_delta: bool = True
    spent: Callable[[Privacy], Privacy] | None = None
    zcdp: Callable[[Privacy], Concentrated] | None = None
    losses: Callable[[Privacy], Loss] | None = None

    def cost(self, privacy: Privacy) -> Privacy:
        """Return what a release costs of what is asked for: no delta where it does without."""
        if self.spent is not None:
            return self.spent(privacy)
        return privacy if self.uses_delta else Privacy(privacy.epsilon)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the concentrated privacy of a release, which adds up more slowly than epsilon.

        Any (epsilon, delta)-private release is delta-approximate rho-zCDP with the rho of an epsilon
        alone, at most epsilon^2/2 (Bun, Steinke 2016, Lemma 8.8).  Raise `ParameterError` where nothing
        is promised.
        """
        return of_approximate(self.cost(privacy)) if self.zcdp is None else self.zcdp(privacy)

    def loss(self, privacy: Privacy) -> Loss:
        """Return the privacy loss of a release; that of epsilon and delta dominates any other.

        Raise `ParameterError` where nothing is promised.
        """
        return Loss.of_stated(self.cost(privacy)) if self.losses is None else self.losses(privacy)


APPROXIMATE = Guarantee()
"""Epsilon and delta, and no more."""

PURE = Guarantee(uses_delta=False)
"""Epsilon, and no more."""

CHOICE = Guarantee(uses_delta=False, zcdp=lambda privacy: of_exponential(privacy.epsilon))
"""Epsilon, and epsilon^2/8: the log-ratios of all probabilities span a range of epsilon."""

NOTHING = Guarantee(uses_delta=False, spent=lambda privacy: NO_PROMISE)
"""No privacy."""


def noise_guarantee(noise: str) -> Guarantee:
    """Return the guarantee of "laplace" or "gaussian" noise that is added once to all numbers."""
    return Guarantee(noise == "gaussian", zcdp=lambda privacy: concentrated_noise(noise, privacy))
