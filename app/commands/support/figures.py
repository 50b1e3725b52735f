"""The window's pictures of what commands compute, as panels for files."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.commands.support.low_bits_text import worst_of
from app.plots.audit.low_bits import AuditLowBits, LowBitsView
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.view import AuditView, side_names
from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.view import ComparisonView
from app.plots.figure_panel import FigurePanel
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.noise_densities import NoiseDensities
from engine.analysis.noise import NoiseCurve, NoiseCurves

if TYPE_CHECKING:
    from app.commands.support.audit_text import AuditedPairs
    from engine.comparison import Comparison
    from engine.noise import Noise
    from engine.queries.profile import SensitivityProfile


def against_k_panel(profile: SensitivityProfile, query: str, unit: str) -> FigurePanel:
    """Show sensitivity against the number of changed records."""
    return FigurePanel(f"Sensitivity of the {query} against k", AgainstK, profile, unit)


def noise_panel(noise: Noise) -> FigurePanel:
    """Show the density of a noise at scale 1."""
    return FigurePanel(
        "Noise at scale 1", NoiseDensities, NoiseCurves((NoiseCurve(noise, 1.0, chosen=True),)), "", False
    )


def comparison_panel(comparison: Comparison, unit: str) -> FigurePanel:
    """Show the errors, or how they depend on what was varied."""
    index = len(comparison.sweep.values) - 1
    view = ComparisonView(comparison, index)
    if index > 0:
        return FigurePanel(f"Errors against {comparison.sweep.name}", ComparisonFrontier, view, unit)
    return FigurePanel("Errors of simulated releases", ComparisonErrors, view, unit)


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
