"""RecConcave: its exact outcome probabilities, straight from the definition, on short arrays."""

import itertools
import math
import sys

import numpy as np
import pytest
from discrete import assert_drawn_from, hockey_stick, laplace_below

from engine.audit import audit
from engine.errors import ParameterError
from engine.primitives import (
    exponential_mechanism,
    iterated_logarithm,
    needed_promise,
    published_promise,
    rec_concave,
    selection_probabilities,
)
from engine.primitives.rec_concave import _best_minima, _choose, _stable_block, levels
from engine.privacy import Privacy, compose
from engine.progress import Cancelled, silent
from engine.randomness import reproducible, secure
from engine.sampling.scores import on_grid

ROOMY = Privacy(12.0, 0.3)
"""So little privacy that short arrays meet their promise with small numbers."""


def windows(quality):
    """L(0), ..., L(J + 1) by looking at every interval of the padded array."""
    last = math.ceil(math.log2(len(quality)))
    padded = [*quality, *[min(0, quality[-1])] * (2**last - len(quality))]
    best = [max(min(padded[i : i + 2**j]) for i in range(2**last - 2**j + 1)) for j in range(last + 1)]
    return np.array([*best, min(0, best[-1])])


def choices(quality, width, offset, step):
    """The blocks of a partition and with which probability each is chosen; None for no block."""
    cuts = [c for c in range(offset - width, len(quality), width) if c + width > 0]
    blocks = [set(range(max(c, 0), min(c + width, len(quality)))) for c in cuts]
    if len(blocks) == 1:
        return {frozenset(blocks[0]): 1.0}
    peaks = [max(quality[i] for i in block) for block in blocks]
    best = int(np.argmax(peaks))
    ahead = peaks[best] - max(peaks[:best] + peaks[best + 1 :])
    distance = max(0.0, ahead / 2 - 1)
    passes = 1 - float(
        laplace_below(math.log(1 / (2 * step.delta)) / step.epsilon - distance, 1 / step.epsilon)
    )
    return {frozenset(blocks[best]): passes, None: 1 - passes}


