"""Histograms of the components of a mixture: each public part is cut by itself, whatever it holds."""

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms import PLANTED, NetHistogram, NoisyHistogram
from engine.mechanisms.histograms.components import spread_over_sphere
from engine.privacy import NO_PROMISE, Privacy
from engine.randomness import reproducible

UNIT = Box.of([0, 0], [1, 1])
CENTERS = np.array([[0.2, 0.2], [0.8, 0.8], [0.9, 0.1]])
NAMED = "0.2,0.2; 0.8,0.8; 0.9,0.1"
RNG = np.random.default_rng(1)
TWO_HEAPS = np.concatenate([RNG.normal(middle, 0.04, (200, 2)) for middle in CENTERS[:2]])
POINTS = Points(np.clip(TWO_HEAPS, 0, 1), UNIT)


def nearest(points):
    """The component of each point, from the definition."""
    return np.linalg.norm(np.asarray(points)[:, None] - CENTERS, axis=2).argmin(axis=1)


def test_the_first_cut_is_by_the_components_and_no_cell_has_two():
    histogram = (
        NetHistogram(t=20, depth=1, components=NAMED).run(POINTS, NO_PROMISE, reproducible(1)).histogram
    )
    first = histogram.at_level(1)
    assert first.counts.tolist() == np.bincount(nearest(POINTS.values), minlength=3).tolist()
    assert histogram.counts.sum() == POINTS.n
    assert histogram.level.max() == 2
    inside = histogram.sampled(reproducible(2), np.full(histogram.size, 20))
    cells, components = histogram.places(inside), nearest(inside)
    # of each cell, all points are of one component
    assert all(len(np.unique(components[cells == cell])) == 1 for cell in np.unique(cells))


def test_components_are_there_however_few_points_they_have():
    few = Points([[0.5, 0.1]] * 3, UNIT)
    histogram = NetHistogram(t=50, components=NAMED).run(few, NO_PROMISE, reproducible(1)).histogram
    assert sorted(histogram.counts.tolist()) == [0, 0, 3]
    assert NetHistogram(t=50).run(few, NO_PROMISE, reproducible(1)).histogram.size == 1


def test_each_component_is_cut_as_if_the_others_were_empty():
    """What a cell is cut into depends on the centers above it, and on the points of that cell alone."""
    made = NetHistogram(t=20, depth=2, components=NAMED)
    both = made.run(POINTS, NO_PROMISE, reproducible(1)).histogram
    one = Points(POINTS.values[nearest(POINTS.values) == 0], UNIT)
    alone = made.run(one, NO_PROMISE, reproducible(1)).histogram
    here = nearest(both.centers) == 0
    there = nearest(alone.centers) == 0
    assert both.centers[here].tolist() == alone.centers[there].tolist()
    assert both.counts[here].tolist() == alone.counts[there].tolist()


@pytest.mark.parametrize(
    ("components", "words"),
    [
        ("0.2,0.2,0.2; 0,0", "has 3 coordinates; there are 2 columns"),
        ("0.2,0.2; 1.5,0", "is outside the bounds"),
        ("0.2,0.2; 0.2,0.2", "are equal"),
        ("0.2,0.2", "1 is not possible"),
    ],
)
def test_components_that_make_no_sense_are_refused_in_one_line(components, words):
    (problem,) = NetHistogram(components=components).problems(Privacy(1.0), UNIT, 100)
    assert (problem.field, words in problem.message) == ("components", True)
    with pytest.raises(ParameterError, match="is not a point"):
        NetHistogram(components="a,b")


class TestNoisyCounts:
    """In the place of a grid: the counts of components, with noise that neighbours cannot see through."""

    MADE = NoisyHistogram(components=NAMED, post="none")

    def test_noise_is_added_to_the_true_counts(self):
        prepared = self.MADE.prepare(POINTS, Privacy(1.0))
        drawn = np.array([prepared.histogram(reproducible(seed)).counts for seed in range(400)])
        true = np.bincount(nearest(POINTS.values), minlength=3)
        # Laplace noise of scale 2: a mean of 400 has a standard deviation of 0.14
        assert drawn.mean(axis=0) == pytest.approx(true, abs=0.85)  # false alarm below 1e-6
        assert np.abs(drawn - true).mean() == pytest.approx(2, rel=0.35)
        assert prepared.noise == {"family": "laplace", "scale": 2.0}

    def test_one_record_moves_two_counts_by_one(self):
        """The sensitivity, over all neighbours on a small grid."""
        corners = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.5, 0.5)]
        counts = {}
        for one in corners:
            for other in corners:
                made = self.MADE.prepare(Points([one, other], UNIT), Privacy(1.0))
                counts[one, other] = made.sanitizer.counts
        changes = [
            np.abs(counts[a, b] - counts[c, b]).sum() for a in corners for b in corners for c in corners
        ]
        mistake = PLANTED["histogram-scale-one"].planted(self.MADE)
        right, faulty = (
            made.prepare(POINTS, Privacy(1.0)).sanitizer.added.scale for made in (self.MADE, mistake)
        )
        # the logarithm of a density of the noise changes by that over its scale: epsilon, and 2 epsilon
        assert (max(changes) / right, max(changes) / faulty) == (1.0, 2.0)
        assert all(found.sum() == 2 for found in counts.values())

    def test_counts_afterwards_add_up(self):
        made = NoisyHistogram(components=NAMED, post="simplex").run(POINTS, Privacy(0.1)).histogram
        assert made.counts.sum() == pytest.approx(POINTS.n)
        assert (made.counts >= 0).all()
        assert made.size == 3


