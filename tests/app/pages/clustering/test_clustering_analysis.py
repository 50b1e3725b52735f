"""What the clustering page asks of the engine: the same numbers, and no data for what is public."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.kept_data import DatabaseCache
from app.model.kinds.points import PointsKind
from app.model.pages.registry import PAGES
from app.model.selection import selection
from app.model.state import SessionState
from app.pages.base.request import PictureRequest, PublishEstimate, publish_picture
from engine.analysis.points_errors import estimate_points_error
from engine.data import Table
from engine.progress import silent


def stages_of(setup):
    """Return the names of the tabs of a selection."""
    return tuple(spec.name for spec in PAGES["clustering"].pictures if spec.is_offered(setup))


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


def asked(chosen, stage, released=None, *, public=False, databases=None, **options):
    task = Task()
    steps = publish_picture, PublishEstimate(PAGES["clustering"].estimate)
    request = PictureRequest(
        selection(chosen),
        PAGES["clustering"].picture(stage),
        options,
        released,
        public,
        steps=(publish_picture,) if public else steps,
    )
    request.compute(databases or DatabaseCache(), task)
    return task


KEPT, BLOCKS = state(), ("blocks", "outputs", "aggregate")


def test_what_is_shown_is_what_the_engine_prepares():
    setup = selection(KEPT)
    points = setup.source.build()
    task = asked(KEPT, "outputs")
    ready = setup.mechanism.prepare(points, setup.privacy)
    shown = task.last("outputs")
    assert np.array_equal(shown.outputs.reshape(40, -1), ready.diagnostics["outputs"])
    assert [direction.name for direction in shown.directions] == ["x", "y"]
    assert task.last("estimate").fell_back == ready.diagnostics["fell_back"]
    errors = estimate_points_error(setup.mechanism, points, setup.privacy).errors
    told = task.last("estimate").errors
    assert (told.typical, told.most, told.private) == (errors.typical, errors.most, True)


@pytest.mark.parametrize(
    "stage", ["data", "separation", "blocks", "outputs", "aggregate", "compare", "release"]
)
def test_every_stage_has_its_picture(stage):
    assert asked(dataclasses.replace(KEPT, epsilon=5.0), stage).last(stage) is not None


def test_outputs_agree_as_their_distances_say():
    """By an aggregator that looks at no balls; the balls of the other one are a stage of their own."""
    chosen = KEPT.replaced({"aggregator": "average"})
    setup, found = selection(chosen), asked(chosen, "agreement").last("agreement")
    assert stages_of(setup) == (
        "data",
        "blocks",
        "outputs",
        "agreement",
        "compare",
        "release",
        "separation",
    )
    assert found.accuracy == np.sort(found.to_truth)[int(np.ceil(0.75 * found.to_truth.size)) - 1]


@pytest.mark.parametrize("cells", ["privtree", "grid"])
def test_cells_are_those_from_which_the_release_follows(cells):
    chosen = state("k-means-on-cells", made=columns(d=3), blocks=0).replaced(
        {"parameters": {"mechanism/k-means-on-cells": {"partition": cells}}}
    )
    setup = selection(chosen)
    assert stages_of(setup) == ("data", "cells", "compare", "release", "separation")
    assert stages_of(selection(KEPT)) == (
        "data",
        *BLOCKS,
        "compare",
        "release",
        "separation",
    )
    shown = asked(chosen, "cells", across=2, up=0).last("cells")
    assert [direction.name for direction in shown.directions] == ["z", "x"]
    assert shown.cells.counts.sum() == pytest.approx(2000)


def test_cells_are_looked_at_coarsely_closely_and_without_the_records():
    near = {name: 0.3 + 0.2 * values for name, values in columns(20_000).items()}
    chosen = state("k-means-on-cells", blocks=0, made=near)
    fine = asked(chosen, "cells", closely=False, records=True).last("cells")
    coarse = asked(chosen, "cells", level=1, closely=True).last("cells")
    assert len(coarse.cells.counts) < len(fine.cells.counts)
    assert coarse.cells.counts.sum() == pytest.approx(fine.cells.counts.sum())
    assert coarse.is_closeup
    assert not fine.is_closeup
    assert coarse.records is None
    assert fine.records is not None


def test_records_that_cells_leave_out_stay_beside_a_release():
    """The option of another picture does not reach it, though its analysis has one of that name."""
    shown = asked(state("k-means-on-cells", blocks=0), "release", records=False).last("release")
    assert shown.records is not None
    assert shown.simulated


def test_other_bounds_make_other_outputs():
    first = asked(KEPT, "outputs").last("outputs")
    other = KEPT.replaced({"bounds": {"x": (0.0, 0.7), "y": (0.0, 1.0)}})
    assert not np.array_equal(asked(other, "outputs").last("outputs").outputs, first.outputs)


def test_the_public_answer_asks_for_no_data(monkeypatch):
    monkeypatch.setattr(DatabaseCache, "get", lambda *_: pytest.fail("the data were looked at"))
    task = asked(KEPT, "release", [[0.1, 0.2]] * 3, public=True)
    assert [drawn.public for drawn in task.drawn] == [True]
