"""Families of admissible noise: the one list of them, their names, and which to use by default.

`engine.noise.certificate` computes what a pair (alpha, beta) really gives.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.components import MatchingComponents, Registry, registry_of
from engine.errors import ParameterError
from engine.noise.base import CONSTANTS, Admissible, Noise, NoiseChoice
from engine.privacy import PrivacyLike, as_privacy

if TYPE_CHECKING:
    from engine.noise.automatic import Automatic, noise_choices
    from engine.noise.concentrated import ArsinhNormal, LaplaceLogNormal, UniformLogNormal
    from engine.noise.gaussian import Gaussian
    from engine.noise.laplace import Laplace
    from engine.noise.lcp import LaplacePareto
    from engine.noise.power_laplace import PowerLaplace
    from engine.noise.power_tail import GeneralizedCauchy, MultivariateT, StudentT

NOISE_CHOICES: Registry[type[NoiseChoice]] = registry_of(
    "noise",
    {
        "auto": "engine.noise.automatic:Automatic",
        "power-laplace": "engine.noise.power_laplace:PowerLaplace",
        "lcp": "engine.noise.lcp:LaplacePareto",
        "student-t": "engine.noise.power_tail:StudentT",
        "multivariate-t": "engine.noise.power_tail:MultivariateT",
        "generalized-cauchy": "engine.noise.power_tail:GeneralizedCauchy",
        "laplace": "engine.noise.laplace:Laplace",
        "gaussian": "engine.noise.gaussian:Gaussian",
        "laplace-log-normal": "engine.noise.concentrated:LaplaceLogNormal",
        "uniform-log-normal": "engine.noise.concentrated:UniformLogNormal",
        "arsinh-normal": "engine.noise.concentrated:ArsinhNormal",
    },
)
"""The choices of noise, by name: a rule that chooses a family, then the families."""

NOISES: Mapping[str, type[Noise]] = MatchingComponents(
    NOISE_CHOICES, lambda name: issubclass(NOISE_CHOICES[name], Noise)
)
"""Every family, by name: first those with delta = 0."""


def noises_of_numbers() -> tuple[type[Noise], ...]:
    """Return the families that are compared for a single number: all but those made for vectors."""
    return tuple(family for family in NOISES.values() if not family.for_vectors)


def default_pair(
    noise: Noise, privacy: PrivacyLike, *, constants: str = "tight", split: float = 0.5
) -> Admissible:
    """Return (alpha, beta) of `noise`; those of the usual family where it cannot give `privacy`."""
    privacy = as_privacy(privacy)
    try:
        return noise.admissible(privacy, constants=constants, split=split)
    except ParameterError:
        from engine.noise.automatic import Automatic

        return Automatic().usual().admissible(privacy)


__all__ = [
    "CONSTANTS",
    "NOISES",
    "NOISE_CHOICES",
    "Admissible",
    "ArsinhNormal",
    "Automatic",
    "Gaussian",
    "GeneralizedCauchy",
    "Laplace",
    "LaplaceLogNormal",
    "LaplacePareto",
    "MultivariateT",
    "Noise",
    "NoiseChoice",
    "PowerLaplace",
    "StudentT",
    "UniformLogNormal",
    "default_pair",
    "noise_choices",
    "noises_of_numbers",
]


def __getattr__(name: str) -> Any:
    return NOISE_CHOICES.class_called(name, {"noise_choices": "engine.noise.automatic"})
