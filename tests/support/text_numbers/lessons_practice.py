"""Numbers of the lessons about attacks, comparisons, and randomized response."""

import math
from functools import cache

from engine import Interval, LaplacePareto, Sample
from engine.mechanisms import ExponentialRelease, SmoothRelease
from engine.mechanisms.categories.randomized_response import answer_probabilities
from engine.privacy import Privacy
from engine.queries import Median
from engine.sampling.output_grid import finest_step
from text_numbers import computes
from text_numbers._lesson_data import loaded, salaries

BELL = 0.67448975  # half of the draws of the standard bell curve are within
TOP = 500_000


def odds(epsilon, prior=0.5):
    """Return the largest belief after a release."""
    after = prior / (1 - prior) * math.exp(epsilon)
    return after / (1 + after)


@cache
def ready(method, epsilon):
    """Return what is ready to draw the median of the salaries."""
    mechanism = {
        "exponential": ExponentialRelease(query=Median()),
        "smooth": SmoothRelease(query=Median(), noise=LaplacePareto(), clamp="none"),
    }[method]
    data = Sample(salaries(), Interval(0, TOP))
    return mechanism.prepare(data, Privacy(epsilon, 1e-6 if method == "smooth" else 0.0))


def error(method, epsilon, share=0.5):
    return ready(method, epsilon).error_quantiles([share]).item()


def needed(method, goal=1000.0, share=0.95):
    """Return the least epsilon with which a share of the errors is at most `goal`."""
    low, high = math.log(0.001), math.log(10)
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if error(method, math.exp(middle), share) <= goal else (middle, high)
    return math.exp(high)


@computes("lessons", "comparing", slow=True)
def comparing():
    heaps = Sample([0] * 51 + [1000] * 50, Interval(0, 1000))
    worst = ExponentialRelease(query=Median()).prepare(heaps, Privacy(1.0))
    strict, loose = needed("exponential"), needed("smooth")
    return {
        "records": salaries().size,
        "best": error("exponential", 1.0),
        "smooth": error("smooth", 1.0),
        "near": error("smooth", 1.0) / error("exponential", 1.0),
        "far": round(error("smooth", 0.01) / error("exponential", 0.01), -1),
        "heaps": worst.error_quantiles([0.5]).item(),
        "strict": strict,
        "loose": loose,
        "gain": loose / strict,
    }


@cache
def admitted():
    """Return the share of the applicants that were admitted, and their number."""
    table = loaded("histogram", "contingency-table", "admissions", ("admitted",))["dataset"].table
    column = table.data["admitted"].to_pylist()
    return column.count("admitted") / len(column), len(column)


def deviation(epsilon):
    """Return the standard error of a share of two categories, from randomized answers."""
    p, q = answer_probabilities(epsilon, 2)
    return math.sqrt(p * q / admitted()[1]) / (p - q)


@computes("lessons", "local-model")
def local_model():
    share, people = admitted()
    truth, lie = answer_probabilities(1, 2)
    half, curator = 100 * BELL * deviation(1), 100 * math.log(2) * 2 / people
    return {
        "people": people,
        "share": share,
        "truth": truth,
        "lie": lie,
        "gap": truth - lie,
        "odds": math.e,
        "odds_3": math.exp(3),
        "yes": truth * share + lie * (1 - share),
        "truth_3": answer_probabilities(3, 2)[0],
        "truth_strict": answer_probabilities(0.1, 2)[0],
        "error_strict": 100 * deviation(0.1),
        "error": 100 * deviation(1),
        "error_3": 100 * deviation(3),
        "half": half,
        "curator": curator,
        "better": round(half / curator, -1),
        "often": 30 * truth,
        "seldom": 30 * lie,
    }


@computes("lessons", "membership-inference")
def membership_inference():
    return {
        "mean": 1000 / 101,
        "odds": math.e,
        "power": 0.05 * math.e,
        "missed": 1 - 0.05 * math.e,
        "few": 0.01 * math.e,
        "advantage": math.tanh(0.5),
        "advantage_2": math.tanh(1),
        "advantage_strict": math.tanh(0.05),
        "belief_1": odds(1, 0.01),
        "belief_10": odds(1, 0.1),
        "belief_50": odds(1),
        "low": 1 - odds(1),
    }


@computes("lessons", "the-last-bit")
def the_last_bit():
    power = 2 ** math.floor(math.log2(TOP))
    assert (power, power / 2**40) == (2**18, finest_step(float(TOP), float(TOP)))
    values = salaries()
    return {
        "factor": math.e,
        "factor_2": math.exp(2),
        "half_runs": 20_000 // 2,
        "records": values.size,
        "off": math.log(2) * TOP / 0.01 / 1e6,
        "candidates": TOP + 1,
        "sure": odds(0.08),
        "smooth": SmoothRelease(query=Median(), noise=LaplacePareto(), clamp="none")
        .prepare(Sample(values, Interval(0, TOP)), Privacy(1.0))
        .diagnostics["smooth"],
        "range": TOP,
        "power": power,
    }
