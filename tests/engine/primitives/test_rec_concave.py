"""RecConcave: promises, levels, and answers as good as stated."""

import itertools
import math
import sys

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws
from quasi_concave import exact, shapes, step_of, windows

from engine.errors import ParameterError
from engine.primitives import (
    iterated_logarithm,
    needed_promise,
    published_promise,
    rec_concave,
)
from engine.primitives.rec_concave import _best_minima, _choose, levels
from engine.privacy import Privacy
from engine.progress import Cancelled, silent
from engine.randomness import reproducible, secure

ROOMY = Privacy(12.0, 0.3)
"""So little privacy that short arrays meet their promise with small numbers."""


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 16, 33])
def test_best_minima_over_intervals(size):
    rng = np.random.default_rng(size)
    for shift in (-5.0, 0.0, 5.0):
        quality = rng.integers(-4, 5, size) + shift
        np.testing.assert_array_equal(_best_minima(quality, progress=silent), windows(list(quality)))


@pytest.mark.parametrize(
    ("depth", "size"),
    [
        (0, 20),
        (1, 5),
        (1, 40),
        (3, 77),
        *(pytest.param(*at, marks=pytest.mark.slow) for at in ((1, 77), (2, 40))),
    ],
)
def test_no_promise_kept_fails_more_often_than_stated(size, depth):
    """Exactly, for every shape: the promise that is needed is enough, a smaller one is not."""
    privacy, alpha, beta = ROOMY, 0.6, 0.3
    step = step_of(privacy, depth)

    def worst(promise):
        fails = [
            exact(quality, promise, step, alpha, depth)[quality < (1 - alpha) * promise].sum()
            for quality in itertools.islice(shapes(size, promise, alpha), 0, None, 3)
        ]
        return max(fails)

    needed = needed_promise(size, privacy, alpha, beta, depth)
    assert worst(needed) <= beta
    if size > 5:
        assert worst(needed * (10.0**-depth if depth else 0.8)) > beta


