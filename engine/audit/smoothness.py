"""The beta for which worst cases are made."""

from __future__ import annotations

from typing import Any

from engine.errors import ParameterError
from engine.noise import Noise
from engine.privacy import Privacy


def default_smoothness(privacy: Privacy) -> float:
    """Return about what the default noise takes."""
    return privacy.epsilon / 8


def smoothness(noise: Noise, privacy: Privacy, dimension: int = 1, **settings: Any) -> float:
    """Return the beta of a noise, or a usual one where it cannot be calibrated.

    What is wrong then is for the mechanism to say.
    """
    try:
        return noise.admissible(privacy, dimension, **settings).beta
    except ParameterError:
        return default_smoothness(privacy)
