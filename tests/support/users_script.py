"""What a person writes, as type checkers read it: mypy goes through this file with the program's own.

A budget is a number, a pair or a `Privacy`; data are numbers with bounds.  What is wrong at run time is wrong
for the checker, too: an ignored error that is none would be reported.
"""

from __future__ import annotations

import numpy as np
import sensiscope

from engine import (
    Box,
    Cost,
    Interval,
    LaplaceRelease,
    Mean,
    Median,
    NoisyAverage,
    ParameterError,
    Points,
    Privacy,
    Release,
    Sample,
    SmoothRelease,
    Sweep,
    compare,
    prepare,
    simulate,
)
from engine.audit import audit_mechanism

data = Sample([20.0, 30.0, 40.0, 50.0, 60.0], Interval(0, 120))
mechanism = LaplaceRelease(query=Mean())


def released(runs: int = 10) -> dict[str, Release | float]:
    """Release, simulate, compare and audit with budgets as people write them."""
    one = simulate(mechanism, data, 1.0, runs=runs, seed=1)
    other = simulate(mechanism, data, (1.0, 1e-6), runs=runs, seed=1)
    sweep = Sweep("epsilon", (0.5, 1.0))
    compared = compare([mechanism], data, 1, sweep, runs=runs, seed=1)
    audit = audit_mechanism(mechanism, data, data.replaced(0, 100.0), 1.0, runs=1000, seed=1)
    prepare(mechanism, data, 0.5)
    box = Box.of([0, 0], [1, 1])
    return {
        "run": mechanism.run(data, 0.5),
        "named": SmoothRelease(query=Median()).run(data, privacy=1),
        "pair": SmoothRelease(query=Median()).run(data, (1.0, 1e-6)),
        "points": NoisyAverage().run(Points([[0.1, 0.2], [0.3, 0.4]], box), 1.0),
        "other name": sensiscope.LaplaceRelease(query=sensiscope.Mean()).run(data, Privacy(1.0)),
        "simulated": float(one.values[0]) - float(other.values[0]),
        "median error": compared.median(0, 1),
        "audited": audit.epsilon_lower_bound,
        "cost": Cost.of(mechanism, 0.5).privacy.epsilon,
    }


def first_guesses() -> dict[str, float | None]:
    """Give names, classes, pairs and lists, as people do at first; each is right for checkers, too."""
    ages = Sample([20.0, 30.0, 40.0, 50.0, 60.0], (0, 120))
    release = SmoothRelease(query="median", noise="student-t").run(ages, (1.0, 1e-6), seed=1)
    ends = release.interval
    (pair, *_) = sensiscope.worst_case_pairs("laplace", (0, 1), 10)
    audit = sensiscope.audit_run("laplace", pair, 1.0, runs=1000, seed=1).audit
    account = sensiscope.Ledger().account("ages", first=5.0)
    account.set_limit((10.0, 1e-6))
    with sensiscope.budget(ages, 2.0, seed=1) as session:
        middle = session.median()
    return {
        "query by class": float(LaplaceRelease(Median).run(ages, 1.0, np.random.default_rng(1))),
        "by name": float(simulate("laplace", ages, 1.0, runs=10, seed=1).values[0]),
        "of a query": simulate(Mean, ages, 1.0, runs=10, seed=1).true_value,
        "compared": compare("laplace", ages, 1.0, ("epsilon", [0.5, 1]), runs=10, seed=1).median(0, 1),
        "profile": sensiscope.sensitivity_profile("median", ages, 0.1).smooth,
        "certified": float(sensiscope.certify("laplace", 0.5, 0.1, 1.0).private),
        "audited": audit.epsilon_lower_bound,
        "points": float(Points([[0.1, 0.2]], (0, 1)).n),
        "cells": float(sensiscope.Categories(["a", "b"], {"x": ["a", "b"]}).n),
        "recorded": float(account.release("mean", ages, 1.0)),
        "asked": middle.value,
        "end": None if ends is None else ends[0],
    }


def refused() -> str:
    """Ask for a budget in words, which no checker and no function takes."""
    try:
        simulate(mechanism, data, "much", runs=10, seed=1)  # type: ignore[arg-type]
    except ParameterError as error:
        return str(error)
    return ""
