"""Work on a real Dask cluster gives what is found here, also where a worker dies meanwhile."""

import os
import signal
import threading

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import engine.extras.stored.cluster
from engine import (
    Cluster,
    Count,
    Interval,
    LaplaceRelease,
    Mean,
    Median,
    Privacy,
    Sample,
    SampleAggregate,
    SmoothRelease,
    StoredPoints,
    StoredSample,
    Sweep,
    audit_run,
    compare,
    contenders_from,
    stored_column,
    stored_table,
    worst_case_pairs,
)
from engine.aggregation.blocks import Partition
from engine.aggregation.functions import KMeans, MeanFunction
from engine.aggregation.running import outputs
from engine.audit import audit_runs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ExecutionError
from engine.extras.stored import sample as stored
from engine.progress import Cancelled, silent
from engine.randomness import reproducible
from engine.runners import THREADS, runner

distributed = pytest.importorskip("distributed", reason="Dask comes with the extra 'cluster'")

BOUNDS = Interval(0, 100)
VALUES = np.random.default_rng(5).normal(50, 20, 20_000)


def local_cluster(workers=2, *, processes):
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=processes,
        dashboard_address=":0",
        protocol="tcp",
        host="127.0.0.1",
    )


@pytest.fixture(scope="module")
def addresses():
    """Two clusters of threads, the second without workers."""
    with (
        local_cluster(processes=False) as there,
        local_cluster(0, processes=False) as empty,
        distributed.Client(there) as client,
    ):
        list(client.get_executor().map(abs, range(4)))  # threads start with the first tasks
        yield there.scheduler_address, empty.scheduler_address


@pytest.fixture
def address(addresses):
    return addresses[0]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.parquet"
    parquet.write_table(pa.table({"pay": VALUES}), path, row_group_size=5000)
    return path


def test_a_column_blocks_a_comparison_and_an_audit(address, path, monkeypatch):
    held = Sample(VALUES, BOUNDS)
    points = Points(VALUES[:3000, None], Box.of([0.0], [100.0]))
    blocks = Partition(blocks=20).draw(3000, reproducible(1))
    here = outputs(MeanFunction(), points, blocks, seed=3)
    mechanisms = contenders_from([SmoothRelease(query=Median()), LaplaceRelease(query=Median())])
    asked = (mechanisms, held, Privacy(1.0), Sweep("epsilon", (0.5, 1.0)))
    compared = compare(*asked, runs=50, seed=1)
    mechanism = LaplaceRelease(query=Mean())
    pairs = worst_case_pairs(mechanism, BOUNDS, 10, Privacy(1.0))[:2]
    audited = [
        audit_run(mechanism, pair, Privacy(1.0), runs=2000, seed=1, confidence=0.99).audit for pair in pairs
    ]
    with Cluster(address) as cluster:
        assert runner() is cluster.runner
        monkeypatch.setattr(stored, "MAX_HELD", 1000)
        sample = StoredSample(stored_column(path, "pay"), BOUNDS)
        for query in (Median(), Mean(), Count()):
            assert query.value(sample) == query.value(held)
            assert query.smooth_sensitivity(sample, 0.1) == query.smooth_sensitivity(held, 0.1)
        np.testing.assert_array_equal(outputs(MeanFunction(), points, blocks, seed=3).values, here.values)
        there = compare(*asked, runs=50, seed=1, processes=cluster.trials(held))
        for one, other in zip(compared.outcomes, there.outcomes, strict=True):
            assert one.quantile(0.5) == other.quantile(0.5)
        steps = [silent] * len(pairs)
        found = audit_runs(mechanism, pairs, Privacy(1.0), runs=2000, seed=1, confidence=0.99, steps=steps)
        assert [one.audit for one in found] == audited
    assert runner() is THREADS


