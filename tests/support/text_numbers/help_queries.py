"""Numbers in the help pages of queries."""

import math

import numpy as np

from engine import Mean, Median, Quantile, TrimmedMean, WinsorizedMean
from engine.queries import Count, Distance, InterquartileRange, Maximum, Minimum, MstCost, Sum, TriangleCount
from text_numbers import computes
from text_numbers._releases import UPPER, error, evenly_spaced, graph_of, karate, prepared, salaries, weighted


def smooth_sensitivity(query, data):
    """Return S* with the noise of the rule at epsilon = 1."""
    return float(prepared("smooth", query, data).diagnostics["smooth"])


@computes("help", "queries/count")
def count():
    numbers = {f"{m}_most": error(m, Count(), salaries(), share=0.95) for m in ("laplace", "smooth")}
    return numbers | {"laplace": error("laplace", Count(), salaries())}


@computes("help", "queries/distance")
def distance():
    far = Distance(threshold=60_000.0)  # far from the median, which the answer is about
    assert far.value(salaries()) > 100
    return {f"{m}_most": error(m, far, salaries(), share=0.95) for m in ("laplace", "smooth")}


@computes("help", "queries/interquartile-range")
def interquartile_range():
    query = InterquartileRange()
    return {
        "n": salaries().n,
        "value": query.value(salaries()),
        "smooth": error("smooth", query, salaries()),
    }


@computes("help", "queries/maximum")
def maximum():
    ready = prepared("smooth", Maximum(), salaries())
    return {
        "n": salaries().n,
        "upper": UPPER,
        "value": Maximum().value(salaries()),
        "clamped": UPPER - Maximum().value(salaries()),
        "local": float(ready.diagnostics["local"]),
        "smooth_sensitivity": float(ready.diagnostics["smooth"]),
        "smooth_scale": float(ready.diagnostics["scale"]),
        "exponential": error("exponential", Maximum(), salaries()),
        "piecewise": error("piecewise-laplace", Maximum(), salaries()),
        "quantile_95": error("exponential", Quantile(q=0.95), salaries()),
        "quantile_99": error("exponential", Quantile(q=0.99), salaries()),
    }


@computes("help", "queries/mean")
def mean():
    return {
        "n": salaries().n,
        "upper": UPPER,
        "value": Mean().value(salaries()),
        "scale": UPPER / salaries().n,
        "laplace": error("laplace", Mean(), salaries()),
        "smooth": error("smooth", Mean(), salaries()),
        "sensitivity": smooth_sensitivity(Mean(), salaries()),
        "largest": float(Mean().global_sensitivity(salaries().domain, salaries().n)),
    }


@computes("help", "queries/median")
def median():
    ready = prepared("smooth", Median(), salaries())
    numbers = {"n": salaries().n, "beta": float(ready.noise["beta"])}
    for method in ("smooth", "exponential"):
        numbers[method] = error(method, Median(), salaries())
    numbers["small"] = error("smooth", Median(), salaries(), 0.2)
    numbers["small_exponential"] = error("exponential", Median(), salaries(), 0.2)
    for index, n in enumerate((31, 101, 1001), 1):
        data = evenly_spaced(n)
        numbers |= {f"n_{index}": n, f"sensitivity_{index}": smooth_sensitivity(Median(), data)}
        for method in ("smooth", "exponential", "laplace"):
            numbers[f"{method}_{index}"] = error(method, Median(), data)
    # the slides' formulas, with one gap for every k, or with windows that begin at the median
    n, beta = 101, 0.1
    gap = 1 / (n - 1)
    right = Median().smooth_sensitivity(evenly_spaced(n), beta=beta).value
    numbers |= {"slide_n": n, "slide": gap, "right": right, "slide_factor": right / gap}
    heaps = np.repeat([0.0, 0.5], [50, 51])
    padded = np.concatenate([heaps, np.ones(200)])
    windows = [
        math.exp(-0.05 * k) * (padded[50 + k + 1 :] - padded[50 : -k - 1])[: k + 1].max() for k in range(100)
    ]
    return numbers | {"heaps_slide": max(windows), "heaps_local": 0.5}


