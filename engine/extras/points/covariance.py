"""Second moments of points, or their covariance, with noise."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.noisy import noise_parameter
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives.counts import AddedNoise, check_delta
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import COUNTED
from engine.sampling.output_grid import outward

MAX_COLUMNS = 100
"""Limit of columns: noise grows with the square of their number, and would hide everything."""

MAX_WIDTH = 1e140
"""Limit of widths and their inverses: beyond, squares overflow."""

_RECORDS = 1 << 16
"""Points processed at once."""

CORNERS_SHARE = 0.75
"""Share for the mean above which opposite corners, which change no product, decide the sensitivity."""


@dataclasses.dataclass(frozen=True)
class Covariance(AddsNoise, PointsMechanism, topic="histograms", shape="matrix"):
    """Release the matrix of second moments, about the center of the box or about a noisy mean.

    Points are scaled so that the box becomes the cube: z in [-1, 1]^d.  The upper triangle of
    ``sum of z z^T``, with its diagonal, gets noise.  The result is the nearest matrix (in the
    Frobenius norm, still scaled) without negative eigenvalues, divided by n, which is public, and scaled
    back.

    Sensitivity.  Let x be replaced by y, u = |x - y| and v = |x + y|.  Then ``u_i + v_i = 2 max(|x_i|, |y_i|)
    <= 2`` and ``|x_i x_j - y_i y_j| <= (u_i v_j + u_j v_i)/2``.  Summed over i <= j that is
    ``(sum u_i v_i + (sum u)(sum v))/2 <= d(d + 1)/2``, attained by a corner and the center.  (The constant 2
    in print is for points whose |x_i| sum to at most 1; for a box it means 2 d^2.)

    In the Euclidean norm the sensitivity is at most d.  With a_i = x_i^2, b_i = y_i^2 and their sums A and B,
    its square is at most half of ``A^2 + B^2 + sum of (a_i - b_i)^2``.  That is convex, and at most 2 d^2 at
    all corners of [0, 1]^2d; orthogonal corners attain it.

    z is rounded to multiples of 1/`steps`, so sums are exact; the bounds hold for any z in the cube.

    About the mean, the sum of z times a weight w is released, too.  The changes sum to at most
    ``(sum u_i v_i + (sum u)(sum v))/2 + w sum u``, which is concave in u for v = 2 - u.  It is largest if all
    u_i are 1 + w/(d + 1): ``d(d + 1)/2 (1 + w/(d + 1))^2``.  If that is above 2, all u_i are 2: ``2 d w``.
    In the Euclidean norm, the square is at most d^2 + 4 d w^2.  Noise on w times a sum is noise on the sum,
    divided by w.

    Source: Dwork, McSherry, Nissim, Smith 2006 for the noise; constants derived here.

    Examples
    --------
    Groups of points at 0.25 and 0.75: variances of 0.02^2 + 0.25^2, and nearly the same covariance.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> rng = np.random.default_rng(1)
    >>> heaps = [rng.normal(middle, 0.02, (500, 2)) for middle in (0.25, 0.75)]
    >>> data = Points(np.concatenate(heaps), Box.of([0, 0], [1, 1]))
    >>> simulated = Covariance().run(data, Privacy(1.0), reproducible(1))
    >>> np.round(simulated.value["matrix"], 2)
    array([[0.06, 0.06],
           [0.06, 0.06]])
    """

    name: ClassVar[str] = "covariance"
    label: ClassVar[str] = "Covariance"
    summary: ClassVar[str] = "how columns vary together: second moments with noise, differentially private"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006; constants derived here"
    exact_because: ClassVar[str] = COUNTED

    about: str = parameter(
        default="mean",
        choices=("mean", "center"),
        label="About",
        help="mean releases the covariance and the mean, which gets a share of the budget; "
        "center releases second moments about the center of the bounds.",
    )
    share: float = parameter(
        default=0.25,
        label="Share for the mean",
        needs=("about", "mean"),
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        help="Share of the budget for the mean, which gets less noise than from its own release.",
        advanced=True,
    )
    noise: str = noise_parameter()
    axes: int = parameter(
        default=0,
        lower=0,
        upper=MAX_COLUMNS,
        label="Principal axes",
        help="The number of principal axes to release, too; they follow from the matrix at no cost.",
        advanced=True,
    )

    @property
    def question(self) -> Hashable:
        return self.name, self.about

    def step(self, domain: Box, n: int, privacy: Privacy) -> None:
        """Return None: the noisy sums lie on a grid, but their nearest matrix does not."""

    def _largest_error(self, domain: Box, n: int) -> float:
        """Return inf: noise has no bounds here."""
        return math.inf

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        d = domain.dimension
        if wrong := problems_of(check_bounds, privacy, d) or problems_of(check_delta, self.noise, privacy):
            return wrong
        if d > MAX_COLUMNS:
            return (Problem("columns", f"{d} columns are too many; choose at most {MAX_COLUMNS}"),)
        if self.axes > d:
            return (Problem("axes", f"{self.axes} axes are more than columns; choose at most {d}"),)
        if not (domain.width.max() <= MAX_WIDTH and domain.width.min() >= 1 / MAX_WIDTH):
            return (Problem("upper", "squares overflow with such wide or narrow bounds; enter others"),)
        return ()

    def weight(self, dimension: int) -> float:
        """Return w, which gives the matrix the noise of a budget of 1 - share (its square, if Gaussian)."""
        if self.about == "center":
            return 0.0
        if self.noise == "laplace":
            if self.share > CORNERS_SHARE:
                return (dimension + 1) / (4 * (1 - self.share))
            return (dimension + 1) * (1 / math.sqrt(1 - self.share) - 1)
        return math.sqrt(dimension * self.share / (1 - self.share)) / 2

    def added(self, privacy: Privacy, dimension: int) -> AddedNoise:
        """Return the noise of the scaled sums (public)."""
        d, w = dimension, self.weight(dimension)
        l1 = d * (d + 1) / 2 * (1 + w / (d + 1)) ** 2 if w <= d + 1 else 2 * d * w
        l2 = math.sqrt(d * d + 4 * d * w * w)
        return AddedNoise.of(self.noise, privacy, outward(l1), l2, unit=0.0)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CovariancePrepared:
        products, sums = _sums(data, progress=progress)
        half = data.domain.width / 2
        noise, weight = self.added(privacy, data.domain.dimension), self.weight(data.domain.dimension)
        ready = CovariancePrepared(
            domain=data.domain,
            n=data.n,
            products=products,
            sums=sums,
            added=noise,
            weight=weight,
            noise={
                "family": noise.family,
                "scale": (noise.scale / data.n * np.outer(half, half)).tolist(),
            },
            diagnostics=Private({}),
        )
        true = ready.finish(products[None], sums[None])[0]
        return dataclasses.replace(ready, diagnostics=Private({"true_value": true, "scale": noise.scale}))

    def _released(self, value: Floats, domain: Box) -> dict[str, Any]:
        d = domain.dimension
        matrix = value[: d * d].reshape(d, d)
        result = {"matrix": matrix.tolist(), "center": value[d * d :].tolist()}
        return result | ({"axes": principal_axes(matrix, self.axes).tolist()} if self.axes else {})

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        """Return the Frobenius norms of the errors of the matrix, scaled to the bounds, shape (size,)."""
        half, d = domain.width / 2, domain.dimension
        off = (values - np.asarray(true_value))[:, : d * d] / np.outer(half, half).reshape(-1)
        errors: Floats = np.linalg.norm(off, axis=1)
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class CovariancePrepared(PreparedFields):
    """Sums of scaled points and of their products, ready for noise (private)."""

    domain: Box
    n: int
    products: Floats  # (d, d)
    sums: Floats  # (d,)
    added: AddedNoise  # for the products
    weight: float  # sums get the noise of products divided by it; 0 if they are not released

    def noisy(self, rng: np.random.Generator, size: int) -> tuple[Floats, Floats]:
        """Draw products, shape (size, d, d), and sums, shape (size, d), with noise."""
        d = len(self.sums)
        upper = np.triu_indices(d)
        matrix = np.empty((size, d, d))
        entries = self.added.added(np.broadcast_to(self.products[upper], (size, len(upper[0]))), rng)
        matrix[:, upper[0], upper[1]] = entries
        matrix[:, upper[1], upper[0]] = entries
        if self.weight == 0:
            return matrix, np.zeros((size, d))
        less = dataclasses.replace(self.added, scale=outward(self.added.scale / self.weight))
        return matrix, less.added(np.broadcast_to(self.sums, (size, d)), rng)

    def finish(self, products: Floats, sums: Floats) -> Floats:
        """Return matrices and their centers, in data units, shape (size, d^2 + d)."""
        size, d = sums.shape
        mean = np.clip(sums / self.n, -1, 1) if self.weight else np.zeros((size, d))
        moments = products / self.n - mean[:, :, None] * mean[:, None, :]
        values, vectors = np.linalg.eigh(moments)
        nearest = (vectors * np.maximum(values, 0)[:, None, :]) @ vectors.swapaxes(1, 2)
        half = self.domain.width / 2
        matrix = (nearest + nearest.swapaxes(1, 2)) / 2 * np.outer(half, half)
        return np.concatenate([matrix.reshape(size, d * d), self.domain.center + half * mean], axis=1)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw matrices, row by row, followed by their centers, shape (size, d^2 + d)."""
        return self.finish(*self.noisy(rng, size))


