"""Numbers in the help pages of methods."""

import itertools
import math

from engine import (
    Interval,
    Laplace,
    Mean,
    Median,
    PowerLaplace,
    Quantile,
    Sample,
    TrimmedMean,
    WinsorizedMean,
)
from engine.data.graph import SimpleGraph
from engine.extras.frontier.lipschitz_extension import MAX_VERTICES
from engine.mechanisms import MECHANISMS
from engine.mechanisms.global_noise import GaussianRelease
from engine.mechanisms.rank_choice import MAX_CANDIDATES
from engine.mechanisms.rank_interval import RankInterval
from engine.privacy import Privacy
from engine.queries import InterquartileRange, TriangleCount
from text_numbers import computes
from text_numbers._releases import (
    DELTA,
    UPPER,
    error,
    evenly_spaced_example,
    karate,
    pair,
    prepared,
    salaries,
)

EPSILONS = {2: 0.1, 4: 1.0, 5: 3.0}
"""The epsilons of tables, by the ends of names."""


@computes("help", "methods/diffprivlib")
def diffprivlib():
    return {"error": error("exponential", Median(), salaries()), "n": salaries().n}


@computes("help", "methods/exponential")
def exponential():
    numbers = {"n": salaries().n, "wide": 1000, "few": MAX_CANDIDATES}
    for name, epsilon in (("small", 0.2), ("one", 1.0), ("two", 2.0), ("four", 4.0)):
        ours = error("exponential", Median(), salaries(), epsilon)
        smooth = error("smooth", Median(), salaries(), epsilon)
        numbers |= {name: ours, f"{name}_smooth": smooth, f"{name}_ratio": smooth / ours}
    return numbers | {"wide_error": error("exponential", Median(), salaries(1000 * UPPER))}


@computes("help", "methods/gaussian")
def gaussian():
    def sigma(epsilon):
        return float(GaussianRelease(query=Median()).scale(Privacy(epsilon, DELTA)))

    def textbook(epsilon):
        return math.sqrt(2 * math.log(1.25 / DELTA)) / epsilon

    numbers = {"laplace": math.sqrt(Laplace().variance), "ratio": sigma(1.0) / math.sqrt(Laplace().variance)}
    for index, epsilon in enumerate((0.2, 0.5, 1.0, 2.0, 5.0), 1):
        numbers |= {f"sigma_{index}": sigma(epsilon), f"textbook_{index}": textbook(epsilon)}
    numbers |= {"sigma_ten": sigma(10.0), "textbook_ten": textbook(10.0)}
    # from here on sigma sqrt(d) is less than the standard deviation d sqrt(2) of Laplace noise
    return numbers | {"coordinates": math.ceil(numbers["ratio"] ** 2)}


def of_methods(names, methods, query_names=("median", "quantile", "trimmed", "winsorized", "mean")):
    queries = {
        "median": Median(),
        "quantile": Quantile(q=0.9),
        "trimmed": TrimmedMean(),
        "winsorized": WinsorizedMean(),
        "mean": Mean(),
    }
    return {
        "_".join(filter(None, (name, label, str(index)))): error(method, queries[name], salaries(), epsilon)
        for name, (label, method), (index, epsilon) in itertools.product(
            query_names, methods.items(), EPSILONS.items()
        )
        if method != "exponential" or name in ("median", "quantile")
        if (name, index) in names
    }


@computes("help", "methods/inverse-sensitivity")
def inverse_sensitivity():
    shown = {(name, index) for name in ("median", "winsorized", "trimmed") for index in (2, 4)}
    methods = {"": "inverse-sensitivity", "smooth": "smooth", "laplace": "laplace"}
    return {"n": salaries().n} | of_methods(shown | {("median", 5), ("mean", 4)}, methods)


@computes("help", "methods/piecewise-laplace")
def piecewise_laplace():
    names = ("median", "quantile", "trimmed", "winsorized", "mean")
    methods = {
        "": "piecewise-laplace",
        "smooth": "smooth",
        "exponential": "exponential",
        "inverse": "inverse-sensitivity",
    }
    return {"n": salaries().n} | of_methods(set(itertools.product(names, EPSILONS)), methods)


def of_triangles(epsilons, methods, data):
    return {
        f"{method}_{name}": error(method, TriangleCount(), data, epsilon)
        for name, epsilon in epsilons.items()
        for method in methods
    }


@computes("help", "methods/ladder")
def ladder():
    methods = ("smooth", "ladder", "laplace")
    numbers = {"triangles": int(TriangleCount().value(karate()))}
    numbers |= of_triangles({"1": 1.0, "3": 3.0}, methods, karate())
    for name, method in itertools.product((1, 3), methods):
        numbers[f"{method}_most_{name}"] = error(method, TriangleCount(), karate(), float(name), share=0.95)
    return numbers


@computes("help", "methods/laplace")
def laplace():
    return {
        "n": salaries().n,
        "upper": UPPER,
        "mean": error("laplace", Mean(), salaries()),
        "median_smooth": error("smooth", Median(), salaries()),
        "median_exponential": error("exponential", Median(), salaries()),
    }