@computes("help", "queries/minimum")
def minimum():
    numbers = {
        method.partition("-")[0]: error(method, Minimum(), salaries())
        for method in ("smooth", "exponential", "piecewise-laplace")
    }
    return numbers | {
        "n": salaries().n,
        "value": Minimum().value(salaries()),
        "sensitivity": smooth_sensitivity(Minimum(), salaries()),
    }


@computes("help", "queries/mst")
def mst():
    numbers = {}
    for name, upper in (("k60", 1000), ("karate", 8), ("roads", 10)):
        data = weighted(name, upper)
        ready = prepared("smooth", MstCost(), data)
        numbers |= {
            f"{name}_edges": data.weights.size,
            f"{name}_upper": upper,
            f"{name}_cost": float(ready.diagnostics["true_value"]),
            f"{name}_local": float(ready.diagnostics["local"]),
            f"{name}_sensitivity": float(ready.diagnostics["smooth"]),
            f"{name}_smooth": error("smooth", MstCost(), data),
            f"{name}_laplace": error("laplace", MstCost(), data),
        }
    return numbers | {"k60_vertices": weighted("k60", 1000).n}


@computes("help", "queries/quantile")
def quantile():
    beta = float(prepared("smooth", Quantile(q=0.9), salaries()).noise["beta"])
    numbers = {"n": salaries().n, "upper": UPPER, "window": 1 / beta}
    numbers["wide_window"] = 1 / float(prepared("smooth", Quantile(q=0.9), salaries(), 0.1).noise["beta"])
    for name, q in (("5", 0.5), ("9", 0.9)):
        for method in ("piecewise-laplace", "exponential", "smooth"):
            numbers[f"{method.partition('-')[0]}_{name}"] = error(method, Quantile(q=q), salaries())
    return numbers


@computes("help", "queries/sum")
def total():
    laplace = error("laplace", Sum(), salaries())
    value = float(Sum().value(salaries()))
    return {
        "n": salaries().n,
        "upper": UPPER,
        "value": value / 1e6,
        "laplace": laplace,
        "relative": laplace / value,
        "smooth": error("smooth", Sum(), salaries()),
    }


@computes("help", "queries/triangles")
def triangles():
    numbers = {}
    for name, data in (("karate", karate()), ("roads", graph_of("roads"))):
        ready = prepared("smooth", TriangleCount(), data)
        numbers |= {
            f"{name}_vertices": data.n,
            f"{name}_triangles": float(ready.diagnostics["true_value"]),
            f"{name}_local": float(ready.diagnostics["local"]),
            f"{name}_sensitivity": float(ready.diagnostics["smooth"]),
            f"{name}_global": float(ready.diagnostics["global"]),
            f"{name}_smooth": error("smooth", TriangleCount(), data),
            f"{name}_laplace": error("laplace", TriangleCount(), data),
        }
    return numbers


@computes("help", "queries/trimmed-mean")
def trimmed_mean():
    query, wide = TrimmedMean(), salaries(2 * UPPER)
    return {
        "n": salaries().n,
        "upper": UPPER,
        "value": query.value(salaries()),
        "mean_value": Mean().value(salaries()),
        "sensitivity": smooth_sensitivity(query, salaries()),
        "largest": float(query.global_sensitivity(salaries().domain, salaries().n)),
        "smooth": error("smooth", query, salaries()),
        "laplace": error("laplace", query, salaries()),
        "mean": error("laplace", Mean(), salaries()),
        "wide_smooth": error("smooth", query, wide),
        "wide_laplace": error("laplace", query, wide),
        "steps": 1 / float(prepared("smooth", query, salaries()).noise["beta"]),
    }


@computes("help", "queries/winsorized-mean")
def winsorized_mean():
    query, data = WinsorizedMean(), salaries()
    largest = float(query.global_sensitivity(data.domain, data.n))
    sensitivity = smooth_sensitivity(query, data)
    return {
        "n": data.n,
        "upper": UPPER,
        "smooth": error("smooth", query, data),
        "trimmed": error("smooth", TrimmedMean(), data),
        "sensitivity": sensitivity,
        "ratio": sensitivity / smooth_sensitivity(TrimmedMean(), data),
        "small_smooth": error("smooth", query, data, 0.1),
        "small_piecewise": error("piecewise-laplace", query, data, 0.1),
        "largest": largest,
        "mean_ratio": largest / float(Mean().global_sensitivity(data.domain, data.n)),
    }
