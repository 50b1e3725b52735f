"""Multivariate Student's t noise: one length for all coordinates, so that many pay like few."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise.base import Admissible
from engine.noise.power_tail import beta_prime_quantile
from engine.noise.spherical import SphericalNoise
from engine.noise.student_t import StudentT
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb


@dataclasses.dataclass(frozen=True)
class MultivariateT(SphericalNoise, StudentT):
    """Density in R^d proportional to (1 + |z|^2/nu)^(-(nu + d)/2): Student's t along every line.

    A shift by alpha alone costs alpha (nu + d)/(2 sqrt(nu)), the steepest slope of ln h, at |z| = sqrt(nu);
    a dilation by beta alone costs max(d, nu) beta, at 0 or far out.  The two are not dearest at one place:
    with |z| = sqrt(nu) tan(t/2) the slope is (nu + d)/(2 sqrt(nu)) sin t, and the dilation
    (d - nu)/2 + (nu + d)/2 cos t.  So by the rule of `SphericalNoise`::

        beta |d - nu|/2 + (nu + d)/2 sqrt(beta^2 + alpha^2/nu) <= epsilon

    makes the mechanism (epsilon, 0)-private.  The noise is least for nu near d.

    Examples
    --------
    Half of the largest beta, 1/nu, leaves sqrt(3)/2 of the largest alpha where nu = d:

    >>> from engine import Privacy
    >>> pair = MultivariateT(nu=3.0).admissible(Privacy(1.0), dimension=3)
    >>> round(pair.alpha, 6), round(pair.beta, 6)
    (0.5, 0.166667)
    """

    name: ClassVar[str] = "multivariate-t"
    label: ClassVar[str] = "Multivariate Student's t"
    for_vectors: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Student's t for vectors, the same in every direction: much calmer than a draw for each coordinate."
    )
    source: ClassVar[str] = "the law is classical (Cornish 1954); its joint rule is derived here"
    exact_because: ClassVar[str] = ENCLOSED

    def log_radial(self, r: Floats, dimension: int) -> Floats:
        with np.errstate(divide="ignore"):
            return -(self.nu + dimension) / 2 * np.logaddexp(0, self._log_w(r))

    def radius_quantile(self, p: Floats, dimension: int) -> Floats:
        # |Z|^2/nu has the beta-prime law with parameters d/2 and nu/2
        log_w = beta_prime_quantile(p, dimension / 2, self.nu / 2)
        return np.exp((log_w + math.log(self.nu)) / 2)

    def enclosed_radius(self, p: arb, dimension: int) -> arb:
        from flint import arb

        from engine.sampling import laws

        guess = float(beta_prime_quantile(np.array(float(p.mid())), dimension / 2, self.nu / 2))
        log_w = laws.beta_prime(p, arb(dimension) / 2, arb(self.nu) / 2, guess)
        return ((log_w + arb(self.nu).log()) / 2).exp()

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        nu, d = self.nu, dimension
        beta = (1 - split) * privacy.epsilon / max(d, nu)
        # the root may be as large as this
        left = 2 * (privacy.epsilon - beta * abs(d - nu) / 2) / (nu + d)
        alpha = math.sqrt(nu) * math.sqrt((left - beta) * (left + beta))
        while not self._holds(alpha, beta, privacy.epsilon, dimension):
            alpha, beta = alpha * (1 - 2.0**-52), beta * (1 - 2.0**-52)
        return Admissible(alpha, beta, "joint rule: the sup of what both change together, exactly epsilon")

    def _holds(self, alpha: float, beta: float, epsilon: float, dimension: int) -> bool:
        """Tell whether the rule holds to the last bit, in fractions."""
        a, b, nu, d = Fraction(alpha), Fraction(beta), Fraction(self.nu), dimension
        left = Fraction(epsilon) - b * abs(d - nu) / 2
        return left >= 0 and (nu + d) ** 2 / 4 * (b * b + a * a / nu) <= left * left
