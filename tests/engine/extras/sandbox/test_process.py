"""Functions from a file, in real processes: whatever they do, the run ends well."""

import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from black_boxes import (
    FAILS,
    FITS,
    IS_LARGE,
    IS_WELL,
    SOURCE,
    TAKES_LONG,
    all_end,
    blocks,
    box,
    data,
    marked_blocks,
    outputs,
    processes_of,
)

from engine.aggregation.running import outputs as run
from engine.extras.sandbox import process
from engine.progress import Cancelled

DEFAULT = [0.5, 5.0]
LINUX = sys.platform == "linux"

# Limits where one is to be reached; elsewhere they are generous, for the machine may be busy.
TROUBLE = [
    ("FAILS", FAILS, {}),
    ("TAKES_LONG", TAKES_LONG, {"seconds": 0.5}),
    *([("IS_LARGE", IS_LARGE, {"memory_mb": 50})] if LINUX else []),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("functions")
    (folder / "beside.py").write_text("")
    path = folder / "mine.py"
    path.write_text(SOURCE, "utf-8")
    return path


AT_WORK = 3
"""Processes at least, while a block is at work that has forked."""


def means(points, split):
    members = np.concatenate([*split.members])
    return points.values[members].mean(axis=1) * [1, 10]


@pytest.mark.parametrize(("name", "ways", "limits"), TROUBLE, ids=[name for name, *_ in TROUBLE])
def test_blocks_on_which_it_fails_get_the_default_and_the_others_their_output(
    file, name, ways, limits, capfd
):
    points, split, places = marked_blocks(ways)
    found = outputs(box(file, name, **limits), points, split, 1)
    expected = means(points, split)
    expected[places] = DEFAULT
    assert np.allclose(found.values, expected, rtol=1e-14)
    assert found.fell_back == len(ways)
    assert capfd.readouterr() == ("", "")


def test_what_else_it_does_changes_nothing(file, capfd):
    points, split, _ = marked_blocks(IS_WELL)
    found = outputs(box(file, "IS_WELL"), points, split, 1)
    assert np.allclose(found.values, means(points, split), rtol=1e-14)
    assert found.fell_back == 0
    assert capfd.readouterr() == ("", "")


def test_processes_that_it_starts_end_with_it(file):
    found = outputs(box(file, "forks"), data(), blocks(), 1)
    assert np.allclose(found.values, means(data(), blocks()), rtol=1e-14)
    assert all_end(file)


def test_nothing_is_left_from_the_block_before(file):
    """Each block is the first that the function has seen."""
    found = outputs(box(file, "counts"), data(), blocks(), 1)
    assert found.values.tolist() == [[1.0, 1.0]] * 5


def test_what_it_draws_follows_from_the_seed(file):
    first, again, other = (
        outputs(box(file, "draws"), data(seed=s), blocks(), seed).values
        for s, seed in ((1, 7), (2, 7), (1, 8))
    )
    assert np.array_equal(first, again)
    assert not np.isin(first, other).any()
    assert len(np.unique(first)) == 10
    words = [outputs(box(file, "hashes"), data(), blocks(), seed).values for seed in (1, 2)]
    assert np.array_equal(*words)


def test_it_may_write_to_its_block(file):
    points = data()
    before = points.values.copy()
    assert outputs(box(file, "writes"), points, blocks(), 1).values.tolist() == [[0.25, 2.5]] * 5
    assert np.array_equal(points.values, before)


def test_what_fits_is_taken(file):
    points, split, (column, whole_numbers, far) = marked_blocks(FITS)
    found = outputs(box(file, "FITS"), points, split, 1).values
    assert np.allclose(found[column], means(points, split)[column])
    assert found[whole_numbers].tolist() == [1.0, 1.0]
    assert found[far].tolist() == [0.0, 10.0]


def test_a_large_block_passes(file):
    points = data(200_000)
    found = outputs(box(file, "good"), points, blocks(200_000, 3), 1).values
    assert np.allclose(found[0], points.values[blocks(200_000, 3).members[0][0]].mean(axis=0) * [1, 10])


@pytest.mark.slow
def test_a_block_that_takes_long_to_arrive_leaves_nothing_for_the_next(file):
    """The limit is that of the function; were it over before all is read, the rest would come next."""
    large, small = np.full((4_000_000, 2), 0.25), np.full((3, 2), 0.5)
    with box(file, "good", seconds=0.05).opened() as pool:
        answers = []
        for _ in range(3):
            pool.apply(large[None], np.array([1]))
            answers.append(pool.apply(small[None], np.array([1]))[0].tolist())
    assert [0.5, 5.0] in answers  # on a busy machine even a small block may be late


@pytest.mark.slow
def test_the_executor_changes_nothing(file):
    expected = outputs(box(file, "draws"), data(), blocks(), 7).values
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        assert np.array_equal(outputs(box(file, "draws"), data(), blocks(), 7, processes).values, expected)


@pytest.mark.slow
def test_where_a_system_cannot_fork_each_block_has_a_new_interpreter(file, monkeypatch):
    monkeypatch.setattr(process, "START_METHOD", "alone")
    split = blocks(39, 3)
    assert run(box(file, "counts"), data(39), split, seed=1).values.tolist() == [[1.0, 1.0]] * 3
    points = data(39).replaced(int(split.members[0][1, 2]), [0.0, 0.0])
    expected = means(points, split)
    expected[1] = DEFAULT
    for name in ("raises", "exits_at_once", "sleeps"):
        found = run(box(file, name, seconds=0.5), points, split, seed=1)
        assert np.allclose(found.values, expected, rtol=1e-14)


@pytest.mark.skipif(not LINUX, reason="which processes there are can be read only here")
def test_cancelling_ends_it_and_what_it_has_started(file):
    asked = []

    def progress(fraction, message=""):
        if len(processes_of(file)) >= AT_WORK:
            asked.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        outputs(box(file, "late", seconds=900.0), data(), blocks(), 1, None, progress)
    assert time.monotonic() - asked[0] < 300  # and not 900
    assert all_end(file)


DRIVER = """
import sys
import numpy as np
from engine.extras.sandbox.black_box import BlackBox
from engine.aggregation.blocks import Partition
from engine.aggregation.running import outputs
from engine.data.points import Points
from engine.domain import Box
box = Box.of([0.0, 0.0], [1.0, 1.0])
blocks = Partition(blocks=3).draw(9, np.random.default_rng(1))
outputs(BlackBox(sys.argv[1], "late", (0.0,), (1.0,), 600.0), Points(np.ones((9, 2)), box), blocks, seed=1)
"""


@pytest.mark.skipif(not LINUX, reason="which processes there are can be read only here")
def test_if_the_program_dies_nothing_runs_on(file):
    program = subprocess.Popen([sys.executable, "-P", "-c", DRIVER, str(file)])
    until = time.monotonic() + 30
    while len(processes_of(file)) < AT_WORK + 1 and time.monotonic() < until:
        time.sleep(0.1)  # each look reads what all processes are called
    assert len(processes_of(file)) > AT_WORK
    program.send_signal(signal.SIGKILL)
    program.wait()
    assert all_end(file)


def test_the_file_runs_as_it_was_read(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def good(x): return [0.25, 1.0]")
    with box(path, "good").opened() as pool:
        path.write_text("def good(x): return [0.75, 1.0]")
        assert pool.apply(np.full((2, 3, 2), 0.5), np.array([1, 2])).tolist() == [[0.25, 1.0]] * 2


def test_each_block_loads_the_file_for_itself(tmp_path):
    """Else what it prepares, or asks to be done before a fork, would be shared by all blocks."""
    path = tmp_path / "mine.py"
    path.write_text(
        "import mmap, os\n"
        "shared, seen = mmap.mmap(-1, 8), []\n"
        "if hasattr(os, 'register_at_fork'): os.register_at_fork(before=lambda: seen.append(1))\n"
        "def good(x):\n"
        "    before, shared[0] = shared[0], 1\n"
        "    return [before, len(seen)]\n"
    )
    assert outputs(box(path, "good"), data(), blocks(), 1).values.tolist() == [[0.0, 0.0]] * 5
