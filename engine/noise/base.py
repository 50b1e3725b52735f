"""The base class of every family of admissible noise.

The mechanism is ``f(x) + S(x)/alpha * Z`` with Z from the family and S a
beta-smooth upper bound on the local sensitivity of f (Nissim, Raskhodnikova, Smith
2007, Lemma 2.5).
"""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.components import Component, component_of, registry_of
from engine.errors import ParameterError
from engine.numerals import short
from engine.privacy import Privacy

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.balls import Bits

CONSTANTS = ("tight", "published")

EPSILONS = (1e-9, 100.0)
"""The range in which noise can be calibrated: below, it is useless; above, it protects no record."""

MIN_DELTA = 1e-300
"""A smaller delta above 0 has no parts: their few digits end at 5e-324."""


@dataclasses.dataclass(frozen=True)
class Admissible:
    """A pair (alpha, beta) for a family, and who says that it is private.

    `Noise.admissible` returns one, as in the example of `certify`.

    Attributes
    ----------
    alpha : float
        Sliding: the noise is scaled to S/alpha.
    beta : float
        Dilation: the smoothness that S must have.
    source : str
        Where the pair comes from (paper and statement, or "tight rule").

    See Also
    --------
    Noise, certify
    """

    alpha: float
    beta: float
    source: str


def check_bounds(privacy: Privacy, dimension: int, parts: float = 1.0) -> None:
    """Raise `ParameterError` where no noise can be calibrated for one of equal parts of epsilon."""
    least, most = (bound * parts for bound in EPSILONS)
    if not least <= privacy.epsilon <= most:
        raise ParameterError(
            "epsilon",
            f"{short(privacy.epsilon)} is not possible here; it must be at least {short(least)} and "
            f"at most {short(most)}",
        )
    if 0 < privacy.delta < MIN_DELTA:
        raise ParameterError(
            "delta",
            f"{short(privacy.delta)} is not possible here; it must be 0, or at least {short(MIN_DELTA)}",
        )
    if dimension < 1:
        raise ParameterError("dimension", f"{dimension} is not possible; it must be at least 1")


class NoiseChoice(Component, abc.ABC, family="noise"):
    """A family of noise, or a rule that chooses one from public facts; `Laplace` is one."""

    needs_delta: ClassVar[bool]  # Whether it can give no privacy with delta = 0

    @abc.abstractmethod
    def chosen(
        self, privacy: Privacy, split: float = 0.5, *, decline: float = 1.0, dimension: int = 1
    ) -> tuple[Noise, float]:
        """Return a family with its shape, and the share of the budget for sliding.

        `split` is the share that was chosen by hand; S* is taken to be c / beta^decline; f has `dimension`
        coordinates.
        """

    @abc.abstractmethod
    def usual(self) -> Noise:
        """Return a family with its shape where nothing is known of how S falls, as for outputs of blocks."""

    @abc.abstractmethod
    def check(
        self, privacy: Privacy, dimension: int = 1, *, constants: str = "tight", split: float = 0.5
    ) -> None:
        """Raise `ParameterError` for what cannot be calibrated, without looking for the pair."""


