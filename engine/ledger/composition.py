"""What several releases of the same data cost together, by three rules, and whether a limit holds."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable

from engine.ledger.cost import SLACK, Cost, Limit
from engine.privacy import NO_PROMISE, Privacy

LEAST = 1e-9
"""No advanced bound is below this, as no concentrated one is."""

ROUNDING = 1e-12
"""Three releases at 0.1 keep a limit of 0.3, although the sum in binary is a little above it."""


@dataclasses.dataclass(frozen=True)
class Composition:
    """The sums of what several releases cost, and what they come to.

    What is spent is told for the releases as they were made.  Of releases chosen in the light of
    earlier ones it is a promise only within a limit that was set before: see `within`.

    Attributes
    ----------
    releases : int
    epsilon, squares, delta : float
        Sums of epsilon, of its square, and of delta; infinite where a release promises nothing.
    rho, approximate : float
        Sums of the concentrated privacy, which may need less delta.
    slack : float
        The delta that `advanced` and `concentrated` take in addition.
    """

    releases: int
    epsilon: float
    squares: float
    delta: float
    rho: float
    approximate: float
    slack: float

    @property
    def basic(self) -> Privacy:
        """Sums of epsilon and delta (Dwork, Kenthapadi, McSherry, Mironov, Naor 2006)."""
        return _promise(self.epsilon, self.delta)

    @functools.cached_property
    def advanced(self) -> Privacy:
        """sqrt(2 ln(1/slack) sum epsilon^2) + sum epsilon^2/2.

        Source: Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 1.
        """
        root = math.sqrt(2 * math.log(1 / self.slack) * self.squares)
        # so small an epsilon that its square is 0 is not promised
        return _promise(max(root + self.squares / 2, LEAST), self.delta + self.slack)

    @functools.cached_property
    def concentrated(self) -> Privacy:
        """The sum of rho, converted exactly (Canonne, Kamath, Steinke 2020, Corollary 13)."""
        return _promise(_epsilon_of(self.rho, self.slack), self.approximate + self.slack)

    @property
    def tightest(self) -> Privacy:
        """The one of the three with the least epsilon."""
        return self._by_name[self.method]

    @property
    def method(self) -> str:
        """Which one that is: "basic", "advanced" or "zcdp"; of equal ones the first."""
        return min(self._by_name, key=lambda name: self._by_name[name].epsilon)

    @property
    def _by_name(self) -> dict[str, Privacy]:
        return {"basic": self.basic, "advanced": self.advanced, "zcdp": self.concentrated}

    def within(self, limit: Limit) -> bool:
        """Tell whether the releases keep the limit.

        They do if the sum of their deltas is at most ``limit.delta``, and either the sum of their
        epsilons or the concentrated bound at ``limit.slack`` is at most ``limit.epsilon``.

        Whatever is chosen in the light of earlier releases, as long as the limit is kept after each,
        all together are (``limit.epsilon``, ``limit.delta + limit.slack``)-private.  For, with two
        neighbours, P and Q the distributions of all that is released, and e = ``limit.epsilon``:

        1. An (epsilon, delta)-private step is a step that with probability delta gives everything
           away, and else has a log-ratio of at most epsilon (Kairouz, Oh, Viswanath 2017).  Let G be
           that Gaussian noise, or any other step whose rho needs no delta, is seen so, too.
        2. Where everything kept the sum of epsilons and no step gave anything away, P <= exp(e) Q.
        3. Elsewhere, where no step but those of G gave anything away, stop before the concentrated
           bound would be exceeded.  Then the sum of rho is at most the largest that converts to
           (e, slack), on every path, and the Rényi divergence of each order is at most what that
           allows although rho is chosen on the way (Feldman, Zrnic 2021, Theorem 3.1; Whitehouse and
           others 2023, Theorem 2).  So the sum of (P - exp(e) Q)+ over these paths is at most slack.
        4. On all paths, the probability that any step gave everything away is at most the largest
           sum of deltas, ``limit.delta``: steps of G count in 2 only, all others in both, and no path
           is in both.

        The sum of (P - exp(e) Q)+ over all paths is thus at most ``limit.delta + limit.slack``.  The
        advanced bound adds nothing: it is that of rho = epsilon^2/2, converted less well.
        """
        return self._delta_within(limit) and self._reached(limit) <= limit.epsilon * (1 + ROUNDING)

    def words(self) -> str:
        """Say in a few words what is spent."""
        best = self.tightest
        if best == NO_PROMISE:
            return "more than any epsilon"
        return f"epsilon {best.epsilon:.4g}, delta {best.delta:.3g}"

    def excess(self, limit: Limit) -> str:
        """Say in which way a limit that is not kept is exceeded."""
        if math.isinf(self.epsilon):
            return f"no epsilon would be large enough, and the limit is epsilon {limit.epsilon:g}"
        if not self._delta_within(limit):
            return f"the deltas would sum to {self.delta:.4g}, above the limit of delta {limit.delta:g}"
        return f"it would be epsilon {self._reached(limit):.4g}, above the limit of epsilon {limit.epsilon:g}"

    def _delta_within(self, limit: Limit) -> bool:
        return self.delta <= limit.delta * (1 + ROUNDING)

    def _reached(self, limit: Limit) -> float:
        """Return the epsilon that counts against the limit."""
        return min(self.epsilon, _epsilon_of(self.rho, limit.slack))


def composed(costs: Iterable[Cost], slack: float = SLACK) -> Composition | None:
    """Return what all of them cost together; None if there are none.

    Raises
    ------
    ValueError
        If they hold between different neighbours, where nothing adds up.
    """
    spent = tuple(costs)
    if not spent:
        return None
    if len({cost.neighbours for cost in spent}) > 1:
        raise ValueError("costs between different neighbours do not add up")
    pairs = [(cost.privacy, cost.concentrated) for cost in spent]
    if any(privacy == NO_PROMISE or rho is None for privacy, rho in pairs):
        return Composition(len(spent), *(math.inf,) * 5, slack)
    rhos = [rho for _, rho in pairs if rho is not None]
    return Composition(
        releases=len(spent),
        epsilon=_sum(privacy.epsilon for privacy, _ in pairs),
        squares=_sum(privacy.epsilon * privacy.epsilon for privacy, _ in pairs),
        delta=_sum(privacy.delta for privacy, _ in pairs),
        rho=_sum(each.rho for each in rhos),
        approximate=_sum(each.delta for each in rhos),
        slack=slack,
    )


def _sum(parts: Iterable[float]) -> float:
    try:
        return math.fsum(parts)
    except OverflowError:
        return math.inf


def _promise(epsilon: float, delta: float) -> Privacy:
    """Return what is promised: nothing at all, if epsilon is not finite or delta reaches 1."""
    return Privacy(epsilon, delta) if math.isfinite(epsilon) and delta < 1 else NO_PROMISE


@functools.lru_cache(maxsize=256)
def _epsilon_of(rho: float, slack: float) -> float:
    """Return the least epsilon of (epsilon, slack)-privacy that rho-zCDP implies."""
    if math.isinf(rho):
        return math.inf
    from engine.primitives.accounting import Concentrated

    return Concentrated(rho).privacy(slack).epsilon
