"""Histograms with exact counts: what they release, what they refuse, and that they promise nothing."""

import dataclasses
import math

import numpy as np
import pytest

from engine import catalog
from engine.audit import audit_mechanism
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import Cubes
from engine.histograms.grow_tree import grow_tree
from engine.mechanisms import MECHANISMS, NoisyHistogram
from engine.mechanisms.histograms import (
    HistogramMechanism,
    RandomCentersHistogram,
    RecursiveHistogram,
    ShiftedHistogram,
)
from engine.mechanisms.histograms.base import sanitize_with
from engine.privacy import NO_PROMISE, Privacy, compose
from engine.randomness import reproducible
from engine.simulation import simulate

UNIT = Box.of([0, 0], [1, 1])
POINTS = Points(np.random.default_rng(1).random((2000, 2)), UNIT)
EXACT = [
    name
    for name, kind in MECHANISMS.items()
    if issubclass(kind, HistogramMechanism) and not kind.facts.is_private
]
ASKED = Privacy(1.0)


@pytest.mark.parametrize("name", [name for name in EXACT if not MECHANISMS[name].facts.is_random])
def test_what_is_not_random_is_drawn_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = catalog.mechanism(name).prepare(POINTS, ASKED)
    kind, asked = type(prepared.ranges), []
    answers = kind.answers
    monkeypatch.setattr(kind, "answers", lambda *args: asked.append(1) or answers(*args))
    drawn = prepared.draw(reproducible(1), 50)
    assert len(asked) == 1
    assert prepared.batch_size >= 50
    assert drawn.shape[0] == 50
    assert (drawn == drawn[0]).all()


class TestNoPromise:
    @pytest.mark.parametrize("name", EXACT)
    def test_costs_more_than_any_epsilon(self, name: str) -> None:
        assert catalog.mechanism(name).guarantee.cost(ASKED) is NO_PROMISE

    def test_with_others_nothing_is_left(self) -> None:
        assert compose([ASKED, NO_PROMISE]) is NO_PROMISE
        assert math.isinf(NO_PROMISE.epsilon)

    def test_nobody_can_ask_for_it(self) -> None:
        with pytest.raises(ParameterError):
            Privacy(math.inf)

    def test_neighbours_are_told_apart(self) -> None:
        """An audit finds more than any usual epsilon: one moved record changes an exact count."""
        data = Points(np.repeat([[0.1, 0.1], [0.9, 0.9]], [200, 200], axis=0), UNIT)
        moved = data.replaced(0, [0.9, 0.9])
        mechanism = RecursiveHistogram(t=50)
        found = audit_mechanism(mechanism, data, moved, Privacy(3.0), runs=2000, seed=1, confidence=1 - 1e-6)
        assert found.violated


class TestRelease:
    def test_recursive_cells(self) -> None:
        value = RecursiveHistogram(t=20).run(POINTS, ASKED).value
        assert value == grow_tree(Cubes(UNIT), POINTS.values, 20, 20).value()

    def test_each_draw_has_a_shift_of_its_own(self) -> None:
        prepared = ShiftedHistogram(t=20).prepare(POINTS, ASKED)
        rng = reproducible(1)
        one, other = prepared.histogram(rng), prepared.histogram(rng)
        assert one.scheme.shifts != other.scheme.shifts
        assert one.counts.sum() == other.counts.sum() == POINTS.n

    def test_seeded_is_simulated(self) -> None:
        release = ShiftedHistogram(t=20).run(POINTS, ASKED, reproducible(3))
        assert release.simulated
        assert not ShiftedHistogram(t=20).run(POINTS, ASKED).simulated

    def test_error_is_that_of_the_answers(self) -> None:
        simulation = simulate(ShiftedHistogram(t=20), POINTS, ASKED, runs=5, seed=1)
        truth = simulation.true_value
        assert simulation.errors == pytest.approx(np.abs(simulation.values - truth).mean(axis=1))
        assert simulation.errors.max() < 60

    def test_adversarial_points_are_told_apart_by_the_middles_only(self) -> None:
        """One point in each of the four cells around the center: the recursive histogram says nothing
        about how near they are; most shifts keep them together."""
        near = Points([[0.5 + x, 0.5 + y] for x in (-1e-6, 1e-6) for y in (-1e-6, 1e-6)], UNIT)
        plain = RecursiveHistogram(t=2).prepare(near, ASKED).histogram(reproducible(1))
        assert plain.diameters.tolist() == [math.sqrt(0.5)] * 4
        prepared, rng = ShiftedHistogram(t=2).prepare(near, ASKED), reproducible(1)
        drawn = [prepared.histogram(rng) for _ in range(200)]
        together = [histogram.diameters.max() < 1e-4 for histogram in drawn]
        # planes at distance s part them with probability at most 2 * 2e-6 / s
        assert np.mean(together) > 0.8


