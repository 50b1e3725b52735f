"""How much memory is free, on the machine and within limits, and what is said where it is too little."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine import (
    Box,
    CenterOfAttention,
    OneCluster,
    Partition,
    Points,
    Privacy,
    SampleAggregate,
    profile_radii,
)
from engine import free_memory as module
from engine.errors import SensiscopeError
from engine.free_memory import MemoryNeeded, free_memory, lack_of_memory


def group(folder: Path, limit: str, taken: int, files: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{taken}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {files}\n")


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Return a folder of groups; this process belongs to "outer/inner" in it."""
    monkeypatch.setattr(module, "CONTROL_GROUPS", tmp_path)
    monkeypatch.setattr(module, "_own_group", lambda: tmp_path / "outer" / "inner")
    return tmp_path


def test_without_limits_what_the_machine_has_is_free(groups):
    group(groups / "outer", "max", 10, 0)
    assert 0.5 < free_memory() / psutil.virtual_memory().available < 2


@pytest.mark.parametrize(
    ("outer", "inner", "free"),
    [
        (("9000", 1000, 0), ("max", 0, 0), 8000),
        (("9000", 1000, 0), ("5000", 1000, 500), 4500),
        (("9000", 8900, 0), ("5000", 100, 0), 100),
        (("max", 0, 0), ("100", 900, 0), 0),
    ],
)
def test_the_narrowest_limit_counts_and_copies_of_files_are_given_back(groups, outer, inner, free):
    group(groups / "outer", *outer)
    group(groups / "outer" / "inner", *inner)
    assert free_memory() == free


def test_what_is_lacking_is_said_with_both_numbers(groups):
    group(groups / "outer" / "inner", "2000000000", 500_000_000, 0)
    assert lack_of_memory(1.4e9) == ""
    assert lack_of_memory(3e9) == "it needs about 3.0 GB of memory, and 1.5 GB are free"
    group(groups / "outer" / "inner", "2000000000", 1_970_000_000, 0)
    assert lack_of_memory(4e7) == "it needs about 40 MB of memory, and 30 MB are free"


PRIVACY = Privacy(1.0, 1e-6)


def points(n):
    return Points(np.random.default_rng(n).uniform(0, 1, (n, 2)), Box.of([0, 0], [1, 1]))


def test_a_job_that_does_not_fit_is_refused_before_it_begins(groups):
    group(groups / "outer" / "inner", "300000000", 0, 0)
    MemoryNeeded(2e8).ask("a job")
    many = SampleAggregate(sampling=Partition(blocks=100_000), aggregator=CenterOfAttention())
    with pytest.raises(SensiscopeError) as refused:
        many.run(points(200_000), PRIVACY)
    assert str(refused.value) == (
        "Sample and aggregate of n = 200,000: it needs about 0.4 GB of memory, and 0.3 GB are free; "
        "use fewer blocks"
    )
    with pytest.raises(SensiscopeError, match=r"0\.8 GB.*use a part of the records, or the method tight-b"):
        OneCluster().refuse(PRIVACY, Box.of([0, 0], [1, 1]), 10**7)


def test_so_is_an_analysis(groups):
    group(groups / "outer" / "inner", "150000000", 0, 0)
    mechanism = SampleAggregate(sampling=Partition(blocks=3000), aggregator=CenterOfAttention())
    with pytest.raises(SensiscopeError, match=r"Radii of 3,000 outputs: it needs about 0\.2 GB"):
        profile_radii(mechanism, points(6000), PRIVACY)


@pytest.mark.slow
def test_what_is_asked_for_is_about_what_is_taken():
    for mechanism, n in ((OneCluster(), 10**6), (SampleAggregate(sampling=Partition(blocks=4000)), 20_000)):
        data = points(n)
        mechanism.prepare(points(5000), PRIVACY)  # what is imported only once does not count
        tracemalloc.start()
        mechanism.prepare(data, PRIVACY)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 0.7 <= mechanism.resources(data.domain, n).memory.size / taken <= 1.5


@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_AS"), reason="only Linux has this limit")
def test_what_ulimit_leaves_counts():
    code = (
        "import resource, psutil; from engine.free_memory import free_memory;"
        "resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2); used = psutil.Process().memory_info().vms;"
        "print(free_memory() - (3 * 10**9 - used))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert abs(int(ran.stdout)) < 10_000_000
