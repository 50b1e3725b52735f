"""What the clustering page works out: nothing twice, everything right."""

import dataclasses
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.kinds.databases import DatabaseCache
from app.model.kinds.points import PointsKind
from app.model.selection import selection
from app.model.state import SessionState
from app.pages.base.cache import Cache
from app.pages.base.projections import Axes, principal_components
from app.pages.clustering.analysis import ClusteringAnalysis, ClusteringRequest
from app.pages.clustering.computations import PointsComputations
from app.pages.clustering.sweep import alternatives, coarse_first, compared, sweep, swept
from app.pages.clustering.views import along_columns, projection, public_cloud
from engine.aggregation.center_of_attention import Radii
from engine.data import Table
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import BlockMechanism
from engine.progress import silent
from engine.simulation import simulate


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
    work.answer(ClusteringRequest(selection(chosen), stage, choices.pop("axes", Axes()), 1, **choices), task)
    return task


DATA = DatabaseCache()


@pytest.fixture
def computations():
    return PointsComputations(Cache())


@pytest.fixture
def work():
    return ClusteringAnalysis(DatabaseCache())


@pytest.fixture
def counted(monkeypatch):
    """Count how often blocks are run."""
    found = Counter()
    before = BlockMechanism.block_outputs

    def counting(self, data, *rest):
        found[self.function, self.sampling, self.pattern] += 1
        return before(self, data, *rest)

    monkeypatch.setattr(BlockMechanism, "block_outputs", counting)
    return found


def test_blocks_run_once_whatever_the_budget_the_stage_and_the_aggregator(work, counted):
    for chosen in (
        state(),
        state(epsilon=0.3),
        state(delta=1e-6),
        state(aggregator="average"),
        state(noise="student-t"),
    ):
        chosen = chosen.replaced({"points": KEPT.data.points, "dataset": KEPT.dataset})
        for stage in ("data", "outputs", "noise", "release"):
            asked(work, chosen, stage)
    assert list(counted.values()) == [1]


KEPT = state()


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"sampling/partition": {"blocks": 41}}},
        {"parameters": {"sampling/partition": {"blocks": 40}, "mechanism/clusters": {"pattern": 2}}},
        {"parameters": {"sampling/partition": {"blocks": 40}, "mechanism/clusters": {"k": 2}}},
        {"query": "mixture"},
        {"bounds": {"x": (0.0, 0.7), "y": (0.0, 1.0)}},
    ],
    ids=["blocks", "pattern", "function", "mechanism", "bounds"],
)
def test_blocks_run_again_where_they_must(work, counted, change):
    asked(work, KEPT, "outputs")
    asked(work, KEPT.replaced(change), "outputs")
    assert sum(counted.values()) == 2


def test_what_is_shown_is_what_the_engine_prepares(work):
    setup = selection(KEPT)
    points = setup.source.build()
    task = asked(work, KEPT, "outputs")
    ready = setup.mechanism.prepare(points, setup.privacy)
    shown = task.last("outputs")
    assert np.array_equal(shown.outputs.reshape(40, -1), ready.diagnostics["outputs"])
    assert np.array_equal(shown.center.ravel(), ready.center)
    assert np.allclose(shown.truth.ravel(), ready.diagnostics["true_value"])
    assert (shown.radius, shown.majority) == (ready.diagnostics["radius"], ready.diagnostics["majority"])
    assert task.last("pipeline")["smooth"] == ready.diagnostics["smooth"]
    radii = asked(work, KEPT, "aggregate").last("aggregate")
    # the aggregator pays for roundings with a little of beta
    assert radii.smooth == pytest.approx(ready.diagnostics["smooth"], rel=1e-7)
    assert radii.majority == 21


def test_the_typical_error_is_that_of_simulated_releases(work):
    setup = selection(KEPT)
    errors = asked(work, KEPT, "release").last("judgement").errors
    simulated = simulate(setup.mechanism, setup.source.build(), setup.privacy, 400, 1).errors
    assert errors.typical == pytest.approx(np.median(simulated))
    assert errors.most == pytest.approx(np.quantile(simulated, 0.95))
    assert errors.private


def test_a_sweep_tells_the_bound_of_each_number_of_blocks(computations):
    chosen = dataclasses.replace(KEPT, epsilon=5.0)
    setup = selection(chosen)
    points = DATA.get(setup.source)
    found = list(sweep(computations, setup, points, True, silent))
    assert np.isnan(found[0].smooth).sum() == len(found[0].blocks) - 1
    last = found[-1]
    assert not np.isnan(last.smooth).any()
    assert last.chosen in last.blocks
    place = list(last.blocks).index(40)
    ready = setup.mechanism.prepare(points, setup.privacy)
    assert last.smooth[place] == ready.diagnostics["smooth"]
    space = setup.mechanism.space(points.domain)
    outputs = ready.diagnostics["outputs"]
    radii = Radii.of(space.distances(outputs, outputs), space.diameter)
    assert last.published[place] == radii.published_bound(ready.noise["beta"])
    assert list(sweep(computations, setup, points, False, silent))[-1].published is None


