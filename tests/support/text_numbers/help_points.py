"""Numbers in the help pages of tables, synthetic points, covariance, medians and lines between classes."""

import itertools
import math

import numpy as np

from engine import catalog
from engine.data.categories import MAX_COLUMNS as MOST_COLUMNS
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.covariance import MAX_COLUMNS
from engine.extras.points.synthetic_data import MAX_SETS
from engine.mechanisms import MECHANISMS
from engine.privacy import Privacy
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers.help_mechanisms import box, draws

DELTA = 1e-6


@computes("help", "mechanisms/contingency-table")
def contingency_table():
    def first(own):
        """Return the fewest yes/no columns with less noise in a pair's own table than in sums of counts."""
        return next(k for k in range(2, 99) if own(k) < 2 * 2 ** ((k - 2) / 2))

    return {
        "laplace": first(lambda k: k * (k - 1)),
        "gaussian": first(lambda k: math.sqrt(2 * k * (k - 1))),
        "nearly_empty": 2**12,
        "columns": MOST_COLUMNS,
    }


def off(dimension, noise):
    """Return the mean absolute noise of an entry, times n, in the scaled cube."""
    gaussian = noise == "gaussian"
    mechanism = MECHANISMS["covariance"](noise=noise)
    scale = float(mechanism.added(Privacy(1.0, DELTA if gaussian else 0.0), dimension).scale)
    return scale * math.sqrt(2 / math.pi) if gaussian else scale


def held_by_axes(noise, n=10_000, dimension=10, runs=60):
    """Return the median share of the variance along the two main axes that two released ones hold."""
    rng = np.random.default_rng(1)
    spreads = 0.13 * 0.55 ** np.arange(dimension)
    directions = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
    values = 0.5 + (spreads * rng.standard_normal((n, dimension))) @ directions.T
    data = Points(values.clip(0, 1), box(dimension))
    true = np.cov(data.values.T)
    most = np.linalg.eigvalsh(true)[-2:].sum()
    drawn = draws(
        MECHANISMS["covariance"](noise=noise), data, runs, delta=DELTA if noise == "gaussian" else 0
    )
    matrices = drawn[:, : dimension**2].reshape(runs, dimension, dimension)
    axes = np.linalg.eigh(matrices)[1][:, :, -2:]
    return float(np.median(np.einsum("rij,ik,rkj->r", axes, true, axes) / most))


@computes("help", "mechanisms/covariance")
def covariance():
    share = MECHANISMS["covariance"]().share
    numbers = {"n": 1000, "columns": MAX_COLUMNS, "matrix": 1 - share, "records": 10_000}
    for dimension in (2, 5, 10, 50):
        numbers[f"laplace_{dimension}"] = off(dimension, "laplace")
        numbers[f"gaussian_{dimension}"] = off(dimension, "gaussian")
    return numbers | {
        "wins": next(d for d in range(1, 50) if off(d, "gaussian") < off(d, "laplace")),
        "entry": off(2, "laplace") / 1000 / 4,  # half of the bounds is 1/2
        "laplace_axes": held_by_axes("laplace"),
        "gaussian_axes": held_by_axes("gaussian"),
    }


COUNTS = {
    "equal": [100] * 50,
    "unequal": [count for count in (400, 100, 20, 5, 1) for _ in range(10)],
    "falling": [round(1000 / (i + 1)) for i in range(50)],
}


@computes("help", "mechanisms/sorted-histogram")
def sorted_histogram():
    numbers = {}
    for key, counts in COUNTS.items():
        domain = CategoryDomain(["x"], [[f"{i:02}" for i in range(len(counts))]])
        data = Categories(np.repeat(np.arange(len(counts)), counts)[:, None], domain)
        for name, mechanism in (("sorted", "sorted-histogram"), ("named", "contingency-table")):
            truth = np.array(sorted(counts, reverse=True))
            drawn = draws(MECHANISMS[mechanism](), data, 200)
            numbers[f"{key}_{name}"] = float(np.abs(drawn - truth).mean())
    return numbers | {"categories": 50}


