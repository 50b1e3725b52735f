"""Numbers in the help pages about guarantees, bounds and audits."""

import inspect
import math

from engine import Clusters, Mean, Median, PowerLaplace, SmoothRelease, audit_run, worst_case_pairs
from engine.audit.bounding import DEFAULT_RUNS
from engine.audit.low_bits import BITS, FALSE_ALARM
from engine.comparison.needed import MAX_EPSILON, MIN_EPSILON
from engine.comparison.verdict import CONFIDENCE
from engine.mechanisms import PLANTED
from engine.mechanisms.planning import plan_blocks
from engine.privacy import Privacy
from text_numbers import computes
from text_numbers._lesson_data import loaded, points
from text_numbers._releases import UPPER, error, evenly_spaced, pair, prepared, salaries
from text_numbers.help_noises import generalized_cauchy

SHARE = 0.67448975
"""Half of a normal law lies within so many of its standard deviations."""


AUDITED = inspect.signature(audit_run).parameters["confidence"].default
"""Confidence of an audit."""


def audited(mechanism):
    """Return the largest bound of epsilon from all built-in pairs."""
    pairs = worst_case_pairs(mechanism, salaries().domain, 101, Privacy(1.0))
    return max(audit_run(mechanism, one, 1.0, seed=1).audit.epsilon_lower_bound for one in pairs)


@computes("help", "topics/simulation-or-release")
def simulation_or_release():
    runs = 1000
    return {
        "n": salaries().n,
        "error": error("laplace", Mean(), salaries()),
        "runs": runs,
        "average": SHARE * math.sqrt(2 / runs) * UPPER / salaries().n,
    }


@computes("help", "topics/sensitivity")
def sensitivity():
    facts = prepared("smooth", Median(), salaries()).diagnostics
    beta = 0.1
    return {
        "n": salaries().n,
        "upper": UPPER,
        "local": facts["local"],
        "smooth": facts["smooth"],
        "beta": pair(PowerLaplace())[1],
        "printed_x": max(1, 100 * math.exp(-beta)),
        "printed_y": max(1, math.exp(-beta)),
        "allowed": math.exp(beta),
    }


@computes("help", "topics/auditing")
def auditing():
    many = 100_000
    return {
        "runs": DEFAULT_RUNS,
        "right": audited(SmoothRelease(query=Median())),
        "wrong": audited(PLANTED["local-noise"].planted(SmoothRelease(query=Median()))),
        "confidence": AUDITED,
        "many": many,
        "most": math.log(many / (2 * math.log(2 / (1 - AUDITED)))),
        "bits": BITS,
        "false_alarm": FALSE_ALARM,
    }


@computes("help", "topics/bounds")
def bounds():
    narrow = 50_000
    numbers = {"n": salaries().n, "upper": UPPER, "narrow": narrow}
    for name, upper in (("", UPPER), ("_wide", 10 * UPPER), ("_narrow", narrow)):
        numbers[f"mean{name}"] = error("laplace", Mean(), salaries(upper))
        numbers[f"median{name}"] = error("smooth", Median(), salaries(upper))
    values, clamped = salaries().values, salaries(narrow).values
    assert Median().value(salaries(narrow)) == Median().value(salaries())
    return numbers | {"bias": float(values.mean() - clamped.clip(0, narrow).mean())}


@computes("help", "topics/comparing")
def comparing():
    numbers = {"n": salaries().n, "confidence": CONFIDENCE, "least": MIN_EPSILON, "largest": MAX_EPSILON}
    for name, epsilon in (("_small", 0.2), ("", 1.0)):
        for method in ("smooth", "exponential", "piecewise-laplace"):
            numbers[method.split("-")[0] + name] = error(method, Median(), salaries(), epsilon)
    return numbers


@computes("help", "topics/planted-mistakes")
def planted_mistakes():
    n, beta = 101, 0.1
    return {
        "runs": DEFAULT_RUNS,
        "wrong": audited(PLANTED["local-noise"].planted(SmoothRelease(query=Median()))),
        "count": len(PLANTED),
        "confidence": AUDITED,
        "enough": 100_000,
        "n": n,
        "slide": 1 / (n - 1),
        "right": Median().smooth_sensitivity(evenly_spaced(n), beta=beta).value,
        "loss": generalized_cauchy()["loss_4"],
    }


@computes("help", "topics/histograms-are-not-private")
def histograms_are_not_private():
    return {"airports": len(loaded("histogram", "histogram-shifted", "airports")["dataset"].table.data)}


@computes("help", "topics/sample-and-aggregate")
def sample_and_aggregate():
    data = points("clustering", "clusters", "three-clusters")
    plan = plan_blocks(Clusters(k=3), data.domain, len(data.values), Privacy(1.0))
    return {"blocks": plan.blocks, "points": len(data.values)}