class TestSphere:
    """Cells of a sphere: a record is in the one towards which it lies from the middle."""

    @pytest.mark.parametrize(("d", "count"), [(2, 5), (3, 12), (5, 40)])
    def test_the_cell_of_a_record_is_that_of_its_direction(self, d, count):
        box = Box.of([-1.0] * d, [3.0] * d)
        rng = np.random.default_rng(d)
        values = rng.uniform(-1, 3, (500, d))
        away = values - 1
        on_sphere = 1 + away / np.linalg.norm(away, axis=1, keepdims=True)
        made = NoisyHistogram(components=f"sphere {count}", post="none")
        all_, projected = (
            made.prepare(Points(rows, box), Privacy(1.0)).sanitizer for rows in (values, on_sphere)
        )
        assert all_.counts.tolist() == projected.counts.tolist()
        centers = spread_over_sphere(box, count)
        by_angle = ((values - 1) @ (centers - 1).T).argmax(axis=1)
        assert all_.counts.tolist() == np.bincount(by_angle, minlength=count).tolist()
        assert made.step(box, 500, Privacy(1.0)) == NoisyHistogram().step(box, 500, Privacy(1.0))

    def test_the_first_cut_of_a_net_is_by_direction_too(self):
        histogram = (
            NetHistogram(t=500, components="sphere 6").run(POINTS, NO_PROMISE, reproducible(1)).histogram
        )
        centers = spread_over_sphere(UNIT, 6)
        by_angle = ((POINTS.values - 0.5) @ (centers - 0.5).T).argmax(axis=1)
        assert histogram.counts.tolist() == np.bincount(by_angle, minlength=6).tolist()

    @pytest.mark.parametrize(("d", "roundest"), [(2, 1.1), (3, 2.1)])
    def test_cells_are_round_and_cut_balls_in_proportion_to_their_radius(self, d, roundest):
        """Of the points that are near two cells there are as many as lemma 3.2 says, up to a constant."""
        centers = spread_over_sphere(Box.of([-2.0] * d, [2.0] * d), 32)
        points = np.random.default_rng(1).standard_normal((40_000, d))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        cosines = points @ centers.T
        cells = cosines.argmax(axis=1)
        apart = np.linalg.norm(points - centers[cells], axis=1)
        radii = np.array([apart[cells == cell].max() for cell in range(32)])
        between = np.linalg.norm(centers[:, None] - centers[None], axis=2) + 9 * np.eye(32)
        assert 1 - 1e-2 < (radii / (between.min(axis=1) / 2)).max() < roundest
        order = np.argsort(cosines, axis=1)[:, -2:]
        two = np.take_along_axis(cosines, order, axis=1)
        to_plane = (two[:, 1] - two[:, 0]) / np.linalg.norm(
            centers[order[:, 1]] - centers[order[:, 0]], axis=1
        )
        shares = [np.mean(to_plane < r) * np.median(radii) / (d * r) for r in (0.01, 0.02)]
        assert shares == pytest.approx([{2: 0.5, 3: 0.93}[d]] * 2, rel=0.1)

    def test_what_makes_no_sense_is_refused(self):
        def words(components, d):
            box = Box.of([0] * d, [1] * d)
            found = NoisyHistogram(components=components, post="none").problems(Privacy(1.0), box, 100)
            return [(one.field, one.message.split(";")[0]) for one in found]

        assert words("sphere 2", 2) == words(" sphere  1024", 6) == []
        assert words("sphere 2", 1) == [("components", "a sphere needs at least two columns")]
        assert words("sphere 1", 2) == [("components", "1 is not possible")]
        assert words("sphere 0", 2) == [("components", "0 is not possible")]
        assert words("sphere 1025", 2) == [("components", "1,025 is not possible")]
        assert "not 7" in words("sphere 9", 7)[0][1]
        with pytest.raises(ParameterError, match="'sphere -1' is not a point"):
            NoisyHistogram(components="sphere -1")