class TestNotices:
    @pytest.mark.parametrize("kind", [RecursiveHistogram, ShiftedHistogram])
    def test_nobody_is_hidden_among_more_than_there_are(self, kind: type[HistogramMechanism]) -> None:
        assert kind(t=400).notices(UNIT, 400) == ()
        (notice,) = kind(t=10**9).notices(UNIT, 400)
        assert notice.field == "t"
        assert notice.message == (
            "t = 1,000,000,000 is more than n = 400: no record is hidden among t points, and "
            "the bounds are cut only once"
        )
        assert set(kind(t=2001).run(POINTS, ASKED, reproducible(1)).histogram.level) == {1}

    def test_voronoi_cells_with_fewer_than_t_are_not_cut(self) -> None:
        mechanism = RandomCentersHistogram(t=2001)
        (notice,) = mechanism.notices(UNIT, 2000)
        assert notice.message.endswith("and the bounds stay one cell")
        assert mechanism.run(POINTS, ASKED, reproducible(1)).histogram.size == 1

    def test_fewer_centers_than_the_proof_needs(self) -> None:
        assert RandomCentersHistogram(t=5).notices(UNIT, 10) == ()
        (notice,) = RandomCentersHistogram(t=5, centers=50).notices(UNIT, 10)
        assert (notice.field, notice.message[:38]) == ("centers", "50 centers per cell are fewer than the")


class TestRefusals:
    @pytest.mark.parametrize("name", EXACT)
    @pytest.mark.parametrize("t", [1, 0, -3, 2.5])
    def test_t(self, name: str, t: float) -> None:
        with pytest.raises(ParameterError, match="at least 2"):
            catalog.mechanism(name, t=t)

    @pytest.mark.parametrize("kind", [RecursiveHistogram, ShiftedHistogram])
    def test_too_many_dimensions(self, kind: type[HistogramMechanism]) -> None:
        (problem,) = kind().problems(ASKED, Box.of([0] * 13, [1] * 13), 100)
        assert problem.message == (
            "13 columns are too many: one cut makes 2^13 = 8,192 cells, nearly all without points; "
            "choose at most 12"
        )

    def test_bounds_too_wide_for_squares(self) -> None:
        with pytest.raises(ParameterError, match="too large"):
            RecursiveHistogram().run(Points([[0.0]], Box.of([0], [1e180])), ASKED)

    def test_bounds_too_close_for_squares(self) -> None:
        with pytest.raises(ParameterError, match="too close"):
            RecursiveHistogram().run(Points([[0.0]], Box.of([0], [1e-180])), ASKED)

    def test_parameters_are_declared(self) -> None:
        names = {declared.name for declared in ShiftedHistogram.parameters()}
        assert names == {field.name for field in dataclasses.fields(ShiftedHistogram)} == {"t", "max_depth"}


class TestEdges:
    @pytest.mark.parametrize("kind", [RecursiveHistogram, ShiftedHistogram])
    @pytest.mark.parametrize(
        "values",
        [[[0.5, 0.5]], [[0.3, 0.7]] * 500, [[0, 0], [0, 1], [1, 0], [1, 1]] * 30],
        ids=["one", "equal", "faces"],
    )
    def test_counts_add_up(self, kind: type[HistogramMechanism], values: list) -> None:
        cells = kind(t=2).run(Points(values, UNIT), ASKED, reproducible(1)).value["cells"]
        assert sum(cell["count"] for cell in cells) == len(values)
        for cell in cells:
            assert all(0 <= low < high <= 1 for low, high in zip(cell["lower"], cell["upper"], strict=True))


def test_attacks_decide_by_the_t_that_they_ask_for_what_is_cut():
    sanitize = sanitize_with(RecursiveHistogram(t=100), ASKED)
    made = sanitize(POINTS.values, UNIT, 10, reproducible(1))
    asked = RecursiveHistogram(t=10).prepare(POINTS, ASKED).histogram(reproducible(1))
    assert made.size == asked.size
    assert made.size > sanitize(POINTS.values, UNIT, 100, reproducible(1)).size


def test_for_attacks_a_mechanism_without_t_stays_as_it_is():
    sanitize = sanitize_with(NoisyHistogram(), ASKED)
    few, many = (sanitize(POINTS.values, UNIT, t, reproducible(1)) for t in (2, 50))
    assert np.array_equal(few.counts, many.counts)
