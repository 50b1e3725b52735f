"""The (c, t) test against its definition, attacks, their advantage, and sweeps."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.attacks import ATTACKS, Guessed, centers, guesses
from engine.histograms.cubes import Cubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.histogram import BoxHistogram, Histogram
from engine.histograms.isolation import Isolation
from engine.histograms.isolation_sweeps import sweep_c, sweep_d, sweep_t
from engine.histograms.proportions import Proportion
from engine.histograms.voronoi import grow_voronoi
from engine.histograms.voronoi_centers import Net
from engine.histograms.voronoi_region import Region
from engine.progress import Cancelled


def unit(d: int) -> Box:
    return Box.of([0] * d, [1] * d)


def cubes(points: np.ndarray, box: Box, t: int, rng: np.random.Generator) -> Histogram:
    return grow_tree(Cubes(box), points, t)


small = st.integers(-3, 3)


class TestDefinition:
    @settings(max_examples=150, deadline=None)
    @given(
        st.integers(1, 2).flatmap(lambda d: st.lists(st.tuples(*[small] * (d + 1)), min_size=2, max_size=9)),
        st.fractions(1, 5, max_denominator=4),
        st.integers(1, 5),
    )
    def test_some_record_is_isolated(self, rows: list[tuple[int, ...]], c: Fraction, t: int) -> None:
        """In whole numbers, where no square root is taken: every record, and not the nearest alone."""
        *points, query = [row[:-1] for row in rows]
        squares = [sum((a - b) ** 2 for a, b in zip(query, point, strict=True)) for point in points]
        within = [sum(other <= c**2 * delta for other in squares) for delta in squares]
        isolation = Isolation(points)
        found = isolation.verdict(query, float(c), t)
        assert found.isolates == any(number < t for number in within)
        assert len(found.within) == within[found.nearest]
        assert found.nearest == squares.index(min(squares))
        assert found.distance**2 == pytest.approx(min(squares))
        assert isolation.isolates([query], float(c), t).tolist() == [found.isolates]

    def test_guessing_a_record_isolates_it_unless_t_are_alike(self) -> None:
        isolation = Isolation([[0, 0], [0, 0], [0, 0], [1, 0]])
        assert isolation.isolates([[0, 0]] * 1, 2, 4).tolist() == [True]
        assert isolation.isolates([[0, 0]], 2, 3).tolist() == [False]
        assert isolation.verdict([0, 0], 2, 4).within.tolist() == [0, 1, 2]
        assert isolation.isolates([[1, 0]], 1e6, 2).tolist() == [True]

    def test_the_ball_is_closed(self) -> None:
        isolation = Isolation([[1.0], [-2.0], [9.0]])
        assert not isolation.verdict([0.0], 2, 2).isolates
        assert isolation.verdict([0.0], 1.999, 2).isolates

    def test_nobody_is_isolated_with_t_1(self) -> None:
        rng = np.random.default_rng(0)
        assert not Isolation(rng.random((50, 2))).isolates(rng.random((50, 2)), 1, 1).any()

    def test_fewer_than_t_records_are_always_isolated(self) -> None:
        isolation = Isolation([[0.0], [1.0]])
        assert isolation.isolates([[0.5], [7.0]], 100, 3).all()

    @pytest.mark.parametrize(
        ("c", "t", "field"), [(0.5, 2, "c"), (np.nan, 2, "c"), (2, 0, "t"), (2, 1.5, "t")]
    )
    def test_what_is_refused(self, c: float, t: int, field: str) -> None:
        for test in (Isolation([[0.0]]).verdict, Isolation([[0.0]]).isolates):
            with pytest.raises(ParameterError) as caught:
                test([0.0], c, t)
            assert caught.value.field == field


class TestProportions:
    @pytest.mark.parametrize("probability", [0.01, 0.3, 0.5, 0.97])
    def test_coverage(self, probability: float) -> None:
        """Exactly, over all numbers of successes: Clopper and Pearson never fall short."""
        n = 40
        chances = [comb(n, k) * probability**k * (1 - probability) ** (n - k) for k in range(n + 1)]
        ends = [Proportion(k, n).interval(0.9) for k in range(n + 1)]
        covered = sum(c for c, (a, b) in zip(chances, ends, strict=True) if a <= probability <= b)
        assert covered >= 0.9

    def test_published_difference(self) -> None:
        """Newcombe 1998, table II: 56/70 against 48/80, and 10/10 against 0/10, by method 10."""
        assert Proportion(56, 70).above(Proportion(48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
        assert Proportion(10, 10).above(Proportion(0, 10)) == pytest.approx((0.6075, 1.0), abs=5e-5)

    def test_ends(self) -> None:
        assert Proportion(0, 9).interval() == (0.0, pytest.approx(1 - 0.025 ** (1 / 9)))
        assert Proportion(9, 9).interval()[1] == Proportion(9, 9).score_interval()[1] == 1


class TestAttacks:
    def test_guesses_come_from_the_cells(self) -> None:
        histogram = BoxHistogram(
            np.array([[0.0], [1.0], [2.0], [3.0]]),
            np.array([[1.0], [2.0], [3.0], [4.0]]),
            np.array([0.0, 1.0, 9.0, -2.0]),
            np.zeros(4, dtype=np.int64),
        )
        rng = np.random.default_rng(0)
        assert set(guesses("occupied", histogram, 50, rng)[0].ravel()) == {1.5, 2.5}
        assert set(guesses("singleton", histogram, 50, rng)[0].ravel()) == {1.5}
        weighted, aimed = guesses("weighted", histogram, 4000, rng)
        assert aimed
        assert abs(np.mean(weighted < 2) - 0.1) < 5 * (0.09 / 4000) ** 0.5  # false alarm 6e-7
        assert weighted.min() >= 1
        # without cells of one point, those with the fewest
        points, aimed = guesses("singleton", histogram.chosen([0, 2, 3]), 5, rng)
        assert not aimed
        assert set(points.ravel()) == {2.5}

    def test_voronoi_cells_have_centers_of_their_own(self) -> None:
        points = np.random.default_rng(1).random((300, 2))
        histogram = grow_voronoi(points, Region(unit(2)), Net(), 10, 2, np.random.default_rng(2))
        assert (centers(histogram) == histogram.centers).all()
        rng = np.random.default_rng(3)
        guessed = Guessed.against(Isolation(points), histogram, unit(2), 10, 100, rng)
        assert len(guessed.attempts(2, 10)) == len(ATTACKS)

    def test_what_is_refused(self) -> None:
        histogram = BoxHistogram(np.zeros((1, 1)), np.ones((1, 1)), np.zeros(1), np.zeros(1, dtype=np.int64))
        with pytest.raises(ParameterError, match="no cell has a count"):
            guesses("occupied", histogram, 5, np.random.default_rng(0))
        with pytest.raises(ParameterError, match="occupied, singleton, weighted"):
            guesses("other", histogram, 5, np.random.default_rng(0))


class TestSweeps:
    """n = 3000 points drawn evenly from the unit cube, t = 10; rates differ from database to database."""

    def test_in_the_plane_a_blind_guess_is_as_good(self) -> None:
        rng = np.random.default_rng(5)
        points = rng.random((3000, 2))
        steps = sweep_c(points, cubes(points, unit(2), 10, rng), unit(2), [2, 3, 4], 10, rng, trials=1000)
        baselines = [step.attempts[0].baseline.rate for step in steps]
        assert baselines == sorted(baselines, reverse=True)
        # .94 and .45 over all databases
        assert baselines[0] == pytest.approx(0.94, abs=0.05)
        assert baselines[2] == pytest.approx(0.46, abs=0.12)
        low, high = steps[0].attempts[0].interval()
        assert low < steps[0].attempts[0].advantage < high < 0.1

    def test_in_eight_dimensions_small_cells_give_people_away(self) -> None:
        steps = sweep_d(cubes, [8], 3000, 2, 10, np.random.default_rng(5), trials=1000)
        occupied, singleton, weighted = steps[0].attempts
        assert occupied.baseline.rate == pytest.approx(0.07, abs=0.05)
        assert occupied.hits.rate == pytest.approx(0.29, abs=0.09)
        assert singleton.hits.rate == pytest.approx(0.72, abs=0.13)
        assert singleton.aimed
        assert singleton.interval()[0] > 0.4
        assert weighted.interval()[0] < 0.05

    def test_over_t_each_histogram_has_its_own(self) -> None:
        seen = []

        def noted(points: np.ndarray, box: Box, t: int, rng: np.random.Generator) -> Histogram:
            seen.append(t)
            return cubes(points, box, t, rng)

        points = np.random.default_rng(1).random((300, 2))
        steps = sweep_t(points, noted, unit(2), 2, [2, 5, 20], np.random.default_rng(2), trials=200)
        assert seen == [step.value for step in steps] == [2, 5, 20]
        rates = [step.attempts[0].baseline.rate for step in steps]
        assert rates[0] < rates[2]

    def test_stops_when_asked(self) -> None:
        def stop(fraction: float, message: str = "") -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            sweep_d(cubes, [2], 100, 2, 10, np.random.default_rng(1), trials=100, progress=stop)
