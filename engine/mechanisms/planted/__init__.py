"""Mechanisms with a known mistake: errors in print, and those that are made again and again.

None of them is private.  They are for audits, lessons and tests, and are never offered for releases.
"""

from engine.components import registered
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.planted.bounds import BetaIsEpsilon, GapFormula, LocalNoise, ShiftedGapFormula
from engine.mechanisms.planted.choices import ExponentialDoubled, TwoCategoryOdds
from engine.mechanisms.planted.doubles import NaiveDoubles
from engine.mechanisms.planted.last_steps import ExactLastStep
from engine.mechanisms.planted.left_out import TestLeftOut
from engine.mechanisms.planted.published import PublishedCenterOfAttention
from engine.mechanisms.planted.scales import HalvedScale, HistogramScaleOne, LloydInverted

PLANTED: dict[str, type[Planted]] = registered(
    LocalNoise,
    BetaIsEpsilon,
    TestLeftOut,
    HalvedScale,
    GapFormula,
    ShiftedGapFormula,
    ExponentialDoubled,
    HistogramScaleOne,
    TwoCategoryOdds,
    LloydInverted,
    ExactLastStep,
    PublishedCenterOfAttention,
    NaiveDoubles,
)
"""Every mistake that can be planted into a mechanism, for an audit to find, by name."""
"""The mistakes, by name."""

__all__ = [
    "PLANTED",
    "BetaIsEpsilon",
    "ExactLastStep",
    "ExponentialDoubled",
    "GapFormula",
    "HalvedScale",
    "HistogramScaleOne",
    "LloydInverted",
    "LocalNoise",
    "NaiveDoubles",
    "Planted",
    "PublishedCenterOfAttention",
    "ShiftedGapFormula",
    "TestLeftOut",
    "TwoCategoryOdds",
]
