"""Releases of OpenDP, and our mechanisms as measurements of OpenDP."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Bools, Floats
from engine.data.look_only import marks_of
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.extras.libraries.answers import PeerAnswer, Request
from engine.extras.libraries.library import INSTALL, Library
from engine.mechanisms.base import Mechanism, ledger_cost
from engine.mechanisms.facts import Resources
from engine.parameters import parameter
from engine.privacy import NEIGHBOURS, Privacy, PrivacyLike, as_privacy
from engine.sampling.output_grid import finest_step
from engine.sampling.public_grid import PublicGrid

ONE_REPLACED = 2
"""OpenDP's symmetric distance for one replaced record: one removed, one added."""


OPENDP: Library = Library("opendp.prelude", "opendp")


@dataclasses.dataclass(frozen=True)
class OpenDPRelease(PeerAnswer, library=OPENDP):
    """A median, quantile, mean or count by OpenDP: its own proofs, samplers and random bits.

    The size of the data is public.  The scale is the smallest for which OpenDP's privacy map gives epsilon at
    symmetric distance 2, that is one replaced record, as here; so epsilon needs no translation.  A quantile
    is one of evenly spaced public candidates, a mean has noise on a grid of powers of two, and a count has
    integer noise.  OpenDP takes no seed, so simulations cannot be repeated.

    Source: OpenDP's `make_private_quantile` (Smith 2011; McKenna, Sheldon 2020), `make_mean`, `make_sum`
    and `make_laplace` (Canonne, Kamath, Steinke 2020).

    Examples
    --------
    >>> from engine import Interval, Median, Privacy, Sample
    >>> problems = OpenDPRelease(query=Median()).problems(Privacy(1.0), Interval(0, 100), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["opendp is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "opendp"
    label: ClassVar[str] = "OpenDP"
    summary: ClassVar[str] = "releases of the library OpenDP, to compare and to audit"
    source: ClassVar[str] = "opendp.org"

    candidates: int = parameter(
        default=10_000,
        lower=2,
        upper=100_000,
        label="Candidates",
        help="Evenly spaced between the bounds; OpenDP picks a quantile among them. Many take long.",
        advanced=True,
    )

    def resources(self, domain: Any, n: int) -> Resources:
        return Resources(seconds=3e-4 + n * (2e-8 + 2.2e-10 * int(self.candidates)))

    def _request_for_values(
        self, values: Floats, bounds: Interval, q: float | None, epsilon: float
    ) -> Request:
        return (
            self._mean(values, bounds, epsilon) if q is None else self._quantile(values, bounds, q, epsilon)
        )

    def _quantile(self, values: Floats, bounds: Interval, q: float, epsilon: float) -> Request:
        dp = import_opendp()
        step = bounds.width / int(self.candidates)
        points = np.minimum(bounds.lower + np.arange(int(self.candidates) + 1) * step, bounds.upper)
        domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=values.size)

        def measurement(scale: float) -> Any:
            metric, measure = dp.symmetric_distance(), dp.max_divergence()
            return dp.m.make_private_quantile(domain, metric, measure, points.tolist(), q, scale)

        ready = smallest(dp, measurement, epsilon)
        grid = PublicGrid(
            *(np.array([number]) for number in (step, bounds.lower, bounds.lower, bounds.upper))
        )
        return Request(lambda _: float(ready(values)), epsilon, NEIGHBOURS, grid)

    def _mean(self, values: Floats, bounds: Interval, epsilon: float) -> Request:
        dp = import_opendp()
        ends = (float(bounds.lower), float(bounds.upper))
        step = finest_step(bounds.width / values.size, max(map(abs, ends)))
        domain = dp.vector_domain(dp.atom_domain(bounds=ends), size=values.size)
        mean = dp.t.make_mean(domain, dp.symmetric_distance())

        def measurement(scale: float) -> Any:
            return mean >> dp.m.then_laplace(scale, k=round(math.log2(step)))

        ready = smallest(dp, measurement, epsilon)
        return Request(lambda _: float(ready(values)), epsilon, NEIGHBOURS, PublicGrid.multiples(step))

    def _request_for_count(self, holds: Bools, epsilon: float) -> Request:
        dp = import_opendp()
        ones = holds.astype(np.int32)
        domain = dp.vector_domain(dp.atom_domain(bounds=(0, 1)), size=ones.size)
        count = dp.t.make_sum(domain, dp.symmetric_distance())
        ready = smallest(dp, lambda scale: count >> dp.m.then_laplace(scale), epsilon)
        return Request(lambda _: float(ready(ones)), epsilon, NEIGHBOURS, PublicGrid.multiples(1.0))


def import_opendp() -> Any:
    """Import OpenDP with its contributed features."""
    dp = OPENDP.load()
    dp.enable_features("contrib")
    return dp


def smallest(dp: Any, measurement: Any, epsilon: float) -> Any:
    """Return the measurement with the least noise that costs epsilon by OpenDP's privacy map."""
    return measurement(dp.binary_search_param(measurement, d_in=ONE_REPLACED, d_out=epsilon))


