"""Noisy counts of public cells: grids, and trees of cubes made to add up."""

import dataclasses
import math

import numpy as np
import pytest
from definition import databases, neighbours
from discrete import assert_drawn_from
from scipy.special import ndtr
from scipy.stats import laplace, norm

from engine.audit import audit
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.histograms.tree import HierarchicalHistogram
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.randomness import reproducible

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
PRIVACY = Privacy(0.7, 1e-6)
VALUES = (0.0, 0.3, 0.5, 0.8, 1.0)
BOTH = (NoisyHistogram(bins=4), HierarchicalHistogram(depth=2))


def losses(mechanism, power):
    """Return sum |change of a count/its scale|^power for all neighbours on a line."""
    ready = {
        x: mechanism._sanitizer(Points(np.array(x)[:, None], LINE), PRIVACY) for x in databases(VALUES, 3)
    }

    def scaled(x):
        one = ready[x]
        if isinstance(mechanism, NoisyHistogram):
            return one.counts / one.added.scale
        assert one.counts[0].tolist() == [3]  # gets no noise: it is n for all
        return np.concatenate([c / noise.scale for c, noise in zip(one.counts[1:], one.levels, strict=True)])

    return [(np.abs(scaled(x) - scaled(y)) ** power).sum() for x in ready for y in neighbours(x, VALUES)]


@pytest.mark.parametrize("mechanism", BOTH)
def test_laplace_noise_is_for_the_worst_neighbours(mechanism):
    assert max(losses(mechanism, 1)) == pytest.approx(PRIVACY.epsilon, rel=1e-12)
    assert mechanism.guarantee.cost(PRIVACY) == Privacy(0.7)


@pytest.mark.parametrize("mechanism", BOTH)
def test_gaussian_noise_is_for_the_worst_neighbours(mechanism):
    mechanism = dataclasses.replace(mechanism, noise="gaussian")
    mu = math.sqrt(max(losses(mechanism, 2)))
    epsilon = PRIVACY.epsilon
    delta = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    assert delta == pytest.approx(PRIVACY.delta, rel=1e-6)
    assert mechanism.guarantee.cost(PRIVACY) == PRIVACY


