"""Histograms of Voronoi cells, and of a ball, as mechanisms."""

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import Cubes
from engine.histograms.embedding import Embedding
from engine.histograms.grow_tree import grow_tree
from engine.mechanisms.histograms import BallHistogram, NetHistogram, RandomCentersHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible
from engine.simulation import simulate

UNIT = Box.of([0, 0], [1, 1])
POINTS = Points(np.random.default_rng(1).random((400, 2)), UNIT)
ASKED = Privacy(1.0)
ALL = [
    NetHistogram(t=20),
    NetHistogram(t=20, region="ball"),
    RandomCentersHistogram(t=20, centers=16),
    BallHistogram(t=20),
]


@pytest.mark.parametrize("mechanism", ALL)
def test_exact_counts_and_useful_answers(mechanism) -> None:
    release = mechanism.run(POINTS, ASKED)
    assert sum(cell["count"] for cell in release.value["cells"]) == POINTS.n
    assert not release.simulated
    assert release.parameters["t"] == 20
    simulation = simulate(mechanism, POINTS, ASKED, runs=2, seed=1)
    assert simulation.errors.max() < 25


def test_each_draw_has_centers_of_its_own() -> None:
    prepared, rng = NetHistogram(t=20).prepare(POINTS, ASKED), reproducible(1)
    one, other = prepared.histogram(rng), prepared.histogram(rng)
    assert not np.array_equal(one.tree.cuts[0].centers, other.tree.cuts[0].centers)


def test_embedded_cells_are_those_of_the_cube() -> None:
    histogram = BallHistogram(t=20).run(POINTS, ASKED).histogram
    embedding = Embedding(UNIT)
    cube = grow_tree(Cubes(embedding.cube), embedding.to_cube(POINTS.values), 20, 20)
    assert (histogram.counts == cube.counts).all()
    assert (histogram.cube.lower == cube.lower).all()


def test_few_centers_are_said_to_be_few() -> None:
    few, enough = (RandomCentersHistogram(t=50, centers=m).public_facts(UNIT, 600, ASKED) for m in (16, 512))
    assert "fewer than the 4 d 8^d = 512" in few["warning"]
    assert "warning" not in enough


@pytest.mark.parametrize(
    ("mechanism", "d", "field"),
    [
        (NetHistogram(), 5, "columns"),
        (RandomCentersHistogram(), 4, "centers"),
        (BallHistogram(), 13, "columns"),
    ],
)
def test_too_many_dimensions(mechanism, d, field) -> None:
    data = Points(np.zeros((3, d)), Box.of([0] * d, [1] * d))
    with pytest.raises(ParameterError) as caught:
        mechanism.run(data, ASKED)
    assert caught.value.field == field


def test_one_center_cuts_nothing() -> None:
    with pytest.raises(ParameterError, match="from 2 to"):
        RandomCentersHistogram(centers=1)


def test_what_would_take_minutes_is_refused_and_what_is_proposed_is_not() -> None:
    slow, box = RandomCentersHistogram(t=50, centers=8192), Box.of([0] * 5, [1] * 5)
    (problem,) = slow.problems(ASKED, box, 2000)
    assert problem.field == "centers"
    assert "choose at most " in problem.message
    most = int(problem.message.split("at most ")[1].split(", a larger")[0].replace(",", ""))
    assert RandomCentersHistogram(t=50, centers=most).problems(ASKED, box, 2000) == ()
    assert RandomCentersHistogram(t=50, centers=8192, depth=1).problems(ASKED, box, 2000) == ()
