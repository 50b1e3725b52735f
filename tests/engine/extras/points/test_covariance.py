"""Noisy second moments: how far one record moves them, and what is released."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import kstest

from engine.audit import audit
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.points.covariance import Covariance, steps
from engine.primitives.counts import AddedNoise
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.randomness import reproducible

PRIVACY = Privacy(0.8, 1e-6)


def box(d):
    """A box in which no side is like another."""
    return Box.of([-3.0 * axis - 1 for axis in range(d)], [5.0 * axis * axis + 1 for axis in range(d)])


def changes(mechanism, x, y, d):
    """What the released vector of scaled sums moves by, if all of z is x or y: from the definition."""
    upper = np.triu_indices(d)
    products = (x[:, upper[0]] * x[:, upper[1]])[:, None] - (y[:, upper[0]] * y[:, upper[1]])[None]
    sums = mechanism.weight(d) * (x[:, None] - y[None])
    return np.concatenate([products, sums], axis=2) if mechanism.about == "mean" else products


def candidates(mechanism, d):
    """A lattice, with the place where the bound is attained."""
    steps = 9 if d < 3 else 5
    lattice = np.array(list(itertools.product(np.linspace(-1, 1, steps), repeat=d)))
    corner = (
        -min(1, mechanism.weight(d) / (d + 1)) * np.ones((1, d))
        if mechanism.noise == "laplace"
        else lattice[:1]
    )
    return np.concatenate([lattice, corner, np.random.default_rng(d).uniform(-1, 1, (200, d))])


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(
    "mechanism",
    [Covariance(about="center"), Covariance(), Covariance(share=0.6), Covariance(share=0.9)],
    ids=repr,
)
def test_laplace_noise_is_for_the_worst_neighbours(mechanism, d):
    points = candidates(mechanism, d)
    moved = max(np.abs(changes(mechanism, some[None], points, d)).sum(axis=2).max() for some in points)
    assert moved / mechanism.added(PRIVACY, d).scale == pytest.approx(PRIVACY.epsilon, rel=1e-9)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("about", ["center", "mean"])
def test_gaussian_noise_is_enough(about, d):
    mechanism = Covariance(about=about, noise="gaussian")
    points = candidates(mechanism, d)
    moved = math.sqrt(
        max((changes(mechanism, some[None], points, d) ** 2).sum(axis=2).max() for some in points)
    )
    mu, epsilon = moved / mechanism.added(PRIVACY, d).scale, PRIVACY.epsilon
    delta = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    assert delta <= PRIVACY.delta * (1 + 1e-6)
    if about == "center" and d < 3:
        assert delta == pytest.approx(PRIVACY.delta, rel=1e-6)
    else:
        assert moved >= 0.75 * math.sqrt(d * d + 4 * d * mechanism.weight(d) ** 2)


@pytest.mark.parametrize("d", [1, 3, 6])
def test_sums_are_those_of_scaled_points(d):
    space = box(d)
    rng = np.random.default_rng(d)
    data = Points(rng.uniform(space.lower, space.upper, (70_000, d)), space)
    z = (data.values - space.center) / (space.width / 2)
    ready = Covariance().prepare(data, PRIVACY)
    assert ready.products == pytest.approx(z.T @ z, abs=0.01 * math.sqrt(70_000))
    assert ready.sums == pytest.approx(z.sum(axis=0), abs=0.01 * math.sqrt(70_000))
    # whole multiples of 1/steps^2 that doubles can hold: nothing was rounded on the way
    whole = ready.products * steps(70_000) ** 2
    assert np.array_equal(whole, np.rint(whole))
    assert np.abs(whole).max() < 2.0**53
    again = Covariance().prepare(Points(data.values[::-1], space), PRIVACY)
    assert np.array_equal(ready.products, again.products)


@pytest.mark.parametrize("n", [1, 2, 3, 1023, 1024, 1025, 70_000, 10**6, 10**9])
def test_sums_are_the_finest_that_doubles_hold(n):
    assert n * Fraction(steps(n)) ** 2 <= 2**53 < n * Fraction(2 * steps(n)) ** 2
    if n <= 1025:
        ones = Points(np.ones((n, 2)), Box.of([-1, -1], [1, 1]))
        ready = Covariance().prepare(ones, PRIVACY)
        assert ready.products.tolist() == [[n, n], [n, n]]
        assert ready.sums.tolist() == [n, n]


@pytest.mark.parametrize("d", [1, 2, 4])
def test_it_is_the_covariance(d):
    space = box(d)
    rng = np.random.default_rng(d + 10)
    points = np.clip(
        rng.multivariate_normal(space.center + 0.1, 0.02 * np.ones((d, d)) + 0.03 * np.eye(d), 20_000),
        space.lower,
        space.upper,
    )
    data = Points(points, space)
    for mechanism, true in (
        (Covariance(), np.cov(points.T, bias=True)),
        (Covariance(about="center"), (points - space.center).T @ (points - space.center) / len(points)),
    ):
        ready = mechanism.prepare(data, Privacy(1.0))
        assert ready.diagnostics["true_value"][: d * d] == pytest.approx(np.ravel(true), rel=1e-3, abs=1e-4)
        release = mechanism.run(data, Privacy(90.0), reproducible(1))
        matrix = np.array(release.value["matrix"])
        assert matrix == pytest.approx(
            np.atleast_2d(true), abs=0.05 * float(space.width.max()) ** 2 / 1000 + 0.01
        )
        assert np.array_equal(matrix, matrix.T)
        place = points.mean(axis=0) if mechanism.about == "mean" else space.center
        assert release.value["center"] == pytest.approx(place, abs=0.02 * float(space.width.max()))


def test_no_eigenvalue_is_negative_and_the_nearest_matrix_is_nearer():
    space = box(5)
    rng = np.random.default_rng(3)
    data = Points(rng.uniform(space.lower, space.upper, (300, 5)), space)
    ready = Covariance(about="center").prepare(data, Privacy(0.5))
    values = ready.draw(reproducible(4), 50)
    raw, _ = ready.noisy(reproducible(4), 50)
    half = space.width / 2
    scaled = values[:, :25].reshape(-1, 5, 5) / np.outer(half, half)
    assert np.linalg.eigvalsh(scaled).min() > -1e-12
    assert np.linalg.eigvalsh(raw / 300).min() < -0.01
    before = np.linalg.norm(raw / 300 - ready.products / 300, axis=(1, 2))
    after = np.linalg.norm(scaled - ready.products / 300, axis=(1, 2))
    assert np.all(after <= before * (1 + 1e-9))
    assert Covariance().output.errors(values, ready.diagnostics["true_value"], space) == pytest.approx(after)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_noise_has_the_law_that_is_said(noise):
    """A right sampler fails with probability 4e-6."""
    data = Points(np.random.default_rng(1).uniform(-1, 1, (50, 2)), Box.of([-1, -1], [1, 1]))
    ready = Covariance(noise=noise).prepare(data, PRIVACY)
    products, sums = ready.noisy(reproducible(2), 2000)
    law = {"laplace": "laplace", "gaussian": "norm"}[noise]
    for residuals in (
        products[:, 0, 0] - ready.products[0, 0],
        products[:, 0, 1] - ready.products[0, 1],
        (sums[:, 1] - ready.sums[1]) * ready.weight,
    ):
        assert kstest(residuals / ready.added.scale, law).pvalue > 1e-6
    assert np.array_equal(products, products.swapaxes(1, 2))


def test_the_mean_costs_less_than_a_release_of_its_own():
    for d in (1, 2, 5):
        joint = Covariance(share=0.25)
        noise = joint.added(Privacy(1.0), d)
        assert noise.scale == pytest.approx(d * (d + 1) / 2 / 0.75)
        assert noise.scale / joint.weight(d) < 2 * d / 0.25


class AsPrinted(Covariance):
    """With the constant 2 in print, which is for points of which |x_1| + ... + |x_d| is at most 1."""

    def added(self, privacy, dimension):
        return AddedNoise("laplace", 2 / privacy.epsilon)


def audited(mechanism):
    """The audit of the trace, in which the worst neighbours differ."""
    space, drawn = Box.of([-1] * 3, [1] * 3), []
    x = Points(np.ones((5, 3)), space)
    for seed, data in enumerate((x, x.replaced(0, [0, 0, 0]))):
        products, _ = mechanism.prepare(data, Privacy(1.0)).noisy(reproducible(seed), 40_000)
        drawn.append(products[:, *np.triu_indices(3)])
    return audit(*drawn, Privacy(1.0), confidence=1 - 1e-6)


def test_an_audit_finds_a_constant_that_is_too_small():
    """A right mechanism is accused with probability 1e-6."""
    assert audited(AsPrinted(about="center")).violated
    assert not audited(Covariance(about="center")).violated


def test_what_makes_no_sense_is_refused():
    for mechanism, space, privacy, field in (
        (Covariance(), Box.of([0] * 101, [1] * 101), Privacy(1.0), "columns"),
        (Covariance(noise="gaussian"), box(2), Privacy(1.0), "delta"),
        (Covariance(), Box.of([0], [1e180]), Privacy(1.0), "upper"),
        (Covariance(), box(2), Privacy(1e-10), "epsilon"),
    ):
        (problem,) = mechanism.problems(privacy, space, 100)
        assert problem.field == field
    with pytest.raises(ParameterError, match="share"):
        Covariance(share=1.0)
    assert Covariance().guarantee.cost(PRIVACY) == Privacy(0.8)
    assert Covariance(noise="gaussian").guarantee.cost(PRIVACY) == PRIVACY


def test_it_can_be_cancelled():
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        Covariance().prepare(Points(np.zeros((10, 2)), box(2)), PRIVACY, impatient)


def test_principal_axes_follow_from_the_matrix_that_is_released():
    """They are eigenvectors as long as standard deviations, whatever is in the data."""
    rng = np.random.default_rng(7)
    data = Points(rng.uniform(0, 1, (300, 4)) * [1, 0.5, 0.2, 1], Box.of([0] * 4, [1] * 4))
    value = Covariance(axes=3).run(data, Privacy(1.0), reproducible(1)).value
    matrix, axes = np.array(value["matrix"]), np.array(value["axes"])
    lengths = np.square(axes).sum(axis=1)
    assert np.allclose(matrix @ axes.T, axes.T * lengths)
    assert np.allclose(lengths, np.linalg.eigvalsh(matrix)[:0:-1])
    assert axes.max(axis=1) == pytest.approx(np.abs(axes).max(axis=1))
    assert "axes" not in Covariance().run(data, Privacy(1.0), reproducible(1)).value
    assert [one.field for one in Covariance(axes=5).problems(PRIVACY, data.domain, 300)] == ["axes"]
