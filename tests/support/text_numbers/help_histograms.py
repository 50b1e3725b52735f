"""Numbers in the help pages of histograms."""

import math
from functools import cache

import numpy as np
from roundness import roundness

from engine import catalog
from engine.analysis.histogram_accuracy import density_rate
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.privtree import path_constant
from engine.histograms.attacks import BASELINE, Guessed
from engine.histograms.grid import MAX_CELLS
from engine.histograms.isolation import Isolation
from engine.histograms.matching import MAX_MATCHED
from engine.histograms.radii import cell_diameters
from engine.histograms.ranges import QUESTIONS, Ranges
from engine.histograms.voronoi import MAX_KEPT_CENTERS
from engine.histograms.voronoi_centers import LARGEST_COUNT
from engine.mechanisms import MECHANISMS
from engine.mechanisms.histograms.components import MAX_COMPONENTS
from engine.mechanisms.histograms.perturbed import own_isolation_bound
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import NO_PROMISE, ZERO_OUT, Privacy
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers._lesson_data import points

RECORDS, T, TRIALS = 3000, 10, 5000
"""Even records, the t of isolation, and guesses at them."""
DRAWS = 100
EXACT = ("recursive", "shifted", "embedded", "voronoi-net", "voronoi-random")
SIGMA = analytic_gaussian_sigma(Privacy(1.0, 1e-6))


def even(dimension, n=RECORDS):
    """Return records drawn evenly from the unit cube."""
    values = np.random.default_rng(dimension).random((n, dimension))
    return Points(values, Box.of([0] * dimension, [1] * dimension))


def drawer(name, data, **settings):
    """Return a function that draws a histogram, private ones with epsilon = 1."""
    full = f"histogram-{name}" if f"histogram-{name}" in MECHANISMS else name
    privacy = NO_PROMISE if name in (*EXACT, "perturbed-points") else Privacy(1.0)
    ready, rng = catalog.mechanism(full, **settings)._sanitizer(data, privacy), reproducible(1)
    return lambda: ready.histogram(rng)


@cache
def guessed(name, dimension, **settings):
    """Return guesses from one histogram of even records."""
    data = even(dimension)
    histogram = drawer(name, data, t=T, **settings)()
    return Guessed.against(Isolation(data.values), histogram, data.domain, T, TRIALS, reproducible(2))


def isolating(name, dimension, c, attack="singleton", **settings):
    """Return the share of guesses that isolate a record."""
    found = {one.attack: one for one in guessed(name, dimension, **settings).attempts(c, T)}
    if attack == BASELINE:
        return found["occupied"].baseline.rate
    assert attack != "singleton" or found[attack].aimed
    return found[attack].hits.rate


@cache
def airports():
    return points("histogram", "histogram-shifted", "airports", (-125, 24), (-66, 50))


@cache
def of_airports(name, draws=DRAWS, **settings):
    """Return the median number of cells, and of the mean error of counts in public boxes."""
    data = airports()
    ranges, draw = Ranges.within(data.domain), drawer(name, data, **settings)
    exact = ranges.exact(data.values)
    drawn = [draw() for _ in range(draws)]
    errors = [np.abs(ranges.answers(one) - exact).mean() for one in drawn]
    return int(np.median([one.size for one in drawn])), float(np.median(errors))


@cache
def diameter(name, data, draws=300):
    """Return the mean diameter of the cells of all records, with t = 50."""
    draw = drawer(name, data, t=50)
    return float(np.mean([cell_diameters(draw(), data.values).mean() for _ in range(draws)]))


def middle():
    return points("histogram", "histogram-shifted", "around-the-middle")


def clump(n):
    """Return the mean diameter of cells of records within a millionth of each other."""
    values = 0.3 + np.random.default_rng(1).uniform(0, 1e-6, (n, 2))
    return diameter("shifted", Points(values, Box.of([0, 0], [1, 1])))


@cache
def round_cells(name, **settings):
    """Return medians and largest k of the levels of cells of 20,000 even records in the plane."""
    levels = roundness(drawer(name, even(2, 20_000), t=T, **settings)().tree)[1:]
    medians = [float(np.median(one.k)) for one in levels]
    return {
        "low": min(medians),
        "high": max(medians),
        "largest": max(float(one.k.max()) for one in levels),
    }


@computes("help", "topics/histogram", loose=("plane_voronoi_net", "plane_one_voronoi_net"))
def histogram():
    numbers = {"records": RECORDS, "airports": airports().n, "boxes": QUESTIONS, "draws": DRAWS}
    for name in ("recursive", "shifted", "voronoi-net", "voronoi-random"):
        numbers[f"plane_{name.replace('-', '_')}"] = isolating(name, 2, 4.0, "occupied")
    for name in ("shifted", "voronoi-net", "voronoi-random"):
        numbers[f"plane_one_{name.replace('-', '_')}"] = isolating(name, 2, 4.0)
    for name in ("recursive", "shifted", "embedded"):
        numbers[f"eight_{name}"] = isolating(name, 8, 2.0, "occupied")
        numbers[f"eight_one_{name}"] = isolating(name, 8, 2.0)
    numbers |= {
        "plane_blind": isolating("shifted", 2, 4.0, BASELINE),
        "eight_blind": isolating("shifted", 8, 2.0, BASELINE),
    }
    for name, key, settings in (
        ("recursive", "recursive", {"t": 20}),
        ("shifted", "shifted", {"t": 20}),
        ("noisy", "noisy", {"bins": 32}),
        ("tree", "tree", {"depth": 5}),
        ("privtree", "privtree", {}),
    ):
        numbers[f"cells_{key}"], numbers[f"error_{key}"] = of_airports(name, **settings)
    return numbers | {
        "around": middle().n,
        "split": diameter("recursive", middle(), 1),
        "together": diameter("shifted", middle()),
        "clump": clump(50),
        "matched": MAX_MATCHED,
    }


