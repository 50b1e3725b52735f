"""Releases draw from the operating system, simulations from a seed."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from scipy.special import kolmogorov

from engine.randomness import (
    is_release,
    public_generator,
    random_bits,
    random_words,
    reproducible,
    secure,
)


def test_a_seed_reproduces_and_is_no_release():
    assert reproducible(7).random(5).tolist() == reproducible(7).random(5).tolist()
    assert not is_release(reproducible(7))
    assert is_release(secure())
    assert not is_release(np.random.default_rng())


def test_every_bit_comes_from_the_operating_system(monkeypatch):
    """With urandom replaced by known bytes, the draws are those bytes."""
    block = bytes(range(256)) * 16
    monkeypatch.setattr(os, "urandom", lambda size: block[:size])
    word = int.from_bytes(block[:8], "little")
    assert public_generator(secure()).random() == (word >> 11) * 2.0**-53
    assert secure().integers(0, 2**64, dtype=np.uint64) == word


@pytest.mark.parametrize("draw", ["uniform", "normal"])
def test_the_draws_are_distributed_as_they_should(draw):
    """Kolmogorov-Smirnov at a false-alarm probability of 1e-9."""
    from scipy.special import ndtr

    n, rng = 100_000, public_generator(secure())
    values = np.sort(rng.random(n) if draw == "uniform" else ndtr(rng.standard_normal(n)))
    steps = np.arange(n + 1) / n
    distance = max(np.max(steps[1:] - values), np.max(values - steps[:-1]))
    assert kolmogorov(distance * np.sqrt(n)) > 1e-9


def test_threads_share_a_generator_and_nothing_dangles():
    rng = public_generator(secure())
    gc.collect()
    parts = []
    threads = [threading.Thread(target=lambda: parts.append(rng.random(20_000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = np.concatenate(parts)
    assert np.unique(together).size == together.size == 80_000


def test_words_of_both_sizes_use_all_their_bytes(monkeypatch):
    block = bytes(range(7, 263 - 7)) * 17
    monkeypatch.setattr(os, "urandom", lambda size: block[:size])
    drawn = secure().integers(0, 2**32, size=4, dtype=np.uint32)
    assert drawn.tolist() == [int.from_bytes(block[i : i + 4], "little") for i in range(0, 16, 4)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_process_draws_other_numbers():
    rng = secure()
    rng.integers(2)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, rng.bytes(16))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 16) != rng.bytes(16)
    os.close(reading)
    os.close(writing)


def test_a_failing_source_ends_the_process_rather_than_releasing():
    """An exception in the callback would otherwise become the number 0."""
    script = (
        "import os, resource\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "from engine.randomness import secure\n"
        "rng = secure()\n"
        "def fail(size): raise KeyboardInterrupt\n"
        "os.urandom = fail\n"
        "print(rng.integers(10))\n"
    )
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode != 0
    assert done.stdout == b""


@pytest.mark.parametrize("name", ["laplace", "normal", "standard_normal", "random", "uniform", "binomial"])
def test_a_release_cannot_draw_noise_in_double_precision(name):
    with pytest.raises(TypeError, match="double precision"):
        getattr(secure(), name)(3)


def test_what_a_release_can_draw_is_listed():
    """Whatever numpy adds one day is closed as well."""
    rng = secure()
    open_ones = {
        name for name in dir(rng) if not name.startswith("_") and "refuse" not in repr(getattr(rng, name))
    }
    assert open_ones == {
        "bit_generator", "bytes", "integers", "permutation", "permuted", "shuffle", "spawn"
    }  # fmt: skip


def test_public_choices_of_a_simulation_follow_from_its_seed():
    rng = reproducible(7)
    assert public_generator(rng) is rng
    assert not is_release(public_generator(secure()))


def test_random_bits_are_those_of_the_operating_system(monkeypatch):
    monkeypatch.setattr(os, "urandom", lambda size: bytes(range(1, size + 1)))
    assert random_bits(8) == 1
    assert random_bits(3) == 1 >> 5
    assert random_bits(16) == 1 + 256 * 2
    assert random_words(2).tolist() == [
        int.from_bytes(bytes(range(first, first + 8)), "little") for first in (1, 9)
    ]


@pytest.mark.parametrize("draw", [lambda: random_bits(5), lambda: random_words(2)])
def test_a_failing_source_ends_a_release(monkeypatch, draw):
    def fail(size):
        raise OSError("no entropy")

    monkeypatch.setattr(os, "urandom", fail)
    with pytest.raises(OSError, match="no entropy"):
        draw()
