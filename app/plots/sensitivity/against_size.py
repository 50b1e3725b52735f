"""Errors over the number of records: from where on does noise not matter?"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from app.model.wording.numbers import number, quantity, times
from app.plots.base import Picture, Table, rows_of, set_x_label, set_y_label
from app.plots.elements.labels import Label
from app.plots.elements.scales import log_axis, log_ticks_on
from engine.analysis.expected_error import ErrorAgainstSize


class AgainstSize(Picture[ErrorAgainstSize]):
    """The typical error of noise and that of sampling, and where the one falls below the other."""

    title = "Errors against the number of records"
    in_units = frozenset({"noise", "sampling"})
    has_log_y = False
    sampled: ClassVar[str] = "without any noise"
    """The note on the error of sampling."""

    def build(self) -> None:
        self._sampling = self.line("muted", layer="sampling", linewidth=1.8, linestyle=(0, (5.0, 2.2)))
        self._noise = self.line("smooth", layer="noise")
        self._records = self.line("truth", linewidth=1.0, alpha=0.6)
        self._crossing = self.dot("smooth", layer="noise")
        self._present = self.dot("truth", layer="noise")
        self._name = self.text(layer="noise")
        self._sentence = self.sentence_above()
        log_axis(self.axes.xaxis)
        log_axis(self.axes.yaxis, self.unit)

    def show(self, result: ErrorAgainstSize) -> None:
        set_x_label(self.axes, "n, records; the curves simulate data like these")
        both = np.array([*result.noise, *result.sampling, result.present])
        known = both[np.isfinite(both) & (both > 0)]
        has_zero = bool((both == 0).any())  # a count near its bounds, which most noise is clamped to
        if known.size:
            self.axes.set_ylim(known.min() / (4 if has_zero else 1.6), known.max() * 1.6)
        note = " (0: at the bottom)" if has_zero else ""
        set_y_label(self.axes, self.palette, f"typical error: half of the errors are smaller{note}")
        self.axes.set_xlim(result.sizes[0], result.sizes[-1])
        log_ticks_on(self.axes.yaxis, self.unit)
        bottom = self.axes.get_ylim()[0]  # where 0 stands: a logarithmic scale has no place for it
        noise, sampling = (
            np.where(errors == 0, bottom, errors) for errors in (result.noise, result.sampling)
        )
        self._noise.set_data(result.sizes, noise)
        self._sampling.set_data(result.sizes, sampling)
        self._records.set_data([result.records] * 2, self.axes.get_ylim())
        at = [] if result.crossing in (None, result.sizes[0]) else [result.crossing]
        self._crossing.set_data(at, [noise[np.searchsorted(result.sizes, n)] for n in at])
        present = result.present or bottom
        self._present.set_data([result.records], [present])
        self._name.set_visible(bool(np.isfinite(present)))
        self.name_upright(
            self._name, f"these data: {self.amount(result.present)}", result.records, present, left=True
        )
        both_shown = self.is_shown("noise") and self.is_shown("sampling")
        self._sentence.set_text(_finding(result) if both_shown else "")
        crossing = _crossing(result) + " (dot)" * len(at)
        self.labels.set_labels(
            [
                Label(
                    float(sampling[-1]), "sampling", self.palette.muted, note=self.sampled, layer="sampling"
                ),
                Label(float(noise[-1]), "noise", self.palette.smooth, "", crossing, True, layer="noise"),
            ]
        )

    def tooltip_at(self, r: ErrorAgainstSize, x: float, y: float) -> str:
        if not x > 0:
            return ""
        index = int(np.argmin(np.abs(np.log(r.sizes) - np.log(x))))
        return (
            f"n = {number(int(r.sizes[index]))}: noise {quantity(float(r.noise[index]), self.unit)}, "
            f"sampling {quantity(float(r.sampling[index]), self.unit)}"
        )

    def alt_text_of(self, r: ErrorAgainstSize) -> str:
        return (
            f"{_finding(r)} Typical errors from n = {number(int(r.sizes[0]))} to "
            f"{number(int(r.sizes[-1]))}: noise from "
            f"{quantity(float(r.noise[0]), self.unit)} to {quantity(float(r.noise[-1]), self.unit)}, "
            f"sampling from {quantity(float(r.sampling[0]), self.unit)} to "
            f"{quantity(float(r.sampling[-1]), self.unit)}; noise is {_crossing(r)}"
            + f"; on these data {quantity(r.present, self.unit)}" * bool(np.isfinite(r.present))
            + "."
        )

    def table_of(self, r: ErrorAgainstSize) -> Table:
        return ["n", "noise", "sampling"], rows_of(r.sizes, r.noise, r.sampling)


def _finding(r: ErrorAgainstSize) -> str:
    """Say which of noise and sampling adds more error at the number of the user's records, and how much."""
    n = min(max(r.records, int(r.sizes[0])), int(r.sizes[-1]))
    noise, sampling = (float(np.interp(n, r.sizes, errors)) for errors in (r.noise, r.sampling))
    if math.isnan(noise + sampling):
        return ""
    more, less = ("sampling", "noise") if sampling > noise else ("noise", "sampling")
    where = f"At {'your ' * (n == r.records)}n = {number(n)},"
    if min(noise, sampling) == 0:
        return f"{where} {less} adds no error."
    ratio = times(max(noise, sampling) / min(noise, sampling), "as much error", digits=2)
    return f"{where} {more} adds {ratio} as {less}."


def _crossing(result: ErrorAgainstSize) -> str:
    """Say from where on noise errs less than sampling."""
    if result.crossing == result.sizes[0]:
        return "always below sampling here"
    if result.crossing is None:
        return "not below sampling here"
    return f"below sampling from n = {number(result.crossing)} on"


class DensityRate(AgainstSize):
    """The error of histograms without noise, and what noise adds."""

    title = "Error of a histogram against the number of records"
    in_units: ClassVar[frozenset[str]] = frozenset()
    sampled = "falls like n to the power of −1/3"

    def build(self) -> None:
        self.unit = ""  # the records are synthetic
        super().build()

    def show(self, result: ErrorAgainstSize) -> None:
        super().show(result)
        set_x_label(self.axes, "n, synthetic records, each n with its best number of bins")
        set_y_label(self.axes, self.palette, "typical error of a bar (1: as high as the average bar)")
        n, top, (first, *_, last) = result.records, self.axes.get_ylim()[1], result.sizes.tolist()
        self.name_upright(self._name, f"your n = {number(n)}", n, top, left=n * n > first * last)
        self._name.set_visible(first < n < last)

    def alt_text_of(self, r: ErrorAgainstSize) -> str:
        rate, _ = np.polyfit(np.log(r.sizes[-9:]), np.log(r.sampling[-9:]), 1)  # of the last hundredfold
        return f"{super().alt_text_of(r)} Sampling falls like n to the power {rate:.2f}."