def opendp_measurement(mechanism: Mechanism[Any], domain: Interval, n: int, privacy: PrivacyLike) -> Any:
    """Return a mechanism on a column as an OpenDP measurement, with its guarantee in OpenDP's terms.

    Its inputs are vectors of n numbers without NaN, in symmetric distance.  Each invocation is one release,
    with the operating system's entropy and the exact rounding of all releases here.  It enters no ledger;
    use OpenDP's own compositions and odometers.

    The privacy map: at distance d, data of a known size differ in at most d // 2 replaced records, for which
    the release promises `Privacy.for_group`.

    Parameters
    ----------
    mechanism : Mechanism
        A mechanism that reads a column and is exact, such as `SmoothRelease`.
    domain : Interval
        Public bounds; numbers outside are clamped.
    n : int
        The public number of records.
    privacy : PrivacyLike
        The cost of one replaced record.

    Returns
    -------
    opendp.mod.Measurement
        Under `max_divergence`, or `fixed_smoothed_max_divergence` if delta > 0.  It needs OpenDP's feature
        "honest-but-curious", since OpenDP cannot verify the privacy map of a Python function.

    Raises
    ------
    ParameterError
        If the mechanism does not read a column, is not private or not exact, if its parameters are invalid,
        or if OpenDP is not installed.

    See Also
    --------
    OpenDPRelease

    Examples
    --------
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy
    >>> try:
    ...     mean = opendp_measurement(LaplaceRelease(query=Mean()), Interval(0, 10), 4, Privacy(0.5))
    ...     print(mean.map(2), 0 <= mean([1.0, 2.0, 3.0, 4.0]) <= 10)
    ... except ParameterError as error:
    ...     print("0.5 True" if "is not installed" in str(error) else error)
    0.5 True
    """
    privacy = as_privacy(privacy)
    _check(mechanism, domain, n, privacy)
    try:
        import opendp.prelude as dp
    except ImportError:
        raise ParameterError("library", f"opendp is not installed; install it with: {INSTALL}") from None
    dp.enable_features("contrib", "honest-but-curious")
    cost, _ = ledger_cost(mechanism, privacy)  # for one replaced record, whatever relation it states

    def release(values: Any) -> Any:
        # clamped here, since an OpenDP vector may contain infinities and a column may not
        inside = np.clip(np.asarray(values, dtype=np.float64), domain.lower, domain.upper)
        return mechanism.run(Sample(inside, domain, marks_of(values)[0]), privacy).value

    def costs(distance: int) -> Any:
        replaced = distance // ONE_REPLACED
        if replaced == 0:
            return (0.0, 0.0) if cost.delta else 0.0
        group = cost.for_group(replaced)
        return (group.epsilon, group.delta) if cost.delta else group.epsilon

    return dp.m.make_user_measurement(
        input_domain=dp.vector_domain(dp.atom_domain(T=float, nan=False), size=n),
        input_metric=dp.symmetric_distance(),
        output_measure=dp.fixed_smoothed_max_divergence() if cost.delta else dp.max_divergence(),
        function=release,
        privacy_map=costs,
    )


def _check(mechanism: Mechanism[Any], domain: Interval, n: int, privacy: Privacy) -> None:
    if mechanism.reads != "column" or mechanism.relation != NEIGHBOURS:
        raise ParameterError(
            "mechanism", f"{mechanism.label} does not read a column of numbers; use one that does"
        )
    if not (mechanism.facts.is_private and not mechanism.inexact):
        why = mechanism.inexact or "it has no guarantee"
        raise ParameterError("mechanism", f"{mechanism.label} has no exact guarantee for OpenDP: {why}")
    mechanism.refuse(privacy, domain, n)
