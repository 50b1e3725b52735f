"""What somebody learns from a release: belief before and after, and what epsilon allows."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from app.plots.audit_view import AuditView
from app.plots.base import HEADLINE, Floats, Picture, footline, headline
from app.plots.contender_style import contender_style
from app.plots.key import Sentence
from app.plots.labels import Label
from app.plots.numbers import number, share
from app.plots.scales import linear_ticks
from app.theme import LIGHT, STROKES, Palette, Stroke

_POINTS = 201


class AuditPosterior(Picture[AuditView]):
    """Belief after a release against belief before: the band that epsilon allows, and what the event does."""

    title = "Belief before and after"
    has_log_y = False
    x_ticks_vary = False
    good_height = 260
    export_size = (7.2, 4.8)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._band = Polygon(np.zeros((1, 2)), facecolor=palette.tint(palette.smooth, 0.16), zorder=1.2)
        self._band.set(edgecolor="none", in_layout=False)
        axes.add_patch(self._band)
        self.add(self._band)
        self._same = self.line("global_")
        self._limits = [self.line("smooth", linewidth=1.8) for _ in range(2)]
        self._happened = self.line("truth", zorder=3.0)
        self._prior = self.line("truth", linewidth=1.0, alpha=0.6)
        self._dots = [self.dot("smooth", markersize=7, clip_on=False) for _ in range(2)]
        self._found = self.dot("truth", clip_on=False)
        self._sentence = Sentence(axes, palette, over=HEADLINE)
        self.add(self._sentence)
        for axis in (axes.xaxis, axes.yaxis):
            linear_ticks(axis, "%")
        axes.set(xlim=(0, 100), ylim=(0, 100))

    def update(self, result: AuditView) -> bool:
        """Show `result`; return whether everything must be drawn again."""
        again = super().update(result)
        self.needs_layout |= self._sentence.cramped()
        return again or self.needs_layout

    def show(self, result: AuditView) -> None:
        """Set the band, the curve of the event, and the chosen prior."""
        prior = np.linspace(0, 1, _POINTS)
        low, high = self._allowed(result, prior)
        self._band.set_xy(100 * np.concatenate([np.stack([prior, low], 1), np.stack([prior, high], 1)[::-1]]))
        for line, edge in zip(self._limits, (low, high), strict=True):
            line.set_data(100 * prior, 100 * edge)
        self._same.set_data([0, 100], [0, 100])
        style = contender_style(result.often, self.palette)
        self._happened.set(data=(100 * prior, 100 * self._after(result, prior)), color=style.colour)
        self._happened.set(linestyle=style.linestyle, linewidth=style.stroke.width)
        here = np.array([result.prior])
        ends = [float(edge[0]) for edge in self._allowed(result, here)]
        after = float(self._after(result, here)[0])
        self._prior.set_data([100 * result.prior] * 2, [0, 100])
        for dot, edge in zip(self._dots, ends, strict=True):
            dot.set_data([100 * result.prior], [100 * edge])
        self._found.set_data([100 * result.prior], [100 * after])
        self._found.set_markerfacecolor(style.colour)
        name = result.names[result.often]
        headline(self.axes, self.palette, f"belief in “{name}” after the release")
        footline(self.axes, f"belief in “{name}” before it")
        self._sentence.say(self._words(result, after, ends[1]))
        self.labels.set_labels(self._labels(result, after, ends))

    def _allowed(self, r: AuditView, prior: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest belief that the promised epsilon allows."""
        epsilon = r.run.audit.privacy.epsilon
        return _posterior(prior, np.exp(-epsilon)), _posterior(prior, np.exp(epsilon))

    def _after(self, r: AuditView, prior: Floats) -> Floats:
        """Return the belief of somebody who saw the event happen, at the least that is certain of it."""
        often, rarely = max(r.run.p_low, 0.0), r.run.q_high
        return _posterior(prior, often / rarely if rarely > 0 else np.inf)

    def _words(self, r: AuditView, after: float, most: float) -> str:
        name, before = r.names[r.often], share(r.prior)
        words = (
            f"Who believes in “{name}” with {before} may believe it with at most {share(most)} after any "
            f"release, if ε = {number(r.run.audit.privacy.epsilon)}"
        )
        if r.run.audit.privacy.delta:
            words += f" (but for a chance of δ = {number(r.run.audit.privacy.delta)})"
        sure = f"with {share(r.run.audit.confidence)} confidence at least {share(after)}"
        return f"{words}. After the event it is {sure}: {r.run.audit.verdict}."

    def _labels(self, r: AuditView, after: float, ends: list[float]) -> list[Label]:
        p, style = self.palette, contender_style(r.often, self.palette)
        promised = number(r.run.audit.privacy.epsilon)
        return [
            Label(
                97,
                f"allowed by ε = {promised}",
                p.smooth,
                extra=share(ends[1]),
                note="at most",
                stroke=Stroke(1.8),
            ),
            Label(
                76,
                "after the event",
                style.colour,
                extra=share(after),
                note="at least",
                bold=True,
                stroke=style.stroke,
            ),
            Label(55, "nothing learnt", p.global_, extra=share(r.prior), stroke=STROKES["global_"]),
        ]

    def describe(self, x: float, y: float | None = None) -> str:
        """Say what a belief may become, and what the event makes of it."""
        if self.result is None or not 0 <= x <= 100:
            return ""
        r, prior = self.result, np.array([x / 100])
        low, high = (share(float(edge[0])) for edge in self._allowed(r, prior))
        after = share(float(self._after(r, prior)[0]))
        allowed = f"{low} to {high} allowed after a release"
        return f"{share(x / 100)} before: {allowed}; after the event at least {after}"

    def summary(self) -> str:
        """Say what the event does to the chosen belief."""
        return "" if self.result is None else self._sentence.words

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return beliefs before and after, and what is allowed, in per cent."""
        header = ["before", "least allowed", "most allowed", "after the event"]
        if self.result is None:
            return header, []
        prior = np.linspace(0, 1, 101)
        low, high = self._allowed(self.result, prior)
        rows = np.stack([prior, low, high, self._after(self.result, prior)], axis=1)
        return header, (100 * rows).tolist()


def _posterior(prior: Floats, factor: float) -> Floats:
    """Return the belief whose odds are `factor` times those of the prior."""
    if np.isinf(factor):
        return np.asarray(np.where(prior > 0, 1.0, 0.0))
    return np.asarray(factor * prior / (factor * prior + 1 - prior))
