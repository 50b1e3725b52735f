"""Mechanisms with a known mistake: errors in print, and those that are made again and again.

None of them is private.  They are for audits, lessons and tests, and are never offered for releases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.mechanisms.planted.base import Planted
    from engine.mechanisms.planted.block_steps import PublishedCenterOfAttention
    from engine.mechanisms.planted.bounds import (
        BetaIsEpsilon,
        GapFormula,
        LocalNoise,
        ShiftedGapFormula,
    )
    from engine.mechanisms.planted.choices import (
        ExponentialDoubled,
        TwoCategoryOdds,
    )
    from engine.mechanisms.planted.doubles import NaiveDoubles
    from engine.mechanisms.planted.scales import (
        HalvedScale,
        HistogramScaleOne,
        LloydInverted,
    )
    from engine.mechanisms.planted.steps import ExactLastStep, TestLeftOut

PLANTED: Registry[type[Planted]] = registry_of(
    "planted",
    {
        "local-noise": "engine.mechanisms.planted.bounds:LocalNoise",
        "beta-is-epsilon": "engine.mechanisms.planted.bounds:BetaIsEpsilon",
        "test-left-out": "engine.mechanisms.planted.steps:TestLeftOut",
        "halved-scale": "engine.mechanisms.planted.scales:HalvedScale",
        "gap-formula": "engine.mechanisms.planted.bounds:GapFormula",
        "shifted-gap-formula": "engine.mechanisms.planted.bounds:ShiftedGapFormula",
        "exponential-doubled": "engine.mechanisms.planted.choices:ExponentialDoubled",
        "histogram-scale-one": "engine.mechanisms.planted.scales:HistogramScaleOne",
        "two-category-odds": "engine.mechanisms.planted.choices:TwoCategoryOdds",
        "lloyd-inverted": "engine.mechanisms.planted.scales:LloydInverted",
        "exact-last-step": "engine.mechanisms.planted.steps:ExactLastStep",
        "published-center-of-attention": "engine.mechanisms.planted.block_steps:PublishedCenterOfAttention",
        "naive-doubles": "engine.mechanisms.planted.doubles:NaiveDoubles",
    },
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


def __getattr__(name: str) -> Any:
    return PLANTED.class_called(name, {"Planted": "engine.mechanisms.planted.base"})
