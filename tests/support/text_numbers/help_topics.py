"""Numbers in the help pages about guarantees, bounds and audits."""

import inspect
import math
import sys

from app.plots.sensitivity.dot_strip import MAX_DOTS
from engine import (
    Clusters,
    ExponentialRelease,
    LaplaceLogNormal,
    LaplaceRelease,
    Mean,
    Median,
    OneCluster,
    PowerLaplace,
    SmoothRelease,
    audit_run,
    worst_case_pairs,
)
from engine.audit.choices import DEFAULT_RUNS
from engine.audit.low_bits import FALSE_ALARM, MAX_LOW_BITS_RUNS, TESTED_BITS
from engine.comparison.needed import MAX_EPSILON, MIN_EPSILON
from engine.comparison.verdict import CONFIDENCE
from engine.data.formats.apart import BYTES_A_SECOND, SECONDS, SECONDS_OF_A_QUERY
from engine.data.formats.dialect import RECORDS
from engine.data.large_files import LARGE
from engine.extras.points.privtree import path_constant
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.processes import MAX_PROCESSES
from engine.extras.stored.points import HELD
from engine.free_memory import BYTES_PER_FILE_BYTE, ROOM
from engine.ledger.composition import compose
from engine.ledger.cost import Cost
from engine.mechanisms import PLANTED
from engine.mechanisms.global_noise import GaussianRelease
from engine.mechanisms.planning import plan_blocks
from engine.primitives.accounting import Concentrated
from engine.privacy import NO_PROMISE, ZERO_OUT, Privacy
from text_numbers import computes
from text_numbers._lesson_data import loaded, points
from text_numbers._releases import DELTA, UPPER, error, evenly_spaced, pair, prepared, salaries
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
        "bits": TESTED_BITS,
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


@computes("help", "topics/sample-and-aggregate")
def sample_and_aggregate():
    data = points("clustering", "clusters", "three-clusters")
    plan = plan_blocks(Clusters(k=3), data.domain, len(data.values), Privacy(1.0))
    return {"blocks": plan.blocks, "points": len(data.values)}


@computes("help", "topics/epsilon-and-delta")
def epsilon_and_delta():
    numbers = {}
    for index, epsilon in enumerate((0.1, 0.5, 1.0, 2.0, 5.0), 1):
        numbers |= {f"factor_{index}": math.exp(epsilon), f"sure_{index}": 1 / (1 + math.exp(-epsilon))}
    privacy, many = Privacy(1.0, DELTA), 15
    assert privacy.for_group(many) == NO_PROMISE
    rho = many**2 * GaussianRelease(query=Mean()).guarantee.zcdp_cost(privacy).rho
    return numbers | {
        "delta_three": privacy.for_group(3).delta,
        "many": many,
        "gaussian": Concentrated(rho).privacy(DELTA).epsilon,
        "decisions": path_constant(math.log(9)),
        "decisions_empty": path_constant(math.log(9), ZERO_OUT),
    }


def total(mechanism, times, epsilon=1.0, delta=DELTA):
    """Return the composition of equal releases, at the slack of a limit."""
    return compose([Cost.of(mechanism, Privacy(epsilon, delta))] * times)


@computes("help", "topics/budget-and-composition", slow=True)
def budget_and_composition():
    numbers = {"thirty": 30}
    table = ((10, 0.1), (30, 0.1), (100, 0.1), (100, 0.01), (10, 1.0))
    for index, (times, epsilon) in enumerate(table, 1):
        pure = total(LaplaceRelease(query=Mean()), times, epsilon, 0.0)
        numbers |= {
            f"basic_{index}": pure.basic.epsilon,
            f"advanced_{index}": pure.advanced.epsilon,
            f"zcdp_{index}": pure.concentrated.epsilon,
            f"exponential_{index}": total(
                ExponentialRelease(query=Median()), times, epsilon, 0.0
            ).concentrated.epsilon,
        }
        assert pure.method == ("basic" if index in (1, 5) else "zcdp")
    gaussian = total(GaussianRelease(query=Mean()), 30)
    return numbers | {
        "cells": OneCluster(method="overlapping-cells").guarantee.zcdp_cost(Privacy(1.0, DELTA)).rho,
        "boxes": OneCluster(method="tight-boxes").guarantee.zcdp_cost(Privacy(1.0, DELTA)).rho,
        "published": total(
            SmoothRelease(noise=LaplaceLogNormal(), constants="published"), 30
        ).concentrated.epsilon,
        "losses": gaussian.by_losses().epsilon,
        "gaussian": gaussian.concentrated.epsilon,
    }


@computes("help", "topics/floating-point")
def floating_point():
    return {
        "bits": sys.float_info.mant_dig,
        "n": salaries().n,
        "upper": UPPER,
        "candidates": UPPER + 1,
        "allowed": 100 * math.e / (1 + math.e),
    }


@computes("help", "topics/other-libraries")
def other_libraries():
    return {
        "n": salaries().n,
        "upper": UPPER,
        "airports": len(loaded("histogram", "histogram-shifted", "airports")["dataset"].table.data),
        "eruptions": len(loaded("clustering", "clusters", "geyser")["dataset"].table.data),
        "confidence": AUDITED,
        "draws": MAX_LOW_BITS_RUNS,
    }


@computes("help", "topics/functions-from-a-file")
def functions_from_a_file():
    return {"seconds": BlackBox.seconds, "megabytes": BlackBox.memory_mb, "threads": MAX_PROCESSES}


@computes("help", "topics/opening-files")
def opening_files():
    return {
        "large": LARGE // 10**6,
        "dots": MAX_DOTS,
        "room": ROOM / 1e9,
        "factor": BYTES_PER_FILE_BYTE,
        "seconds": SECONDS,
        "megabytes": BYTES_A_SECOND / 1e6,
        "minutes": SECONDS_OF_A_QUERY / 60,
        "held": HELD / 1e9,
        "rows": RECORDS,
    }
