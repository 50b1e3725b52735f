"""The window's pictures of what commands compute, as panels for files."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.commands.support.low_bits_text import worst_of
from app.plots.audit.low_bits import AuditLowBits, LowBitsView
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.view import AuditView, side_names
from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.view import ComparisonView
from app.plots.figure_panel import FigurePanel
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.noise_densities import NoiseDensities
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.analysis.sensitivity import EpsilonSweep
from engine.privacy import Privacy
from engine.queries.paths import sensitivity_path
from engine.queries.profile import sensitivity_sweep

if TYPE_CHECKING:
    from app.commands.support.audit_text import AuditedPairs
    from engine.comparison import Comparison
    from engine.data.database import Database, Walkable
    from engine.noise import Noise
    from engine.queries.base import Query
    from engine.queries.profile import SensitivityProfile

EPSILONS = np.geomspace(0.05, 10.0, 41)


def against_k_panel(profile: SensitivityProfile, query: str, unit: str) -> FigurePanel:
    """Show sensitivity against the number of changed records."""
    return FigurePanel(f"Sensitivity of the {query} against k", AgainstK, profile, unit)


def against_epsilon_panel(
    query: Query[Any], data: Database, noise: Noise, privacy: Privacy, unit: str
) -> FigurePanel:
    """Show sensitivity against epsilon, for the betas that `noise` has there."""
    epsilons = np.union1d(EPSILONS, privacy.epsilon)
    betas = [noise.admissible(Privacy(epsilon, privacy.delta)).beta for epsilon in epsilons]
    sweep = EpsilonSweep(epsilons, sensitivity_sweep(query, data, betas), privacy.epsilon)
    return FigurePanel(f"Sensitivity of the {query.label.lower()} against ε", AgainstEpsilon, sweep, unit)


def along_path_panel(
    query: Query[Any], start: Walkable, end: Walkable, beta: float, unit: str
) -> FigurePanel:
    """Show sensitivity while one database becomes another."""
    return FigurePanel(
        f"Sensitivity of the {query.label.lower()} along a path",
        AlongPath,
        sensitivity_path(query, start, end, beta),
        unit,
    )


def densities_panel(
    noises: Sequence[tuple[Noise, float]], unit: str = "", *, private: bool = False
) -> FigurePanel:
    """Show the densities of noises at their scales."""
    curves = tuple(NoiseCurve(noise, scale, chosen=index == 0) for index, (noise, scale) in enumerate(noises))
    title = "Noise at this scale" if private else "Noise at scale 1"
    return FigurePanel(title, NoiseDensities, NoiseCurves(curves, public=not private), unit, private)


def comparison_panel(comparison: Comparison, unit: str) -> FigurePanel:
    """Show the errors, or how they depend on what was varied."""
    index = len(comparison.sweep.values) - 1
    return frontier_panel(comparison, unit, index) if index > 0 else errors_panel(comparison, unit, index)


def errors_panel(comparison: Comparison, unit: str, index: int) -> FigurePanel:
    """Show the errors at one value of the sweep."""
    return FigurePanel(
        "Errors of simulated releases", ComparisonErrors, ComparisonView(comparison, index), unit
    )


def frontier_panel(comparison: Comparison, unit: str, index: int) -> FigurePanel:
    """Show errors along the sweep, with a word on who wins at one of its values."""
    return FigurePanel(
        f"Errors against {comparison.sweep.name}", ComparisonFrontier, ComparisonView(comparison, index), unit
    )


def audit_panel(audited: AuditedPairs, unit: str = "") -> FigurePanel:
    """Show what came out on the worst pair, and the event that tells its databases apart."""
    run, pair = audited.runs[audited.worst], audited.pairs[audited.worst]
    audit = dataclasses.replace(run.audit, confidence=audited.confidence)
    planted = audited.mistake.label if audited.planted else ""
    view = AuditView(dataclasses.replace(run, audit=audit), side_names(pair.public), planted)
    title = f"Audit of {audited.right.label}: {pair.label.lower()}"
    return FigurePanel(title, AuditOutcomes, view, unit, private=not pair.public)


def low_bits_panel(audited: AuditedPairs) -> FigurePanel:
    """Show where released numbers lie between the points of the grid, and which are impossible."""
    index = worst_of(audited.low_bits)
    pair, planted = audited.pairs[index], audited.mistake.label if audited.planted else ""
    title = f"Low bits of {audited.right.label}: {pair.label.lower()}"
    view = LowBitsView(audited.low_bits[index], planted)
    return FigurePanel(title, AuditLowBits, view, private=not pair.public)
