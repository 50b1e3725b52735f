"""The total cost of releases of the same data, by three rules, and whether a limit holds."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.ledger.cost import SLACK, Cost, Limit
from engine.numerals import short
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from engine.primitives.losses import Loss

MIN_LEFT = 1e-3
"""Smallest rest of a budget that is worth a release."""

MIN_EPSILON = 1e-9
"""Smallest advanced bound, as for the concentrated one."""

ROUNDING_TOLERANCE = 1e-12
"""Tolerance: three releases at 0.1 keep a limit of 0.3, although their binary sum is slightly above it."""


@dataclasses.dataclass(frozen=True)
class Composition:
    """The cost of several releases for one replaced row of the file; see `Account` of a `Ledger`.

    It holds for a fixed sequence of releases.  If later ones were chosen after seeing earlier ones, it is a
    guarantee only within a limit that was set before: see `within`.
    """

    releases: int
    # sums of epsilon, of its square, and of delta; infinite if a release promises nothing
    epsilon: float
    squares: float
    delta: float
    # sums of the zCDP costs, which may need less delta
    rho: float
    approximate: float
    # additional delta of all rules but `basic`; 0 within a limit without delta, where `basic` counts
    slack: float
    # counts of equal releases; empty if a release promises nothing
    losses: Counter[Loss] = dataclasses.field(default_factory=Counter, hash=False, repr=False)

    def __add__(self, more: Composition) -> Composition:
        """Return the total of these and `more` releases, with this slack."""
        names = (field.name for field in dataclasses.fields(self) if field.name != "slack")
        return dataclasses.replace(
            self, **{name: getattr(self, name) + getattr(more, name) for name in names}
        )

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
        # an epsilon whose square underflows to 0 must not be promised
        return _promise(max(root + self.squares / 2, MIN_EPSILON), self.delta + self.slack)

    @functools.cached_property
    def concentrated(self) -> Privacy:
        """The sum of rho, converted exactly (Canonne, Kamath, Steinke 2020, Corollary 13)."""
        return _promise(_epsilon_of(self.rho, self.slack), self.approximate + self.slack)

    def by_losses(self, progress: Progress = silent) -> Privacy:
        """Return the composition of privacy losses (Zhu, Dong, Wang 2022), with the slack as additional
        delta.

        It does not count for limits.  It holds for releases that are fixed in advance, or chosen after seeing
        earlier ones with fixed costs, but not for adaptively chosen costs.
        """
        if not math.isfinite(self.epsilon):
            return NO_PROMISE
        from engine.primitives.losses import composed_losses

        total = composed_losses(self.losses, self.slack, progress=progress)
        return _promise(total.epsilon, total.delta)

    @property
    def tightest(self) -> Privacy:
        """The bound of the three with the smallest epsilon."""
        return self.by_method[self.method]

    @property
    def method(self) -> str:
        """Name of the tightest bound: "basic", "advanced" or "zcdp"; of equal ones the first."""
        return min(self.by_method.items(), key=lambda one: one[1].epsilon)[0]

    @property
    def by_method(self) -> dict[str, Privacy]:
        """All three bounds by their `method` names; without a slack only "basic"."""
        if not self.slack:
            return {"basic": self.basic}
        return {"basic": self.basic, "advanced": self.advanced, "zcdp": self.concentrated}

    def within(self, limit: Limit) -> bool:
        """Tell whether the releases keep the limit.

        The sum of their deltas must be at most ``limit.delta``.  In addition, the sum of their epsilons or
        the concentrated bound at ``limit.slack`` must be at most ``limit.epsilon``.  With ``limit.delta`` 0
        the concentrated bound, which has a delta, does not count: all are (``limit.epsilon``, 0)-private.

        Releases may be chosen after seeing earlier ones.  If the limit was set before and is kept after each
        release, all together are (``limit.epsilon``, ``limit.delta + limit.slack``)-private.  Proof, with e =
        ``limit.epsilon``, and P and Q the probabilities of all releases from two neighbours:

        1. An (epsilon, delta)-private step is equivalent to one that reveals everything with probability
           delta, and otherwise has a log-ratio of at most epsilon (Kairouz, Oh, Viswanath 2017).  Let G be
           the steps whose rho needs no delta, such as Gaussian noise, and A all others.
        2. Take the paths that keep the sum of epsilons.  If no step revealed everything, P <= e^e Q.  So
           (P - e^e Q)+ is at most the probability that a step, of A or G, revealed everything.
        3. All other paths keep the concentrated bound at each point, since rho only grows.  If no step of A
           revealed everything, the Rényi divergence of each order is at most that of the largest rho that
           converts to (e, slack).  This holds although each rho was chosen on the way (Feldman, Zrnic 2021;
           Whitehouse, Ramdas, Rogers, Wu 2023).  So the sum of (P - e^e Q)+ over these paths is at most
           slack.  If a step of A revealed everything, it is at most P.
        4. The remaining cases of 2 and 3 are disjoint cases of a step that revealed everything; on no path
           can their deltas sum to more than ``limit.delta``.

        The advanced bound adds nothing: it is that of rho = epsilon^2/2, with a weaker conversion.
        """
        return self._delta_within(limit) and self._reached(limit) <= limit.epsilon * (1 + ROUNDING_TOLERANCE)

    def describe(self) -> str:
        """Describe the cost in a few words."""
        best = self.tightest
        if best == NO_PROMISE:
            return "more than any epsilon"
        return f"epsilon {short(best.epsilon, 4)}, delta {short(best.delta, 3)}"

    def excess(self, limit: Limit) -> str:
        """Describe how a limit is exceeded."""
        if math.isinf(self.epsilon):
            return f"no epsilon would be large enough, and the limit is epsilon {short(limit.epsilon)}"
        if not self._delta_within(limit):
            most = short(limit.delta)
            return f"the deltas would sum to {short(self.delta, 4)}, above the limit of delta {most}"
        most = short(limit.epsilon)
        return f"it would be epsilon {short(self._reached(limit), 4)}, above the limit of epsilon {most}"

    def _delta_within(self, limit: Limit) -> bool:
        return self.delta <= limit.delta * (1 + ROUNDING_TOLERANCE)

    def _reached(self, limit: Limit) -> float:
        if not limit.delta:
            return self.epsilon
        return min(self.epsilon, _epsilon_of(self.rho, limit.slack))


def compose(costs: Iterable[Cost], slack: float = SLACK) -> Composition | None:
    """Return the total cost for one replaced row of the file; None without releases."""
    rows = [cost.row for cost in costs]
    if not rows:
        return None
    if any(row.privacy == NO_PROMISE or row.concentrated is None for row in rows):
        return Composition(len(rows), *(math.inf,) * 5, slack)
    rhos = [row.concentrated for row in rows if row.concentrated is not None]
    return Composition(
        releases=len(rows),
        epsilon=_sum(row.privacy.epsilon for row in rows),
        squares=_sum(row.privacy.epsilon * row.privacy.epsilon for row in rows),
        delta=_sum(row.privacy.delta for row in rows),
        rho=_sum(each.rho for each in rhos),
        approximate=_sum(each.delta for each in rhos),
        slack=slack,
        losses=Counter(row.dominating for row in rows),
    )


def epsilon_left(
    spent: Composition | None, limit: Limit, cost: Callable[[float], Cost], most: float
) -> float | None:
    """Return the largest epsilon of a release that a limit still allows.

    `cost` returns the cost of the release for an epsilon; `most` is the largest epsilon to consider.  The
    result has three digits, rounded down.  None if the limit allows none of at least 0.001.
    """

    def allowed(epsilon: float) -> bool:
        with_release = compose([cost(epsilon)], limit.slack)
        assert with_release is not None
        return (with_release if spent is None else spent + with_release).within(limit)

    if most <= MIN_LEFT or not allowed(MIN_LEFT):
        return None
    low, high = MIN_LEFT, most
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    scale: float = 10.0 ** (2 - math.floor(math.log10(low)))
    rounded = math.floor(high * scale) / scale
    return rounded if allowed(rounded) else math.floor(low * scale) / scale


def _sum(parts: Iterable[float]) -> float:
    try:
        return math.fsum(parts)
    except OverflowError:
        return math.inf


def _promise(epsilon: float, delta: float) -> Privacy:
    """Return the guarantee: `NO_PROMISE` if epsilon is not finite or delta reaches 1."""
    return Privacy(epsilon, delta) if math.isfinite(epsilon) and delta < 1 else NO_PROMISE


@functools.lru_cache(maxsize=256)
def _epsilon_of(rho: float, slack: float) -> float:
    """Return the smallest epsilon of (epsilon, slack)-privacy that rho-zCDP implies."""
    if math.isinf(rho):
        return math.inf
    from engine.primitives.accounting import Concentrated

    return Concentrated(rho).privacy(slack).epsilon
