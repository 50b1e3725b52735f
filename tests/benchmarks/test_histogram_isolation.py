"""How round Voronoi cells are, and how well guesses from histograms isolate a record.

Reported; asserted is no more than what holds for certain.  Run with
``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks/test_histogram_isolation.py``.
"""

import numpy as np
import pytest
from roundness import roundness

from engine import catalog
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import Guessed
from engine.histograms.isolation import Isolation
from engine.privacy import NO_PROMISE
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

N, T = 3000, 10


def uniform(d: int, n: int = N) -> Points:
    return Points(np.random.default_rng(d).random((n, d)), Box.of([0] * d, [1] * d))


@pytest.mark.parametrize(
    ("name", "d", "settings"),
    [
        ("histogram-voronoi-net", 1, {}),
        ("histogram-voronoi-net", 2, {}),
        ("histogram-voronoi-net", 3, {"depth": 2}),
        ("histogram-voronoi-random", 1, {}),
        ("histogram-voronoi-random", 2, {"depth": 2}),
        ("histogram-voronoi-random", 3, {"depth": 1}),
    ],
)
def test_roundness_of_voronoi_cells(name, d, settings):
    mechanism = catalog.mechanism(name, t=T, **settings)
    histogram = mechanism.prepare(uniform(d, 20_000), NO_PROMISE).histogram(reproducible(1))
    for level in roundness(histogram.tree)[1:]:
        print(
            f"{name} d = {d} level {level.level}: {level.cells} cells, k median {np.median(level.k):.1f}, "
            f"largest {level.k.max():.1f}"
        )
        assert (level.k >= 1).all()


@pytest.mark.parametrize(("d", "c"), [(2, 2.0), (2, 4.0), (8, 2.0), (8, 4.0)])
def test_guesses_that_isolate(d, c):
    """Chances of a blind guess fall with d, those of a guess from small cells do not."""
    data = uniform(d)
    names = ["histogram-recursive", "histogram-shifted", "histogram-embedded"]
    names += ["histogram-voronoi-net", "histogram-voronoi-random"] if d <= 3 else []
    for name in names:
        histogram = catalog.mechanism(name, t=T).prepare(data, NO_PROMISE).histogram(reproducible(1))
        guessed = Guessed.against(Isolation(data.values), histogram, data.domain, T, 5000, reproducible(2))
        attempts = guessed.attempts(c, T)
        rates = ", ".join(
            f"{attempt.attack} {attempt.hits.rate:.2f}{'' if attempt.aimed else ' (no cell with one)'} "
            f"[{attempt.interval()[0]:+.2f}, {attempt.interval()[1]:+.2f}]"
            for attempt in attempts
        )
        print(f"d = {d}, c = {c:g}, {name}: blind {attempts[0].baseline.rate:.2f}; {rates}")
        assert all(0 <= attempt.hits.rate <= 1 for attempt in attempts)
