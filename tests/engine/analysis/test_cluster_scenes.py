"""Records, outputs and releases along directions are what the engine prepares."""

import dataclasses

import numpy as np
import pytest
from blobs import blobs

from engine import KMeansOnCells
from engine.aggregation.blocks import Partition
from engine.aggregation.functions import LinearRegression
from engine.analysis.cluster_scenes import data_scene, outputs_scene, release_scene
from engine.analysis.shared.point_steps import simulated_values
from engine.data.points import Points
from engine.mechanisms import Clusters, NoisyAverage, SampleAggregate
from engine.mechanisms.aggregators import Average
from engine.privacy import Privacy
from engine.randomness import reproducible

DATA, PRIVACY = blobs(2000), Privacy(2.0)
MECHANISM = Clusters(sampling=Partition(blocks=40))
READY = MECHANISM.prepare(DATA, PRIVACY)
TRUTH = READY.diagnostics["true_value"].reshape(3, 2)


def test_the_records_come_before_the_truth_is_known():
    published = []
    cloud = data_scene(MECHANISM, DATA, PRIVACY, publish=published.append)
    assert np.array_equal(cloud.records.dots, DATA.values)
    assert np.array_equal(cloud.truth, TRUTH)
    (first,) = published
    assert first.truth is None
    assert first.records is cloud.records


def test_outputs_are_those_of_the_blocks():
    cloud = outputs_scene(MECHANISM, DATA, PRIVACY)
    facts = READY.diagnostics
    assert np.array_equal(cloud.outputs.reshape(40, -1), facts["outputs"])
    assert np.array_equal(cloud.center.ravel(), READY.center)
    assert np.array_equal(cloud.truth, TRUTH)
    box = DATA.domain
    assert cloud.error == MECHANISM.output.errors(READY.center[None], TRUTH.ravel(), box)[0]
    assert (cloud.radius, cloud.majority) == (facts["radius"], facts["majority"])
    assert outputs_scene(MECHANISM, DATA, Privacy(0.5)) is cloud
    assert outputs_scene(dataclasses.replace(MECHANISM, aggregator=Average()), DATA, PRIVACY).radius is None


def test_one_center_can_be_enlarged():
    cloud = outputs_scene(MECHANISM, DATA, PRIVACY)
    near = outputs_scene(MECHANISM, DATA, PRIVACY, zoom=1)
    for side, middle in zip(near.zoom, cloud.center[1], strict=True):
        assert side.lower < middle < side.upper
        assert side.width < 0.5
    assert outputs_scene(MECHANISM, DATA, PRIVACY, zoom=3).zoom is None
    tight = Points(np.tile(DATA.values.mean(axis=0), (DATA.n, 1)), DATA.domain)
    assert outputs_scene(MECHANISM, tight, PRIVACY).enlarged == 0


def test_a_simulated_release_stands_beside_a_baseline():
    cloud = release_scene(MECHANISM, DATA, PRIVACY, seed=7)
    assert np.array_equal(cloud.released.ravel(), READY.draw(reproducible(7), 1)[0])
    cells = KMeansOnCells(k=3).prepare(DATA, PRIVACY)
    assert np.array_equal(cloud.baseline.ravel(), cells.draw(reproducible(7), 1)[0])
    assert (cloud.simulated, cloud.baseline_name) == (True, "k-means on cells")
    assert cloud.regions.shape == (2, 3, 2)
    other = release_scene(KMeansOnCells(k=3), DATA, PRIVACY)
    assert (other.baseline_name, other.center) == ("noisy Lloyd", None)
    assert other.regions.shape == (2, 3, 2)


def test_regions_of_other_mechanisms_hold_the_errors_of_simulated_runs():
    cells, published = KMeansOnCells(k=3), []
    cloud = release_scene(cells, DATA, PRIVACY, publish=published.append)
    assert published[0].regions is None  # they take a second
    runs = simulated_values(cells, DATA, PRIVACY, runs=400, seed=1).reshape(-1, 3, 2)
    order = np.linalg.norm(cloud.released[:, None] - TRUTH, axis=2).argmin(axis=1)
    truth = TRUTH[order]  # regions are drawn around what is released
    away = np.linalg.norm(runs[:, None] - truth[:, None], axis=3)
    nearest = np.take_along_axis(runs[:, None], away.argmin(axis=2)[..., None, None], axis=2)[:, :, 0]
    for share, sizes in zip((0.5, 0.95), cloud.regions, strict=True):
        held = (((nearest - truth) / sizes) ** 2).sum(axis=2) <= 1
        assert held.mean(axis=0) == pytest.approx(np.full(3, share), abs=0.05)


def test_a_tiny_error_is_enlarged_and_nothing_on_demand():
    cells, exact = KMeansOnCells(k=3), Privacy(100.0)
    near = release_scene(cells, DATA, exact)
    middle = [(side.lower + side.upper) / 2 for side in near.zoom]
    np.testing.assert_allclose(middle, near.truth[0])
    assert max(side.width for side in near.zoom) < 0.04
    assert near.window == tuple(direction.side for direction in near.directions)
    assert near.records is data_scene(cells, DATA, exact).records  # in the whole, beside the enlarged part
    for index, center in enumerate(near.truth):
        across, up = release_scene(cells, DATA, exact, zoom=index).zoom
        nearest = np.abs(near.released - center).max(axis=1).argmin()
        reach = np.abs(near.released[nearest] - center).max() + near.regions[-1, nearest].max()
        assert 2 * reach < across.width == pytest.approx(up.width)  # all of the noise is in view
    assert release_scene(cells, DATA, exact, zoom=3).zoom is None
    assert release_scene(cells, DATA, Privacy(0.01)).zoom is None


def test_a_release_lies_among_the_records_if_it_is_one_of_their_space():
    seen = data_scene(MECHANISM, DATA, PRIVACY)
    assert release_scene(MECHANISM, DATA, PRIVACY).records is seen.records
    other = release_scene(MECHANISM, DATA, PRIVACY, seed=2, released=[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert other.records is seen.records
    slopes = SampleAggregate(block_function=LinearRegression(), sampling=Partition(blocks=40))
    assert release_scene(slopes, DATA, PRIVACY).records is None


def test_a_real_release_takes_the_place_of_a_simulated_one():
    cloud = release_scene(MECHANISM, DATA, PRIVACY, released=[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert cloud.released.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    assert not cloud.simulated
    assert cloud.baseline is None


def test_regions_hold_their_shares_of_the_noise():
    mean = NoisyAverage()
    ready = mean.prepare(DATA, Privacy(0.1))
    cloud = release_scene(mean, DATA, Privacy(0.1))
    noise = (ready.draw(reproducible(9), 20_000) - ready.center)[:, None]
    for share, sizes in zip((0.5, 0.95), cloud.regions, strict=True):
        assert np.mean(((noise / sizes) ** 2).sum(axis=2) <= 1) == pytest.approx(share, abs=0.02)


def test_a_public_cloud_holds_what_was_released_and_nothing_else(monkeypatch):
    monkeypatch.setattr(type(DATA), "values", property(lambda _: pytest.fail("the data were looked at")))
    cloud = release_scene(
        MECHANISM, DATA, Privacy(1.0), released=[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], records=False
    )
    assert cloud.released.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    for name in ("records", "outputs", "center", "radius", "regions", "baseline", "truth"):
        assert getattr(cloud, name) is None
    assert release_scene(
        NoisyAverage(), DATA, Privacy(1.0), released=[0.1, 0.2], records=False
    ).released.tolist() == [[0.1, 0.2]]
