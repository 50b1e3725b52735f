"""An audit in two shares: false alarms against missed detections, and belief before and after a release."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from app.model.theme import STROKES, Stroke
from app.model.wording.numbers import number, share
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks
from engine.analysis.memory import remembered
from engine.array_types import Floats
from engine.audit import AuditRun, bound, posterior, trade_off


class AuditSquare(Picture[AuditView]):
    """A square of two shares in percent: an area, curves in it, and a sentence above."""

    has_log_y = False
    x_ticks_vary = False
    good_height = 200
    export_size = (7.2, 4.8)

    area: ClassVar[str] = "smooth"  # the colour of the area, as `Palette` calls it

    def build(self) -> None:
        axes, palette = self.axes, self.palette
        tint = palette.tint(getattr(palette, self.area), 0.16)
        self._area = Polygon(np.zeros((1, 2)), facecolor=tint, zorder=1.2)
        self._area.set(edgecolor="none", in_layout=False)
        self.add(self._area, "limit")
        self._sentence = self.sentence_above()
        for axis in (axes.xaxis, axes.yaxis):
            linear_ticks(axis, "%")
        axes.set(xlim=(0, 100), ylim=(0, 100))

    def alt_text_of(self, r: AuditView) -> str:
        return f"{r.verdict.sentence} {super().alt_text_of(r)}"


_TEST_POINTS = 401


class AuditTradeOff(AuditSquare):
    """The region that (epsilon, delta) forbids to every test, and what thresholds of the feature reach."""

    title = "False alarms and missed detections"
    area = "error"

    def build(self) -> None:
        super().build()
        self._guessing = self.line("global_", layer="guessing")
        self._bound = self.line("smooth", layer="limit", linewidth=1.8)
        self._test = self.line("truth", layer="tests", zorder=3.0)
        self._event = self.dot("truth", layer="event", clip_on=False)

    def show(self, result: AuditView) -> None:
        alarm = np.linspace(0, 1, _TEST_POINTS)
        least = bound(result.run.audit.privacy, alarm)
        self._area.set_xy(100 * np.concatenate([np.stack([alarm, least], 1), [[0, 0]]]))
        self._bound.set_data(100 * alarm, 100 * least)
        self._guessing.set_data([0, 100], [100, 0])
        style = side_style(result.run.often, self.palette)
        self._test.set(data=100 * np.stack(tests_of(result.run)), color=style.colour)
        self._test.set(linestyle=style.stroke.linestyle, linewidth=style.stroke.width)
        often, rarely = result.run.shares[result.run.often], result.run.shares[1 - result.run.often]
        alarms, missed = (100 * part for part in self._test_by(result, often, rarely))
        self._event.set(data=([alarms], [missed]), markerfacecolor=style.colour)
        first, second = result.spoken(0), result.spoken(1)
        set_y_label(self.axes, self.palette, f"missed: it was {second}, and is not noticed")
        set_x_label(self.axes, f"false alarm: it was {first}, and {second} is named")
        self._sentence.set_text(self._words(result) if self.is_shown("event") else "")
        self.labels.set_labels(self._labels(result))

    def _test_by(self, r: AuditView, often: float, rarely: float) -> tuple[float, float]:
        """Return false alarms and misses of naming the second database by the event.

        `often`, `rarely`: probabilities of the event where it is likelier, and on the other side.
        """
        # where it is likelier on the first database, that the event does not happen tells of the second
        return (rarely, 1 - often) if r.run.often else (1 - often, rarely)

    def _words(self, r: AuditView) -> str:
        """Say what the test by the event reaches, with confidence, and what the guarantee allows."""
        promised, (alarms, missed) = r.run.audit.privacy, self._test_by(r, r.run.p_low, r.run.q_high)
        delta = f" and δ = {number(promised.delta)}" if promised.delta else ""
        return (
            f"With at most {share(alarms)} false alarms, a test by the event misses at most {share(missed)}; "
            f"ε = {number(promised.epsilon)}{delta} allows no less than "
            f"{share(float(bound(promised, alarms)))}."
        )

    def _labels(self, r: AuditView) -> list[Label]:
        p, style = self.palette, side_style(r.run.often, self.palette)
        promised = number(r.run.audit.privacy.epsilon)
        return [
            Label(
                96,
                "guessing",
                p.global_,
                note="no information",
                stroke=STROKES["global_"],
                layer="guessing",
            ),
            Label(
                75,
                f"limit of ε = {promised}",
                p.smooth,
                note="below: forbidden",
                stroke=Stroke(1.8),
                layer="limit",
            ),
            Label(
                54,
                "what tests reach",
                style.colour,
                note="dot: the event" if self.is_shown("event") else "",
                bold=True,
                stroke=style.stroke,
                layer="tests",
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


_BELIEF_POINTS = 201
_MIN_PROBABILITY = 1e-300  # where no bound is certain


class AuditPosterior(AuditSquare):
    """Belief in the likelier database of the event after a release against belief before."""

    title = "Belief before and after"

    def build(self) -> None:
        super().build()
        self._same = self.line("global_", layer="unchanged")
        self._limits = [self.line("smooth", layer="limit", linewidth=1.8) for _ in range(2)]
        self._happened = self.line("truth", layer="event", zorder=3.0)
        self._prior = self.line("truth", linewidth=1.0, alpha=0.6)
        self._dots = [self.dot("smooth", layer="limit", markersize=7, clip_on=False) for _ in range(2)]
        self._found = self.dot("truth", layer="event", clip_on=False)

    def show(self, result: AuditView) -> None:
        prior = np.linspace(0, 1, _BELIEF_POINTS)
        low, high = posterior(prior, result.run.audit.privacy.epsilon)
        self._area.set_xy(100 * np.concatenate([np.stack([prior, low], 1), np.stack([prior, high], 1)[::-1]]))
        for line, edge in zip(self._limits, (low, high), strict=True):
            line.set_data(100 * prior, 100 * edge)
        self._same.set_data([0, 100], [0, 100])
        style = side_style(result.run.often, self.palette)
        self._happened.set(data=(100 * prior, 100 * self._after(result, prior)), color=style.colour)
        self._happened.set(linestyle=style.stroke.linestyle, linewidth=style.stroke.width)
        ends = [float(edge) for edge in posterior(result.prior, result.run.audit.privacy.epsilon)]
        after = float(self._after(result, result.prior))
        self._prior.set_data([100 * result.prior] * 2, [0, 100])
        for dot, end in zip(self._dots, ends, strict=True):
            dot.set_data([100 * result.prior], [100 * end])
        self._found.set_data([100 * result.prior], [100 * after])
        self._found.set_markerfacecolor(style.colour)
        name = result.spoken(result.run.often)
        set_y_label(self.axes, self.palette, f"belief in {name} after the release")
        set_x_label(self.axes, f"belief in {name} before it")
        self._sentence.set_text(self._words(result, after, ends) if self.is_shown("event") else "")
        self.labels.set_labels(self._labels(result, after, ends))

    def _after(self, r: AuditView, prior: ArrayLike) -> Floats:
        """Return the belief of an attacker who saw the event happen, as near the prior as is certain."""
        factor = np.log(max(r.run.p_low, _MIN_PROBABILITY) / r.run.q_high)
        return posterior(prior, float(factor))[1]

    def _words(self, r: AuditView, after: float, ends: list[float]) -> str:
        promised, low, high = r.run.audit.privacy, *map(share, ends)
        rarely = f" (except with probability δ = {number(promised.delta)})" if promised.delta else ""
        return (
            f"Start {share(r.prior)} sure of {r.spoken(r.run.often)}: after the event you are at least "
            f"{share(after)} sure; ε = {number(promised.epsilon)} allows {low} to {high}{rarely}."
        )

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
                layer="limit",
            ),
            Label(
                76,
                "after the event",
                style.colour,
                extra=share(after),
                note="at least",
                bold=True,
                stroke=style.stroke,
                layer="event",
            ),
            Label(
                55,
                "nothing learned",
                p.global_,
                extra=share(r.prior),
                stroke=STROKES["global_"],
                layer="unchanged",
            ),
        ]

    def tooltip_at(self, r: AuditView, x: float, y: float) -> str:
        if not 0 <= x <= 100:
            return ""
        low, high = (share(float(edge)) for edge in posterior(x / 100, r.run.audit.privacy.epsilon))
        after = share(float(self._after(r, x / 100)))
        allowed = f"{low} to {high} allowed after a release"
        return f"{share(x / 100)} before: {allowed}; after the event at least {after}"

    def table_of(self, r: AuditView) -> Table:
        header = ["before", "least allowed", "most allowed", "after the event"]
        prior = np.linspace(0, 1, 101)
        low, high = posterior(prior, r.run.audit.privacy.epsilon)
        rows = np.stack([prior, low, high, self._after(r, prior)], axis=1)
        return header, (100 * rows).tolist()
