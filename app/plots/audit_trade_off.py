"""Telling two neighbours apart: false alarms against missed detections, and what privacy forbids."""

from __future__ import annotations

import functools
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
from engine.audit import AuditRun

_POINTS = 401


class AuditTradeOff(Picture[AuditView]):
    """The region that (epsilon, delta) forbids to every test, and what thresholds of the feature reach."""

    title = "False alarms and missed detections"
    has_log_y = False
    x_ticks_vary = False
    good_height = 260
    export_size = (7.2, 4.8)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        self._forbidden = Polygon(np.zeros((1, 2)), facecolor=palette.tint(palette.error, 0.16), zorder=1.2)
        self._forbidden.set(edgecolor="none", in_layout=False)
        axes.add_patch(self._forbidden)
        self.add(self._forbidden)
        self._guessing = self.line("global_")
        self._bound = self.line("smooth", linewidth=1.8)
        self._test = self.line("truth", zorder=3.0)
        self._event = self.dot("truth", clip_on=False)
        self._sure = self.line("truth", linewidth=1.6, zorder=3.2)
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
        """Set the region, the best tests, and the one that the event makes."""
        alarm = np.linspace(0, 1, _POINTS)
        least = _bound(result, alarm)
        self._forbidden.set_xy(100 * np.concatenate([np.stack([alarm, least], 1), [[0, 0]]]))
        self._bound.set_data(100 * alarm, 100 * least)
        self._guessing.set_data([0, 100], [100, 0])
        style = contender_style(result.often, self.palette)
        self._test.set(
            data=100 * np.stack(tests_of(result.run)), color=style.colour, linestyle=style.linestyle
        )
        self._test.set_linewidth(style.stroke.width)
        alarms, missed = result.shares[1 - result.often], 1 - result.shares[result.often]
        self._event.set(data=([100 * alarms], [100 * missed]), markerfacecolor=style.colour)
        worst = 100 * result.run.q_high, 100 * (1 - result.run.p_low)
        self._sure.set(data=([100 * alarms, worst[0], worst[0]], [worst[1], worst[1], 100 * missed]))
        self._sure.set_color(style.colour)
        often, rarely = result.names[result.often], result.names[1 - result.often]
        headline(self.axes, self.palette, f"missed: it was “{often}”, and is not noticed")
        footline(self.axes, f"false alarm: it was “{rarely}”, and “{often}” is said")
        self._sentence.say(self._words(result))
        self.labels.set_labels(self._labels(result))

    def _words(self, r: AuditView) -> str:
        run, promised = r.run, r.run.audit.privacy
        delta = f" and δ = {number(promised.delta)}" if promised.delta else ""
        least = float(_bound(r, np.array([run.q_high]))[0])
        return (
            f"With {share(run.audit.confidence)} confidence a test by the event has at most "
            f"{share(run.q_high)} false alarms and misses at most {share(1 - run.p_low)}; by ε = "
            f"{number(promised.epsilon)}{delta} it must miss at least {share(least)}: {run.audit.verdict}."
        )

    def _labels(self, r: AuditView) -> list[Label]:
        p, style = self.palette, contender_style(r.often, self.palette)
        promised = number(r.run.audit.privacy.epsilon)
        return [
            Label(96, "guessing", p.global_, note="nothing learnt", stroke=STROKES["global_"]),
            Label(75, f"limit of ε = {promised}", p.smooth, note="below: forbidden", stroke=Stroke(1.8)),
            Label(
                54, "what tests reach", style.colour, note="dot: the event", bold=True, stroke=style.stroke
            ),
        ]

    def describe(self, x: float, y: float | None = None) -> str:
        """Say what a test with so many false alarms must miss, and what it misses."""
        if self.result is None or not 0 <= x <= 100:
            return ""
        least = float(_bound(self.result, np.array([x / 100]))[0])
        alarms, missed = tests_of(self.result.run)
        here = float(missed[alarms <= x / 100].min())
        allowed = f"{share(x / 100)} false alarms: at least {share(least)} must be missed"
        return f"{allowed}; tests by the feature miss {share(here)}"

    def summary(self) -> str:
        """Say what the event reaches."""
        return "" if self.result is None else self._sentence.words

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the tests, and what is the least that any with as many false alarms may miss."""
        header = ["false alarms", "missed", "least allowed"]
        if self.result is None:
            return header, []
        alarms, missed = tests_of(self.result.run)
        return header, np.stack([alarms, missed, _bound(self.result, alarms)], axis=1).tolist()


@functools.lru_cache(maxsize=1)
def tests_of(run: AuditRun) -> tuple[Floats, Floats]:
    """Return false alarms and missed detections of some tests, by thresholds of the event's feature.

    Those of the last audit are kept: a worker sorts, and pictures draw.
    """
    often, rarely = (run.first, run.second)[:: -1 if run.event.swapped else 1]
    sign = -1.0 if run.event.above else 1.0  # the event is what is low
    often, rarely = np.sort(sign * often), np.sort(sign * rarely)
    pooled = np.unique(np.concatenate([often, rarely]))
    some = pooled[np.unique(np.linspace(0, pooled.size - 1, _POINTS).round().astype(np.int64))]
    alarms = np.searchsorted(rarely, some, side="right") / rarely.size
    missed = 1 - np.searchsorted(often, some, side="right") / often.size
    return np.concatenate([[0.0], alarms]), np.concatenate([[1.0], missed])


def _bound(r: AuditView, alarms: Floats) -> Floats:
    """Return the least that a test with these false alarms misses (Kairouz, Oh, Viswanath 2015)."""
    promised = r.run.audit.privacy
    grown = np.exp(promised.epsilon)
    steep, flat = 1 - promised.delta - grown * alarms, (1 - promised.delta - alarms) / grown
    return np.maximum(0.0, np.maximum(steep, flat))
