"""RecConcave straight from the definition: exact outcome probabilities on short arrays."""

import itertools
import math

import numpy as np
from discrete import laplace_below
from numpy.lib.stride_tricks import sliding_window_view

from engine.primitives import (
    selection_probabilities,
)
from engine.privacy import Privacy


def windows(quality):
    """L(0), ..., L(J + 1) by looking at every interval of the padded array."""
    last = math.ceil(math.log2(len(quality)))
    padded = [*quality, *[min(0, quality[-1])] * (2**last - len(quality))]
    best = [float(sliding_window_view(padded, 2**j).min(axis=1).max()) for j in range(last + 1)]
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
