"""The privacy cost of a release: epsilon and delta, zCDP, and the privacy loss."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from engine.primitives.accounting import Concentrated, of_approximate, of_exponential
from engine.primitives.counts import concentrated_noise
from engine.primitives.losses import Loss
from engine.privacy import NO_PROMISE, Privacy


@dataclasses.dataclass(frozen=True)
class Guarantee:
    """The privacy cost of a release as a function of its budget.

    Parameters
    ----------
    uses_delta : bool
        Whether a release spends delta; if not, it is private with delta = 0.
    spent : callable, optional
        Maps a budget to the cost, if `uses_delta` does not determine it.
    zcdp : callable, optional
        Maps a budget to the zCDP cost, if it is smaller than epsilon and delta imply.
    losses : callable, optional
        Maps a budget to the privacy loss, if more is known than epsilon and delta.

    See Also
    --------
    Mechanism, Ledger

    Examples
    --------
    A choice by scores costs no delta, and little zCDP:

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
        """Return the cost of a release for a budget; delta is 0 if the mechanism spends none."""
        if self.spent is not None:
            return self.spent(privacy)
        return privacy if self.uses_delta else Privacy(privacy.epsilon)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the zCDP cost of a release, which adds up more slowly than epsilon.

        Any (epsilon, delta)-DP release is delta-approximate rho-zCDP with the rho of epsilon alone, at most
        epsilon^2/2 (Bun, Steinke 2016, Lemma 8.8).  Raise `ParameterError` if the mechanism promises no
        privacy.
        """
        return of_approximate(self.cost(privacy)) if self.zcdp is None else self.zcdp(privacy)

    def loss(self, privacy: Privacy) -> Loss:
        """Return the privacy loss of a release; by default the worst one for epsilon and delta.

        Raise `ParameterError` if the mechanism promises no privacy.
        """
        return Loss.of_stated(self.cost(privacy)) if self.losses is None else self.losses(privacy)


APPROXIMATE = Guarantee()
"""Spends epsilon and delta."""

PURE = Guarantee(uses_delta=False)
"""Spends epsilon alone."""

CHOICE = Guarantee(uses_delta=False, zcdp=lambda privacy: of_exponential(privacy.epsilon))
"""Spends epsilon and rho = epsilon^2/8: the log-ratios of all probabilities span a range of epsilon."""

EXPONENTIAL, FLIP, AUTOMATIC = "exponential", "permute-and-flip", "automatic"
"""Ways to choose by scores; automatic is permute-and-flip only for budgets without delta."""


def choice_guarantee(choice: str) -> Guarantee:
    """Return the guarantee of a choice by the exponential mechanism, or by permute-and-flip."""
    # for permute-and-flip, the log-ratios may span 2 epsilon, as for any private choice
    return {EXPONENTIAL: CHOICE, FLIP: PURE, AUTOMATIC: _AUTOMATIC_CHOICE}[choice]


def _automatic_cost(privacy: Privacy) -> Concentrated:
    return (CHOICE if privacy.delta else PURE).zcdp_cost(privacy)


_AUTOMATIC_CHOICE = Guarantee(uses_delta=False, zcdp=_automatic_cost)


NOTHING = Guarantee(uses_delta=False, spent=lambda privacy: NO_PROMISE)
"""Promises no privacy."""


def noise_guarantee(noise: str) -> Guarantee:
    """Return the guarantee of one addition of "laplace" or "gaussian" noise to all numbers."""
    return Guarantee(noise == "gaussian", zcdp=lambda privacy: concentrated_noise(noise, privacy))


class AddsNoise:
    """The guarantee of a mechanism whose `noise` is added to all numbers at once."""

    noise: str

    @property
    def guarantee(self) -> Guarantee:
        return noise_guarantee(self.noise)