class Noise(NoiseChoice, abc.ABC):
    """A symmetric distribution on the real line, at scale 1, with full support; `Laplace` is one.

    In `dimension` d the noise is a product of d independent copies and the norm that
    measures sensitivity is L1, unless the family says otherwise in `norm` (and draws vectors
    of its own: `SphericalNoise`).

    A family defines its upper half (`_log_density`, `_tail`, `_tail_quantile`), which
    is where accuracy is lost or kept; the rest follows by symmetry.  Simulations draw by
    `sample`, releases by `enclosed`.
    """

    norm: ClassVar[str] = "L1"
    shares: ClassVar[bool] = True
    """Whether sliding and dilation share epsilon, so that a share can be chosen."""
    is_concentrated: ClassVar[bool] = False
    """Whether its published pair is proved as concentrated privacy."""
    for_vectors: ClassVar[bool] = False
    """Whether it is made for several coordinates, and left out where families for one number are compared."""

    def chosen(
        self, privacy: Privacy, split: float = 0.5, *, decline: float = 1.0, dimension: int = 1
    ) -> tuple[Noise, float]:
        return self, split

    def usual(self) -> Noise:
        return self

    @abc.abstractmethod
    def _log_density(self, r: Floats) -> Floats:
        """Return the logarithm of the density at `r` >= 0."""

    @abc.abstractmethod
    def _tail(self, r: Floats) -> Floats:
        """Return Pr[Z > r] for `r` >= 0, with full relative accuracy."""

    @abc.abstractmethod
    def _tail_quantile(self, p: Floats) -> Floats:
        """Return the r >= 0 with Pr[Z > r] = p, for `p` in [0, 1/2]."""

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        """Draw an array of shape `size` in double precision, for a simulation."""
        magnitude = self._tail_quantile((1 - rng.random(size)) / 2)
        return np.where(rng.random(size) < 0.5, -magnitude, magnitude)

    def enclosed(self, bits: Bits) -> arb:
        """Return a ball that holds one draw for a release, a function of random bits alone.

        By inversion, with `_enclosed_quantile`.  The more precision flint works with, the narrower it is.
        """
        from engine.sampling import laws

        return laws.invert(bits, self._enclosed_quantile)

    def _enclosed_quantile(self, p: arb) -> arb:
        """Return what `_tail_quantile` does, as a ball: all that a family needs to be drawn exactly."""
        problem = f"{self.label} has no `_enclosed_quantile`: it can be simulated, but not released"
        raise ParameterError("noise", problem)

    def sample_vectors(self, rng: np.random.Generator, size: int, dimension: int) -> Floats:
        """Draw an array of shape (size, dimension) in double precision, for a simulation."""
        return self.sample(rng, (size, dimension))

    def enclosed_coordinate(self, bits: Sequence[Bits], index: int) -> arb:
        """Return a ball that holds one coordinate of one draw for a release, a function of random bits alone.

        Parameters
        ----------
        bits : sequence of Bits
            One for each coordinate.
        index : int
            Which coordinate.
        """
        return self.enclosed(bits[index])

    @property
    @abc.abstractmethod
    def variance(self) -> float:
        """Variance of Z; ``math.inf`` where it does not exist."""

    @abc.abstractmethod
    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        """Return the best pair that we can prove or certify."""

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        """Return the pairs in print, the latest edition last."""
        return ()

    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the density at `z` (any shape), finite to |z| = 1e150."""
        with np.errstate(divide="ignore", over="ignore"):
            return self._log_density(np.abs(np.asarray(z, dtype=np.float64)))

    def density(self, z: ArrayLike) -> Floats:
        """Return the density at `z` (any shape)."""
        return np.exp(self.log_density(z))

    def cdf(self, z: ArrayLike) -> Floats:
        """Return Pr[Z <= z], accurate in the lower tail (ask for -z in the upper)."""
        where = np.asarray(z, dtype=np.float64)
        with np.errstate(divide="ignore", over="ignore"):
            tail = self._tail(np.abs(where))
        return np.where(where < 0, tail, 1 - tail)

    def quantile(self, p: ArrayLike) -> Floats:
        """Return the z with Pr[Z <= z] = p.

        Raises
        ------
        ParameterError
            If a `p` is not in [0, 1].
        """
        probability = np.asarray(p, dtype=np.float64)
        if not np.all((probability >= 0) & (probability <= 1)):
            raise ParameterError("p", "a probability must be at least 0 and at most 1")
        with np.errstate(divide="ignore", over="ignore"):
            r = self._tail_quantile(np.minimum(probability, 1 - probability))
        return np.where(probability < 0.5, -r, r)

    def published_pairs(self, privacy: Privacy, dimension: int = 1) -> tuple[Admissible, ...]:
        """Return the pairs in print for this family, right or wrong, the latest edition last.

        Raises
        ------
        ParameterError
            If the family cannot give this privacy, or `dimension` is below 1.
        """
        self._check(privacy, dimension)
        return self._published(privacy, dimension)

    def admissible(
        self,
        privacy: Privacy,
        dimension: int = 1,
        *,
        constants: str = "tight",
        split: float = 0.5,
    ) -> Admissible:
        """Return (alpha, beta) with which the mechanism is (epsilon, delta)-private.

        Parameters
        ----------
        privacy : Privacy
            The required privacy, between replace-one neighbours with n public.
        dimension : int
            Number of coordinates of f.
        constants : {"tight", "published"}
            The tight or jointly calibrated pair, or the latest published one.  A
            published pair may be loose, or wrong: `engine.noise.certificate` checks it.
        split : float
            Share of the budget for sliding, in (0, 1); the rest pays for dilation.
            More sliding means less noise for the same S, but a larger S.  Published
            pairs have no choice and ignore it.

        Raises
        ------
        ParameterError
            If the family cannot give this privacy (delta = 0 where it needs
            delta > 0), has no published pair, or an argument is out of its bounds.
        """
        self.check(privacy, dimension, constants=constants, split=split)
        if constants == "tight":
            return self._tight(privacy, dimension, split)
        return self._published(privacy, dimension)[-1]

    def check(
        self, privacy: Privacy, dimension: int = 1, *, constants: str = "tight", split: float = 0.5
    ) -> None:
        if constants not in CONSTANTS:
            raise ParameterError("constants", f"'{constants}' is not known; it must be tight or published")
        if not 0 < split < 1:
            raise ParameterError("split", f"{short(split)} is not possible; it must be above 0 and below 1")
        self._check(privacy, dimension)
        if constants == "published" and not self._published(privacy, dimension):
            raise ParameterError(
                "constants",
                f"no pair is published for {self.label} noise"
                f"{'' if dimension == 1 else f' in {dimension} dimensions'}; use tight",
            )

    def _check(self, privacy: Privacy, dimension: int) -> None:
        check_bounds(privacy, dimension)
        if self.needs_delta and privacy.delta == 0:
            raise ParameterError(
                "delta",
                f"{self.label} noise scaled to a smooth sensitivity needs delta above 0 (say 1e-6); "
                "for delta = 0 use 'Power-law Laplace' (power-laplace)",
            )


class SphericalNoise(Noise):
    """A family whose density h in R^d falls with the length of z alone; `MultivariateT` is one.

    One rule gives its pairs.  Let u(r) = -d ln h/dr.  The laws of m(t) + e^(t lambda) Z, with
    m(t) = Delta (e^(t lambda) - 1)/(e^lambda - 1), form a path from Z to Delta + e^lambda Z.  At a point at
    distance r, in units of the scale, the logarithm of the density changes along it by at most

        |lambda| |r u - d| + a u,  a = |m'(t)| e^(-t lambda) = |Delta| lambda/(e^lambda - 1)

    for each unit of t.  For |lambda| <= beta and |Delta| <= alpha min(1, e^lambda) we have a <= alpha.  So

        beta |r u(r) - d| + alpha u(r) <= epsilon for all r

    makes the mechanism (epsilon, 0)-private.  Sliding and dilation are charged together at each point, not
    each at its own worst point.
    """

    norm: ClassVar[str] = "L2"

    @abc.abstractmethod
    def log_radial(self, r: Floats, dimension: int) -> Floats:
        """Return ln h at a point of R^d that is `r` >= 0 from 0, up to a constant."""

    @abc.abstractmethod
    def radius_quantile(self, p: Floats, dimension: int) -> Floats:
        """Return the r with Pr[|Z| > r] = p, for `p` in (0, 1)."""

    @abc.abstractmethod
    def enclosed_radius(self, p: arb, dimension: int) -> arb:
        """Return a ball around the r with Pr[|Z| > r] = p."""

    def sample_vectors(self, rng: np.random.Generator, size: int, dimension: int) -> Floats:
        """Draw `size` vectors: a length, and a direction."""
        if dimension == 1:
            return self.sample(rng, (size, 1))
        directions = rng.standard_normal((size, dimension))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return directions * self.radius_quantile(1 - rng.random((size, 1)), dimension)

    def enclosed_coordinate(self, bits: Sequence[Bits], index: int) -> arb:
        """Return a ball that holds one coordinate: the length, by one of a vector of normals."""
        from flint import arb

        from engine.sampling import laws

        if len(bits) == 1:
            return self.enclosed(bits[0])
        normals = [laws.invert(one, laws.normal) for one in bits]
        length = sum((normal * normal for normal in normals), arb(0)).sqrt()
        return self.enclosed_radius(bits[0].uniform(1), len(bits)) * normals[index] / length


@dataclasses.dataclass(frozen=True, eq=False)
class Tabulated:
    """A density at scale 1 on a grid that is fine at the center and reaches far."""

    z: Floats
    density: Floats
    half_width: float


@functools.lru_cache(maxsize=256)
def tabulate(noise: Noise) -> Tabulated:
    """Tabulate a family once; a new scale then only stretches the table.

    Families whose quantiles are slow may be tabulated ahead of time on a worker thread.
    """
    half = 0.01 * np.sinh(np.linspace(0.0, 18.0, 500))
    z = np.concatenate([-half[:0:-1], half])
    return Tabulated(z, noise.density(z), float(noise.quantile(0.975)))


NoiseLike: TypeAlias = Noise | type[Noise] | str
"""Types that functions accept as a noise: a family, its class or its name."""


def checked_noise(noise: NoiseLike) -> Noise:
    """Convert to a noise family."""
    made: Noise = component_of(noise, "noise", registry_of("noise")["laplace"]())
    return made
