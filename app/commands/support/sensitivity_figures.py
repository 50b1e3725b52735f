"""Pictures of sensitivities and noises for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.figure_panel import FigurePanel
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.noise_densities import NoiseDensities
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.analysis.sensitivity import EpsilonSweep
from engine.privacy import Privacy
from engine.queries.profile import sensitivity_path, sensitivity_sweep

if TYPE_CHECKING:
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
    betas = [noise.admissible(Privacy(epsilon, privacy.delta)).beta for epsilon in EPSILONS]
    sweep = EpsilonSweep(EPSILONS, sensitivity_sweep(query, data, betas), privacy.epsilon)
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
    curves = tuple(NoiseCurve(noise, scale, chosen=place == 0) for place, (noise, scale) in enumerate(noises))
    title = "Noise at this scale" if private else "Noise at scale 1"
    return FigurePanel(title, NoiseDensities, NoiseCurves(curves, public=not private), unit, private)
