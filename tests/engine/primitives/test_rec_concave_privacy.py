"""RecConcave does not tell neighbours apart: its steps, their sum, and every branch of it."""

import itertools
import math
import sys

import numpy as np
import pytest
from discrete import hockey_stick
from quasi_concave import exact, shapes, step_of

from engine.audit import audit
from engine.primitives import (
    exponential_mechanism,
    needed_promise,
    rec_concave,
)
from engine.primitives.rec_concave import _best_minima, _stable_block
from engine.privacy import Privacy, compose
from engine.progress import silent
from engine.sampling.choice import on_grid


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
            first, second = (_best_minima(one, progress=silent) for one in (quality, other))
            good, best = on_grid(0.4 * promise), on_grid(promise)
            quality, other = (np.minimum(one[:-1] - good, best - one[1:]) for one in (first, second))
            assert np.abs(other - quality).max() <= 1
            quality, other = np.repeat(quality, 20), np.repeat(other, 20)
            other[0] = quality[0] + 1
