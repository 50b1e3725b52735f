"""A number as a figure: among all possible ones, or in the distribution of what could be released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from app.model.figure_style import STYLE, FigureStyle
from app.model.theme import LIGHT
from app.model.wording.grids import INEXACT
from app.model.wording.neighbours import WORDS
from app.model.wording.number_format import short
from app.model.wording.numbers import plain, quantity
from app.plots.elements.axes import style_axes
from app.plots.elements.scales import linear_ticks
from app.plots.figure_panel import DPI, FigurePanel
from app.plots.figures import titled_figure
from app.plots.sensitivity.release_distribution import ReleaseDistribution
from engine.analysis.distribution import simulate_releases

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.domain import Interval
    from engine.mechanisms import ScalarMechanism
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy

PUBLIC_SIZE = (7.8, 2.1)


def distribution_panel(
    mechanism: ScalarMechanism, data: LoadedRecords[Any], privacy: Privacy, released: float | None, seed: int
) -> FigurePanel:
    """Show the distribution of the released value, in theory and in simulated releases (private)."""
    view = simulate_releases(mechanism, data.database, privacy, seed=seed, released=released)
    return FigurePanel(f"Released value: {mechanism.label}", ReleaseDistribution, view, data.unit)


def number_line(
    release: Release, possible: Interval, unit: str, name: str, style: FigureStyle = STYLE
) -> Figure:
    """Draw the released value beside all possible results, with its error where that is public."""
    value, error = release.value, release.error
    title = plain(f"Simulated {name}, not a release" if release.simulated else f"Released {name}")
    drawn = titled_figure(title if style.has_title else "", LIGHT, style.size(PUBLIC_SIZE))
    drawn.set_dpi(DPI)
    axes = drawn.add_subplot()
    style_axes(axes, LIGHT)
    axes.yaxis.set_visible(False)
    axes.set_ylim(-1, 2.2)
    axes.set_xlabel(
        f"ε = {short(release.privacy.epsilon)}, δ = {short(release.privacy.delta)}, "
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
    text = quantity(value, unit, 5) + (f"  ± {quantity(error, unit)} (95 %)" if error is not None else "")
    low, high = axes.get_xlim()
    axes.annotate(
        plain(text),
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
