"""Compare the noise of all families, and certify that of a mechanism."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from engine.analysis.sensitivity import calibration_of, noise_of
from engine.arguments import as_data
from engine.errors import ParameterError
from engine.findings import Finding
from engine.mechanisms.scalar import ScalarMechanism, ScalarMechanismLike, checked_scalar
from engine.mechanisms.smooth import SmoothRelease
from engine.noise import Admissible, Noise, noises_of_numbers
from engine.noise.base import tabulate
from engine.noise.certificate import Certificate, certify, certify_published
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.signatures import explained

MAX_CERTIFICATES = 128
"""Largest number of cached certificates, which are public and needed on every page."""


@dataclasses.dataclass(frozen=True)
class NoiseCurve:
    """One family at its required scale, from `noise_families`."""

    noise: Noise  # the family, at scale 1
    scale: float  # S/alpha in the unit of the data (private), or 1/alpha: in multiples of S (public)
    chosen: bool = False  # whether the mechanism uses this one

    @property
    def label(self) -> str:
        """The name of the family with its parameters ("LCP, g = 4")."""
        return self.noise.label

    @property
    def half_width(self) -> float:
        """Half-width of the interval around 0 that holds 95 % of the noise."""
        return self.scale * tabulate(self.noise).half_width

    @property
    def peak(self) -> float:
        """Largest value of the density."""
        return float(tabulate(self.noise).density.max()) / self.scale


@dataclasses.dataclass(frozen=True)
class NoiseCurves:
    """All families that satisfy a budget, each at its required scale, from `noise_families`."""

    curves: tuple[NoiseCurve, ...]
    public: bool  # whether scales are multiples of an unknown S_beta, and so public
    # for public scales: the beta of S_beta, the same for all curves, so that they can be compared
    beta: float | None = None
    # families with their own beta, and so multiples of another S_beta
    left_out: tuple[Noise, ...] = ()

    def findings(self) -> Iterator[Finding]:
        """Yield the scale of each family, and the bounds of half and 95 % of its noise."""
        unit = f", in units of S_beta, beta = {self.beta:.4g}" if self.public and self.beta else ""
        for curve in self.curves:
            half, most = (curve.scale * curve.noise.quantile([0.75, 0.975])).tolist()
            yield Finding(f"{curve.label}: scale{unit}", curve.scale, self.public)
            yield Finding(f"{curve.label}: half of its noise within{unit}", half, self.public)
            yield Finding(f"{curve.label}: 95 % of its noise within{unit}", most, self.public)


@explained
def noise_families(
    mechanism: ScalarMechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> NoiseCurves:
    """Return every family that satisfies `privacy`, at its required scale on these data (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
        Its noise is used as set; all others with defaults.
    data : Database
    privacy : PrivacyLike
    progress : Progress, optional

    Returns
    -------
    NoiseCurves

    See Also
    --------
    certify_noise, NOISES

    Examples
    --------
    The chosen family without delta is power-law Laplace: its scale is S*/alpha with alpha = 1.

    >>> from engine import Interval, Privacy, Sample, SmoothRelease
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = noise_families(SmoothRelease(), data, Privacy(1.0))
    >>> [curve.noise.name for curve in found.curves], [curve.chosen for curve in found.curves]
    (['power-laplace', 'lcp', 'student-t', 'generalized-cauchy'], [True, False, False, False])
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    mechanism = mechanism.resolve(privacy)
    able = _able(mechanism, privacy, progress=part(progress, 0.0, 0.5))
    betas = [pair.beta for _, pair in able]
    results = mechanism.query.smooth_sensitivities(data, betas, part(progress, 0.5, 1.0))
    return _curves(mechanism, able, [float(one.value) for one in results], public=False)


def public_noise_families(
    mechanism: ScalarMechanism, privacy: PrivacyLike, *, progress: Progress = silent
) -> NoiseCurves:
    """Return the families with the same beta as the chosen one, in multiples of S_beta (public).

    S falls as beta grows, by an amount that depends on the data.  Multiples of it can be compared only for
    the same beta; the other families are only named.
    """
    privacy = as_privacy(privacy)
    mechanism = mechanism.resolve(privacy)
    able = _able(mechanism, privacy, progress=progress)
    chosen = noise_of(mechanism, privacy).name
    beta = next((pair.beta for noise, pair in able if noise.name == chosen), None)
    alike = [one for one in able if beta is None or math.isclose(one[1].beta, beta, rel_tol=1e-9)]
    result = _curves(mechanism, alike, [1.0] * len(alike), public=True)
    left_out = tuple(noise for noise, pair in able if (noise, pair) not in alike)
    return dataclasses.replace(result, beta=beta, left_out=left_out)


def _able(
    mechanism: ScalarMechanism, privacy: Privacy, *, progress: Progress
) -> list[tuple[Noise, Admissible]]:
    """Return the families that satisfy `privacy`, with their admissible pairs."""
    used, results = calibration_of(mechanism, privacy), []
    own, left = used.noise, used.privacy
    families = dict.fromkeys([*noises_of_numbers(), type(own)])
    for step, family in enumerate(families):
        progress(step / len(families), "noise families")
        chosen = family.name == own.name
        noise = own if chosen else family()
        settings = {
            key: getattr(mechanism, key)
            for key in ("constants", "split")
            if chosen and hasattr(mechanism, key)
        }
        try:
            pair = noise.admissible(left, **settings)
        except ParameterError:
            continue
        tabulate(noise)  # build the table in this thread, so that it is ready for drawing
        results.append((noise, pair))
    return results


def _curves(
    mechanism: ScalarMechanism,
    able: Sequence[tuple[Noise, Admissible]],
    sensitivities: Sequence[float],
    *,
    public: bool,
) -> NoiseCurves:
    own = getattr(mechanism, "noise", None)
    return NoiseCurves(
        tuple(
            NoiseCurve(noise, smooth / pair.alpha, noise == own)
            for (noise, pair), smooth in zip(able, sensitivities, strict=True)
        ),
        public,
    )


@dataclasses.dataclass(frozen=True)
class NoiseCertificates:
    """The admissible pair of a noise, with certificates for it and for the published pairs (public).

    Returned by `certify_noise`.
    """

    noise: Noise
    asked: Privacy
    constants: str  # of the mechanism
    pair: Admissible
    certificate: Certificate
    published: tuple[tuple[Admissible, Certificate], ...] | None = None  # None until they are known
    # the epsilon for an error bar, which is not part of the noise's budget `asked`
    bar: float = 0.0

    def findings(self) -> Iterator[Finding]:
        """Yield the pair, and its verified guarantee."""
        yield Finding("alpha", self.pair.alpha, public=True)
        yield Finding("beta", self.pair.beta, public=True)
        yield Finding("epsilon, verified numerically", self.certificate.joint_epsilon, public=True)
        if self.asked.delta:
            yield Finding("delta, verified numerically", self.certificate.joint_delta, public=True)


@lru_cache(MAX_CERTIFICATES)
def _certified(noise: Noise, pair: Admissible, privacy: Privacy) -> Certificate:
    return certify(noise, pair.alpha, pair.beta, privacy)


@lru_cache(MAX_CERTIFICATES)
def _published(noise: Noise, privacy: Privacy) -> tuple[tuple[Admissible, Certificate], ...]:
    return tuple(certify_published(noise, privacy, 1))


@explained
def certify_noise(
    mechanism: ScalarMechanismLike,
    privacy: PrivacyLike,
    *,
    publish: Publish[NoiseCertificates] = unpublished,
    progress: Progress = silent,
) -> NoiseCertificates:
    """Verify numerically the guarantee of a mechanism's noise, then of the published pairs (public).

    Parameters
    ----------
    mechanism : ScalarMechanism
        A mechanism with a noise family.
    privacy : PrivacyLike
    publish : callable, optional
        Receives the first results before the published pairs are certified.
    progress : Progress, optional

    Returns
    -------
    NoiseCertificates

    Raises
    ------
    ParameterError
        If the noise cannot satisfy `privacy`.

    See Also
    --------
    certify, noise_families

    Examples
    --------
    Power-law Laplace uses the whole epsilon:

    >>> from engine import Privacy, SmoothRelease
    >>> found = certify_noise(SmoothRelease(), Privacy(1.0))
    >>> found.certificate.private, round(found.certificate.joint_epsilon, 3)
    (True, 1.0)
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    assert isinstance(mechanism, SmoothRelease)
    used = mechanism.calibrate(privacy)
    noise, privacy = used.noise, used.privacy
    result = _certified(noise, used.pair, privacy)
    first = NoiseCertificates(noise, privacy, used.constants, used.pair, result, bar=used.epsilon_of_bar)
    publish(first)
    progress(0.5)
    return dataclasses.replace(first, published=_published(noise, privacy))