@computes("help", "topics/histograms-are-not-private")
def histograms_are_not_private():
    return {
        "airports": airports().n,
        "exact": of_airports("recursive", t=20)[1],
        "shifted": of_airports("shifted", t=20)[1],
        "tree": of_airports("tree", depth=5)[1],
        "privtree": of_airports("privtree")[1],
        "one": isolating("recursive", 8, 2.0),
        "blind": isolating("recursive", 8, 2.0, BASELINE),
    }


@computes("help", "mechanisms/histogram-recursive")
def recursive():
    return {
        "records": RECORDS,
        "one": isolating("recursive", 8, 2.0),
        "blind": isolating("recursive", 8, 2.0, BASELINE),
        "around": middle().n,
        "split": diameter("recursive", middle(), 1),
        "together": diameter("shifted", middle()),
    }


@computes("help", "mechanisms/histogram-shifted")
def shifted():
    return {
        "around": middle().n,
        "split": diameter("recursive", middle(), 1),
        "together": diameter("shifted", middle()),
        "clump": clump(50),
        "twice": clump(100),
    }


@computes("help", "mechanisms/histogram-embedded")
def embedded():
    return {
        "records": RECORDS,
        "stretch": 2 / math.sqrt(3),
        "one": isolating("embedded", 8, 2.0),
        "recursive": isolating("recursive", 8, 2.0),
        "blind": isolating("embedded", 8, 2.0, BASELINE),
    }


@computes("help", "mechanisms/histogram-voronoi-net", slow=True)
def voronoi_net():
    cells = round_cells("voronoi-net")
    return cells | {
        "records": RECORDS,
        "one": isolating("voronoi-net", 2, 4.0),
        "blind": isolating("voronoi-net", 2, 4.0, BASELINE),
        "many": 20_000,
        "constant": 4 * cells["low"] ** 2,
    }


@computes("help", "mechanisms/histogram-voronoi-random", slow=True)
def voronoi_random():
    net = round_cells("voronoi-net")
    return round_cells("voronoi-random", depth=2) | {
        "centers": 8 * 8**2,
        "line": 4 * 8,
        "space": 12 * 8**3,
        "kept": MAX_KEPT_CENTERS,
        "largest_count": LARGEST_COUNT,
        "records": RECORDS,
        "blind": isolating("voronoi-random", 2, 4.0, BASELINE),
        "any": isolating("voronoi-random", 2, 4.0, "occupied"),
        "one": isolating("voronoi-random", 2, 4.0),
        "net_low": net["low"],
        "net_high": net["high"],
    }


@computes("help", "mechanisms/histogram-noisy")
def histogram_noisy():
    rate = density_rate(catalog.mechanism("histogram-noisy"), Privacy(1.0))
    return {
        "gaussian": SIGMA * math.sqrt(2),
        "laplace": 2 * math.sqrt(2),
        "n": 10_000,
        "cells": 256,
        "held": 10_000 / 256,
        "share": 2 / (10_000 / 256),
        "components": MAX_COMPONENTS,
        "most": MAX_CELLS,
        "airports": airports().n,
        "airports_error": of_airports("noisy", bins=32)[1],
        "airports_exact": of_airports("recursive", t=20)[1],
        "many": int(rate.sizes[-1]),
        "noise": float(rate.noise[-1]),
        "rest": float(rate.sampling[-1]),
    }


@computes("help", "mechanisms/histogram-tree")
def histogram_tree():
    depth = MECHANISMS["histogram-tree"]().depth
    return {
        "depth": depth,
        "sums": 2 * depth,
        "parts": 2**depth,
        "airports": airports().n,
        "tree": of_airports("tree", depth=5)[1],
        "grid": of_airports("noisy", bins=32)[1],
        "most": MAX_CELLS,
    }


@computes("help", "mechanisms/privtree")
def privtree():
    def constant(parts, relation="replace-one"):
        return path_constant(math.log(parts), relation)

    theorem = 2 * (2 * 9 - 1) / (9 - 1)
    return {
        "brackets": constant(9),
        "scale": 2 * constant(9),
        "decay": 2 * constant(9) * math.log(9),
        "theorem": theorem,
        "less": 1 - constant(9) / theorem,
        "empty": constant(9, ZERO_OUT),
        "empty_theorem": theorem / 2,
        "airports": airports().n,
        "error": of_airports("privtree")[1],
        "tree": of_airports("tree", depth=5)[1],
    }


@computes("help", "mechanisms/perturbed-points")
def perturbed_points():
    tight = middle()
    numbers = {
        "records": RECORDS,
        "around": tight.n,
        "plane_bound": own_isolation_bound(4.0, 2),
        "eight_bound": own_isolation_bound(4.0, 8),
    }
    for key, dimension, c in (("plane", 2, 4.0), ("eight", 8, 2.0)):
        numbers |= {
            f"{key}_blind": isolating("perturbed-points", dimension, c, BASELINE),
            f"{key}_gaussian": isolating("perturbed-points", dimension, c, "occupied"),
            f"{key}_sphere": isolating("perturbed-points", dimension, c, "occupied", law="sphere"),
        }
    numbers["eight_cell"] = isolating("recursive", 8, 2.0)
    moved = drawer("perturbed-points", tight, t=50)()
    found = Guessed.against(
        Isolation(tight.values), moved, tight.domain, 50, TRIALS, reproducible(2)
    ).attempts(4.0, 50)[0]
    assert found.baseline.successes == 0
    return numbers | {"tight": found.hits.rate}
