"""Telling two neighbours apart: false alarms against missed detections, and what privacy forbids."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from app.model.theme import LIGHT, STROKES, Palette, Stroke
from app.model.wording.numbers import number, share
from app.plots.audit.square import AuditSquare
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from engine.analysis.memory import remembered
from engine.array_types import Floats
from engine.audit import AuditRun, bound, trade_off

_POINTS = 401


class AuditTradeOff(AuditSquare):
    """The region that (epsilon, delta) forbids to every test, and what thresholds of the feature reach."""

    title = "False alarms and missed detections"

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit, area="error")
        self._guessing = self.line("global_")
        self._bound = self.line("smooth", linewidth=1.8)
        self._test = self.line("truth", zorder=3.0)
        self._event = self.dot("truth", clip_on=False)
        self._sure = self.line("truth", linewidth=1.6, zorder=3.2)

    def show(self, result: AuditView) -> None:
        alarm = np.linspace(0, 1, _POINTS)
        least = bound(result.run.audit.privacy, alarm)
        self._area.set_xy(100 * np.concatenate([np.stack([alarm, least], 1), [[0, 0]]]))
        self._bound.set_data(100 * alarm, 100 * least)
        self._guessing.set_data([0, 100], [100, 0])
        style = side_style(result.run.often, self.palette)
        self._test.set(
            data=100 * np.stack(tests_of(result.run)), color=style.colour, linestyle=style.linestyle
        )
        self._test.set_linewidth(style.stroke.width)
        often, rarely = result.run.shares[result.run.often], result.run.shares[1 - result.run.often]
        alarms, missed = (100 * part for part in self._test_by(result, often, rarely))
        self._event.set(data=([alarms], [missed]), markerfacecolor=style.colour)
        worst = [100 * part for part in self._surely(result)]
        self._sure.set(data=([alarms, worst[0], worst[0]], [worst[1], worst[1], missed]))
        self._sure.set_color(style.colour)
        first, second = result.spoken(0), result.spoken(1)
        set_y_label(self.axes, self.palette, f"missed: it was {second}, and is not noticed")
        set_x_label(self.axes, f"false alarm: it was {first}, and {second} is named")
        self._sentence.set_text(self._words(result))
        self.labels.set_labels(self._labels(result))

    def _test_by(self, r: AuditView, often: float, rarely: float) -> tuple[float, float]:
        """Return false alarms and misses of naming the second database by the event.

        Parameters
        ----------
        often, rarely : float
            Probabilities of the event where it is likelier, and on the other side.
        """
        # where it is likelier on the first database, that the event does not happen tells of the second
        return (rarely, 1 - often) if r.run.often else (1 - often, rarely)

    def _surely(self, r: AuditView) -> tuple[float, float]:
        """Return false alarms and misses that the test by the event has at most, with confidence."""
        return self._test_by(r, r.run.p_low, r.run.q_high)

    def _words(self, r: AuditView) -> str:
        run, promised = r.run, r.run.audit.privacy
        delta = f" and δ = {number(promised.delta)}" if promised.delta else ""
        alarms, missed = self._surely(r)
        return (
            f"With {share(run.audit.confidence)} confidence a test by the event has at most "
            f"{share(alarms)} false alarms and misses at most {share(missed)}; by ε = "
            f"{number(promised.epsilon)}{delta} it must miss at least "
            f"{share(float(bound(promised, alarms)))}: {run.audit.verdict}."
        )

    def _labels(self, r: AuditView) -> list[Label]:
        p, style = self.palette, side_style(r.run.often, self.palette)
        promised = number(r.run.audit.privacy.epsilon)
        return [
            Label(96, "guessing", p.global_, note="nothing learnt", stroke=STROKES["global_"]),
            Label(75, f"limit of ε = {promised}", p.smooth, note="below: forbidden", stroke=Stroke(1.8)),
            Label(
                54, "what tests reach", style.colour, note="dot: the event", bold=True, stroke=style.stroke
            ),
        ]

    def tooltip_at(self, r: AuditView, x: float, y: float) -> str:
        if not 0 <= x <= 100:
            return ""
        least = float(bound(r.run.audit.privacy, x / 100))
        here = float(np.interp(x / 100, *tests_of(r.run)))
        allowed = f"{share(x / 100)} false alarms: at least {share(least)} must be missed"
        return f"{allowed}; tests by the feature miss {share(here)}"

    def table_of(self, r: AuditView) -> Table:
        header = ["false alarms", "missed", "least allowed"]
        alarms, missed = tests_of(r.run)
        least = bound(r.run.audit.privacy, alarms)
        return header, np.stack([alarms, missed, least], axis=1).tolist()


def tests_of(run: AuditRun) -> tuple[Floats, Floats]:
    """Return false alarms and misses of the best tests by the event's feature, sorted once, by a worker."""
    return remembered(run, ("trade-off",), lambda: trade_off(run))