@pytest.mark.parametrize("drawing", [reproducible, lambda _: secure()], ids=["simulated", "released"])
@pytest.mark.parametrize(("depth", "size"), [(1, 5), (1, 40), pytest.param(2, 100, marks=pytest.mark.slow)])
@number_of_draws(700, 2_000)
def test_every_branch_is_taken_as_often_as_the_definition_says(depth, size, drawing, runs):
    """With qualities, a promise and steps for which nothing is sure."""
    rng, drawn_by = np.random.default_rng(8 + size), drawing(size)
    off = np.abs(np.arange(size) - size // 3)
    step = Privacy(0.7, 0.1)
    for quality in (14.0 - off, np.where(off < 3, 12.0, -off), rng.normal(0, 3, size) - 4 * np.sqrt(off)):
        drawn = [_choose(quality, 10.0, 0.6, step, depth, drawn_by, progress=silent) for _ in range(runs)]
        assert_drawn_from(drawn, exact(quality, 10.0, step, 0.6, depth))


def test_every_level_solves_the_problem_of_the_definition(monkeypatch):
    asked = []

    def choose(quality, promise, alpha, *rest, progress):
        asked.append((quality, promise, alpha))
        return _choose(quality, promise, alpha, *rest, progress=progress)

    monkeypatch.setattr(sys.modules[rec_concave.__module__], "_choose", choose)
    quality, alpha = np.random.default_rng(15).normal(0, 9, 50), 0.8
    rec_concave(quality, 1e6, Privacy(1.0, 1e-3), np.random.default_rng(16), alpha=alpha, depth=2)
    assert [promise for _, promise, _ in asked] == pytest.approx([1e6, 4e5, 5e4])
    assert [part for _, _, part in asked] == [alpha, 0.25, 0.25]
    for (above, promise, part), (below, _, _) in itertools.pairwise(asked):
        best = windows(list(above))
        expected = np.minimum(best[:-1] - (1 - part) * promise, promise - best[1:])
        np.testing.assert_allclose(below, expected)


def test_the_promise_needed_is_what_the_proof_asks_for():
    for size, epsilon, delta, alpha, beta in itertools.product(
        (40, 10**6), (0.4, 30.0), (1e-9, 0.1), (0.2, 0.8), (0.01, 0.5)
    ):
        e, c, b = epsilon / 4, delta / 2, beta / 3
        s = 3 / 8 * alpha * needed_promise(size, Privacy(epsilon, delta), alpha, beta, 1)
        below = 3 / 4 * math.log((7 if size == 40 else 21) / b) * 8 / e
        conditions = [
            2 * (1 + (math.log(1 / (2 * c)) + math.log(1 / (2 * b))) / e),
            2 / e * math.log(16 / b),
            below,
        ]
        # and what is lost on the way to the grid of scores
        assert max(conditions) <= s <= max(conditions) + 2**-16


@pytest.mark.parametrize("size", [33, 64, 65, 1000, 70_000])
def test_a_promise_that_is_kept_gives_a_good_answer(size):
    privacy, rng, alpha, beta = Privacy(1.0, 1e-6), np.random.default_rng(size), 0.5, 0.1
    promise = needed_promise(size, privacy, alpha, beta)
    i = np.arange(size)
    runs, bad = 0, 0
    for place in {0, size // 2, size - 1, *rng.integers(0, size, 5).tolist()}:
        off = np.abs(i - place).astype(float)
        for quality in (
            np.where(off == 0, promise, 0.5 * promise - 1e-6),
            np.where(off <= size / 40, promise, 0.0),
            promise * (1 - np.log2(1 + off) / 8),
            promise - off,
            np.where(i <= place, promise, 0.0),
        ):
            bad += quality[rec_concave(quality, promise, privacy, rng)] < (1 - alpha) * promise
            runs += 1
    # one in ten may fail, but in short arrays the exact probability is below 1e-7
    assert bad == 0
    assert runs >= 5


def test_as_many_levels_as_leave_few_candidates():
    assert [levels(size) for size in (1, 32, 33, 2**31, 2**31 + 1, 2**40)] == [0, 0, 1, 1, 2, 2]


def test_promises_in_print_and_ours():
    assert [iterated_logarithm(x) for x in (1, 2, 4, 16, 17, 65536, 65537, 1e300)] == [0, 1, 2, 3, 4, 4, 5, 5]
    size = math.ceil(2 * 2**16 * math.sqrt(2))
    published = published_promise(size, Privacy(0.5, 1e-6), 0.5, 0.05)
    assert published == pytest.approx(4.9e8, rel=0.01)
    assert needed_promise(size, Privacy(0.5, 1e-6), 0.5, 0.05) < 1e-5 * published
    assert published_promise(size, Privacy(0.5), 0.5, 0.05) == math.inf
    # no levels: the exponential mechanism alone
    assert needed_promise(20, Privacy(2.0), 0.25, 0.1) == pytest.approx(4 * math.log(200))


def test_work_can_be_stopped():
    def stop(fraction, message=""):
        raise Cancelled

    privacy = Privacy(1.0, 1e-6)
    with pytest.raises(Cancelled):
        rec_concave(np.zeros(100), 1e6, privacy, np.random.default_rng(0), progress=stop)


@pytest.mark.parametrize(
    ("size", "privacy", "options", "field"),
    [
        (0, Privacy(1.0, 1e-6), {}, "quality"),
        (33, Privacy(1.0), {}, "delta"),
        (8, Privacy(1.0), {"alpha": 0.0}, "alpha"),
        (8, Privacy(1.0), {"alpha": 1.0}, "alpha"),
        (8, Privacy(1.0), {"beta": 1.0}, "beta"),
    ],
)
def test_what_makes_no_sense_is_refused(size, privacy, options, field):
    with pytest.raises(ParameterError) as caught:
        rec_concave(np.zeros(size), 1e9, privacy, np.random.default_rng(0), **options)
    assert caught.value.field == field


def test_a_promise_that_is_too_small_is_refused_with_the_number_needed():
    privacy = Privacy(1.0, 1e-6)
    needed = needed_promise(1000, privacy)
    for promise in (0.999 * needed, math.nan):
        with pytest.raises(ParameterError, match=f"at least {needed:.6g}") as caught:
            rec_concave(np.full(1000, 1e9), promise, privacy, np.random.default_rng(0))
        assert caught.value.field == "promise"


@pytest.mark.parametrize("epsilon", [1e-6, 100.0])
def test_releases_of_any_size_come_to_an_end(epsilon):
    quality = 4e9 - 1e6 * np.abs(np.arange(1000.0) - 300)
    promise = needed_promise(1000, Privacy(epsilon, 1e-6))
    assert 0 <= rec_concave(quality, promise, Privacy(epsilon, 1e-6), secure()) < 1000
    assert 0 <= rec_concave(np.zeros(1000), promise, Privacy(epsilon, 1e-6), secure()) < 1000