@computes("help", "mechanisms/synthetic")
def synthetic():
    mechanism, n = MECHANISMS["synthetic"](), 1000
    rng = np.random.default_rng(1)
    data = Points(
        np.concatenate([rng.normal(center, 0.05, (n // 4, 2)) for center in (0.2, 0.4, 0.6, 0.9)]).clip(0, 1),
        box(),
    )
    prepared = mechanism.prepare(data, Privacy(1.0))
    drawn = prepared.draw(reproducible(1), 200)
    return {
        "n": n,
        "released": float(np.median(mechanism._errors(drawn, prepared.truth, data.domain))),
        "best": float(prepared.errors.min()),
        "questions": len(prepared.truth),
        "points": mechanism.size,
        "sets": math.comb(mechanism.bins**2 + mechanism.size - 1, mechanism.size),
        "most": MAX_SETS,
        "steps": mechanism.steps,
        "fine": math.comb(64 + mechanism.size - 1, mechanism.size) / 1e6,
    }


def classes(n, columns, wrong):
    """Return records on two sides of a line, with a gap, and a share of wrong labels."""
    rng = np.random.default_rng(1)
    direction = rng.standard_normal(columns)
    direction /= np.linalg.norm(direction)
    values = rng.uniform(-1, 1, (4 * n, columns))
    values = values[np.abs(values @ direction) > 0.1][:n]
    labels = (values @ direction > 0) ^ (rng.random(n) < wrong)
    return Points(np.column_stack([values, labels]), Box.of([-1] * columns + [0], [1] * (columns + 1)))


def misclassified(weights, data):
    """Return the share of records that each row of weights misclassifies."""
    z = np.column_stack([data.values[:, :-1], np.ones(data.n)])
    y = np.where(data.values[:, -1] > 0.5, 1, -1)
    return (y * (weights @ z.T) <= 0).mean(axis=1)


@computes("help", "mechanisms/perceptron")
def perceptron():
    numbers, runs = {"default": MECHANISMS["perceptron"]().rounds, "columns": 5, "runs": 40}, 40
    for name, n, wrong in (("small", 1000, 0.0), ("wrong", 1000, 0.1), ("large", 10_000, 0.0)):
        data = classes(n, 5, wrong)
        numbers[f"{name}_n"] = n
        for noise, rounds in itertools.product(("laplace", "gaussian"), (3, 10)):
            mechanism = MECHANISMS["perceptron"](noise=noise, rounds=rounds)
            found = draws(mechanism, data, runs, delta=DELTA if noise == "gaussian" else 0.0)
            numbers[f"{name}_{noise}_{rounds}"] = float(np.median(misclassified(found, data)))
        exact = MECHANISMS["perceptron"](rounds=10).prepare(data, Privacy(1.0)).true_value()
        numbers[f"{name}_exact"] = float(misclassified(np.atleast_2d(np.ravel(exact)), data)[0])
    return numbers


@computes("help", "mechanisms/metric-median")
def metric_median():
    rng, n, center = np.random.default_rng(1), 1000, (0.3, 0.4)
    clean = rng.normal(center, 0.03, (n, 2))
    outliers = clean.copy()
    outliers[: 3 * n // 10] = rng.normal(0.95, 0.01, (3 * n // 10, 2))
    numbers = {"n": n, "runs": 200}
    for name, values in (("clean", clean), ("outliers", outliers)):
        data = Points(values.clip(0, 1), box())
        for key, mechanism in (
            ("median", MECHANISMS["metric-median"](parts=32)),
            ("fine", MECHANISMS["metric-median"](parts=64)),
            ("average", MECHANISMS["noisy-average"]()),
            ("coinpress", catalog.mechanism("coinpress", spread="0.03")),
        ):
            found = draws(mechanism, data, 200)
            numbers[f"{name}_{key}"] = float(np.median(np.linalg.norm(found - center, axis=1)))
    return numbers
