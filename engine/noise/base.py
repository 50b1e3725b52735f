"""What every family of admissible noise offers.

The mechanism is ``f(x) + S(x)/alpha * Z`` with Z from the family and S a
beta-smooth upper bound on the local sensitivity of f (Nissim, Raskhodnikova, Smith
2007, Lemma 2.5).
"""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ParameterError
from engine.parameters import Parameterised
from engine.privacy import Privacy

CONSTANTS = ("tight", "published")


@dataclasses.dataclass(frozen=True)
class Admissible:
    """A pair with which a family gives the privacy that was asked for.

    Attributes
    ----------
    alpha : float
        Sliding: the noise is scaled to S/alpha.
    beta : float
        Dilation: the smoothness that S must have.
    source : str
        Where the pair comes from (paper and statement, or "tight rule").
    """

    alpha: float
    beta: float
    source: str


@dataclasses.dataclass(frozen=True)
class Noise(Parameterised, abc.ABC):
    """A symmetric distribution on the real line, at scale 1.

    In `dimension` d the noise is a product of d independent copies and the norm that
    measures sensitivity is L1, unless the family says otherwise in `norm`.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    needs_delta: ClassVar[bool]
    norm: ClassVar[str] = "L1"
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""

    @abc.abstractmethod
    def density(self, z: ArrayLike) -> NDArray[np.float64]:
        """Return the density at `z` (any shape)."""

    @abc.abstractmethod
    def cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """Return Pr[Z <= z], accurate in the lower tail."""

    @abc.abstractmethod
    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return the z with Pr[Z <= z] = p, for p in (0, 1)."""

    @abc.abstractmethod
    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> NDArray[np.float64]:
        """Draw an array of shape `size`."""

    @property
    @abc.abstractmethod
    def variance(self) -> float:
        """Variance of Z; ``math.inf`` where it does not exist."""

    @abc.abstractmethod
    def _admissible(self, privacy: Privacy, dimension: int, constants: str, split: float) -> Admissible:
        """Return the pair; the arguments have been checked."""

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
            What is asked for, between replace-one neighbours.
        dimension : int
            Number of coordinates of f.
        constants : {"tight", "published"}
            The tight or jointly calibrated pair, or the one the paper prints.  A
            published pair may be loose, or wrong: `engine.noise.certificate` tells.
        split : float
            Share of the budget for sliding, in (0, 1); the rest pays for dilation.
            More sliding means less noise for the same S, but a larger S.  Published
            pairs have no choice and ignore it.

        Raises
        ------
        ParameterError
            If the family cannot give this privacy (delta = 0 where it needs
            delta > 0), or an argument is out of its bounds.
        """
        if constants not in CONSTANTS:
            raise ParameterError("constants", f"'{constants}' is not known; it must be tight or published")
        if not 0 < split < 1:
            raise ParameterError("split", f"{split:g} is not possible; it must be above 0 and below 1")
        if dimension < 1:
            raise ParameterError("dimension", f"{dimension} is not possible; it must be at least 1")
        if self.needs_delta and privacy.delta == 0:
            raise ParameterError(
                "delta", f"{self.label} noise needs delta above 0 (say 1e-6); for delta = 0 use lcp"
            )
        return self._admissible(privacy, dimension, constants, split)
