"""The friendly core: the mean of the outputs that most others are near, with noise for their spread."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.mechanisms.aggregators.base import Aggregator, VectorPrepared, exact_mean, output_grids
from engine.mechanisms.aggregators.expected import typical_length
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Gaussian
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives import (
    Concentrated,
    choose_crossing,
    crossing_scores,
    largest_rho,
    normal_margin,
    selection_probabilities,
)
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import is_release
from engine.sampling.choice import FINE
from engine.sampling.exactness import ROUNDED
from engine.sampling.noise import GAUSSIAN, add_noise, noise_step
from engine.sampling.output_grid import outward
from engine.shown import ShownInALine

SEPARATION = 4.25
"""Radii that must lie between the centers of one set: more than 3 sqrt(2)."""

HALVINGS = 20
"""Halvings from the diameter to the smallest radius, in two steps each."""

_CHUNK = 1 << 18
"""Distances computed at once."""


def friendly_radii(diameter: float) -> Floats:
    """Return the public radii: the diameter, then smaller ones by a factor sqrt(2) each, shape (J,)."""
    return diameter * np.exp2(-np.arange(2 * HALVINGS + 1) / 2)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class FriendlyWeights(ShownInALine):
    """The weights of all outputs at all radii (private).

    Let s of m outputs be replaced.  At radius r, c_i is the number of outputs within r of output i, itself
    included.  The weight is ``v_i = max(0, 2 c_i - m - s)``, or 0 for a set whose own centers are not
    farther apart than `SEPARATION` r.  V is the sum of the v_i.  Then

    (a) V changes by at most 3 s (m - s).
    (b) Any two outputs with v > 0, of either database or one of each, are within 2 r of each other.
    (c) Sets among them are matched center by center in one way only, also through a third set.
    (d) The weighted mean changes by at most ``2 r * 3 s (m - s)/max(V, V')`` if both V and V' are above 0.

    Proof.  (a) For an unchanged output, c_i changes by at most s, so v_i by at most 2 s; there are m - s of
    them.  Each of the s others changes by at most m - s, the largest weight.  (b) v > 0 means
    c > (m + s)/2.  So among the m - s unchanged outputs, each of the two has more than (m - s)/2 within r,
    and one of these is within r of both.  (c) Two different matchings would give two centers of one set
    different partners.  The lists of partners are at most 6 r apart, but each changed partner is farther
    than `SEPARATION` r, together more than sqrt(2) `SEPARATION` r > 6 r.  (d) Let V be the larger.  The
    weights as distributions overlap by at least ``sum min(v_i, v'_i)/V`` over unchanged outputs.  The
    missing share is at most ``(s (m - s) + 2 s (m - s))/V``, on points that are within 2 r of each other.
    """

    radii: Floats  # shape (J,); from `friendly_radii`, public
    weights: Ints  # shape (J, m); v_i at each radius, from 0 to m - s
    s: int  # number of outputs that one record changes

    @classmethod
    def of(
        cls, outputs: Floats, space: OutputSpace, s: int, *, progress: Progress = silent
    ) -> FriendlyWeights:
        """Count the friends of outputs, shape (m, D), in O(m^2)."""
        radii, m = friendly_radii(space.diameter), len(outputs)
        ascending, apart = radii[::-1], space.separations(outputs)
        counts = np.empty((len(radii), m), dtype=np.int64)
        rows = max(1, _CHUNK // m)
        for start in range(0, m, rows):
            progress(start / m, "friends of outputs")
            distances = space.distances(outputs[start : start + rows], outputs)
            places = np.searchsorted(ascending, distances)
            places += np.arange(len(places))[:, None] * (len(radii) + 1)
            result = np.bincount(places.ravel(), minlength=len(places) * (len(radii) + 1))
            within = result.reshape(len(places), -1)[:, :-1].cumsum(axis=1)
            counts[:, start : start + rows] = within.T[::-1]
        weights = cls.weigh(counts, m, s)
        weights[apart <= SEPARATION * radii[:, None]] = 0
        return cls(radii, weights, s)

    @staticmethod
    def weigh(counts: Ints, m: int, s: int) -> Ints:
        """Return v by the numbers of friends: 0 without a majority, then growing linearly."""
        return np.maximum(0, 2 * counts - m - s)

    @property
    def totals(self) -> Floats:
        """W = V/(m - s) at each radius, rounded down to a multiple of 2^-20: at most m, sensitivity 3 s."""
        most = self.weights.shape[1] - self.s
        whole = self.weights.sum(axis=1) * round(1 / FINE) // most
        totals: Floats = whole * FINE
        return totals


SHARES = (0.35, 0.35, 0.3)
"""Shares of rho for the radius, the total weight and the mean."""

FAILING_SHARE = 0.25
"""Share of delta for the event that the released weight is above the true one."""

BETA = 0.05
"""Probability that the noisy weight is lower than `CoreBudget.lost` allows."""

WEIGHT_LEFT = 0.5
"""Share of the sought weight that must remain after this loss, for the choice of the radius and the mean."""

RADIUS_FACTOR = 1 + 2.0**-30
"""Factor by which a radius is widened, since compared distances are rounded."""


@dataclasses.dataclass(frozen=True)
class CoreBudget:
    """The budgets of the three steps of a release (public)."""

    epsilon: float  # of the exponential mechanism that chooses a radius
    sigma: float  # standard deviation of the noise on the total weight
    margin: float  # subtracted from the noisy weight; includes its rounding
    factor: float  # standard deviation of the noise on a mean of sensitivity 1
    spent: Concentrated  # the cost of all steps

    @classmethod
    def of(cls, privacy: Privacy, s: int) -> CoreBudget:
        """Divide a budget with delta above 0."""
        failing = FAILING_SHARE * privacy.delta
        rho = largest_rho(Privacy(privacy.epsilon, (privacy.delta - failing) / (1 - failing)))
        radius, weight, mean = (share * rho for share in SHARES)
        sigma = outward(3 * s / math.sqrt(2 * weight))
        return cls(
            math.sqrt(8 * radius) / outward(1.0),
            sigma,
            outward(normal_margin(sigma, failing) + noise_step(sigma)),
            outward(1 / math.sqrt(2 * mean)),
            Concentrated(rho, failing),
        )

    @property
    def lost(self) -> float:
        """How far the noisy weight may be below the true one, with probability 1 - `BETA`."""
        return self.margin + normal_margin(self.sigma, BETA)


@dataclasses.dataclass(frozen=True)
class FriendlyCore(Aggregator):
    """The mean of outputs, weighted by how many others lie near, within a radius that is chosen privately.

    There are three steps.  W is the total weight; `FriendlyWeights` has its properties (a) to (d).

    1. Choose a radius r by the exponential mechanism (`choose_crossing`, sensitivity 3 s): the smallest
       one at which W(r) reaches the weight of a share h of outputs that agree.
    2. Compute ``W~ = W(r) + N(0, sigma^2)`` less a margin, so that W~ > W has probability delta/4.
    3. Give no answer unless W~ > 3 s.  Otherwise release the weighted mean plus
       N(0, (2 r * 3 s/W~)^2/(2 rho_3) I).

    This is delta/4-approximate rho-zCDP, and so (epsilon, delta)-private, for a replaced record that
    changes s outputs.

    Proof.  The first two steps cost epsilon_1^2/8 and (3 s)^2/(2 sigma^2).  Let E be the event that W~ is at
    most the larger of W(r) and W'(r); a coin thins it to probability 1 - delta/4 for all r and both
    databases.  Under E, the distribution of r is unchanged.  W~ has a Gaussian distribution, truncated at the
    same point for both databases.  Truncation lowers its variance.  The Rényi divergence is an integral of
    the variance between the two means, so truncation lowers it, too.  In step 3 both weights are above 0.
    By (d) the mean then moves by at most ``2 r * 3 s/W~``, for which its noise is calibrated.  By (c) sets
    have the same order in both databases; noise does not depend on the order, and sets are released
    without one.

    Source: Tsfadia, Cohen, Kaplan, Mansour, Stemmer 2022 (FriendlyCore), and Cohen, Kaplan, Mansour,
    Stemmer, Tsfadia 2021 (k-tuple clustering).  There are four differences.  Weights grow with the number of
    friends; the paper's coins would cost a share of epsilon and of delta.  Records are replaced, not added
    or removed.  Radii are powers of sqrt(2).  Sets are friends by one distance for all of their centers,
    and are averaged at once.

    Examples
    --------
    It needs delta > 0 and many blocks:

    >>> import numpy as np
    >>> from engine import Box, FriendlyCore, Mixture, Partition, Points, Privacy, reproducible
    >>> middles = np.repeat([[0.25], [0.75]], 10_000, axis=0)
    >>> data = Points(np.random.default_rng(1).normal(middles, 0.02, (20_000, 2)), Box.of([0, 0], [1, 1]))
    >>> mechanism = Mixture(sampling=Partition(blocks=1000), k=2, aggregator=FriendlyCore())
    >>> np.round(mechanism.run(data, Privacy(1.0, 1e-6), reproducible(1)).value, 2)
    array([[0.25, 0.25],
           [0.75, 0.75]])
    """

    name: ClassVar[str] = "friendly-core"
    label: ClassVar[str] = "Friendly core"
    summary: ClassVar[str] = "the mean of the outputs that most others are near, with noise for their spread"
    source: ClassVar[str] = "Tsfadia, Cohen, Kaplan, Mansour, Stemmer 2022; Cohen et al. 2021"
    exact_because: ClassVar[str] = ROUNDED
    hides: ClassVar[str] = "Gaussian, of the core"
    weights: ClassVar[type[FriendlyWeights]] = FriendlyWeights

    held: float = parameter(
        default=0.8,
        lower=0.5,
        upper=1.0,
        lower_open=True,
        label="Outputs that agree",
        help="Share of the outputs that should be friends of one another; the others may lie anywhere.",
    )

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, space.dimension)
        if impossible:
            return impossible
        if privacy.delta == 0:
            return (Problem("delta", "Gaussian noise needs delta above 0 (say 1e-6)"),)
        fewest = self.fewest(space, s, privacy)
        if m < fewest:
            message = (
                f"{grouped(m)} blocks are too few for a friendly core with this budget; "
                f"use at least {grouped(fewest)} blocks, or a larger epsilon"
            )
            return (Problem("blocks", message),)
        return ()

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the cost of the three steps, which includes a quarter of delta."""
        return CoreBudget.of(privacy, 1).spent

    def fewest(self, space: OutputSpace, s: int, privacy: Privacy) -> int:
        """Return the number of blocks at which half of the sought weight remains after its noise.

        It is the root of ``h m (2 h m - m - s)/(m - s) = T``, where T is twice the loss by noise.
        """
        sought, h = CoreBudget.of(privacy, s).lost / (1 - WEIGHT_LEFT), self.held
        twice, linear = 2 * h * (2 * h - 1), h * s + sought
        return math.ceil((linear + math.sqrt(linear**2 - 2 * twice * sought * s)) / twice)

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats | None:
        """Return the noise if friends are as near as most outputs are to the truth; None if delta = 0."""
        if privacy.delta == 0:
            return None
        steps = CoreBudget.of(privacy, s)
        weights = np.array([self.sought(int(m), s) for m in blocks]) - steps.margin
        moved = 2 * radius * space.stretch("L2") * 3 * s / np.maximum(weights, 3 * s)
        length = steps.factor * moved * typical_length(Gaussian(), space.dimension)
        return np.where(weights > 3 * s, np.minimum(length, space.diameter), space.diameter)

    def sought(self, m: int, s: int) -> float:
        """Return the weight of a share h of m outputs that are friends of one another (public)."""
        agreeing = math.ceil(self.held * m)
        return agreeing * max(0, 2 * agreeing - m - s) / (m - s)

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> FriendlyPrepared:
        friendly = self.weights.of(outputs, space, s, progress=progress)
        target = self.sought(len(outputs), s)
        likely = int(max(np.flatnonzero(friendly.totals >= target), default=0))
        ready = FriendlyPrepared(
            center=outputs.mean(axis=0),
            box=space.box,
            noise={"family": "gaussian"},
            error=None,
            diagnostics=Private({}),
            outputs=outputs,
            space=space,
            friendly=friendly,
            steps=CoreBudget.of(privacy, s),
            target=target,
        )
        center = ready.mean(likely)
        radius, weight = float(friendly.radii[likely]), float(friendly.totals[likely])
        facts = {"center": center, "friends_within": radius, "weight": weight}
        return dataclasses.replace(ready, center=center, diagnostics=Private(facts))


@dataclasses.dataclass(frozen=True, repr=False)
class FriendlyPrepared(VectorPrepared):
    """Outputs with their weights at all radii (private)."""

    outputs: Floats
    space: OutputSpace
    friendly: FriendlyWeights
    steps: CoreBudget
    target: float

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        s, steps = self.friendly.s, self.steps
        places = self._places(rng, size, progress)
        noised = add_noise(self.friendly.totals[places], steps.sigma, GAUSSIAN, noise_step(steps.sigma), rng)
        weights = noised - steps.margin
        drawn = np.full((size, self.center.size), np.nan)
        for index in np.unique(places[weights > 3 * s]).tolist():
            rows = np.flatnonzero((places == index) & (weights > 3 * s))
            moved = (
                RADIUS_FACTOR
                * 2
                * self.friendly.radii[index]
                * self.space.stretch("L2")
                * 3
                * s
                / weights[rows]
            )
            drawn[rows] = self._around(index, steps.factor * moved, rng)
        return drawn

    def _places(self, rng: np.random.Generator, size: int, progress: Progress) -> Ints:
        """Choose a radius for each draw."""
        totals, epsilon, moves = self.friendly.totals, self.steps.epsilon, 3 * self.friendly.s
        if is_release(rng):
            chosen = [
                choose_crossing(totals, self.target, epsilon, rng, sensitivity=moves)
                for _ in each(size, progress)
            ]
            return np.array(chosen, dtype=np.int64)
        scores = crossing_scores(totals, self.target)
        chances = selection_probabilities(scores, epsilon, sensitivity=moves)
        return rng.choice(len(totals), size, p=chances)

    def _around(self, index: int, scales: Floats, rng: np.random.Generator) -> Floats:
        """Draw around the mean at a radius, once for each scale."""
        if not is_release(rng):
            return self.mean(index) + scales[:, None] * rng.standard_normal((len(scales), self.center.size))
        exact, grids, law = self.exact_mean(index), output_grids(self.box), Gaussian()
        ends = list(zip(exact, grids, strict=True))
        return np.array([[grid.noisy(x, one, law, rng, 1)[0] for x, grid in ends] for one in scales.tolist()])

    def friends(self, index: int) -> tuple[Ints, Floats]:
        """Return the positive weights at a radius, and their outputs, with all sets in the same order."""
        weights = self.friendly.weights[index]
        held = np.flatnonzero(weights)
        chosen = self.outputs[held]
        return weights[held], self.space.in_order_of(chosen[0], chosen) if held.size else chosen

    def mean(self, index: int) -> Floats:
        """Return the weighted mean at a radius; the mean of all outputs if there are no friends."""
        weights, chosen = self.friends(index)
        mean: Floats = weights @ chosen / weights.sum() if len(weights) else self.outputs.mean(axis=0)
        return mean

    def exact_mean(self, index: int) -> tuple[Fraction, ...]:
        """Return `mean` without rounding."""
        weights, chosen = self.friends(index)
        if not len(weights):
            return exact_mean(self.outputs)
        times, total = weights.tolist(), int(weights.sum())
        products = ((w * Fraction(x) for w, x in zip(times, y.tolist(), strict=True)) for y in chosen.T)
        return tuple(sum(column, Fraction(0)) / total for column in products)