def best_degree(data, epsilon):
    return min(
        (error("lipschitz-extension", TriangleCount(), data, epsilon, max_degree=d), d) for d in range(2, 11)
    )


@computes("help", "methods/lipschitz-extension", slow=True)
def lipschitz_extension():
    data = karate()
    epsilons = {"03": 0.3, "1": 1.0, "3": 3.0}
    numbers = {
        "vertices": data.n,
        "triangles": int(TriangleCount().value(data)),
        "limit": MAX_VERTICES,
        **of_triangles(epsilons, ("smooth", "laplace"), data),
    }
    for name, epsilon in epsilons.items():
        numbers[f"error_{name}"], numbers[f"degree_{name}"] = best_degree(data, epsilon)
    for degree in (4, 5, 6, 7):
        ready = prepared("lipschitz-extension", TriangleCount(), data, max_degree=degree)
        numbers[f"kept_{degree}"] = float(ready.center)
    six = list(itertools.combinations(range(6), 2))
    cliques = SimpleGraph([(a + 6 * i, b + 6 * i) for i in range(50) for a, b in six], n=300)
    complete = SimpleGraph(list(itertools.combinations(range(60), 2)), n=60)
    for name, graph in (("clique", cliques), ("complete", complete)):
        numbers[name], numbers[f"{name}_degree"] = best_degree(graph, 1.0)
        numbers[f"{name}_vertices"] = graph.n
        numbers[f"{name}_triangles"] = int(TriangleCount().value(graph))
        for method in ("smooth", "laplace"):
            numbers[f"{name}_{method}"] = error(method, TriangleCount(), graph)
    return numbers


@computes("help", "methods/log-scale")
def log_scale():
    data, query = salaries(), InterquartileRange()
    numbers = {
        "n": data.n,
        "upper": UPPER,
        "range": query.value(data),
        "needed": math.ceil(4 * math.log(1 / DELTA)),
        "smooth": error("smooth", query, data),
        "laplace": error("laplace", query, data),
    }
    for name, factor in (("wide", 1.5), ("narrow", 1.1), ("paper", 1 + 1 / math.log(data.n))):
        ready = prepared("log-scale", query, data, 1.0, DELTA, factor=factor)
        numbers[name] = float(ready.error_quantiles([0.5])[0])
        numbers[f"{name}_refused"] = 1 - float(ready.diagnostics["answer_probability"])
    return numbers


@computes("help", "methods/opendp")
def opendp():
    candidates = int(MECHANISMS["opendp"]().candidates)
    return {"candidates": candidates, "upper": UPPER, "spacing": UPPER / candidates}


@computes("help", "methods/propose-test-release")
def propose_test_release():
    numbers = {
        "n": salaries().n,
        "needed": math.ceil(2 * math.log(1 / (2 * DELTA))),
        "smooth": error("smooth", Median(), salaries()),
    }
    for index, bound in enumerate((100, 200, 500, 1000), 1):
        ready = prepared("propose-test-release", Median(), salaries(), 1.0, DELTA, bound=float(bound))
        numbers |= {
            f"bound_{index}": bound,
            f"distance_{index}": int(ready.diagnostics["distance"]),
            f"answers_{index}": float(ready.diagnostics["answer_probability"]),
            f"error_{index}": float(ready.error_quantiles([0.5])[0]),
        }
    return numbers


@computes("help", "methods/smooth")
def smooth():
    data = salaries()
    numbers = {"n": data.n, "upper": UPPER, "beta": pair(PowerLaplace())[1]}
    numbers["sensitivity"] = float(prepared("smooth", Median(), data).diagnostics["smooth"])
    for name, epsilon in (("small", 0.2), ("one", 1.0), ("two", 2.0)):
        numbers[name] = error("smooth", Median(), data, epsilon)
        numbers[f"{name}_exponential"] = error("exponential", Median(), data, epsilon)
    share = 0.5
    ready = MECHANISMS["smooth"](query=Median(), error_share=share).prepare(data, Privacy(1.0))
    interval = RankInterval(Median(), data.domain, data.n, share)
    low, high = (interval.choice(data, target).quantile([0.5]).item() for target in interval.targets)
    numbers |= {"bar": (high - low) / 2, "bar_share": share}
    numbers["bar_error"] = float(ready.error_quantiles([0.5])[0])
    even, ten = evenly_spaced_example(), Sample(range(1, 11), Interval(0, 1000))
    for name, query, sample in (
        ("median", Median(), data),
        ("quantile", Quantile(q=0.9), data),
        ("trimmed", TrimmedMean(), data),
        ("even", Median(), even),
        ("ten", Median(), ten),
    ):
        exact = float(prepared("smooth", query, sample).diagnostics["smooth"])
        bounds = {"double": {"bound_method": "two-approximation"}}
        bounds |= {str(k): {"bound_method": "truncated", "farthest": k} for k in (20, 50)}
        for end, settings in bounds.items():
            numbers[f"{name}_{end}"] = (
                float(prepared("smooth", query, sample, 1.0, 0.0, **settings).diagnostics["smooth"]) / exact
            )
    return numbers | {f"lemma_{epsilon}": (1 + math.exp(epsilon / 2)) / 2 for epsilon in (1, 2)}