def steps(n: int) -> float:
    """Return the inverse of the grid step of scaled points: the largest power of two with n steps^2 <= 2^53.

    It is public.  For a million points it is 2^16.
    """
    return math.ldexp(1.0, (53 - (n - 1).bit_length()) // 2)


def _sums(data: Points, *, progress: Progress) -> tuple[Floats, Floats]:
    """Return the sums of z z^T and of z (private).

    They are sums of integers, so rounding adds nothing to the change by a record: no partial sum exceeds
    n steps^2, which a double represents.
    """
    d, unit = data.domain.dimension, steps(data.n)
    products, sums = np.zeros((d, d)), np.zeros(d)
    for start in range(0, data.n, _RECORDS):
        progress(start / data.n, "summing products")
        scaled = (data.values[start : start + _RECORDS] - data.domain.center) / (data.domain.width / 2)
        whole = np.rint(np.clip(scaled, -1, 1) * unit)
        products += whole.T @ whole
        sums += whole.sum(axis=0)
    return products / unit**2, sums / unit


def principal_axes(matrix: Floats, count: int) -> Floats:
    """Return the first principal axes of second moments, each as long as the standard deviation along it.

    The component of largest magnitude is positive.
    """
    values, vectors = np.linalg.eigh(matrix)
    axes = (vectors * np.sqrt(np.maximum(values, 0))).T[::-1][:count]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, np.newaxis], axis=1)
    oriented: Floats = axes * np.where(largest < 0, -1.0, 1.0) + 0.0  # no -0.0
    return oriented
