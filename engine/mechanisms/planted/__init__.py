"""Mechanisms with a known mistake: published errors, and common ones.

None of them is private.  They are for audits, lessons and tests, and never offered for releases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.mechanisms.planted.base import Planted as Planted
    from engine.mechanisms.planted.bounds import BetaIsEpsilon as BetaIsEpsilon
    from engine.mechanisms.planted.bounds import GapFormula as GapFormula
    from engine.mechanisms.planted.bounds import LocalNoise as LocalNoise
    from engine.mechanisms.planted.bounds import PublishedCenterOfAttention as PublishedCenterOfAttention
    from engine.mechanisms.planted.bounds import ShiftedGapFormula as ShiftedGapFormula
    from engine.mechanisms.planted.choices import ExponentialDoubled as ExponentialDoubled
    from engine.mechanisms.planted.choices import TestLeftOut as TestLeftOut
    from engine.mechanisms.planted.choices import TwoCategoryOdds as TwoCategoryOdds
    from engine.mechanisms.planted.doubles import NaiveDoubles as NaiveDoubles
    from engine.mechanisms.planted.parts import SizesShown as SizesShown
    from engine.mechanisms.planted.scales import HalvedScale as HalvedScale
    from engine.mechanisms.planted.scales import HistogramScaleOne as HistogramScaleOne

PLANTED: Registry[type[Planted]] = registry_of(
    "planted",
    {
        "local-noise": "engine.mechanisms.planted.bounds:LocalNoise",
        "beta-is-epsilon": "engine.mechanisms.planted.bounds:BetaIsEpsilon",
        "test-left-out": "engine.mechanisms.planted.choices:TestLeftOut",
        "halved-scale": "engine.mechanisms.planted.scales:HalvedScale",
        "gap-formula": "engine.mechanisms.planted.bounds:GapFormula",
        "shifted-gap-formula": "engine.mechanisms.planted.bounds:ShiftedGapFormula",
        "exponential-doubled": "engine.mechanisms.planted.choices:ExponentialDoubled",
        "histogram-scale-one": "engine.mechanisms.planted.scales:HistogramScaleOne",
        "two-category-odds": "engine.mechanisms.planted.choices:TwoCategoryOdds",
        "sizes-shown": "engine.mechanisms.planted.parts:SizesShown",
        "published-center-of-attention": "engine.mechanisms.planted.bounds:PublishedCenterOfAttention",
        "naive-doubles": "engine.mechanisms.planted.doubles:NaiveDoubles",
    },
)
"""Every mistake that can be planted into a mechanism for an audit to find, by name."""


def __getattr__(name: str) -> Any:
    return PLANTED.class_called(name, {"Planted": "engine.mechanisms.planted.base"})
