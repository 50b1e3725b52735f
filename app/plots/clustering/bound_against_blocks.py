"""The bound against the number of blocks: few blocks have no majority, small ones differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.wording.numbers import number, quantity
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.clustering.point_cloud import published
from app.plots.elements.labels import Label
from app.plots.elements.scales import log_axis, scale_from_zero
from engine.analysis.block_sweeps import BlocksSweep
from engine.array_types import Floats

_ROOM, _LINE = 0.3, 0.07  # of the width, for the name of a line; of the height, for a line of text


class BoundAgainstBlocks(Picture[BlocksSweep]):
    """S(z), the published bound and the typical error of a release against m."""

    title = "Bound against blocks"
    in_units = frozenset({"smooth", "published,", "block_error", "error", "global"})

    def build(self) -> None:
        self._global = self.line("global_")
        self._chosen, self._best = (self.line("truth", linewidth=1.0, alpha=alpha) for alpha in (0.6, 0.3))
        self._names = self.text(), self.text()
        look: dict[str, Any] = {"color": published(self.palette), "linewidth": 1.5, "linestyle": "dashed"}
        self._published = self.line("truth", layer="published", **look)
        self._blocks = self.line("truth", layer="blocks", linewidth=1.2)
        self._error = self.line("released")
        self._smooth = self.line("smooth", marker="o", markersize=4)
        self._dots = {
            self._error: self.dot("released", markersize=7, clip_on=False),
            self._smooth: self.dot("smooth", clip_on=False),
        }
        log_axis(self.axes.xaxis, floor=1.0)
        set_y_label(self.axes, self.palette, "distance")
        self._sentence = self.sentence_above()

    def show(self, result: BlocksSweep) -> None:
        self._scale(result)
        edges = (float(result.blocks[0]), float(result.blocks[-1]))
        self._global.set_data(edges, [result.diameter] * 2)
        self._mark_blocks(result)
        for line, values in (
            (self._smooth, result.smooth),
            (self._published, result.published),
            (self._blocks, result.block_error),
            (self._error, result.error),
        ):
            # a sweep that is still under way is joined over what is not known yet
            known = np.isfinite(values)
            line.set_data(result.blocks[known], values[known])
        for line, values in ((self._smooth, result.smooth), (self._error, result.error)):
            self._dots[line].set_data([result.chosen], [result.at(values, result.chosen)])
        self.labels.set_labels(self._labels(result))
        self._sentence.set_text(self._explain(result))

    def _explain(self, r: BlocksSweep) -> str:
        """Say how the bound, if there is one, and the typical error belong together; "" until it is known."""
        move, error = r.at(r.smooth, r.chosen), r.at(r.error, r.chosen)
        if np.isnan(error):
            return ""
        bound = f"one record moves the result by {quantity(move, self.unit)} at most; "
        text = f"{bound * bool(np.isfinite(move))}typical error {quantity(error, self.unit)}"
        return f"With {number(r.chosen)} blocks, {text}."

    def _mark_blocks(self, r: BlocksSweep) -> None:
        """Draw and name upright lines: the number in use, and that with the least error if it is another."""
        best, to_axes = best_blocks(r), self.axes.transData - self.axes.transAxes
        marks = ((self._chosen, r.chosen, "in use"), (self._best, best, "least error"))
        for name, (line, m, text) in zip(self._names, marks, strict=True):
            shown = line is self._chosen or m != r.chosen
            line.set_data([m] * 2 if shown else [], self.axes.get_ylim() if shown else [])
            is_left = m < max(r.chosen, best)
            across, up = to_axes.transform((m, r.diameter))
            left = bool(across > (_ROOM if is_left else 1 - _ROOM))
            if left != is_left and best != r.chosen:
                up -= _LINE  # clear of the other name
            y = float(to_axes.inverted().transform((across, up))[1])
            self.name_upright(name, f"{text}: {number(m)}" * shown, m, y, left=left)

    def _scale(self, r: BlocksSweep) -> None:
        set_x_label(self.axes, f"m blocks that share {number(r.n)} records  (← larger blocks)")
        edges = (float(r.blocks[0]), float(max(r.blocks[-1], r.blocks[0] + 1)))
        if self.axes.get_xlim() != edges:
            self.axes.set_xlim(edges)
        log = True if self.log_y is None else self.log_y
        values = [*r.smooth, *r.published, *r.error, *r.block_error, r.diameter]
        scale_from_zero(self.axes, values, self.unit, log)

    def _labels(self, r: BlocksSweep) -> list[Label]:
        p = self.palette

        def label(values: Floats, name: str, colour: str, note: str, **facts: Any) -> Label:
            known = values[np.isfinite(values)]
            end = float(known[-1]) if known.size else np.nan
            text = f"{name}  {self.amount(r.at(values, r.chosen))}"
            return Label(end, text, colour, note=note, **facts)

        return [
            Label(r.diameter, f"global  {self.amount(r.diameter)}", p.global_, note="largest possible"),
            label(r.error, "typical error", p.released, "of a release"),
            label(r.smooth, "smooth S", p.smooth, "one record moves it", bold=True),
            label(r.block_error, "block error", p.truth, "without noise", layer="blocks"),
            label(r.published, "published", published(p), "Not DP", layer="published"),
        ]

    def tooltip_at(self, r: BlocksSweep, x: float, y: float) -> str:
        if not r.blocks[0] <= x <= r.blocks[-1]:
            return ""
        m = round(x)
        return (
            f"{number(m)} blocks of about {number(r.n // m)}: "
            f"smooth {quantity(r.at(r.smooth, m), self.unit)}\n"
            f"typical error {quantity(r.at(r.error, m), self.unit)}, "
            f"{quantity(r.at(r.block_error, m), self.unit)} without noise (blocks alone)"
        )

    def alt_text_of(self, r: BlocksSweep) -> str:
        text = super().alt_text_of(r)
        if np.isnan(r.error).all():
            return text
        least = quantity(float(np.nanmin(r.error)), self.unit)
        return f"{text} Smallest error in view {least}, with {number(best_blocks(r))} blocks."

    def table_of(self, r: BlocksSweep) -> Table:
        header = ["blocks", "smooth", "published, Not DP", "block_error", "error", "global"]
        values = np.column_stack([r.smooth, r.published, r.block_error, r.error])
        return header, [
            [m, *("" if np.isnan(value) else value for value in row), r.diameter]
            for m, row in zip(r.blocks.tolist(), values.tolist(), strict=True)
        ]


def best_blocks(r: BlocksSweep) -> int:
    """Return the number of blocks with the least error that is known; that in use if none is."""
    return r.chosen if np.isnan(r.error).all() else int(r.blocks[np.nanargmin(r.error)])
