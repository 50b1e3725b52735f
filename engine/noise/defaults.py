"""Which family to use when nobody chose one, or where the chosen one cannot give the privacy."""

from __future__ import annotations

from engine.errors import ParameterError
from engine.noise.base import Admissible, Noise
from engine.noise.laplace import Laplace
from engine.noise.lcp import LaplacePareto
from engine.privacy import Privacy


def default_noise(privacy: Privacy) -> Noise:
    """Return the family to use when nobody chose: LCP, or Laplace where delta > 0.

    Parameters
    ----------
    privacy : Privacy

    Returns
    -------
    Noise

    Examples
    --------
    >>> from engine import Privacy
    >>> default_noise(Privacy(1.0)).name, default_noise(Privacy(1.0, 1e-6)).name
    ('lcp', 'laplace')
    """
    return LaplacePareto() if privacy.delta == 0 else Laplace()


def default_pair(
    noise: Noise, privacy: Privacy, *, constants: str = "tight", split: float = 0.5
) -> Admissible:
    """Return (alpha, beta) of `noise`; those of the default family where it cannot give `privacy`.

    Parameters
    ----------
    noise : Noise
    privacy : Privacy
    constants : {"tight", "published"}
        The tight pair, or the one in print.
    split : float
        Part of epsilon that pays for sliding; the rest pays for dilation.

    Returns
    -------
    Admissible

    Examples
    --------
    >>> default_pair(Laplace(), Privacy(1.0)) == LaplacePareto().admissible(Privacy(1.0))
    True
    """
    try:
        return noise.admissible(privacy, constants=constants, split=split)
    except ParameterError:
        return default_noise(privacy).admissible(privacy)