def uniform(n, d, seed=1):
    return np.random.default_rng(seed).uniform(0, 1, (n, d))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_noise_has_the_law_that_is_said(noise):
    """Pearson's test of whole numbers, all far ones together; a right sampler fails with probability 1e-6."""
    mechanism = NoisyHistogram(bins=64, noise=noise, post="none")
    ready = mechanism._sanitizer(Points(uniform(3000, 2), SQUARE), PRIVACY)
    residuals = ready.histogram(reproducible(1)).counts - ready.counts
    law = {"laplace": laplace, "gaussian": norm}[noise]
    reach = math.ceil(8 * ready.noise["scale"])
    edges = law.cdf((np.arange(-reach, reach) + 0.5) / ready.noise["scale"])
    outcomes = (np.clip(residuals, -reach, reach) + reach).astype(int)
    assert_drawn_from(outcomes, np.diff(np.concatenate([[0.0], edges, [1.0]])))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_levels_of_a_tree_add_up(d):
    n = 500
    data = Points(uniform(n, d), Box.of([0] * d, [1] * d))
    for post in ("none", "top-down"):
        ready = HierarchicalHistogram(depth=3, post=post)._sanitizer(data, Privacy(0.02))
        tree = ready.histogram(reproducible(3))
        assert tree.size == 8**d
        assert np.array_equal(tree.places(data.values), tree.at_level(3).places(data.values))
        for level in range(4):
            cells = tree.at_level(level)
            assert cells.size == 2 ** (level * d)
            assert cells.counts.sum() == pytest.approx(n)
            assert (cells.upper - cells.lower) == pytest.approx(2.0**-level)
        assert (tree.counts.min() >= 0) == (post == "top-down")


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_tree_counts_the_points_in_its_cells(d):
    data = Points(
        np.concatenate([uniform(500, d), np.ones((3, d)), np.full((2, d), 0.5)]), Box.of([0] * d, [1] * d)
    )
    ready = HierarchicalHistogram(depth=3, post="none")._sanitizer(data, Privacy(100.0))
    tree = ready.histogram(reproducible(3))
    held = np.bincount(tree.places(data.values), minlength=tree.size)
    assert np.array_equal(ready.counts[-1], held)
    assert np.array_equal(tree.counts.round(), held)
    for level in (1, 2):
        coarse = tree.at_level(level)
        assert np.array_equal(
            ready.counts[level], np.bincount(coarse.places(data.values), minlength=coarse.size)
        )


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_inference_and_simplex_never_make_it_worse(noise):
    """In the norms in which they project: of the counts of all levels, and of those of cells."""
    data = Points(uniform(400, 2) ** 3, SQUARE)
    for seed in range(20):
        rng = reproducible(seed)
        ready = HierarchicalHistogram(depth=3, noise=noise, post="none")._sanitizer(data, PRIVACY)
        fitted = ready.histogram(reproducible(seed))
        before = after = 0.0
        for level, (counts, added) in enumerate(zip(ready.counts[1:], ready.levels, strict=True), start=1):
            before += ((added.added(counts, rng) - counts) ** 2).sum() / added.variance
            after += ((fitted.at_level(level).counts - counts) ** 2).sum() / added.variance
        assert after <= before
        grid = NoisyHistogram(bins=8, noise=noise, post="none")._sanitizer(data, PRIVACY)
        onto = (
            NoisyHistogram(bins=8, noise=noise, post="simplex")
            ._sanitizer(data, PRIVACY)
            .histogram(reproducible(seed))
        )
        raw = grid.histogram(reproducible(seed))
        assert np.linalg.norm(onto.counts - grid.counts) <= np.linalg.norm(raw.counts - grid.counts)
        assert onto.counts.sum() == pytest.approx(400)
        assert onto.counts.min() >= 0


def test_top_down_keeps_large_regions_where_the_simplex_does_not():
    """One blob on 4,096 cells, of which most are nearly empty."""
    data = Points(np.random.default_rng(1).normal(0.5, 0.15, (20_000, 2)), SQUARE)
    off = {}
    for post in ("top-down", "simplex"):
        mechanism = NoisyHistogram(bins=64, post=post)
        ready = mechanism.prepare(data, Privacy(0.5))
        off[post] = mechanism.output.errors(
            ready.draw(reproducible(1), 5), ready.diagnostics["true_value"], SQUARE
        ).mean()
        found = ready.histogram(reproducible(1)).counts
        assert found.min() >= 0
        assert found.sum() == pytest.approx(20_000)
    assert off["top-down"] < off["simplex"] / 2


def test_large_ranges_gain_from_levels():
    """On 1,024 cells of a line, half of all cells: the variance from a sum of cells is 512 scale^2 * 2."""
    data = Points(uniform(2000, 1), LINE)
    tree = HierarchicalHistogram(depth=10, post="none")._sanitizer(data, Privacy(1.0))
    grid = NoisyHistogram(bins=1024, post="none")._sanitizer(data, Privacy(1.0))
    true = grid.counts[100:612].sum()
    errors = {
        name: np.sqrt(
            np.mean(
                [
                    (ready.histogram(reproducible(seed)).counts[100:612].sum() - true) ** 2
                    for seed in range(40)
                ]
            )
        )
        for name, ready in (("tree", tree), ("grid", grid))
    }
    assert errors["grid"] == pytest.approx(64, rel=0.5)  # 2 sqrt(2) sqrt(512)
    assert errors["tree"] < errors["grid"]


