"""Blocks on a real Dask cluster on this machine, with two processes as workers."""

import os

import numpy as np
import pytest

from engine.aggregation.blocks import Partition
from engine.aggregation.functions import GaussianMixture, KMeans, MeanFunction
from engine.aggregation.running import outputs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.randomness import reproducible

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client():
    # only here: every process that collects tests would load it
    distributed = pytest.importorskip("distributed", reason="Dask comes with the extra 'cluster'")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    )
    with cluster, distributed.Client(cluster) as client:
        # its threads start with the first outputs
        outputs(MeanFunction(), points(30), blocks(30, 3), seed=1, executor=client.get_executor())
        yield client


def points(n):
    return Points(np.random.default_rng(1).random((n, 2)), Box.of([0.0, 0.0], [1.0, 1.0]))


def blocks(n, m):
    return Partition(blocks=m).draw(n, reproducible(1))


def test_the_outputs_are_those_of_threads(client, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import random\ndef f(x):\n    return [x.mean(), random.random()]")
    assert len({worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()}) == 2
    for function in (KMeans(), GaussianMixture(), BlackBox(str(path), "f", (0, 0), (1, 1))):
        here = outputs(function, points(3000), blocks(3000, 20), seed=3)
        there = outputs(function, points(3000), blocks(3000, 20), seed=3, executor=client.get_executor())
        assert here.values.tobytes() == there.values.tobytes()
        assert here.fell_back == there.fell_back == 0


def test_a_file_that_cannot_be_loaded_is_named_from_afar(client, tmp_path):
    (tmp_path / "bad.py").write_text("def f(x): pass\n1/0")
    function = BlackBox(str(tmp_path / "bad.py"), "f", (0,), (1,))
    with pytest.raises(ParameterError, match=r"line 2 of bad\.py"):
        outputs(function, points(9), blocks(9, 3), seed=1, executor=client.get_executor())
