"""Stable cells: counts by definition, the law on tiny domains, and how often there is an answer."""

import itertools
import math

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.stable_cell import StableCell
from engine.primitives.stable_argmax import stability_needed
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE = Box.of([0.0], [3.0])
SQUARE = Box.of([0, 10], [1, 30])


def law(values, privacy):
    """Return the probability of each of three cells, and of none, by quadrature of the definition."""
    scale, counts = 2 / privacy.epsilon, [sum(int(value) == cell for value in values) for cell in range(3)]
    threshold = 1 + scale * math.log(1 / (2 * privacy.delta))
    x = np.linspace(threshold, threshold + 60 * scale, 20_001)
    below = {c: 1 - np.exp(-(x - c) / scale) / 2 for c in set(counts)}
    found = []
    for cell, count in enumerate(counts):
        others = [below[c] for place, c in enumerate(counts) if place != cell and c]
        density = np.exp(-(x - count) / scale) / (2 * scale) * np.prod([np.ones_like(x), *others], axis=0)
        found.append(float(np.trapezoid(density, x)) if count else 0.0)
    return np.array([*found, 1 - sum(found)])


@pytest.mark.parametrize("privacy", [Privacy(1.0, 0.05), Privacy(2.0, 1e-3)], ids=str)
def test_the_law_is_private_on_all_neighbours(privacy):
    laws = {x: law(x, privacy) for x in itertools.product((0.5, 1.5, 2.5), repeat=3)}
    worst = 0.0
    for x in laws:
        for value in (0.5, 1.5, 2.5):
            y = (value, *x[1:])
            excess = np.maximum(laws[x] - math.exp(privacy.epsilon) * laws[y], 0).sum()
            worst = max(worst, float(excess))
    assert 0.5 * privacy.delta < worst <= privacy.delta * (1 + 1e-6)


def test_what_is_drawn_has_this_law():
    """Each share of 20,000 draws is within 5.5 standard deviations: a false alarm below 1e-6."""
    privacy, values = Privacy(1.0, 0.05), (0.5, 0.5, 0.5, 1.5)
    ready = StableCell(cells=3).prepare(Points(np.array(values)[:, None], LINE), privacy)
    drawn = ready.draw(reproducible(3), 20_000)[:, 0]
    shares = [*(np.mean(drawn == middle) for middle in (0.5, 1.5, 2.5)), np.mean(np.isnan(drawn))]
    for found, share in zip(shares, law(values, privacy), strict=True):
        assert abs(found - share) <= 5.5 * math.sqrt(share * (1 - share) / 20_000) + 1e-4


def test_cells_are_counted_as_defined_in_a_public_order():
    rng = np.random.default_rng(2)
    values = rng.uniform(SQUARE.lower, SQUARE.upper, (300, 2))
    values[0], values[1] = SQUARE.lower, SQUARE.upper
    ready = StableCell(cells=5).prepare(Points(values, SQUARE), Privacy(1.0, 1e-6))
    assert ready.counts.sum() == 300
    half = SQUARE.width / 10
    for middle, count in zip(ready.middles, ready.counts, strict=True):
        low, high = middle - half, middle + half
        last = np.isclose(high, SQUARE.upper)
        inside = np.all((values >= low - 1e-12) & ((values < high - 1e-12) | last), axis=1)
        assert inside.sum() == count
    again = StableCell(cells=5).prepare(Points(values[::-1], SQUARE), Privacy(1.0, 1e-6))
    assert np.array_equal(again.middles, ready.middles)


def test_enough_records_are_answered_and_a_single_one_is_not():
    """An answer fails with probability 1e-9, and one record passes with delta = 1e-9."""
    privacy, mechanism = Privacy(1.0, 1e-9), StableCell(cells=1000, beta=1e-9)
    needed = math.ceil(stability_needed(1000, privacy, 1e-9))
    values = np.concatenate([np.full((needed, 2), 0.25), np.random.default_rng(1).random((1000 - needed, 2))])
    data = Points(values, Box.of([0, 0], [1, 1]))
    release = mechanism.run(data, privacy, secure())
    assert release.value == pytest.approx([0.2505, 0.2505])
    assert release.parameters["needed"] <= needed
    alone = mechanism.prepare(Points([[0.25, 0.25]], data.domain), privacy).draw(reproducible(1), 50)
    assert np.isnan(alone).all()


def test_a_delta_with_which_nothing_is_stable_is_refused():
    for delta in (0.0, 0.6):
        [problem] = StableCell().problems(Privacy(1.0, delta), SQUARE, 10)
        assert problem.field == "delta"
