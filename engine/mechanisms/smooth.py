"""Noise scaled to the smooth sensitivity of the data."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

import numpy as np

from engine.components import ComponentField
from engine.data.database import Database
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.even_spread import even_smooth_sensitivity
from engine.mechanisms.global_noise import AdditivePrepared, half_width
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.rank_interval import (
    RankInterval,
    covers_parameter,
    share_parameter,
    split_budget,
    with_interval,
)
from engine.mechanisms.release import Private, Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.noise import Automatic, Laplace, Noise, NoiseChoice
from engine.noise.base import CONSTANTS, Admissible
from engine.noise.certificate import TOLERANCE, certify
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.accounting import Concentrated, compose, largest_rho, of_pure
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.queries.base import NEGLIGIBLE, Query, SmoothSensitivity, paid
from engine.queries.bounds import BOUNDS, DOUBLE, EXACT, smooth_upper_bound
from engine.queries.order_statistics import OrderStatistic, WindowMean
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import OutputGrid, round_up


@dataclasses.dataclass(frozen=True)
class Calibration:
    """The noise for a budget (public)."""

    noise: Noise
    split: float  # sliding share of epsilon
    constants: str
    privacy: Privacy  # budget of the value
    epsilon_of_bar: float  # budget of the error bar

    @functools.cached_property
    def pair(self) -> Admissible:
        """The pair (alpha, beta)."""
        return self.noise.admissible(self.privacy, constants=self.constants, split=self.split)


@dataclasses.dataclass(frozen=True)
class SmoothRelease(ScalarMechanism):
    """Release ``f(x) + S(x)/alpha * Z`` with S the exact beta-smooth sensitivity.

    Source: Nissim, Raskhodnikova, Smith 2007, Lemma 2.5 and Definition 2.1.  The pair
    (alpha, beta) is the tight or jointly calibrated one; `constants` can select the published one.
    `bound_method` can select the simpler smooth bounds of Claims 3.2 and 3.4 for S instead of S*.
    S never falls below GS 2^-40, so that the noise does not vanish for equal data.  Beta pays for rounding
    errors in S* (`engine.queries.base.paid`).  A share of epsilon can pay for an interval: by rank for an
    order statistic (`RankInterval`), else by noise on the logarithm of the scale.

    Examples
    --------
    >>> from engine import Median, Sample, reproducible
    >>> data = Sample([2.0, 3.0, 5.0, 7.0, 11.0], Interval(0, 20))
    >>> release = SmoothRelease(query=Median()).run(data, Privacy(1.0), reproducible(1))
    >>> release.simulated, release.noise["family"], release.noise["g"], round(release.noise["beta"], 3)
    (True, 'power-laplace', 2.2, 0.455)
    >>> release.diagnostics
    Private(true_value, local, smooth, global, scale, argmax_k)
    """

    name: ClassVar[str] = "smooth"
    label: ClassVar[str] = "Smooth sensitivity"
    summary: ClassVar[str] = "noise scaled to the smooth sensitivity of these data"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Lemma 2.5"
    exact_because: ClassVar[str] = ROUNDED

    noise: ComponentField[NoiseChoice] = parameter(
        default=Automatic(),
        label="Noise",
        help="Family of the noise, or the rule that chooses the family, its shape and the sliding share.",
    )
    constants: str = parameter(
        default="tight",
        choices=CONSTANTS,
        label="Constants",
        help="tight: the best proved pair (alpha, beta); published: the pair in the paper.",
        advanced=True,
    )
    split: float = parameter(
        default=0.5,
        lower=0.0,
        upper=1.0,
        lower_open=True,
        upper_open=True,
        label="Sliding share of ε",
        help="Share of epsilon for the shift of f; the rest is for the change of the noise scale.",
        advanced=True,
        decided_by=("noise", Automatic.name),
    )
    error_share: float = share_parameter()
    covers: str = covers_parameter()
    bound_method: str = parameter(
        default=EXACT,
        choices=BOUNDS,
        label="Bound",
        help="Sensitivity that scales the noise. exact: the smooth sensitivity; two-approximation: a bound "
        "of at most twice as much; truncated: a bound that considers at most k0 changed records.",
        source="Nissim, Raskhodnikova, Smith 2007, Claims 3.2 and 3.4",
        advanced=True,
    )
    farthest: int = parameter(
        default=100,
        lower=0,
        upper=10_000,
        label="Truncated at k0",
        help="Beyond k0 changed records, use the global sensitivity. About 2 ln(n)/β is usually enough.",
        advanced=True,
        needs=("bound_method", "truncated"),
    )

    @property
    def guarantee(self) -> Guarantee:
        """zCDP only for noise with a proof: log-normal noise with the published constants.

        Enlarged pairs are verified for one (epsilon, delta) and promise no more.
        """
        if not isinstance(self.noise, Noise):
            return Guarantee(spent=lambda privacy: self.resolve(privacy).guarantee.cost(privacy))
        published = self.constants == "published"
        if published and self.noise.is_concentrated:
            return Guarantee(zcdp=self._zcdp_cost)
        return Guarantee(uses_delta=published or self.noise.needs_delta)

    def _zcdp_cost(self, privacy: Privacy) -> Concentrated:
        value, bar = self._budgets(privacy)
        cost = Concentrated(largest_rho(value))
        return compose((cost, of_pure(bar))) if self.error_share else cost

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, float]:
        """Return the budget of the value and the epsilon of the error bar."""
        return split_budget(privacy, self.error_share)

    def calibrate(self, privacy: Privacy) -> Calibration:
        """Return the noise for a budget (public)."""
        value, bar = self._budgets(privacy)
        noise, split = self.noise.chosen(value, self.split, decline=self.query.decline)
        return Calibration(noise, split, self.constants, value, bar)

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Self:
        if privacy is None or isinstance(self.noise, Noise):
            return self
        used = self.calibrate(privacy)
        return dataclasses.replace(self, noise=used.noise, split=used.split)

    def error_bar(self, privacy: Privacy, domain: Interval, n: int) -> ErrorBar | None:
        """Return the error bar to draw; None if it has no share of epsilon, or no noise is needed.

        Order statistics have an interval by rank instead, which is much shorter.
        """
        largest = self.query.global_sensitivity(domain, n)
        if self.error_share == 0 or largest == 0 or isinstance(self.query, OrderStatistic):
            return None
        used = self.calibrate(privacy)
        return ErrorBar(
            family=used.noise,
            beta=used.pair.beta,
            epsilon=used.epsilon_of_bar,
            least=self._scale(0.0, largest, used.pair, n),
            largest=self._scale(largest, largest, used.pair, n),
            widest=self._largest_error(domain, n) if self.clamp == "bounds" else math.inf,
        )

    def expected_error(self, domain: Interval, n: int, privacy: Privacy) -> float | None:
        if self.query.reads != "column" or self.bound_method != EXACT:
            return None
        used, widest = self.calibrate(privacy), self._largest_error(domain, n)
        smooth = even_smooth_sensitivity(self.query, domain, n, used.pair.beta)
        scale = self._scale(smooth, self.query.global_sensitivity(domain, n), used.pair, n)
        error = half_width(used.noise, scale)
        if domain.resolution:  # value and release are its multiples
            error = round(error / domain.resolution) * domain.resolution
        return min(error, widest)

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        used = self.calibrate(privacy)
        noise, privacy = used.noise, used.privacy
        if self.bound_method == DOUBLE and not isinstance(self.query, WindowMean):
            message = f"two-approximation needs windows of ranks; a {self.query.label.lower()} has none"
            return (Problem("bound_method", f"{message}; choose exact or truncated"),)
        if wrong := problems_of(lambda: noise.check(privacy, constants=self.constants, split=used.split)):
            return wrong
        if self.constants == "published" and not _keeps_its_promise(noise, privacy):
            return (
                Problem(
                    "constants",
                    f"the published pair does not give epsilon = {short(privacy.epsilon)}, "
                    f"delta = {short(privacy.delta)}; use the tight constants",
                ),
            )
        return ()

    def _scale(self, smooth: float, largest: float, pair: Admissible, n: int) -> float:
        """Return the noise scale for a computed S*; it corresponds to at least GS 2^-40."""
        _, outward = paid(pair.beta, self.query.error(n))
        return max(smooth * outward, largest * NEGLIGIBLE) / pair.alpha

    def release(
        self,
        prepared: Prepared,
        data: Database,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        concrete = self.resolve(privacy)
        if concrete is not self:
            return concrete.release(prepared, data, privacy, rng, progress)
        made = super().release(prepared, data, privacy, rng, progress)
        if self.error_share and isinstance(self.query, OrderStatistic):
            _, epsilon = self._budgets(privacy)
            interval = RankInterval(self.query, data.domain, data.n, epsilon, self.covers)
            return with_interval(made, interval, cast("Sample", data), rng, progress)
        bar = self.error_bar(privacy, data.domain, data.n)
        if bar is None:
            return made
        noisy_scale = bar.noisy_scale(made.diagnostics["scale"], rng)
        error = bar.half_width(noisy_scale)
        noise = {**made.noise, "noisy_scale": noisy_scale, "error_bar": error}
        return dataclasses.replace(made, noise=noise, error=error)

    def prepare(self, data: Database, privacy: Privacy, progress: Progress = silent) -> AdditivePrepared:
        used = self.calibrate(privacy)
        noise, pair = used.noise, used.pair
        largest = self.query.global_sensitivity(data.domain, data.n)
        self.query.explore(data, part(progress, 0.0, 0.1))
        smooth = smooth_bound(self, data, pair.beta, part(progress, 0.1, 0.9))
        scale = self._scale(smooth.value, largest, pair, data.n)
        value = self.query.exact_value(data)
        return AdditivePrepared(
            center=value,
            scale=scale,
            family=noise,
            grid=self.grid(data),
            noise={
                "family": noise.name,
                **noise.settings(),
                "alpha": pair.alpha,
                "beta": pair.beta,
            },
            # an error bar computed from the private scale would be private, too
            error=None,
            diagnostics=Private(
                {
                    "true_value": float(value),
                    "local": self.query.local_sensitivity(data, part(progress, 0.9, 1.0)),
                    "smooth": smooth.value,
                    "global": largest,
                    "scale": scale,
                    "argmax_k": smooth.argmax_k,
                    **({"bound": True} if self.query.smooth_is_bound else {}),
                },
                later=None
                if self.bound_method == EXACT or self.query.smooth_is_bound
                else {"excess": lambda progress: _excess(self.query, data, smooth, progress)},
            ),
        )


def smooth_bound(
    mechanism: SmoothRelease, data: Database, beta: float, progress: Progress = silent
) -> SmoothSensitivity:
    """Return S for the part of `beta` left after rounding errors, or GS if none is left (private)."""
    query = mechanism.query
    left, _ = paid(beta, query.error(data.n))
    if left > 0:
        return smooth_upper_bound(
            query, data, left, mechanism.bound_method, int(mechanism.farthest), progress=progress
        )
    return SmoothSensitivity(query.global_sensitivity(data.domain, data.n), data.records, 0.0)


def _keeps_its_promise(noise: Noise, privacy: Privacy) -> bool:
    """Return whether the published pair is private for this budget; some pairs are not."""
    if noise.is_concentrated:
        return True  # a theorem for every epsilon
    pair = noise.admissible(privacy, constants="published")
    tight = noise.admissible(privacy)
    # with at most the sliding and dilation of a private pair, no certificate is needed
    if pair.alpha <= tight.alpha and pair.beta <= tight.beta:
        return True
    # a certificate errs by at most its tolerance, so check a budget that is smaller by twice that
    kept = 1 - 2 * TOLERANCE
    least = Privacy(privacy.epsilon * kept, privacy.delta * kept)
    return certify(noise, pair.alpha, pair.beta, least).private


def _excess(query: Query[Any], data: Database, smooth: SmoothSensitivity, progress: Progress) -> float:
    """Return the ratio of a bound to S* (private); NaN if S* is 0."""
    exact = query.smooth_sensitivity(data, smooth.beta, progress).value if smooth.beta > 0 else smooth.value
    return smooth.value / exact if exact > 0 else math.nan


STEP = 2.0**-30
"""Spacing of log-scales: too fine to matter, and coarser than the error of a logarithm."""

MISSED = 0.025
"""Probability that the bar underestimates the scale, and that the noise exceeds the bar otherwise."""


@dataclasses.dataclass(frozen=True)
class ErrorBar:
    """A log-scale with Laplace noise, and the error bar that follows from it; all public.

    Replacing a record changes the logarithm of a beta-smooth bound by at most beta, even if the bound is kept
    above a constant.  Rounding to multiples of `STEP` adds at most one of them; one more pays for computing
    in doubles.

    Source: Nissim, Raskhodnikova, Smith 2007, Definition 2.1, and Laplace noise on the logarithm.
    """

    family: Noise  # the noise on the value
    beta: float  # smoothness of the bound
    epsilon: float  # budget of the bar
    # Bounds on every possible scale, above 0
    least: float
    largest: float
    widest: float  # upper bound on the error; infinite if results are not clamped

    @property
    def spread(self) -> float:
        """Scale of the noise on the logarithm."""
        return round_up((Fraction(self.beta) + 2 * Fraction(STEP)) / Fraction(self.epsilon))

    @property
    def grid(self) -> OutputGrid:
        """Grid of noisy log-scales."""
        return OutputGrid(STEP, lower=math.log(self.least), upper=math.log(self.largest))

    def noisy_scale(self, scale: float, rng: np.random.Generator) -> float:
        """Add noise to the logarithm of a private scale and return the noisy scale."""
        center = round(math.log(scale) / STEP) * Fraction(STEP)
        return math.exp(self.grid.noisy(center, self.spread, Laplace(), rng, 1)[0])

    def half_width(self, noisy_scale: float) -> float:
        """Return a bound that the error exceeds with probability at most 5 %.

        The scale is underestimated with probability `MISSED`; otherwise the noise exceeds its quantile
        with the same probability.
        """

        logarithm = math.log(noisy_scale) + STEP - self.spread * math.log(2 * MISSED)
        assumed = math.exp(min(logarithm, math.log(self.largest)))
        return min(assumed * float(self.family.quantile(1 - MISSED / 2)), self.widest)
