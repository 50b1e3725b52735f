"""How far counts and trees of several histograms are from the truth, side by side."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, plain, quantity, share
from app.plots.base import Picture, Table, set_points, set_x_label, set_y_label
from app.plots.elements.dot_rows import DOTS, QUANTILES, DotRow, DotRows, quantile_cells, quantile_dots
from app.plots.elements.labels import Label
from app.plots.elements.scales import TICK_SIZE, GivenLocator, SplitAxes, log_axis
from engine.analysis.histogram_accuracy import HistogramErrors, HistogramErrorSample
from engine.array_types import Floats
from engine.comparison.verdict import standing

_HEIGHT, _BAR, _BASE = 0.72, 0.8, -0.42  # of a row, of its median, and where both begin
_HEADING, _GROUP = 0.75, 0.35  # heights of the heading of a group, and of the gap above it, in rows
_INDENT = 2 * "\N{NO-BREAK SPACE}"  # of rows below their heading
_DEEPEST = 1e-5  # of the largest: smaller errors are drawn at the left edge
_MARGIN = 0.03  # of the logarithm of the limits, keeps the outermost ticks off the edges
_COLUMN = 0.25  # of the logarithm of the limits, for the medians at the right edge
_GAP = 18.0  # points between the panels
_LONGEST = 44  # letters of a reason beside a row
_KINDS = {"counts": "count error", "tree": "tree cost error"}
_Y_LABELS = {"counts": "counts (records off)", "tree": "spanning tree (% off)"}
_UNITS = {"counts": "records", "tree": "%"}
_HEADINGS = {True: "Private", False: "Not DP"}  # by whether the group is private


class HistogramErrorRows(Picture[HistogramErrors]):
    """Panels with a row of dots for each kind of histogram: errors of counts, and of trees if any."""

    title = "Errors of histograms"
    has_log_y = has_cursor = False  # two axes have no cursor line in common

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        panels = SplitAxes(axes, palette, between=_GAP)
        super().__init__(panels.first, palette, unit)
        self._panels = dict(zip(_KINDS, (panels.first, panels.second), strict=True))
        self._baselines = {
            kind: self.line("truth", part, color=palette.border, linewidth=1.0, zorder=1.6)
            for kind, part in self._panels.items()
        }
        self._medians = {  # behind dots: it hides none
            kind: self.line("truth", part, linewidth=2.2, zorder=2.9) for kind, part in self._panels.items()
        }
        self._rows = {kind: self.add(DotRows(part)) for kind, part in self._panels.items()}
        self._texts: list[Text] = []
        for kind, part in self._panels.items():
            log_axis(part.xaxis)  # its name has the unit
            part.yaxis.set_visible(False)
            set_y_label(part, palette, _Y_LABELS[kind])
        set_x_label(panels.first, f"1 dot: 1 in {DOTS} runs; bar and number: median")
        set_x_label(panels.second, " ")
        self._sentence = self.sentence_above()
        self.labels.before = True
        self.labels.narrow(0.38)  # of the width, for the names

    def show(self, result: HistogramErrors) -> None:
        self.clear(self._texts)
        self._panels["tree"].set_visible(any(sample.tree.size for sample in result.samples))
        self.parts = tuple(part for part in self._panels.values() if part.get_visible())
        for kind in _KINDS:
            self._show_panel(result, kind)
        names = [self._label(result, sample, y) for sample, y in _rows(result)]
        self.labels.set_labels([*self._headings(result), *names])
        preliminary = "" if result.done >= 1 else f"Preliminary, {share(result.done)} of the runs. "
        self._sentence.set_text(preliminary + _sentence(result))

    def _show_panel(self, r: HistogramErrors, kind: str) -> None:
        part = self._panels[kind]
        self._scale(r, kind)
        left, right = part.get_xlim()
        rows, medians = [], []
        placed = _rows(r) if part.get_visible() else []
        for sample, y in placed:
            errors, base = _errors(sample, kind), y + _BASE
            if not errors.size:
                waits = r.done < 1 and not (sample.problem or sample.counts.size)
                self._write(part, base, "…" if waits else "none", self.palette.muted)
                continue
            rows.append(DotRow(base, _HEIGHT, np.maximum(quantile_dots(errors), left), self._colour(sample)))
            middle = max(float(np.median(errors)), left)
            medians += [(middle, base), (middle, base + _BAR), (np.nan, np.nan)]
            self._write(part, base, number(float(np.median(errors)), 2), self.palette.ink)
        self._rows[kind].set_rows(rows)
        set_points(self._medians[kind], medians)
        lines = [(x, y + _BASE) for _, y in placed for x in (left, right, np.nan)]
        set_points(self._baselines[kind], lines)

    def _scale(self, r: HistogramErrors, kind: str) -> None:
        known = np.concatenate([_errors(sample, kind) for sample in r.samples] or [np.empty(0)])
        top = float(known.max(initial=0.0)) or 1.0
        drawn = np.maximum(np.append(known[known > 0], top), _DEEPEST * top)
        first, last = np.floor(np.log10(drawn.min())), np.ceil(np.log10(1.01 * drawn.max()))
        margin = 10 ** (_MARGIN * (last - first))
        self._panels[kind].set_xlim(10**first / margin, 10 ** (last + _COLUMN * (last - first)))
        self._panels[kind].xaxis.set_major_locator(GivenLocator((10 ** np.arange(first, last + 1)).tolist()))
        lowest = min((y for _, y in _rows(r)), default=0.0)
        self._panels[kind].set_ylim(lowest - 0.5, 0.5)

    def _headings(self, r: HistogramErrors) -> list[Label]:
        """Return what stands above each group: whether it is private."""
        first = {sample.mechanism.facts.is_private: y for sample, y in reversed(_rows(r))}
        above = _BASE + _HEIGHT / 2 + _HEADING
        return [Label(y + above, _HEADINGS[one], self.palette.ink, bold=True) for one, y in first.items()]

    def _write(self, part: Axes, base: float, label: str, colour: str) -> None:
        """Write a number at the right edge of a panel."""
        y, size = base + _HEIGHT / 2, TICK_SIZE
        text = self.text(1.0, y, label, part, fontsize=size, ha="right", va="center", color=colour)
        text.set_transform(part.get_yaxis_transform())
        self._texts.append(text)

    def _colour(self, sample: HistogramErrorSample) -> str:
        return self.palette.released if sample.mechanism.facts.is_private else self.palette.private

    def _label(self, r: HistogramErrors, sample: HistogramErrorSample, y: float) -> Label:
        chosen = sample.mechanism.name == r.mechanism.name
        name = _INDENT + plain(sample.mechanism.label)
        # all of it is in the tooltip
        note = textwrap.shorten(sample.problem, _LONGEST, placeholder=" …")
        kind = "in use" if chosen else re.split("[,:]", sample.mechanism.summary)[0]
        note = _INDENT + plain(note or kind)
        return Label(y + _BASE + _HEIGHT / 2, name, self.palette.ink, note=note, bold=chosen)

    def tooltip_at(self, r: HistogramErrors, x: float, y: float) -> str:
        sample = next((one for one, middle in _rows(r) if abs(y - middle) <= 0.5), None)
        if sample is None:
            return ""
        # x is a place of the first panel, also where the pointer is on the second one
        pixels = self.axes.transData.transform((x, y))
        kind = "tree" if len(self.parts) > 1 and pixels[0] >= self.parts[1].bbox.x0 else "counts"
        errors = _errors(sample, kind)
        if not errors.size:
            return f"{sample.mechanism.label}: {sample.problem or 'none'}"
        at = float(self._panels[kind].transData.inverted().transform(pixels)[0])
        held = share(float(np.mean(errors <= at)))
        return f"{sample.mechanism.label}, {_KINDS[kind]}: {held} of the runs are below {_amount(kind, at)}"

    def alt_text_of(self, r: HistogramErrors) -> str:
        texts = []
        for sample in r.ranked:
            known = (kind for kind in _KINDS if _errors(sample, kind).size)
            results = [f"{kind} {_amount(kind, float(np.median(_errors(sample, kind))))}" for kind in known]
            promise = "" if sample.mechanism.facts.is_private else " (Not DP)"
            texts.append(
                f"{sample.mechanism.label}{promise}: {', '.join(results) or sample.problem or 'none'}"
            )
        return f"{_sentence(r)} Median errors: {'; '.join(texts)}."

    def table_of(self, r: HistogramErrors) -> Table:
        rows: list[list[Any]] = []
        for sample in r.ranked:
            for kind, name in (("counts", "counts, in records"), ("tree", "tree cost, in %")):
                errors = _errors(sample, kind)
                about = sample.mechanism.label, sample.mechanism.facts.is_private, name, errors.size
                rows.append([*about, *quantile_cells(errors), sample.problem])
        return ["histogram", "private", "error of", "runs", *QUANTILES, "problem"], rows


def _rows(r: HistogramErrors) -> list[tuple[HistogramErrorSample, float]]:
    """Return the samples from top to bottom, each with its height below the heading of its group."""
    privates = sum(sample.mechanism.facts.is_private for sample in r.samples)
    step = _HEADING + _GROUP
    tops = [-_HEADING - step * (0 < privates <= index) - index for index in range(len(r.samples))]
    return list(zip(r.ranked, tops, strict=True))


def _errors(sample: HistogramErrorSample, kind: str) -> Floats:
    """Return errors; those of trees in per cent."""
    errors: Floats = np.abs(getattr(sample, kind)) * (100 if kind == "tree" else 1)
    return errors


def _amount(kind: str, error: float) -> str:
    return quantity(error, _UNITS[kind], 2)


def _sentence(r: HistogramErrors) -> str:
    """Say which histograms are best, by their counts and by their trees."""
    known = [sample for sample in r.ranked if sample.counts.size]
    private = [sample for sample in known if sample.mechanism.facts.is_private]
    others = known[len(private) :]
    if not known:
        return "No histogram has been made yet."
    if not private:
        return f"{others[0].mechanism.label} counts best, but none of these is DP."
    exact = f" ({number(others[0].typical, 2)} without privacy)" if others else ""
    has_trees = r.done >= 1 and any(sample.tree.size for sample in private)
    trees = f" Spanning tree length: {_standing(private, 'tree')}." if has_trees else ""
    return f"Best private counts of regions: {_standing(private, 'counts', exact)}.{trees}"


def _standing(samples: list[HistogramErrorSample], kind: str, exact: str = "") -> str:
    """Say whose median error is smallest, and which others are larger by no more than chance."""
    order, worse = standing([_errors(sample, kind) for sample in samples])
    best = samples[order[0]]
    near = " and ".join(samples[index].mechanism.label for index in order[1:] if index not in worse)
    typical = _amount(kind, float(np.median(_errors(best, kind))))
    chance = f", not clearly better than {near}" if near else ""
    return f"{best.mechanism.label}, {typical} off{exact}{chance}"
