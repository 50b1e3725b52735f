"""The window's pictures as figures for files, light theme, with what is private said on them."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from app.model.wording.inexact import INEXACT
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import plain, quantity
from app.plots.base import Picture, quiet
from app.plots.elements.scales import linear_ticks
from app.plots.figures import export_figure, titled_figure
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.noise_densities import NoiseDensities
from app.plots.sensitivity.release_distribution import ReleaseDistribution
from app.theme import LIGHT
from engine.analysis.distribution import simulate_releases
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.analysis.sensitivity import EpsilonSweep
from engine.privacy import Privacy
from engine.queries.profile import sensitivity_path, sensitivity_sweep

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.plots.sensitivity.graph_view import GraphView
    from engine.data.database import Database, Walkable
    from engine.domain import Interval
    from engine.mechanisms import ScalarMechanism
    from engine.mechanisms.release import Release
    from engine.noise import Noise
    from engine.queries.base import Query
    from engine.queries.profile import SensitivityProfile

PUBLIC_SIZE, DPI = (7.8, 2.1), 144
EPSILONS = np.geomspace(0.05, 10.0, 41)


@dataclasses.dataclass(frozen=True)
class FigurePanel:
    """One picture, what it shows, and whether that was computed from raw data."""

    title: str
    picture: type[Picture[Any]]
    result: Any
    unit: str = ""
    private: bool = True


def figure(panel: FigurePanel) -> Figure:
    """Draw one panel; what is not private says so."""
    drawn = export_figure(
        panel.picture,
        panel.result,
        LIGHT,
        panel.unit,
        title=panel.title,
        private=panel.private,
    )
    drawn.set_dpi(DPI)
    return drawn


def sheet(panels: Sequence[FigurePanel]) -> bytes:
    """Draw several panels, two in a row, as one PNG.

    Each is laid out by itself: its labels need the room that they have alone.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave

    pictures = []
    for panel in panels:
        canvas = FigureCanvasAgg(figure(panel))
        canvas.draw()  # type: ignore[no-untyped-call]  # matplotlib has no types of this canvas
        pictures.append(np.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]  # as above
    pictures = _as_large(pictures)
    if len(pictures) % 2:
        pictures.append(np.full_like(pictures[0], 255))
    rows = [np.hstack(pictures[place : place + 2]) for place in range(0, len(pictures), 2)]
    content = io.BytesIO()
    imsave(content, np.vstack(rows), format="png", dpi=DPI)
    return content.getvalue()


def _as_large(pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return pictures with white to the right and below, so that all are as large as the largest."""
    height, width = np.max([picture.shape[:2] for picture in pictures], axis=0)
    pads = [((0, height - len(picture)), (0, width - picture.shape[1]), (0, 0)) for picture in pictures]
    return [np.pad(picture, pad, constant_values=255) for picture, pad in zip(pictures, pads, strict=True)]


def against_k(profile: SensitivityProfile, query: str, unit: str) -> Figure:
    """Draw sensitivity against the number of changed records."""
    return figure(against_k_panel(profile, query, unit))


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


def graph_panel(view: GraphView, title: str, unit: str) -> FigurePanel:
    """Show a graph, and what decides its sensitivity."""
    from app.plots.sensitivity.graph_picture import GraphPicture

    return FigurePanel(title, GraphPicture, view, unit)


def densities(noises: Sequence[tuple[Noise, float]], unit: str = "", *, private: bool = False) -> Figure:
    """Draw the densities of noises at their scales; the first is the chosen one."""
    return figure(densities_panel(noises, unit, private=private))


def densities_panel(
    noises: Sequence[tuple[Noise, float]], unit: str = "", *, private: bool = False
) -> FigurePanel:
    """Show the densities of noises at their scales."""
    curves = [NoiseCurve(noise, scale, chosen=place == 0) for place, (noise, scale) in enumerate(noises)]
    title = "Noise at this scale" if private else "Noise at scale 1"
    return FigurePanel(title, NoiseDensities, NoiseCurves(tuple(curves), public=not private), unit, private)


def release_panel(
    mechanism: ScalarMechanism, data: Database, privacy: Privacy, unit: str, released: float | None, seed: int
) -> FigurePanel:
    """Show the distribution of the released value, in theory and in simulated releases."""
    view = simulate_releases(mechanism, data, privacy, seed=seed, released=released)
    return FigurePanel(f"Released value: {mechanism.label}", ReleaseDistribution, view, unit)


def release_figure(
    mechanism: ScalarMechanism,
    release: Release,
    data: LoadedRecords[Any],
    privacy: Privacy,
    *,
    show_private: bool,
) -> Figure:
    """Draw a release: the curator's view, or only what may leave the room."""
    if show_private:
        released = None if release.simulated else release.value
        return figure(release_panel(mechanism, data.database, privacy, data.unit, released, seed=0))
    return number_line(release, data.range_of(mechanism.query), data.unit, release.query)


def number_line(release: Release, possible: Interval, unit: str, name: str) -> Figure:
    """Draw the released value beside all possible results, with its error where that is public."""
    value, error = release.value, release.error
    title = plain(f"Simulated {name}, not a release" if release.simulated else f"Released {name}")
    drawn = titled_figure(title, LIGHT, PUBLIC_SIZE)
    drawn.set_dpi(DPI)
    axes = drawn.add_subplot()
    quiet(axes, LIGHT)
    axes.yaxis.set_visible(False)
    axes.set_ylim(-1, 2.2)
    axes.set_xlabel(
        f"ε = {release.privacy.epsilon:g}, δ = {release.privacy.delta:g}, "
        f"{WORDS[release.neighbours].difference}{'' if release.exact else f', {INEXACT}'}; "
        "the grey line spans the possible results"
    )
    linear_ticks(axes.xaxis, unit)
    ends = [possible.lower, possible.upper]
    axes.plot(ends, [0, 0], color=LIGHT.border, linewidth=9, solid_capstyle="round")
    if value is None:
        axes.text(
            0.5,
            0.65,
            "no value: the mechanism refused",
            transform=axes.transAxes,
            ha="center",
            color=LIGHT.ink,
        )
        return drawn
    if error is not None:
        axes.errorbar(value, 0, xerr=error, color=LIGHT.released, capsize=5, linewidth=1.6)
    axes.plot(value, 0, marker="o", markersize=9, color=LIGHT.released, markeredgecolor=LIGHT.card)
    words = quantity(value, unit, 5) + (f"  ± {quantity(error, unit)} (95 %)" if error is not None else "")
    low, high = axes.get_xlim()
    axes.annotate(
        plain(words),
        (value, 0.55),
        ha="left"
        if value < low + (high - low) / 4
        else "right"
        if value > high - (high - low) / 4
        else "center",
        color=LIGHT.text(LIGHT.released),
        fontweight="bold",
    )
    return drawn
