"""A release as a measurement of OpenDP, for pipelines and compositions there."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.data.look_only import marks_of
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.extras.libraries.library import INSTALL
from engine.mechanisms.base import Mechanism, ledger_cost
from engine.privacy import NEIGHBOURS, Privacy, PrivacyLike, as_privacy

RECORDS = 2
"""At symmetric distance 2 of data of one size, one record is replaced: one goes, one comes."""


def opendp_measurement(mechanism: Mechanism[Any], domain: Interval, n: int, privacy: PrivacyLike) -> Any:
    """Return a release of a column as a measurement of OpenDP, with the guarantee in its terms.

    Its input are vectors of n numbers without NaN, in symmetric distance; each invocation is one release,
    with the operating system's entropy and the exact rounding of all releases here.  No ledger hears of it:
    OpenDP's own compositions and odometers add up.

    The privacy map: at distance d at most d // 2 records of data of a known size are replaced, for which
    the release promises `Privacy.for_group`.

    Parameters
    ----------
    mechanism : Mechanism
        One that reads a column and is exact, such as `SmoothRelease`.
    domain : Interval
        Public bounds; numbers outside are clamped.
    n : int
        The public number of records.
    privacy : PrivacyLike
        For one replaced record.

    Returns
    -------
    opendp.mod.Measurement
        Under `max_divergence`, or `fixed_smoothed_max_divergence` where delta is spent.  OpenDP calls it
        "honest-but-curious": it cannot check a function of Python, and takes our word for the map.

    Raises
    ------
    ParameterError
        If the mechanism reads no column, is not private or exact, if its parameters make no sense, or if
        OpenDP is not installed.

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
    cost, _ = ledger_cost(mechanism, privacy)  # of one that is replaced, whatever it is stated for

    def release(values: Any) -> Any:
        # clamped here, since a vector of OpenDP may hold infinities, which no column does
        inside = np.clip(np.asarray(values, dtype=np.float64), domain.lower, domain.upper)
        return mechanism.run(Sample(inside, domain, marks_of(values)[0]), privacy).value

    def costs(distance: int) -> Any:
        replaced = distance // RECORDS
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
    if mechanism.reads != "column" or mechanism.neighbours != NEIGHBOURS:
        raise ParameterError("mechanism", f"{mechanism.label} reads no column of numbers; use one that does")
    if not (mechanism.is_private and mechanism.exact):
        why = mechanism.inexact or "it promises nothing"
        raise ParameterError("mechanism", f"{mechanism.label} cannot promise OpenDP anything: {why}")
    mechanism.refuse(privacy, domain, n)
