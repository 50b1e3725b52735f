"""Families of admissible noise: the one list of them, and their names.

`engine.noise.certificate` computes what a pair (alpha, beta) really gives.
"""

from engine.components import registered
from engine.noise.arsinh_normal import ArsinhNormal
from engine.noise.base import CONSTANTS, Admissible, Noise
from engine.noise.defaults import default_noise, default_pair
from engine.noise.gaussian import Gaussian
from engine.noise.generalized_cauchy import GeneralizedCauchy
from engine.noise.laplace import Laplace
from engine.noise.laplace_log_normal import LaplaceLogNormal
from engine.noise.lcp import LaplacePareto
from engine.noise.student_t import StudentT
from engine.noise.uniform_log_normal import UniformLogNormal

NOISES: dict[str, type[Noise]] = registered(
    LaplacePareto,
    StudentT,
    GeneralizedCauchy,
    Laplace,
    Gaussian,
    LaplaceLogNormal,
    UniformLogNormal,
    ArsinhNormal,
)
"""Every family, by name: first those with delta = 0, the default ahead."""

__all__ = [
    "CONSTANTS",
    "NOISES",
    "Admissible",
    "ArsinhNormal",
    "Gaussian",
    "GeneralizedCauchy",
    "Laplace",
    "LaplaceLogNormal",
    "LaplacePareto",
    "Noise",
    "StudentT",
    "UniformLogNormal",
    "default_noise",
    "default_pair",
]
