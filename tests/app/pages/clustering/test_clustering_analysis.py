"""What the clustering page asks of the engine: the same numbers, and no data for what is public."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.kinds.databases import DatabaseCache
from app.model.kinds.points import PointsKind
from app.model.selection import selection
from app.model.state import SessionState
from app.pages.clustering.analysis import ClusteringAnalysis, ClusteringRequest
from engine.analysis.points_errors import estimate_points_error
from engine.data import Table
from engine.progress import silent


class Task:
    """Takes what a worker publishes."""

    def __init__(self):
        self.drawn = []

    def __call__(self, fraction, message=""):
        assert 0 <= fraction <= 1

    def publish(self, drawn):
        self.drawn.append(drawn)

    def last(self, picture):
        return [one.result for one in self.drawn if one.picture == picture][-1]


def columns(n=2000, d=2, seed=3):
    rng = np.random.default_rng(seed)
    centers = np.array([[0.2, 0.2, 0.5], [0.5, 0.8, 0.5], [0.8, 0.3, 0.5]])[:, :d]
    points = centers[rng.integers(0, 3, n)] + 0.03 * rng.standard_normal((n, d))
    return {name: points[:, place] for place, name in enumerate("xyz"[:d])}


def state(query="clusters", blocks=40, made=None, **fields):
    table = Table("t.csv", pa.table(made or columns()))
    names = tuple(table.data.column_names)
    loaded = PointsKind().read(
        Dataset(table, "file:t"),
        {
            "columns": names,
            "bounds": dict.fromkeys(names, (0.0, 1.0)),
            "missing": "refuse",
            "bounds_source": "known",
        },
        silent,
    )
    parameters = {"sampling/partition": {"blocks": blocks}} if blocks else {}
    known = {"query": query, "dataset": Dataset(table, "file:t"), "parameters": parameters}
    return SessionState().at("clustering").replaced({**known, **loaded, **fields})


def asked(work, chosen, stage, **choices):
    task = Task()
    work.answer(ClusteringRequest(selection(chosen), stage, (0, 1), 1, **choices), task)
    return task


@pytest.fixture
def work():
    return ClusteringAnalysis(DatabaseCache())


KEPT = state()


def test_what_is_shown_is_what_the_engine_prepares(work):
    setup = selection(KEPT)
    points = setup.source.build()
    task = asked(work, KEPT, "outputs")
    ready = setup.mechanism.prepare(points, setup.privacy)
    shown = task.last("outputs")
    assert np.array_equal(shown.outputs.reshape(40, -1), ready.diagnostics["outputs"])
    assert [direction.name for direction in shown.directions] == ["x", "y"]
    assert task.last("pipeline")["smooth"] == ready.diagnostics["smooth"]
    errors = estimate_points_error(setup.mechanism, points, setup.privacy).errors
    told = task.last("judgement").errors
    assert (told.typical, told.most, told.private) == (errors.typical, errors.most, True)


@pytest.mark.parametrize("stage", ["data", "blocks", "outputs", "aggregate", "noise", "release"])
def test_every_stage_has_its_picture(work, stage):
    assert asked(work, dataclasses.replace(KEPT, epsilon=5.0), stage).last(stage) is not None


def test_other_bounds_make_other_outputs(work):
    first = asked(work, KEPT, "outputs").last("outputs")
    other = KEPT.replaced({"bounds": {"x": (0.0, 0.7), "y": (0.0, 1.0)}})
    assert not np.array_equal(asked(work, other, "outputs").last("outputs").outputs, first.outputs)


def test_the_public_answer_asks_for_no_data(work, monkeypatch):
    monkeypatch.setattr(DatabaseCache, "get", lambda *_: pytest.fail("the data were looked at"))
    task = Task()
    work.public(ClusteringRequest(selection(KEPT), "release", (0, 1), 1, released=[[0.1, 0.2]] * 3), task)
    assert [drawn.public for drawn in task.drawn] == [True]
