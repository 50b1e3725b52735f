"""The cost of several releases of the same data, by three rules, and whether a limit holds."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.ledger.cost import SLACK, Cost, Limit
from engine.numerals import short
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from engine.primitives.losses import Loss

MIN_EPSILON = 1e-9
"""No advanced bound is below this, as no concentrated one is."""

ROUNDING = 1e-12
"""Three releases at 0.1 keep a limit of 0.3, although the sum in binary is a little above it."""


@dataclasses.dataclass(frozen=True)
class Composition:
    """The cost of several releases for one row of the file replaced; an `Account` of a `Ledger` returns it.

    It holds for the releases as they were made.  Where they were chosen after seeing earlier ones, it is a
    promise only within a limit that was set before: see `within`.
    """

    releases: int
    # sums of epsilon, of its square, and of delta; infinite where a release promises nothing
    epsilon: float
    squares: float
    delta: float
    # sums of the concentrated privacy, which may need less delta
    rho: float
    approximate: float
    # the delta that all but `basic` take in addition; 0 within a limit without delta, where `basic` counts
    slack: float
    # how often each occurs; none where a release promises nothing
    losses: Counter[Loss] = dataclasses.field(default_factory=Counter, hash=False, repr=False)

    def __add__(self, more: Composition) -> Composition:
        """Return what these and `more` releases come to, at this slack."""
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
        # so small an epsilon that its square is 0 is not promised
        return _promise(max(root + self.squares / 2, MIN_EPSILON), self.delta + self.slack)

    @functools.cached_property
    def concentrated(self) -> Privacy:
        """The sum of rho, converted exactly (Canonne, Kamath, Steinke 2020, Corollary 13)."""
        return _promise(_epsilon_of(self.rho, self.slack), self.approximate + self.slack)

    def by_losses(self, progress: Progress = silent) -> Privacy:
        """Return what the privacy losses add up to (Zhu, Dong, Wang 2022), with the slack as further delta.

        It counts against no limit: it holds for releases that were fixed in advance, or chosen after
        seeing earlier ones with costs that were fixed, not for costs
        that were chosen on the way.
        """
        if not math.isfinite(self.epsilon):
            return NO_PROMISE
        from engine.primitives.losses import composed_losses

        total = composed_losses(self.losses, self.slack, progress=progress)
        return _promise(total.epsilon, total.delta)

    @property
    def tightest(self) -> Privacy:
        """The one of the three with the least epsilon."""
        return self.by_method[self.method]

    @property
    def method(self) -> str:
        """Which one that is: "basic", "advanced" or "zcdp"; of equal ones the first."""
        return min(self.by_method.items(), key=lambda one: one[1].epsilon)[0]

    @property
    def by_method(self) -> dict[str, Privacy]:
        """The three, by the names that `method` has for them; without a slack "basic" alone."""
        if not self.slack:
            return {"basic": self.basic}
        return {"basic": self.basic, "advanced": self.advanced, "zcdp": self.concentrated}

    def within(self, limit: Limit) -> bool:
        """Tell whether the releases keep the limit.

        They do if the sum of their deltas is at most ``limit.delta``, and either the sum of their
        epsilons or the concentrated bound at ``limit.slack`` is at most ``limit.epsilon``.  Where
        ``limit.delta`` is 0 the concentrated bound, which has a delta, does not count: all of them are
        (``limit.epsilon``, 0)-private.

        Whatever is chosen after seeing earlier releases, as long as the limit was set before and is
        kept after each, all of them are (``limit.epsilon``, ``limit.delta + limit.slack``)-private
        together.  For, with e = ``limit.epsilon``, and P and Q the probabilities of all that is released
        from two neighbours:

        1. An (epsilon, delta)-private step can be seen as one that gives everything away with
           probability delta, and else has a log-ratio of at most epsilon (Kairouz, Oh, Viswanath 2017).
           Let A be all such steps but those with a rho that needs no delta, as Gaussian
           noise has; G are those, which can be seen so as well.
        2. On paths that keep the sum of epsilons, and on which no step gave anything away, P <= e^e Q.
           So (P - e^e Q)+ is at most the probability that a step, of A or G, gave something away.
        3. On all other paths the concentrated bound is kept, at each point, since rho only grows.
           Where no step of A gave anything away, the Rényi divergence of each order is at most what the
           largest rho that converts to (e, slack) allows, although each rho was chosen on the way
           (Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023); so the sum
           of (P - e^e Q)+ over them is at most slack.  Where a step of A did, it is at most P.
        4. What is left of 2 and 3 are different cases of a step that gave something away; on no path
           can their deltas sum to more than ``limit.delta``.

        The advanced bound adds nothing to this: it is that of rho = epsilon^2/2, converted less well.
        """
        return self._delta_within(limit) and self._reached(limit) <= limit.epsilon * (1 + ROUNDING)

    def describe(self) -> str:
        """Say in a few words what is spent."""
        best = self.tightest
        if best == NO_PROMISE:
            return "more than any epsilon"
        return f"epsilon {short(best.epsilon, 4)}, delta {short(best.delta, 3)}"

    def excess(self, limit: Limit) -> str:
        """Say in which way a limit that is not kept is exceeded."""
        if math.isinf(self.epsilon):
            return f"no epsilon would be large enough, and the limit is epsilon {short(limit.epsilon)}"
        if not self._delta_within(limit):
            most = short(limit.delta)
            return f"the deltas would sum to {short(self.delta, 4)}, above the limit of delta {most}"
        most = short(limit.epsilon)
        return f"it would be epsilon {short(self._reached(limit), 4)}, above the limit of epsilon {most}"

    def _delta_within(self, limit: Limit) -> bool:
        return self.delta <= limit.delta * (1 + ROUNDING)

    def _reached(self, limit: Limit) -> float:
        if not limit.delta:
            return self.epsilon
        return min(self.epsilon, _epsilon_of(self.rho, limit.slack))


def compose(costs: Iterable[Cost], slack: float = SLACK) -> Composition | None:
    """Return what all of them cost together for one row of the file replaced; None if there are none."""
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
