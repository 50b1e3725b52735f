"""The small-database mechanism: its exact law on tiny grids, and the chain that stands for it."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from definition import databases, neighbours
from discrete import assert_drawn_from, number_of_draws

from engine.audit import audit
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.points.synthetic_data import Questions, SyntheticPoints, batches, how_many
from engine.histograms.grid import Grid
from engine.primitives import selection_probabilities
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
TINY = SyntheticPoints(bins=3, size=2)
CENTERS = (1 / 6, 1 / 2, 5 / 6)


def share(database, low, high):
    return sum(low <= value <= high for value in database) / len(database)


def law_of(x, epsilon, questions="ranges"):
    """The mechanism from its definition, for two of three cells of a line."""
    ends = [(a, b) for a in range(3) for b in range(a, 3) if questions == "ranges" or a == 0]
    sets = list(itertools.combinations_with_replacement(range(3), 2))
    weights = []
    for chosen in sets:
        y = [CENTERS[cell] for cell in chosen]
        error = max(
            abs(share(x, a / 3, (b + 1) / 3 - 1e-9) - share(y, a / 3, (b + 1) / 3 - 1e-9)) for a, b in ends
        )
        weights.append(math.exp(-epsilon * len(x) * error / 2))
    return np.array(weights) / sum(weights)


def prepared(x, epsilon, mechanism=TINY):
    return mechanism.prepare(Points(np.array(x)[:, None], LINE), Privacy(epsilon))


@pytest.mark.parametrize("questions", ["ranges", "thresholds"])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_no_neighbours_are_told_apart(questions, epsilon):
    """The law is that of the definition, and all its ratios are at most e^epsilon."""
    mechanism = SyntheticPoints(bins=3, size=2, questions=questions)
    law = {}
    for x in databases(CENTERS, 4):
        ready = prepared(x, epsilon, mechanism)
        law[x] = selection_probabilities(-ready.errors, ready.rate)
        assert law[x] == pytest.approx(law_of(x, epsilon, questions), rel=1e-9)
    losses = [np.abs(np.log(law[x] / law[y])).max() for x in law for y in neighbours(x, CENTERS)]
    assert 0.4 * epsilon < max(losses) <= epsilon


def test_no_rounding_of_scores_costs_anything():
    """As doubles, too, scores of neighbours differ by no more than is paid for."""
    ready = {x: prepared(x, 1.0) for x in databases(CENTERS, 7)}
    for x in ready:
        for y in neighbours(x, CENTERS):
            pairs = zip(ready[x].errors.tolist(), ready[y].errors.tolist(), strict=True)
            moved = max(abs(Fraction(one) - Fraction(other)) for one, other in pairs)
            assert moved * Fraction(ready[x].rate) <= 1


def test_twice_the_rate_reveals_more():
    laws = {
        x: selection_probabilities(-(ready := prepared(x, 3.0)).errors, 2 * ready.rate)
        for x in databases(CENTERS, 4)
    }
    assert max(np.abs(np.log(laws[x] / laws[y])).max() for x in laws for y in neighbours(x, CENTERS)) > 3.0


@pytest.mark.parametrize("source", [secure, lambda: reproducible(3)], ids=["release", "simulation"])
@pytest.mark.parametrize(
    "mechanism", [TINY, SyntheticPoints(bins=3, size=2, sampler="metropolis", steps=150)]
)
@number_of_draws(700, 2_000)
def test_draws_follow_the_law(mechanism, source, runs):
    """A right sampler fails with probability 1e-6."""
    x = (CENTERS[0],) * 3 + (CENTERS[1],)
    drawn = prepared(x, 2.0, mechanism).draw(source(), runs)
    cells = np.sort(np.rint(drawn * 3 - 0.5).astype(int), axis=1)
    codes = [
        {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5}[tuple(row)]
        for row in cells.tolist()
    ]
    assert_drawn_from(codes, law_of(x, 2.0))


def test_an_audit_finds_nothing():
    """A right mechanism is accused with probability 1e-6."""
    x = (CENTERS[0],) * 4
    drawn = [
        np.sort(prepared(some, 1.0).draw(reproducible(seed), 4000), axis=1)
        for seed, some in ((1, x), (2, (*x[:3], CENTERS[2])))
    ]
    assert not audit(*drawn, Privacy(1.0), confidence=1 - 1e-6).violated


@pytest.mark.parametrize(("family", "count"), [("ranges", 36), ("thresholds", 9)])
def test_questions_are_all_boxes_of_cells(family, count):
    grid = Grid(SQUARE, 3)
    questions = Questions.of(family, grid)
    assert len(questions.holds) == count == Questions.how_many(family, grid)
    wanted = set()
    spans = [(a, b) for a in range(3) for b in range(a, 3) if family == "ranges" or a == 0]
    for (a, b), (c, d) in itertools.product(spans, repeat=2):
        wanted.add(tuple(float(a <= i <= b and c <= j <= d) for i in range(3) for j in range(3)))
    assert {tuple(row) for row in questions.holds.tolist()} == wanted


def test_all_multisets_are_looked_at_once():
    rows = [tuple(row) for some in batches(16, 4, 10**6) for row in some.tolist()]
    assert len(rows) == len(set(rows)) == how_many(16, 4) == math.comb(19, 4)
    assert all(list(row) == sorted(row) for row in rows)


def test_with_many_records_the_best_small_database_is_found():
    rng = np.random.default_rng(5)
    data = Points(rng.normal(0.4, 0.1, (100_000, 2)), SQUARE)
    for mechanism in (SyntheticPoints(), SyntheticPoints(sampler="metropolis", steps=4000)):
        ready = mechanism.prepare(data, Privacy(1.0))
        values = ready.draw(reproducible(6), 10)
        errors = mechanism.output.errors(values, ready.diagnostics["true_value"], SQUARE)
        best = SyntheticPoints().prepare(data, Privacy(1.0)).errors.min()
        assert np.median(errors) <= best + 0.01


def test_a_release_says_how_far_its_privacy_goes():
    data = Points(np.random.default_rng(1).uniform(0, 1, (50, 2)), SQUARE)
    release = SyntheticPoints(size=3).run(data, Privacy(1.0, 1e-6), reproducible(1))
    assert np.shape(release.value) == (3, 2)
    assert release.value == sorted(release.value)
    assert release.privacy == Privacy(1.0)
    assert release.parameters["privacy_holds"] == "exactly"
    assert release.exact
    walked = SyntheticPoints(size=30, sampler="metropolis", steps=50).run(data, Privacy(1.0), reproducible(1))
    assert "unknown distance" in walked.parameters["privacy_holds"]
    assert not walked.exact
    assert np.shape(walked.value) == (30, 2)


@pytest.mark.parametrize(
    ("mechanism", "d", "privacy", "field"),
    [
        (SyntheticPoints(size=20), 2, Privacy(1.0), "size"),
        (SyntheticPoints(bins=64, size=1), 2, Privacy(1.0), "bins"),
        (SyntheticPoints(), 12, Privacy(1.0), "bins"),
        (SyntheticPoints(), 1000, Privacy(1.0), "bins"),
        (SyntheticPoints(bins=16, size=900), 1, Privacy(1.0), "size"),
        (SyntheticPoints(), 2, Privacy(1e-10), "epsilon"),
    ],
)
def test_what_makes_no_sense_is_refused(mechanism, d, privacy, field):
    (problem,) = mechanism.problems(privacy, Box.of([0] * d, [1] * d), 100)
    assert problem.field == field
    assert len(problem.message) < 200
    with pytest.raises(ParameterError, match=field):
        mechanism.prepare(Points(np.zeros((1, d)), Box.of([0] * d, [1] * d)), privacy)


def test_scoring_can_be_cancelled():
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        SyntheticPoints().prepare(Points(np.zeros((1, 2)), SQUARE), Privacy(1.0), impatient)


def test_fewer_chains_walk_together_the_longer_they_are():
    """Between two draws a simulation can be cancelled: 15 questions, 2^26 answers in all."""
    points = Points([[0.3]], LINE)
    at_once = [
        SyntheticPoints(sampler="metropolis", bins=5, steps=steps).prepare(points, Privacy(1)).batch_size
        for steps in (1, 10_000, 200_000)
    ]
    assert at_once == [2**20 // 15, 2**26 // 10_000 // 15, 2**26 // 200_000 // 15]
