"""The opening scene: a row of records, two sensitivities above each place of one of them, two watchers."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from app.model.wording.numbers import number
from app.plots.base import Picture, Table, rows_of, set_y_label
from app.plots.elements.scales import style_axes
from engine.analysis.leap import ANSWERS, DOMAIN, Leap, LeapWatcher

ROW, CURVES = (0.0, 0.47, 1.0, 0.08), (0.0, 0.58, 1.0, 0.36)

WATCHERS = ((0.0, 0.06, 0.46, 0.24), (0.54, 0.06, 0.46, 0.24))
"""Left, bottom, width and height of each part, as shares of the whole."""

LOW, HIGH = 0.015, 300.0
"""Of the sensitivities that are drawn, on a logarithmic scale: it is their ratio that gives away."""

TITLES = ("One watcher sees noise at the local sensitivity", "The other sees noise at S*")
ARROW = "\N{RIGHTWARDS ARROW}"

MARGIN = 3.0  # of the domain, beyond both of its ends


class LeapPicture(Picture[Leap]):
    """One record that can be dragged across a gap, and what two watchers then believe."""

    title = "One record leaps"
    has_log_y = has_cursor = x_ticks_vary = False
    good_height = 360
    export_size = (9.6, 5.4)

    def build(self) -> None:
        self.axes.set(xlim=(DOMAIN.lower - MARGIN, DOMAIN.upper + MARGIN), ylim=(0, 1))
        self.axes.set_axis_off()
        self._row, self._curves = (self._part(panel) for panel in (ROW, CURVES))
        self._panels = tuple(self._part(panel) for panel in WATCHERS)
        self.parts = (self.axes, self._row, self._curves, *self._panels)
        for part in (self._row, self._curves):
            part.set_xlim(*self.axes.get_xlim())
            part.xaxis.set_visible(False)
        self._row.set_ylim(-0.6, 1.4)
        self._row.yaxis.set_visible(False)
        self._curves.set(yscale="log", ylim=(LOW, HIGH))
        set_y_label(
            self._curves, self.palette, "how far one record can move the median, for each place of the dot"
        )
        dots: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 7, "alpha": 0.6}
        self._records = self.line("global_", self._row, markeredgewidth=0, **dots)
        self._mover = self.dot("accent", self._row, markersize=15, clip_on=False)
        self._hint = self.text(axes=self._row, color=self.palette.text(self.palette.accent), va="center")
        self._local, self._smooth = (self.line(role, self._curves) for role in ("local", "smooth"))
        self._smooth.set_linewidth(3.2)
        self._now = [self.dot(role, self._curves, clip_on=False) for role in ("local", "smooth")]
        self._place = self.line("accent", self._curves, linewidth=1.0, alpha=0.7)
        self._names = [
            self.text(
                axes=self._curves, color=self.palette.text(getattr(self.palette, role)), fontweight="bold"
            )
            for role in ("local", "smooth")
        ]
        self._seen = [
            _WatcherPanel(self, panel, role)
            for panel, role in zip(self._panels, ("local", "smooth"), strict=True)
        ]

    def _part(self, panel: tuple[float, float, float, float]) -> Axes:
        part = self.axes.inset_axes(panel)
        style_axes(part, self.palette)
        part.grid(False)
        return part

    def show(self, result: Leap) -> None:
        heights = np.arange(result.records.size) % 5 / 4
        self._records.set_data(result.records, heights)
        self._mover.set_data([result.position], [0.4])
        beside = (result.position + 2, 0.4)
        self._hint.set(position=beside, text=f"drag me {ARROW}" if result.position < 15 else "")
        self._local.set_data(result.positions, result.local)
        self._smooth.set_data(result.positions, result.smooth)
        for dot, height in zip(self._now, result.now, strict=True):
            dot.set_data([result.position], [height])
        self._place.set_data([result.position] * 2, [LOW, HIGH])
        right = result.position < 50
        beyond = "left" if right else "right"
        x = result.position + (2 if right else -2)
        # each on its own side of both curves: the local one falls to the left, and its name with it
        places = ((result.now[0] / (1.3 if right else 2), "top"), (result.now[1] * 1.2, "bottom"))
        called = ("local sensitivity", "smooth sensitivity S*")
        for name, text, height, (y, side) in zip(self._names, called, result.now, places, strict=True):
            name.set(position=(x, y), text=f"{text}  {number(height)}", ha=beyond, va=side)
        watchers = (result.at_local, result.at_smooth)
        limits = f"any answer: at most {_percent(result.most)} (ε = {number(result.epsilon)})"
        texts = TITLES, ("Not DP: answers can make the watcher certain", limits)
        for panel, watcher, title, below in zip(self._seen, watchers, *texts, strict=True):
            panel.show(watcher, title, below)

    def table_of(self, r: Leap) -> Table:
        return ["record at", "local", "S*"], rows_of(r.positions, r.local, r.smooth)

    def alt_text_of(self, r: Leap) -> str:
        return (
            f"The record at {number(r.position)}: local sensitivity {number(r.now[0])}, smooth sensitivity "
            f"{number(r.now[1])}. A watcher's belief after a likely answer: "
            f"{_percent(r.at_local.belief_at_home)} under noise at the local sensitivity, "
            f"{_percent(r.at_smooth.belief_at_home)} under noise at S*, at most {_percent(r.most)}."
        )


class _WatcherPanel:
    """One watcher: how likely each answer is in both cases, and the belief after one."""

    def __init__(self, picture: LeapPicture, axes: Axes, role: str) -> None:
        palette = picture.palette
        axes.set(xlim=(ANSWERS[0], ANSWERS[-1]), ylim=(0, 1.08))
        axes.yaxis.set_visible(False)
        axes.xaxis.set_visible(False)
        self._home = picture.line(role, axes, linewidth=2.0, linestyle="solid")
        self._moved = picture.line("truth", axes, linewidth=1.4)
        above: dict[str, Any] = {"transform": axes.transAxes, "va": "bottom"}
        self._title = picture.text(0, 1.34, axes=axes, fontweight="bold", color=palette.ink, **above)
        self._belief = picture.text(
            0,
            1.05,
            axes=axes,
            fontsize=15,
            fontweight="bold",
            color=palette.text(getattr(palette, role)),
            **above,
        )
        for height, text, colour in (
            (0.86, "if the dot stayed", getattr(palette, role)),
            (0.68, "if it moved", palette.truth),
        ):
            axes.text(1, height, text, transform=axes.transAxes, ha="right", color=palette.text(colour))
        self._below = picture.text(
            0, -0.06, axes=axes, color=palette.muted, transform=axes.transAxes, va="top"
        )

    def show(self, watcher: LeapWatcher, title: str, below: str) -> None:
        home, moved = watcher.density(ANSWERS)
        # a narrow peak may lie between two answers of the grid
        answers = np.sort(np.append(ANSWERS, watcher.center))
        home, moved = watcher.density(answers)
        largest = max(home.max(), moved.max())
        self._home.set_data(answers, home / largest)
        self._moved.set_data(answers, moved / largest)
        self._title.set_text(title)
        self._belief.set_text(f"sure it stayed: {_percent(watcher.belief_at_home)}")
        self._below.set_text(below)


def _percent(share: float) -> str:
    return f"{number(100 * share, 3)}\N{NO-BREAK SPACE}%"