def test_no_sweep_goes_beyond_what_the_function_needs(work):
    setup = selection(state(made=columns(30), blocks=5))
    points = setup.source.build()
    assert swept(setup.mechanism, points).max() <= 10
    assert 5 in swept(setup.mechanism, points)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 14])
def test_every_place_is_looked_at_once_from_coarse_to_fine(size):
    order = coarse_first(size)
    assert sorted(order) == list(range(size))
    assert order[0] == 0


def test_alternatives_have_the_same_task(computations):
    setup = selection(KEPT)
    names = {label: mechanism.name for label, mechanism in alternatives(setup.mechanism).items()}
    assert next(iter(names)) == "Center of attention"
    assert names["Noisy Lloyd"] == "lloyd"
    assert "Noisy average" in alternatives(selection(state("sample-aggregate")).mechanism)
    assert list(alternatives(selection(state("noisy-average")).mechanism)) == ["Noisy average"]
    last = list(compared(computations, setup, DATA.get(setup.source), 1, silent))[-1]
    assert [sample.chosen for sample in last.samples] == [True] + [False] * (len(last.samples) - 1)
    assert last.diameter == setup.mechanism.space(setup.source.domain).diameter
    for sample in last.samples:
        assert bool(sample.problem) == (sample.errors.size == 0)


def test_an_alternative_that_is_not_possible_says_why(computations):
    chosen = state("sample-aggregate", noise="gaussian", delta=1e-6)
    setup = selection(chosen)
    last = list(compared(computations, setup, DATA.get(setup.source), 1, silent))[-1]
    assert all(sample.problem or sample.errors.size for sample in last.samples)


class TestDirections:
    points = Points(
        np.random.default_rng(2).normal(0.5, [0.3, 0.05, 0.1], (500, 3)), Box.of([0] * 3, [1] * 3)
    )

    def test_columns_are_public_and_keep_their_bounds(self):
        setup = selection(state(made=columns(200, 3)))
        seen = along_columns(setup.mechanism, setup.source, Axes(2, 0))
        assert [direction.name for direction in seen.directions] == ["z", "x"]
        assert not any(direction.private for direction in seen.directions)
        assert seen.points([[1.0, 2.0, 3.0]]).tolist() == [[3.0, 1.0]]

    def test_principal_components_spread_most(self):
        middle, components = principal_components(self.points)
        assert np.allclose(middle, self.points.values.mean(axis=0))
        assert np.allclose(components.T @ components, np.eye(2))
        along = ((self.points.values - middle) @ components).var(axis=0)
        every = self.points.values.var(axis=0)
        assert along[0] >= every.max() - 1e-12
        assert along[0] >= along[1]
        assert abs(components[0, 0]) > 0.9
        assert (components.max(axis=0) > 0).all()

    def test_they_are_marked_and_hold_the_whole_box(self):
        setup = selection(state(made=columns(200, 3)))
        points = setup.source.build()
        seen = projection(setup.mechanism, setup.source, points, Axes(3, 4))
        assert all(direction.private for direction in seen.directions)
        corners = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
        places = seen.points(corners)
        for place, direction in enumerate(seen.directions):
            assert places[:, place].min() == pytest.approx(direction.side.lower)
            assert places[:, place].max() == pytest.approx(direction.side.upper)

    def test_a_column_beside_a_component_is_centred(self):
        setup = selection(state(made=columns(200, 3)))
        points = setup.source.build()
        seen = projection(setup.mechanism, setup.source, points, Axes(0, 3))
        assert seen.directions[0].private
        assert seen.points(points.values).mean(axis=0) == pytest.approx([0, 0], abs=1e-9)

    def test_coefficients_have_directions_of_their_own(self):
        chosen = state("sample-aggregate", function="regression", made=columns(300, 3))
        setup = selection(chosen)
        seen = along_columns(setup.mechanism, setup.source, Axes(0, 1))
        assert [direction.name for direction in seen.directions] == ["slope of x", "slope of y"]


def test_a_public_cloud_holds_what_was_released_and_nothing_else():
    setup = selection(KEPT)
    cloud = public_cloud(setup, [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], Axes())
    assert cloud.released.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    for name in ("records", "outputs", "center", "radius", "regions", "baseline", "truth"):
        assert getattr(cloud, name) is None
    one = public_cloud(selection(state("noisy-average")), [0.1, 0.2], Axes())
    assert one.released.tolist() == [[0.1, 0.2]]


def test_the_public_answer_asks_for_no_data(work, monkeypatch):
    monkeypatch.setattr(DatabaseCache, "get", lambda *_: pytest.fail("the data were looked at"))
    task = Task()
    work.public(ClusteringRequest(selection(KEPT), "release", Axes(), 1, released=[[0.1, 0.2]] * 3), task)
    assert [drawn.public for drawn in task.drawn] == [True]


def test_the_oldest_finding_is_forgotten_first():
    kept, made = Cache(most=2), []
    for key in ("a", "b", "a", "c", "b"):
        kept.get(key, lambda key=key: made.append(key))
    assert made == ["a", "b", "c", "b"]
