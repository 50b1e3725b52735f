"""What an attacker learns from a release: belief before and after, and what epsilon allows."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from app.model.theme import LIGHT, STROKES, Palette, Stroke
from app.model.wording.numbers import number, share
from app.plots.audit.square import AuditSquare
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from engine.array_types import Floats
from engine.audit import posterior

_POINTS = 201
_MIN_PROBABILITY = 1e-300  # of a probability of which nothing is certain


class AuditPosterior(AuditSquare):
    """Belief in the first database after a release against belief before: what is allowed, and the event."""

    title = "Belief before and after"

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit, area="smooth")
        self._same = self.line("global_")
        self._limits = [self.line("smooth", linewidth=1.8) for _ in range(2)]
        self._happened = self.line("truth", zorder=3.0)
        self._prior = self.line("truth", linewidth=1.0, alpha=0.6)
        self._dots = [self.dot("smooth", markersize=7, clip_on=False) for _ in range(2)]
        self._found = self.dot("truth", clip_on=False)

    def show(self, result: AuditView) -> None:
        prior = np.linspace(0, 1, _POINTS)
        low, high = posterior(prior, result.run.audit.privacy.epsilon)
        self._area.set_xy(100 * np.concatenate([np.stack([prior, low], 1), np.stack([prior, high], 1)[::-1]]))
        for line, edge in zip(self._limits, (low, high), strict=True):
            line.set_data(100 * prior, 100 * edge)
        self._same.set_data([0, 100], [0, 100])
        style = side_style(result.run.often, self.palette)
        self._happened.set(data=(100 * prior, 100 * self._after(result, prior)), color=style.colour)
        self._happened.set(linestyle=style.linestyle, linewidth=style.stroke.width)
        ends = [float(edge) for edge in posterior(result.prior, result.run.audit.privacy.epsilon)]
        after = float(self._after(result, result.prior))
        self._prior.set_data([100 * result.prior] * 2, [0, 100])
        for dot, end in zip(self._dots, ends, strict=True):
            dot.set_data([100 * result.prior], [100 * end])
        self._found.set_data([100 * result.prior], [100 * after])
        self._found.set_markerfacecolor(style.colour)
        name = result.spoken(0)
        set_y_label(self.axes, self.palette, f"belief in {name} after the release")
        set_x_label(self.axes, f"belief in {name} before it")
        self._sentence.set_text(self._words(result, after, ends))
        self.labels.set_labels(self._labels(result, after, ends))

    def _after(self, r: AuditView, prior: ArrayLike) -> Floats:
        """Return the belief of an attacker who saw the event happen, as near the prior as is certain.

        An event that is likelier on the second database takes from the belief in the first.
        """
        factor = np.log(max(r.run.p_low, _MIN_PROBABILITY) / r.run.q_high)
        return posterior(prior, float(factor))[1 - r.run.often]

    def _surely(self, r: AuditView) -> str:
        return "at most" if r.run.often else "at least"

    def _words(self, r: AuditView, after: float, ends: list[float]) -> str:
        name, before = r.spoken(0), share(r.prior)
        text = (
            f"Who believes in {name} with {before} may believe it with {share(ends[0])} to {share(ends[1])} "
            f"after any release, if ε = {number(r.run.audit.privacy.epsilon)}"
        )
        if r.run.audit.privacy.delta:
            text += f" (but for a chance of δ = {number(r.run.audit.privacy.delta)})"
        sure = f"with {share(r.run.audit.confidence)} confidence {self._surely(r)} {share(after)}"
        return f"{text}. After the event it is {sure}: {r.run.audit.verdict}."

    def _labels(self, r: AuditView, after: float, ends: list[float]) -> list[Label]:
        p, style = self.palette, side_style(r.run.often, self.palette)
        promised = number(r.run.audit.privacy.epsilon)
        return [
            Label(
                97,
                f"allowed by ε = {promised}",
                p.smooth,
                extra=share(ends[1]),
                note=f"at most, and at least {share(ends[0])}",
                stroke=Stroke(1.8),
            ),
            Label(
                76,
                "after the event",
                style.colour,
                extra=share(after),
                note=self._surely(r),
                bold=True,
                stroke=style.stroke,
            ),
            Label(55, "nothing learnt", p.global_, extra=share(r.prior), stroke=STROKES["global_"]),
        ]

    def tooltip_at(self, r: AuditView, x: float, y: float) -> str:
        if not 0 <= x <= 100:
            return ""
        low, high = (share(float(edge)) for edge in posterior(x / 100, r.run.audit.privacy.epsilon))
        after = share(float(self._after(r, x / 100)))
        allowed = f"{low} to {high} allowed after a release"
        return f"{share(x / 100)} before: {allowed}; after the event {self._surely(r)} {after}"

    def table_of(self, r: AuditView) -> Table:
        header = ["before", "least allowed", "most allowed", "after the event"]
        prior = np.linspace(0, 1, 101)
        low, high = posterior(prior, r.run.audit.privacy.epsilon)
        rows = np.stack([prior, low, high, self._after(r, prior)], axis=1)
        return header, (100 * rows).tolist()