def exact(quality, promise, step, alpha, depth):
    """The probability of each answer, by following every branch."""
    quality = list(map(float, quality))
    if depth == 0:
        return selection_probabilities(quality, step.epsilon)
    best = windows(quality)
    fits = np.minimum(best[:-1] - (1 - alpha) * promise, promise - best[1:])
    total = np.zeros(len(quality))
    for k, chance in enumerate(exact(fits, alpha * promise / 2, step, 0.25, depth - 1)):
        width = 8 * 2**k
        pairs = itertools.product(
            choices(quality, width, 0, step).items(), choices(quality, width, width // 2, step).items()
        )
        for (a, p), (b, q) in pairs:
            candidates = sorted((a or frozenset()) | (b or frozenset()))
            if candidates:
                found = selection_probabilities([quality[i] for i in candidates], step.epsilon)
                total[candidates] += chance * p * q * found
            else:
                total[-1] += chance * p * q
    return total


def step_of(privacy, depth):
    return Privacy(privacy.epsilon / (1 + 3 * depth), privacy.delta / (2 * depth) if depth else 0.0)


def shapes(size, promise, alpha):
    """Quasi-concave arrays whose peak is just the promise, of many shapes and places."""
    i = np.arange(size)
    places = sorted({0, 1, size // 3, size // 2, size - 2, size - 1, *range(3, size, 4)} & set(range(size)))
    just_bad = (1 - alpha) * promise - 1e-9
    for place in places:
        off = np.abs(i - place)
        for low in (just_bad, 0.0, -promise, -1e6):
            yield np.where(off == 0, promise, low)  # a needle
        for width in (1, 2, 3, 4, 7, 8, 15, 30):
            yield np.where(off <= width, promise, just_bad)  # a plateau
            yield np.where((i >= place) & (i - place < width), promise, just_bad)
            yield np.where((i <= place) & (place - i < width), promise, just_bad)
            # a needle on a shelf that is hardly good enough
            shelf = np.where((i >= place) & (i - place < 2 * width), (1 - alpha) * promise, just_bad)
            yield np.where(off == 0, promise, shelf)
        for slope in (0.02, 0.1, 0.5):
            yield promise * (1 - slope * off)
        yield promise * (1 - np.log2(1 + off) / 6)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 16, 33])
def test_best_minima_over_intervals(size):
    rng = np.random.default_rng(size)
    for shift in (-5.0, 0.0, 5.0):
        quality = rng.integers(-4, 5, size) + shift
        np.testing.assert_array_equal(_best_minima(quality, silent), windows(list(quality)))


class Fixed:
    """Laplace noise whose distribution function is `level`."""

    def __init__(self, level):
        self.level = level

    def laplace(self, loc, scale, size):
        return loc + scale * (math.log(2 * self.level) if self.level < 0.5 else -math.log(2 - 2 * self.level))


def choice_probabilities(peaks, step, width=8):
    """Pr[each block], then Pr[none], from the implementation by bisection over its noise."""
    quality = np.repeat(np.asarray(peaks, dtype=float), width)
    low, high = 0.0, 1.0
    for _ in range(45):
        middle = (low + high) / 2
        if _stable_block(quality, width, width, step, Fixed(middle)) is None:
            low = middle
        else:
            high = middle
    block = _stable_block(quality, width, width, step, Fixed(1 - 1e-12))
    chances = np.zeros(len(peaks) + 1)
    chances[block.start // width] = 1 - low
    chances[-1] = low
    assert block == slice(block.start, block.start + width)
    return chances


def test_the_stable_choice_is_private():
    step = Privacy(0.8, 1e-3)
    table = list(itertools.product(range(24), range(4), range(2)))
    chances = np.array([choice_probabilities(peaks, step) for peaks in table])
    near = np.abs(np.array(table)[:, None] - np.array(table)[None]).max(axis=2) <= 1
    first, second = np.nonzero(near)
    worst = hockey_stick(chances[first], chances[second], step.epsilon).max()
    assert 0.99 * step.delta < worst <= step.delta * (1 + 1e-6)
    less = hockey_stick(chances[first], chances[second], 0.95 * step.epsilon).max()
    assert less > 3 * step.delta
    # with the gap itself for a distance, as if it had sensitivity 1, the check fails
    gap = {peaks: 2 * np.array(peaks) + 2 * (np.arange(3) == np.argmax(peaks)) for peaks in table}
    wrong = np.array([choice_probabilities(gap[peaks], step) for peaks in table])
    assert hockey_stick(wrong[first], wrong[second], step.epsilon).max() > 2 * step.delta


@pytest.mark.parametrize(("depth", "size"), [(0, 20), (1, 5), (1, 40), (1, 77), (2, 40), (3, 77)])
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
def test_every_branch_is_taken_as_often_as_the_definition_says(depth, size, drawing):
    """With qualities, a promise and steps for which nothing is sure."""
    rng, drawn_by = np.random.default_rng(8 + size), drawing(size)
    off = np.abs(np.arange(size) - size // 3)
    step = Privacy(0.7, 0.1)
    for quality in (14.0 - off, np.where(off < 3, 12.0, -off), rng.normal(0, 3, size) - 4 * np.sqrt(off)):
        drawn = [_choose(quality, 10.0, 0.6, step, depth, drawn_by, silent) for _ in range(2000)]
        assert_drawn_from(drawn, exact(quality, 10.0, step, 0.6, depth))


def test_every_level_solves_the_problem_of_the_definition(monkeypatch):
    asked = []

    def choose(quality, promise, alpha, *rest):
        asked.append((quality, promise, alpha))
        return _choose(quality, promise, alpha, *rest)

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


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_steps_compose_to_the_whole(depth, monkeypatch):
    spent = []

    def choose(scores, epsilon, rng):
        spent.append(Privacy(epsilon))
        return exponential_mechanism(scores, epsilon, rng)

    def choose_block(quality, width, offset, step, rng):
        spent.append(step)
        return _stable_block(quality, width, offset, step, rng)

    module = sys.modules[rec_concave.__module__]
    monkeypatch.setattr(module, "exponential_mechanism", choose)
    monkeypatch.setattr(module, "_stable_block", choose_block)
    quality = 1e9 - 1e7 * np.abs(np.arange(200.0) - 70)
    rec_concave(quality, 1e9, Privacy(1.7, 1e-3), np.random.default_rng(12), depth=depth)
    total = compose(spent)
    assert len(spent) == 1 + 3 * depth
    assert total.epsilon == pytest.approx(1.7)
    assert total.delta == pytest.approx(1e-3 if depth else 0)


def test_neighbours_are_not_told_apart():
    """Exact outcome probabilities of many pairs, at the epsilon and delta of the whole."""
    rng, depth, alpha = np.random.default_rng(9), 1, 0.6
    privacy = Privacy(3.0, 0.2)
    step, size, promise = step_of(privacy, depth), 40, 30.0
    losses = []
    for quality in itertools.islice(shapes(size, promise, alpha), 0, None, 9):
        moves = [rng.choice([-1.0, 1.0], size), np.where(quality >= quality.max(), 1.0, -1.0)]
        for move in moves:
            p, q = (exact(values, promise, step, alpha, depth) for values in (quality, quality + move))
            losses.append(hockey_stick(p, q, privacy.epsilon))
            losses.append(hockey_stick(p, q, 0.2 * privacy.epsilon))
    assert max(losses[::2]) <= privacy.delta
    assert max(losses[1::2]) > 0  # the pairs do differ


def test_an_audit_finds_nothing():
    privacy, size, runs = Privacy(2.0, 1e-2), 64, 3000
    needed = needed_promise(size, privacy, 0.5, 0.5)
    quality = needed * (1 - 0.05 * np.abs(np.arange(size) - 20.0))
    neighbour = quality + np.where(np.arange(size) < 20, 1.0, -1.0)
    drawn = []
    for values, seed in ((quality, 10), (neighbour, 11)):
        rng = np.random.default_rng(seed)
        drawn.append([float(rec_concave(values, needed, privacy, rng, beta=0.5)) for _ in range(runs)])
    assert not audit(*drawn, privacy, confidence=1 - 1e-6).violated


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


def test_neighbours_are_as_near_on_every_level_as_the_proof_says():
    """Whatever doubles come in: on the grid of scores all differences are exact, and at most 1."""
    rng = np.random.default_rng(17)
    for scale in (1.0, 1e3, 1e9):
        quality = rng.normal(0, scale, 200)
        other = quality + rng.choice([-1.0, 1.0], 200)
        promise = scale / 3
        for _ in range(3):
            near = np.abs(other - quality) <= 1  # a sum may have been rounded up
            quality, other = on_grid(quality), on_grid(np.where(near, other, quality))
            assert np.abs(other - quality).max() == 1
            first, second = (_best_minima(one, silent) for one in (quality, other))
            good, best = on_grid(0.4 * promise), on_grid(promise)
            quality, other = (np.minimum(one[:-1] - good, best - one[1:]) for one in (first, second))
            assert np.abs(other - quality).max() <= 1
            quality, other = np.repeat(quality, 20), np.repeat(other, 20)
            other[0] = quality[0] + 1


@pytest.mark.parametrize("epsilon", [1e-6, 100.0])
def test_releases_of_any_size_come_to_an_end(epsilon):
    quality = 4e9 - 1e6 * np.abs(np.arange(1000.0) - 300)
    promise = needed_promise(1000, Privacy(epsilon, 1e-6))
    assert 0 <= rec_concave(quality, promise, Privacy(epsilon, 1e-6), secure()) < 1000
    assert 0 <= rec_concave(np.zeros(1000), promise, Privacy(epsilon, 1e-6), secure()) < 1000
