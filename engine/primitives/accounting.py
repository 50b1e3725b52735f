"""The cost of several steps on the same data: concentrated privacy and advanced composition."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

from engine.errors import ParameterError
from engine.noise.calibration import implying_rho, largest, log_delta
from engine.numerals import short
from engine.privacy import NO_PROMISE, ROW_STEPS, Privacy

FINEST = 1e-9
"""The least epsilon that a conversion returns; a smaller one would make no difference."""

_NEGLIGIBLE, _HUGE = 1e-40, 1e8


@dataclasses.dataclass(frozen=True)
class Concentrated:
    """delta-approximate rho-zCDP for replace-one neighbours, n public.

    But for events of probability delta on either side, the Rényi divergence of every order
    a > 1 is at most a rho (Bun and Steinke 2016, Definition 8.1).

    Parameters
    ----------
    rho : float
        Of Gaussian noise, half the square of sensitivity over sigma.
    delta : float
        The probability with which the bound may fail.

    See Also
    --------
    Privacy, Ledger

    Examples
    --------
    >>> from engine import Concentrated
    >>> Concentrated(0.125).for_group(2)
    Concentrated(rho=0.5, delta=0.0)
    """

    rho: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rho) and self.rho >= 0):
            raise ParameterError(
                "rho", f"{short(self.rho)} is not possible; it must be a finite number of at least 0"
            )
        if not 0 <= self.delta < 1:
            raise ParameterError(
                "delta", f"{short(self.delta)} is not possible; it must be at least 0 and below 1"
            )

    def for_group(self, size: int) -> Concentrated:
        """Return what is promised to `size` records together: size^2 rho.

        Source: Bun, Steinke 2016, Proposition 1.9.

        Raises
        ------
        ParameterError
            If `size` is below 1, or above 1 where delta is above 0.
        """
        if size < 1 or (self.delta and size > 1):
            raise ParameterError(
                "group", f"{size} is not possible; it must be at least 1, and 1 where delta is above 0"
            )
        return Concentrated(size * size * self.rho, self.delta)

    def privacy(self, delta: float) -> Privacy:
        """Return the (epsilon, delta)-privacy that this implies, with the least epsilon.

        Outside of the events of probability ``self.delta`` the conversion has
        (delta - self.delta)/(1 - self.delta) to itself (Canonne, Kamath, Steinke 2020,
        Corollary 13); epsilon errs upwards, by less than 1e-11 of itself.  Of a rho above 1e8 it is
        rho + 2 sqrt(rho ln(1/delta)) instead (Bun, Steinke 2016, Proposition 1.3).
        """
        if not self.delta < delta < 1:
            raise ParameterError(
                "delta", f"{short(delta)} is not possible; it must be above {short(self.delta)} and below 1"
            )
        if self.rho < _NEGLIGIBLE:
            return Privacy(FINEST, delta)
        rest = math.log((delta - self.delta) / (1 - self.delta))
        if self.rho > _HUGE:  # two roots: no double may hold the product
            return Privacy(self.rho + 2 * math.sqrt(self.rho) * math.sqrt(-rest), delta)
        start = self.rho + 2 * math.sqrt(-self.rho * rest)

        def holds(inverse: float) -> bool:
            return inverse <= 1 / FINEST and log_delta(self.rho, 1 / inverse) <= rest

        return Privacy(1 / largest(holds, 1 / max(start, FINEST)), delta)


def of_pure(epsilon: float) -> Concentrated:
    """Return what an (epsilon, 0)-private step costs: epsilon^2/2 (Bun, Steinke 2016, Proposition 3.3).

    From epsilon = 2 on it is epsilon, which no Rényi divergence exceeds.
    """
    return Concentrated(min(epsilon * epsilon / 2, epsilon))


def of_exponential(epsilon: float) -> Concentrated:
    """Return what the exponential mechanism with weights exp(epsilon score/2) costs: epsilon^2/8.

    Its log-ratios span a range of epsilon only (Cesar and Rogers 2021, by the bounded range of
    Durfee and Rogers 2019), where a pure step may span 2 epsilon.  From epsilon = 8 on it is epsilon,
    as of any pure step.
    """
    return Concentrated(min(epsilon * epsilon / 8, epsilon))


def of_approximate(privacy: Privacy) -> Concentrated:
    """Return what any (epsilon, delta)-private step costs (Bun, Steinke 2016, Lemma 8.8)."""
    return Concentrated(of_pure(privacy.epsilon).rho, privacy.delta)


def of_gaussian(sensitivity: float, sigma: float) -> Concentrated:
    """Return what N(0, sigma^2 I) costs on a vector of this L2 sensitivity (Bun, Steinke 2016)."""
    return Concentrated((sensitivity / sigma) ** 2 / 2)


def for_row(
    cost: Privacy, concentrated: Concentrated | None, neighbours: str
) -> tuple[Privacy, Concentrated | None]:
    """Return what a release that states this between its neighbours costs for one row of the file replaced.

    That is group privacy for `engine.privacy.ROW_STEPS` steps: of epsilon and delta as
    `Privacy.for_group`, and k^2 rho without a delta.  Of several steps with a delta no more is known in
    concentrated privacy than what follows from epsilon and delta.  Between neighbours that are not listed
    there, nothing is promised to a row.
    """
    steps = ROW_STEPS.get(neighbours)
    return (NO_PROMISE, None) if steps is None else for_steps(cost, concentrated, steps)


def for_steps(
    cost: Privacy, concentrated: Concentrated | None, steps: int
) -> tuple[Privacy, Concentrated | None]:
    """Return the cost of a release for databases so many steps between neighbours apart: see `for_row`."""
    whole = cost.for_group(steps)
    if whole == NO_PROMISE or concentrated is None:
        return NO_PROMISE, None
    if steps == 1:
        return whole, concentrated
    if concentrated.delta:
        return whole, of_approximate(whole)
    squared = concentrated.for_group(steps)
    return whole, squared if whole.delta else Concentrated(min(squared.rho, of_pure(whole.epsilon).rho))


def worst(ways: Iterable[Concentrated]) -> Concentrated:
    """Return what one of several ways costs at most, whichever it is."""
    costs = tuple(ways)
    return Concentrated(max(one.rho for one in costs), max(one.delta for one in costs))


def compose(parts: Iterable[Concentrated]) -> Concentrated:
    """Return what adaptive steps on the same data cost together (Bun, Steinke 2016, Lemma 8.2)."""
    spent = tuple(parts)
    return Concentrated(
        math.fsum(part.rho for part in spent),
        abs(math.expm1(math.fsum(math.log1p(-part.delta) for part in spent))),
    )


def largest_rho(privacy: Privacy) -> float:
    """Return the largest rho whose rho-zCDP implies (epsilon, delta)-privacy."""
    if privacy.delta == 0:
        raise ParameterError(
            "delta", "0 is not possible for concentrated privacy; it must be above 0 (say 1e-6)"
        )
    return implying_rho(privacy)


def advanced_composition(privacy: Privacy, k: int, delta_slack: float) -> Privacy:
    """Return what k adaptive steps, each of this privacy, cost together.

    epsilon' = 2 k epsilon^2 + epsilon sqrt(2 k ln(1/delta_slack)) and
    delta' = k delta + delta_slack.

    Source: Nissim, Stemmer, Vadhan 2016, Theorem 4.7.  It holds for every epsilon, since
    Kairouz, Oh, Viswanath 2017, Theorem 3.4, have k epsilon tanh(epsilon/2) in place of
    2 k epsilon^2.
    """
    _check_steps(k)
    if not 0 < delta_slack < 1:
        raise ParameterError(
            "delta_slack", f"{short(delta_slack)} is not possible; it must be above 0 and below 1"
        )
    epsilon = privacy.epsilon
    return Privacy(
        2 * k * epsilon**2 + epsilon * math.sqrt(2 * k * math.log(1 / delta_slack)),
        k * privacy.delta + delta_slack,
    )


def best_share(privacy: Privacy, k: int) -> Privacy:
    """Return the largest equal share with which k adaptive steps keep within `privacy`.

    By basic composition (epsilon/k, delta/k), or by advanced composition with half of delta
    for the steps and half for the slack, whichever leaves more epsilon.
    """
    _check_steps(k)
    basic = Privacy(privacy.epsilon / k, privacy.delta / k)
    if privacy.delta == 0:
        return basic
    # the root of 2 k e^2 + linear e = epsilon
    linear = math.sqrt(2 * k * math.log(2 / privacy.delta))
    epsilon = 2 * privacy.epsilon / (linear + math.sqrt(linear**2 + 8 * k * privacy.epsilon))
    return basic if basic.epsilon >= epsilon else Privacy(epsilon, privacy.delta / (2 * k))


def _check_steps(k: int) -> None:
    if k < 1:
        raise ParameterError("k", f"{k} is not possible; it must be at least 1")
