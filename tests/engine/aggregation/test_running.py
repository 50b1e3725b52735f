"""Functions on blocks: the same outputs whatever runs them, public defaults, and a way to stop."""

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from block_functions import Echo, Fails, Far, Slow

from engine.aggregation.blocks import Blocks, IndependentSubsets, Partition
from engine.aggregation.functions import GaussianMixture, KMeans, MeanFunction
from engine.aggregation.running import outputs
from engine.catalog import offered
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ExecutionError
from engine.progress import Cancelled
from engine.randomness import reproducible

BOX = Box.of([0.0, 0.0], [1.0, 2.0])


def points(n=500, seed=1):
    return Points(np.random.default_rng(seed).random((n, 2)), BOX)


def some_blocks(n=500, m=23, seed=1):
    """Blocks of two sizes."""
    return Partition(blocks=m).draw(n, reproducible(seed))


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        executor.submit(int).result()  # its threads start with the first call
        yield executor


def test_each_output_is_that_of_its_block():
    data, blocks = points(), some_blocks()
    members = [row for group in blocks.members for row in group]
    assert len({len(row) for row in members}) == 2
    expected = [data.values[row].mean(axis=0) for row in members]
    found = outputs(MeanFunction(), data, blocks, seed=1)
    assert np.allclose(found.values, expected, rtol=1e-14)
    assert found.fell_back == 0


@pytest.mark.parametrize(
    "function",
    [kind() for kind in offered("function").values()]
    + [pytest.param(GaussianMixture(fit="em"), marks=pytest.mark.slow)],
    ids=repr,
)
def test_the_executor_changes_nothing(function, processes, monkeypatch):
    data, blocks = points(), some_blocks()
    default = outputs(function, data, blocks, seed=5).values
    with ThreadPoolExecutor(3) as threads:
        assert outputs(function, data, blocks, seed=5, executor=threads).values.tobytes() == default.tobytes()
    assert outputs(function, data, blocks, seed=5, executor=processes).values.tobytes() == default.tobytes()
    for together in (1, 100, 1 << 20):
        monkeypatch.setattr(type(function), "batch_size", together, raising=False)
        assert outputs(function, data, blocks, seed=5).values.tobytes() == default.tobytes()


def test_overlapping_blocks():
    data = points(60)
    blocks = IndependentSubsets(blocks=12, most=5).draw(60, reproducible(2))
    found = outputs(MeanFunction(), data, blocks, seed=1).values
    assert np.allclose(found, data.values[blocks.members[0]].mean(axis=1))


def test_all_of_the_data_can_be_one_block():
    data = points()
    whole = Blocks.of(np.arange(500)[None], s=1)
    assert np.allclose(outputs(MeanFunction(), data, whole, seed=1).values, data.values.mean(axis=0)[None])


def test_seeds_are_public_and_differ():
    """They follow from the one that is given and the number of the block, not from the data."""
    blocks = some_blocks()
    first, again, other = (
        outputs(Echo(), points(seed=s), blocks, seed=seed).values for s, seed in ((1, 3), (2, 3), (1, 4))
    )
    assert np.array_equal(first, again)
    assert not np.isin(first, other).any()
    assert len(np.unique(first[:, 0])) == 23
    assert (first >= 0).all()
    assert (first <= 1).all()


def test_one_person_changes_one_output():
    blocks, data = some_blocks(), points()
    members = [set(row.tolist()) for group in blocks.members for row in group]
    rng = np.random.default_rng(3)
    for function in (KMeans(k=2), GaussianMixture(k=2), Fails()):
        before = outputs(function, data, blocks, seed=1).values
        for record in rng.integers(0, 500, 5).tolist():
            after = outputs(function, data.replaced(record, [0.0, 0.0]), blocks, seed=1).values
            changed = np.flatnonzero((before != after).any(axis=1)).tolist()
            assert changed in ([], [next(i for i, row in enumerate(members) if record in row)])


@pytest.mark.parametrize("how", ["raises", "shape", "text", "nan", "inf", "-inf"])
def test_a_block_that_fails_gets_the_default_and_the_others_their_output(how, processes):
    blocks, data = some_blocks(), points()
    expected = outputs(MeanFunction(), data, blocks, seed=1).values
    members = [row for group in blocks.members for row in group]
    for place in (4, 17):
        data = data.replaced(members[place][0], [0.0, 0.0])
        expected[place] = [0.5, 1.0]
    for executor in (None, processes):
        found = outputs(Fails(how=how), data, blocks, seed=1, executor=executor)
        assert np.allclose(found.values, expected, rtol=1e-14)
        assert found.fell_back == 2


def test_outputs_are_clamped():
    assert outputs(Far(), points(), some_blocks(), seed=1).values.tolist() == [[1.0, 2.0]] * 23


def test_progress_rises_to_the_end():
    seen = []
    outputs(
        Slow(),
        points(50),
        some_blocks(50, 9),
        seed=1,
        executor=None,
        progress=lambda fraction, message="": seen.append(fraction),
    )
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) > 3


def test_it_stops_soon_after_the_user_has_asked():
    begun = []

    class Counted(Slow):
        def apply(self, blocks, seeds):
            begun.append(1)
            return super().apply(blocks, seeds)

    def progress(fraction, message=""):
        if fraction > 0:
            raise Cancelled

    with ThreadPoolExecutor(2) as threads, pytest.raises(Cancelled):
        outputs(Counted(), points(), some_blocks(500, 100), seed=1, executor=threads, progress=progress)
    # what had been handed over was not worked off
    assert 1 <= len(begun) < 30


def test_it_asks_often_even_while_a_block_takes_long():
    asked, enough, waited = [], threading.Event(), []

    def progress(fraction, message=""):
        asked.append(fraction)
        if len(asked) == 5:
            enough.set()
            raise Cancelled

    class Waits(MeanFunction):
        def apply(self, blocks, seeds):
            waited.append(enough.wait(60))
            return super().apply(blocks, seeds)

    with pytest.raises(Cancelled):
        outputs(Waits(), points(), some_blocks(), seed=1, executor=None, progress=progress)
    assert waited == [] or all(waited)


def test_an_executor_that_breaks_is_named():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        process = executor.submit(os.getpid).result()
        os.kill(process, 9)
        with pytest.raises(ExecutionError, match=r"has failed \(BrokenProcessPool\); free some memory"):
            outputs(MeanFunction(), points(), some_blocks(), seed=1, executor=executor)


def test_an_executor_that_is_shut_down_is_named():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(ExecutionError, match="executor of the blocks has failed"):
        outputs(MeanFunction(), points(), some_blocks(), seed=1, executor=executor)


def test_the_executor_is_left_open():
    with ThreadPoolExecutor(1) as threads:
        for _ in range(2):
            outputs(MeanFunction(), points(), some_blocks(), seed=1, executor=threads)
        assert threads.submit(int).result() == 0
