"""Which family to use when nobody chose one."""

from __future__ import annotations

from engine.noise.base import Noise
from engine.noise.laplace import Laplace
from engine.noise.lcp import LaplacePareto
from engine.privacy import Privacy


def default_noise(privacy: Privacy) -> Noise:
    """Return the family to use when nobody chose: LCP, or Laplace where delta > 0."""
    return LaplacePareto() if privacy.delta == 0 else Laplace()