def test_levels_get_the_best_budgets():
    for d, factor in ((1, 1.0), (2, 2 ** (-1 / 3)), (3, 2 ** (-2 / 3))):
        scales = [noise.scale for noise in HierarchicalHistogram(depth=4).levels(Privacy(1.0), d)]
        assert np.diff(np.log(scales)) == pytest.approx(math.log(factor))
        assert sum(2 / scale for scale in scales) == pytest.approx(1.0)


def audited(mechanism, runs=8000):
    """The audit of the counts of two cells, where the worst neighbours differ."""
    x = Points([[0.1]] * 3, LINE)
    y = x.replaced(0, [0.9])
    drawn = []
    for seed, data in enumerate((x, y)):
        ready, rng = mechanism._sanitizer(data, Privacy(1.0)), reproducible(seed)
        drawn.append(np.array([ready.histogram(rng).counts for _ in range(runs)]))
    return audit(*drawn, Privacy(1.0), confidence=1 - 1e-6)


class Forgetful(NoisyHistogram):
    """With noise for records that are added or removed: half of what is due."""

    def _sanitizer(self, data, privacy, progress=None):
        return super()._sanitizer(data, Privacy(2 * privacy.epsilon))


def test_an_audit_finds_half_of_the_noise():
    """A right mechanism is accused with probability 1e-6."""
    assert audited(Forgetful(bins=2, post="none")).violated
    assert not audited(NoisyHistogram(bins=2, post="none"), runs=1500).violated
    assert not audited(HierarchicalHistogram(depth=1, post="none"), runs=1500).violated


@pytest.mark.parametrize(
    ("mechanism", "domain", "privacy", "field", "words"),
    [
        (NoisyHistogram(), Box.of([0] * 6, [1] * 6), Privacy(1.0), "bins", "at most 10"),
        (NoisyHistogram(), Box.of([0] * 13, [1] * 13), Privacy(1.0), "columns", "at most 12"),
        (NoisyHistogram(noise="gaussian"), SQUARE, Privacy(1.0), "delta", "above 0"),
        (NoisyHistogram(), SQUARE, Privacy(1e-10), "epsilon", "at least"),
        (HierarchicalHistogram(), Box.of([0] * 6, [1] * 6), Privacy(1.0), "depth", "at most 3"),
        (HierarchicalHistogram(noise="gaussian"), SQUARE, Privacy(1.0), "delta", "above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(mechanism, domain, privacy, field, words):
    (problem,) = mechanism.problems(privacy, domain, 100)
    assert problem.field == field
    assert words in problem.message
    with pytest.raises(ParameterError, match=field):
        mechanism.prepare(Points(np.zeros((1, domain.dimension)), domain), privacy)


def test_most_dimensions_have_a_depth_and_bins():
    box = Box.of([0] * 12, [1] * 12)
    data = Points(uniform(100, 12), box)
    assert NoisyHistogram(bins=2)._sanitizer(data, Privacy(1.0)).histogram(reproducible(1)).size == 4096
    assert (
        HierarchicalHistogram(depth=1)._sanitizer(data, Privacy(1.0)).histogram(reproducible(1)).size == 4096
    )


@pytest.mark.parametrize("mechanism", BOTH)
def test_a_release_says_what_it_is(mechanism):
    data = Points(uniform(300, 2), SQUARE)
    release = mechanism.run(data, Privacy(1.0), reproducible(1))
    assert len(release.value["cells"]) == 16
    assert sum(cell["count"] for cell in release.value["cells"]) == pytest.approx(300)
    assert release.privacy == Privacy(1.0)
    assert release.noise["family"] == "laplace"
    assert release.neighbours == "replace-one"
    ready = mechanism.prepare(data, Privacy(1.0))
    values = ready.draw(reproducible(1), 3)
    assert mechanism.output.errors(values, ready.diagnostics["true_value"], SQUARE).shape == (3,)


@pytest.mark.parametrize("mechanism", BOTH)
def test_counting_can_be_cancelled(mechanism):
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        mechanism.prepare(Points(uniform(300, 2), SQUARE), Privacy(1.0), impatient)
