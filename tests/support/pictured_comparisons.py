"""What pictures of comparisons, audits and budgets show of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from pictured_samples import MEDIAN, Case

from app.model.budget import BudgetCurves
from app.plots.audit.low_bits import LowBitsView
from app.plots.audit.view import AuditView
from app.plots.compare.view import ComparisonView
from engine.audit import LowBits, LowBitsRun
from engine.audit.bounding import audit_draws
from engine.comparison.compared import Comparison
from engine.comparison.results import ComparedMechanism, Outcome, Sweep, Trial
from engine.mechanisms import MECHANISMS
from engine.privacy import Privacy

CONTENDERS = (
    "Exponential mechanism",
    "Smooth sensitivity, Student's t noise, nu = 3",
    "Smooth sensitivity, Laplace noise",
    "Propose-test-release",
    "Global sensitivity, Laplace noise",
)


def compared(
    labels: Any = CONTENDERS, values: Any = (0.1, 0.3, 1.0, 3.0), runs: int = 200, trivial: float = np.inf
) -> Comparison:
    """Contenders of which the third one does not fit at first, and the fourth one often refuses."""
    rng, mechanism = np.random.default_rng(9), MECHANISMS["exponential"](query=MEDIAN)
    outcomes = []
    for place, value in enumerate(values):
        for index in range(len(labels)):
            errors = 5000 / value * 2.0**index * np.abs(rng.standard_normal(runs))
            if index == 3:
                errors[rng.random(runs) < 0.6 - 0.1 * place] = np.nan
            problem = "ε is too small for Laplace noise with δ = 0" if index == 2 and not place else ""
            trial = Trial(index, place, value, mechanism, Privacy(value), 2001)
            seconds = (0.0, 0.0) if problem else (0.01 * 3**index, 1e-6 * runs)
            drawn = np.empty(0) if problem else errors
            outcomes.append(Outcome(trial, runs, drawn, *seconds, problem, trivial_error=trivial))
    contenders = tuple(ComparedMechanism(mechanism, label) for label in labels)
    return Comparison(contenders, Sweep("epsilon", tuple(values)), tuple(outcomes), runs, seed=1)


def comparison(case: Case, place: int = 2, **choices: Any) -> ComparisonView:
    return ComparisonView(compared(trivial=case.domain.width / 2), place, **choices)


def audit(case: Case, scale: float = 0.5, refusing: float = 0.0, runs: int = 4000) -> AuditView:
    """Laplace noise on two middles that are 1 apart: private with 1/scale."""
    rng = np.random.default_rng(10)
    sides = [middle + rng.laplace(0, scale, runs) for middle in (0.0, 1.0)]
    sides[1][rng.random(runs) < refusing] = np.nan
    return AuditView(
        audit_draws(*sides, Privacy(1.0)), ("all equal", "one record moved"), planted="half the noise"
    )


def low_bits(case: Case, share: float = 0.6, off: bool = True) -> LowBitsView:
    """Numbers anywhere between the points of a grid, a share of them impossible; or all on it."""
    rng = np.random.default_rng(11)
    positions = rng.uniform(-0.5, 0.5, (2, 2000)) if off else np.zeros((2, 2000))
    impossible = (rng.random((2, 2000)) < share) & off
    shares = (float(impossible[0].mean()), float(impossible[1].mean()))
    found = LowBits(Privacy(1.0), 2000, (2.0**-22,), True, float(off), shares, 0.9 * max(shares), 0.4)
    run = LowBitsRun(found, (positions[0], positions[1]), (impossible[0], impossible[1]))
    return LowBitsView(run, "noise in double precision" if off else "")


def budget(case: Case) -> BudgetCurves:
    """Forty releases, after which nothing is promised any more by one of the compositions."""
    releases = np.arange(41)
    spent = {"basic": 0.1 * releases, "advanced": 0.52 * releases**0.5, "zcdp": 0.47 * releases**0.5}
    spent["advanced"][-1] = np.nan
    return BudgetCurves(releases, spent, "zcdp", limit=3.2)
