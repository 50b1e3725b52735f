"""Which divergences there are of a noise: in one dimension, of a product, or the same in every direction."""

from __future__ import annotations

from engine.array_types import Floats
from engine.noise.base import Noise
from engine.noise.hockey_stick import Pairs
from engine.noise.product import Product
from engine.noise.spherical import SphericalNoise
from engine.noise.spherical_pairs import SphericalPairs

Divergences = Pairs | Product | SphericalPairs


def divergences(noise: Noise, lam: Floats, delta: Floats, dimension: int) -> Divergences:
    """Return those of the pairs (Z, Delta + e^lambda Z).

    Parameters
    ----------
    noise : Noise
    lam, delta : arrays of shape (pairs,)
        The pairs; `delta` is the length of the shift in the norm of the noise.
    dimension : int
        Of Z.
    """
    if dimension == 1:
        return Pairs(noise, lam, delta)
    if isinstance(noise, SphericalNoise):
        return SphericalPairs(noise, lam, delta, dimension)
    return Product(noise, lam, delta, dimension)