def test_it_is_cancelled_and_what_is_missing_is_said_in_one_line(address, path, monkeypatch):
    def enough(fraction, message=""):
        if fraction > 0.3:
            raise Cancelled

    with Cluster(address):
        with pytest.raises(Cancelled):
            StoredSample(stored_column(path, "pay"), BOUNDS, progress=enough).ranks(10, 20)
        column = stored_column(path, "pay")
        path.unlink()
        with pytest.raises(
            DataError, match="the file no longer exists, or not at this path on another machine"
        ):
            StoredSample(column, BOUNDS).ranks(10, 20)
    mismatch = {"warning": "| pandas | None |", "error": ""}  # as where a worker has not all that is here
    monkeypatch.setattr(distributed.versions, "error_message", lambda *_args, **_options: mismatch)
    monkeypatch.setattr(engine.extras.stored.cluster, "PROJECT", "no-such-project")
    monkeypatch.setattr(engine.extras.stored.cluster.importlib.metadata, "version", version_here)
    with pytest.raises(ExecutionError, match=r"the worker tcp.* has no Sensiscope and needs Sensiscope 0.9"):
        Cluster(address)


def version_here(name, found=engine.extras.stored.cluster.importlib.metadata.version):
    return found(name) if threading.current_thread() is not threading.main_thread() else "0.9"


def test_a_scheduler_that_is_not_there_or_has_no_workers(addresses):
    with pytest.raises(
        ExecutionError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9; start one there"
    ):
        Cluster("tcp://127.0.0.1:9", wait=0.2)
    with pytest.raises(ExecutionError, match="has no workers; start one with: dask worker"):
        Cluster(addresses[1], wait=0.2)


@pytest.fixture
def large_messages(addresses):
    """A thread of Dask for messages of megabytes, which stays."""
    with distributed.Client(addresses[0]) as client:
        client.submit(np.zeros, 2_000_000).result()


@pytest.mark.slow
@pytest.mark.usefixtures("large_messages")
def test_a_worker_that_is_killed_in_the_middle(tmp_path):
    path = tmp_path / "people.parquet"
    values = np.random.default_rng(6).normal(50, 20, 2_000_000)
    parquet.write_table(pa.table({"pay": values}), path, row_group_size=10_000)
    with local_cluster(processes=True) as there, Cluster(there.scheduler_address) as cluster:
        victim = next(iter(cluster.client.run(os.getpid).values()))
        killed = []

        def deadly(fraction, message=""):
            if fraction > 0.2 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        sample = StoredSample(stored_column(path, "pay"), BOUNDS, progress=deadly)
        found = Median().smooth_sensitivity(sample, 0.1)
        assert killed
    assert found == Median().smooth_sensitivity(Sample(values, BOUNDS), 0.1)


@pytest.mark.slow
@pytest.mark.usefixtures("large_messages")
def test_a_worker_that_is_killed_while_blocks_of_a_file_are_run(tmp_path):
    path, centers = tmp_path / "points.parquet", np.array([[0.2, 0.3], [0.8, 0.6]])
    rng = np.random.default_rng(1)
    values = centers[rng.integers(0, 2, 300_000)] + rng.normal(0, 0.03, (300_000, 2))
    parquet.write_table(pa.table({"x": values[:, 0], "y": values[:, 1]}), path)
    mechanism = SampleAggregate(block_function=KMeans(k=2), sampling=Partition(blocks=400))

    def released(progress=silent):
        data = StoredPoints(stored_table(path), ["x", "y"], Box.of([0, 0], [1, 1]))
        return np.array(mechanism.run(data, Privacy(5.0, 1e-6), reproducible(3), progress).value)

    here = released()
    assert np.abs(here[here[:, 0].argsort()] - centers).max() < 0.05
    with local_cluster(processes=True) as there, Cluster(there.scheduler_address) as cluster:
        victims, killed = list(cluster.client.run(os.getpid).values()), []
        assert len(victims) == 2

        def deadly(fraction, message=""):
            if message == "blocks" and fraction > 0.15 and not killed:  # some are back, others not
                killed.append(fraction)
                os.kill(victims[0], signal.SIGKILL)

        found = released(deadly)
        assert killed[0] < 0.35
    assert found.tobytes() == here.tobytes()
