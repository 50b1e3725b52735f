"""The attack on the low bits: where released numbers lie on the public grid, and which are impossible."""

from __future__ import annotations

import dataclasses

import numpy as np
from matplotlib.patches import StepPatch

from app.model.wording.guarantees import AuditVerdict, low_bits_verdict
from app.model.wording.numbers import number, share
from app.plots.audit.outcomes import WHOLE
from app.plots.audit.view import caption_of, planted_label
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import linear_ticks, scale_from_zero
from engine.array_types import Floats
from engine.audit import LowBitsRun, NeighbourAudit

_BINS = 41  # an odd number: one is around the points of the grid
_HEAD = 1.12  # of the highest bar
_MARGIN = 0.03


@dataclasses.dataclass(frozen=True, eq=False)
class LowBitsView:
    """The result of the attack on the low bits (private)."""

    run: LowBitsRun
    planted: str = ""  # which bug was planted, in words; "" for a mechanism as it should be
    prior: float = 0.5  # as of `app.plots.audit.view.AuditView`; it plays no part here

    @classmethod
    def of(cls, result: NeighbourAudit) -> LowBitsView:
        return cls(result.run, planted_label(result.bug))

    @property
    def edges(self) -> Floats:
        """Edges of the bars, in steps of the grid."""
        return np.linspace(-0.5, 0.5, _BINS + 1)

    @property
    def shares(self) -> Floats:
        """Shares of the numbers of both databases in each bar: possible and impossible, shape (2, bars)."""
        positions = np.concatenate(self.run.positions)
        impossible = np.concatenate(self.run.impossible)
        counts = [np.histogram(positions[impossible == no], self.edges)[0] for no in (False, True)]
        return np.array(counts) / max(1, len(positions))

    @property
    def verdict(self) -> AuditVerdict:
        return low_bits_verdict(self.run)

    @property
    def caption(self) -> str:
        """The caption of a saved picture."""
        return caption_of(self.verdict, self.planted)


class AuditLowBits(Picture[LowBitsView]):
    """Where released numbers lie between two points of the grid; those of impossible releases stand out."""

    title = "Low bits of releases"
    x_ticks_vary = False
    good_height = 200

    def build(self) -> None:
        self._colours = (self.palette.smooth, self.palette.error)
        self._bars = []
        for colour in self._colours:
            bars = StepPatch([0.0], [0.0, 1.0], fill=True, zorder=2.0, in_layout=False)
            bars.set(facecolor=self.palette.tint(colour, 0.75), edgecolor=colour, linewidth=0.8)
            self._bars.append(self.add(bars))
        self._sentence = self.sentence_above()
        linear_ticks(self.axes.xaxis, "")
        self.axes.set_xlim(-0.5 - _MARGIN, 0.5 + _MARGIN)

    def show(self, result: LowBitsView) -> None:
        possible, impossible = 100 * result.shares
        total = possible + impossible
        drawn = total[total > 0].tolist() or [1.0]
        scale_from_zero(self.axes, [*drawn, min(100.0, _HEAD * max(drawn))], "%", bool(self.log_y))
        base, top = self.axes.get_ylim()
        self.axes.set_ylim(top=top if self.log_y else min(top, WHOLE))
        for bars, low, high in zip(
            self._bars, (np.full(_BINS, base), np.maximum(possible, base)), (possible, total), strict=True
        ):
            seen = high > np.maximum(low, 0)
            heights, starts = np.where(seen, high, np.nan), np.where(seen, low, np.nan)
            # the stubs know no bars that begin at different heights
            bars.set_data(heights, result.edges, starts)  # type: ignore[arg-type]
        set_y_label(self.axes, self.palette, "share of the released numbers, in each bar")
        set_x_label(self.axes, "position from the nearest point of the public grid, in steps")
        self._sentence.set_text(result.run.result.describe())
        self.labels.set_labels(self._labels(result))

    def _labels(self, r: LowBitsView) -> list[Label]:
        result = r.run.result
        low, high = self.axes.get_ylim()
        first, second = (share(part) for part in result.impossible)
        off = share(result.off_grid)
        places = [low + part * (high - low) for part in (0.72, 0.4)]
        on_grid = "all on the grid" if not result.off_grid else f"{off} off the grid"
        return [
            Label(
                places[0],
                "impossible",
                self._colours[1],
                extra=f"{first} · {second}",
                note="for the neighbor, either way",
                bold=result.refuted,
            ),
            Label(
                places[1], "possible", self._colours[0], note=f"on both; {on_grid}", bold=not result.violated
            ),
        ]

    def tooltip_at(self, r: LowBitsView, x: float, y: float) -> str:
        edges = r.edges
        index = int(np.searchsorted(edges, x, side="right")) - 1
        if not 0 <= index < _BINS:
            return ""
        possible, impossible = (float(part) for part in r.shares[:, index])
        where = f"{number(float(edges[index]), 2)} to {number(float(edges[index + 1]), 2)} steps away"
        if index == _BINS // 2:
            where = "on a point of the grid, or near it"
        return f"{where}: {share(possible + impossible)} of the numbers, {share(impossible)} impossible"

    def alt_text_of(self, r: LowBitsView) -> str:
        return f"{r.verdict.sentence} {super().alt_text_of(r)}"

    def table_of(self, r: LowBitsView) -> Table:
        header = ["from", "to", "possible", "impossible for the neighbor"]
        edges = r.edges
        rows = np.stack([edges[:-1], edges[1:], *(100 * r.shares)], axis=1)
        return header, rows.tolist()
