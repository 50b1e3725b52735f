"""One file per sanitizer: takes data and privacy, returns a `Release`."""

from engine.mechanisms.base import Mechanism, Prepared, Private, Problem, Release
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.global_noise import GaussianRelease, LaplaceRelease
from engine.mechanisms.propose_test_release import ProposeTestRelease
from engine.mechanisms.scalar import ScalarMechanism
from engine.mechanisms.smooth import SmoothRelease

MECHANISMS: dict[str, type[ScalarMechanism]] = {
    mechanism.name: mechanism
    for mechanism in (SmoothRelease, LaplaceRelease, GaussianRelease, ExponentialRelease, ProposeTestRelease)
}
"""The methods by which a query of one number is released."""

__all__ = [
    "MECHANISMS",
    "ExponentialRelease",
    "GaussianRelease",
    "LaplaceRelease",
    "Mechanism",
    "Prepared",
    "Private",
    "Problem",
    "ProposeTestRelease",
    "Release",
    "ScalarMechanism",
    "SmoothRelease",
]
