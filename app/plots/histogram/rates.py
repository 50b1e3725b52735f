"""How often attacks isolate a record, over a sweep of c, t or d."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from app.model.pages.histogram_options import ATTACK_NAMES
from app.model.theme import SERIES_STROKES, STROKES, Stroke
from app.model.wording.numbers import number, plain, share
from app.plots.base import Picture, Table, set_x_label, set_y_label
from app.plots.elements.labels import Label, figure_of, set_polygons
from app.plots.elements.scales import GivenLocator, TickFormatter, scale_from_zero
from app.plots.histogram.cells import caption_of, swept_words
from engine.analysis.isolation_attacks import AttackRates, AttackSweep, isolation_threshold
from engine.array_types import Floats

_WORDS = {
    "c": "c: radius of the circle ÷ distance to the nearest record  (harder →)",
    "t": "t: so many records in the circle hide one  (easier →)",
    "d": "d: the number of dimensions",
    "predicates": "d: the number of dimensions, with evenly spread records",
    "known": "columns of a record that attackers know  (easier →)",
}
_MARKERS = ("o", "^", "D", "v", "P", "X")
_SERIES = (0, 4, 2, 5, 7, 1)  # places in the series, far from each other
_APART = 1.5  # points between intervals of different attacks, which would else hide each other
_MARGIN = 0.06


class IsolationRates(Picture[AttackSweep]):
    """Success rates of attacks with their confidence intervals, and the baseline."""

    title = "Success of isolation attacks"
    caption = caption_of
    has_log_y = False

    def build(self) -> None:
        self._chosen = self.line("truth", linewidth=1.0, alpha=0.6)
        self._sentence = self.sentence_above()
        self._lines: list[tuple[Line2D, Line2D]] = []
        # the intervals of the baseline: an attack that stays within is no better
        self._band = PolyCollection([], facecolors=self.palette.global_, alpha=0.25, zorder=1.5)
        self.axes.add_collection(self._band, autolim=False)

    def show(self, result: AttackSweep) -> None:
        self._scale(result)
        while len(self._lines) < len(result.attacks):
            self._lines.append(
                (self.line("truth", clip_on=False), self.line("truth", linewidth=1.2, alpha=0.7))
            )
        for lines in self._lines:
            for line in lines:
                line.set_data([], [])
        labels, bands = [], list[Floats]()
        for index, (attack, (curve, bars)) in enumerate(zip(result.attacks, self._lines, strict=False)):
            colour, stroke, marker = self._style(result, index)
            apart = _APART * (index - (len(result.attacks) - 1) / 2)
            bars.set_transform(offset_copy(self.axes.transData, figure_of(self.axes), apart, units="points"))
            curve.set_data(result.values, 100 * attack.rates)
            curve.set(color=colour, marker=marker, markersize=7, linewidth=stroke.width)
            # markers that coincide are told apart
            curve.set(linestyle=stroke.linestyle, markeredgecolor=self.palette.card, markeredgewidth=0.8)
            gap = np.full(len(result.values), np.nan)
            ends = 100 * np.stack([attack.lower, attack.upper, gap], axis=1)
            bars.set_data(np.repeat(result.values, 3), ends.ravel())
            bars.set_color(colour)
            if attack.baseline:
                bars.set_data([], [])
                lower, upper = (np.column_stack([result.values, end]) for end in ends.T[:2])
                band = np.concatenate([lower, upper[::-1]])
                bands.append(band[np.isfinite(band[:, 1])])
            labels.append(self._label(result, attack, colour, stroke, marker))
        set_polygons(self._band, bands)
        self._sentence.set_text(advantage_words(result))
        self._chosen.set_data([result.chosen] * 2, self.axes.get_ylim())
        self.labels.set_labels(labels)

    def _scale(self, r: AttackSweep) -> None:
        low, high = float(r.values.min()), float(r.values.max())
        margin = _MARGIN * (high - low) or 0.5
        self.axes.set_xlim(low - margin, high + margin)
        self.axes.xaxis.set_major_locator(
            GivenLocator([value for value in r.values.tolist() if value % 1 == 0])
        )
        self.axes.xaxis.set_major_formatter(TickFormatter())
        highest = [value for attack in r.attacks for value in attack.upper.tolist() if value == value]
        scale_from_zero(self.axes, [100 * value for value in highest] or [100.0], "%", log=False)
        self.axes.set_ylim(0, min(self.axes.get_ylim()[1], 103.0))
        t = "t" if r.swept == "t" else number(isolation_threshold(r.mechanism))
        tries, isolate = _acts(r)
        alone = "no other inside" if r.swept == "predicates" else f"under {t} in its circle"
        set_y_label(self.axes, self.palette, f"{tries} that {isolate} a record ({alone})")
        set_x_label(self.axes, f"{_WORDS[r.swept]}\nwhiskers, band: {share(r.confidence)} confidence")

    def _style(self, r: AttackSweep, index: int) -> tuple[str, Stroke, str]:
        attack = r.attacks[index]
        if attack.baseline:
            return self.palette.global_, STROKES["global_"], ""
        rank = sum(not other.baseline for other in r.attacks[:index]) % len(_SERIES)
        return self.palette.series[_SERIES[rank]], SERIES_STROKES[rank], _MARKERS[rank]

    def _label(self, r: AttackSweep, attack: AttackRates, colour: str, stroke: Stroke, marker: str) -> Label:
        known = attack.rates[np.isfinite(attack.rates)]
        end = 100 * float(known[-1]) if known.size else np.nan
        index = int(np.abs(r.values - r.chosen).argmin())
        rate = float(attack.rates[index])
        note = f"{share(rate)} at {swept_words(r.swept, float(r.values[index]))}"
        base = next((float(other.upper[index]) for other in r.attacks if other.baseline), np.nan)
        if attack.baseline:
            note += ", without the cells"
        elif attack.lower[index] <= base:
            note += ", no clear gain"
        name = plain(ATTACK_NAMES[attack.attack])
        return Label(end, name, colour, note=note * bool(np.isfinite(rate)), stroke=stroke, marker=marker)

    def tooltip_at(self, r: AttackSweep, x: float, y: float) -> str:
        index = int(np.abs(r.values - x).argmin())
        rates = [
            f"{ATTACK_NAMES[attack.attack]} {share(float(attack.rates[index]))} "
            f"({share(float(attack.lower[index]))} to {share(float(attack.upper[index]))})"
            for attack in r.attacks
            if np.isfinite(attack.rates[index])
        ]
        return f"{swept_words(r.swept, float(r.values[index]))}: {'; '.join(rates) or 'no attack possible'}"

    def alt_text_of(self, r: AttackSweep) -> str:
        first, last = (float(r.values[index]) for index in (0, -1))
        return f"{self.tooltip(first)}. {self.tooltip(last)}."

    def table_of(self, r: AttackSweep) -> Table:
        header = ["attack", r.swept, "rate", "from", "to"]
        rows = []
        for attack in r.attacks:
            for row in np.column_stack([r.values, attack.rates, attack.lower, attack.upper]).tolist():
                known = (value if np.isfinite(value) else "" for value in row)
                rows.append([ATTACK_NAMES[attack.attack], *known])
        return header, rows


def advantage_words(r: AttackSweep) -> str:
    """Compare the best attack with a blind guess at the chosen value, and say where it gains most."""
    results = r.best()
    if results is None:
        return ""
    best, blind, index = results
    rate, baseline = (share(float(attack.rates[index])) for attack in (best, blind))
    tries, isolate = _acts(r)
    at = swept_words(r.swept, r.chosen)
    text = f"At {at}, {rate} of the best {tries} {isolate} a record, {baseline} of blind {tries}."
    clear = [attack.lower > blind.upper for attack in r.attacks]  # by more than chance
    gains = np.where(clear, [attack.rates - blind.rates for attack in r.attacks], 0.0).max(axis=0)
    if not gains.any():
        return f"{text} No attack clearly gains."
    where = swept_words(r.swept, float(r.values[gains.argmax()]))
    return f"{text} The gap, largest at {where}, is what the cells give away."


def _acts(r: AttackSweep) -> tuple[str, str]:
    """Return what attackers try, and what a success does: a box singles out, a point isolates."""
    return ("boxes", "single out") if r.swept == "predicates" else ("guesses", "isolate")
