"""Families of admissible noise: the one list of them, their names, and which to use by default.

`engine.noise.certificate` computes what a pair (alpha, beta) really gives.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.components import MatchingComponents, Registry, registry_of
from engine.errors import ParameterError
from engine.noise.base import CONSTANTS as CONSTANTS
from engine.noise.base import Admissible as Admissible
from engine.noise.base import Noise as Noise
from engine.noise.base import NoiseChoice as NoiseChoice
from engine.privacy import PrivacyLike, as_privacy

if TYPE_CHECKING:
    from engine.noise.automatic import Automatic as Automatic
    from engine.noise.automatic import noise_choices as noise_choices
    from engine.noise.concentrated import ArsinhNormal as ArsinhNormal
    from engine.noise.concentrated import LaplaceLogNormal as LaplaceLogNormal
    from engine.noise.concentrated import UniformLogNormal as UniformLogNormal
    from engine.noise.gaussian import Gaussian as Gaussian
    from engine.noise.laplace import Laplace as Laplace
    from engine.noise.lcp import LaplacePareto as LaplacePareto
    from engine.noise.power_laplace import PowerLaplace as PowerLaplace
    from engine.noise.power_tail import GeneralizedCauchy as GeneralizedCauchy
    from engine.noise.power_tail import MultivariateT as MultivariateT
    from engine.noise.power_tail import StudentT as StudentT

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


def __getattr__(name: str) -> Any:
    return NOISE_CHOICES.class_called(name, {"noise_choices": "engine.noise.automatic"})
