"""The game behind an audit: answers of two databases, bets, and the hit rate against its bound."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, StepPatch
from matplotlib.text import Text
from matplotlib.transforms import Bbox, ScaledTranslation

from app.model.theme import STROKES
from app.model.wording.guarantees import hit_sentence, rule_sentence
from app.model.wording.numbers import format_count, listed, number, plain, share
from app.plots.audit.outcomes import outcome_ticks
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Picture, Table, rows_of, set_x_label
from app.plots.clustering.space_picture import join_outlines
from app.plots.compare.contender_style import ContenderStyle
from app.plots.elements.labels import figure_of
from app.plots.elements.scales import (
    TICK_SIZE,
    EndsLocator,
    GivenLocator,
    TickFormatter,
    axis_of,
    linear_ticks,
    log_axis,
    style_axes,
    unit_behind,
)
from app.plots.sensitivity.graph_layout import layout
from engine.analysis.memory import remembered
from engine.array_types import Bools, Floats, Ints
from engine.audit import AuditRun, Pair
from engine.audit.guess_who import GuessWho

DATABASES = ((0.0, 0.71, 0.485, 0.29), (0.515, 0.71, 0.485, 0.29))
ANSWERS, HITS = (0.0, 0.09, 0.56, 0.51), (0.645, 0.09, 0.22, 0.51)
"""Left, bottom, width and height of each part, as shares of the whole."""
QUESTION = "Which database answered?"
MAX_RECORDS, MAX_DOTS = 400, 160
"""Records of each database, and the last answers of each, that are drawn."""
DOTTED = (0, (0.7, 0.9))
MIN_BAND = 8  # percent: of the band of luck, for its name
LAYERS_OF_DOTS = 2  # dots of shared records, one above the other; the record that differs is below
STACKS = 80  # places for them side by side
HEIGHT, PENDING, START = 0.72, 0.83, 1.0
"""Heights of the higher curve, the open answer below the names, and the start of its fall, as shares."""
TOP, FLOOR = 1.2, 0.03  # of the panel, where curves end and dots begin
BESIDE = 0.035  # of the panel, from the open answer to its words
MAX_WEIGHTS, BESIDE_EDGE = 12, 9  # edges that all have their weights beside them, so many points away
SIZES, CARD = (10.0, 12.5), 0.1
"""Sizes of important type, without and with plain words, and the tint behind a database."""
_AT = {True: "bottom", False: "top"}
"""Where a text stands of a line: above it, or below."""
MARGIN = 0.13  # beside the records, for the name of the last tick, as a share of their width
AROUND_DOTS, AROUND_POINTS, AROUND_GRAPH = (1.3, 1.2, MARGIN), (0.2, 0.8, 1.0), (0.9, 1.9, MARGIN)
"""Space below, above and beside the records of a database, for ticks, name and counts, as shares."""
TICKS_INSIDE = -12.5  # points from the lower edge of a database up to its ticks
TICKS_FROM = 43  # points of height
UNSEEN = 1e-6  # of the axis of answers
GOLDEN = (5**0.5 - 1) / 2  # its multiples spread dots evenly under a curve


@dataclasses.dataclass(frozen=True)
class _Side:
    """The artists of one database."""

    name: Text
    records: Line2D
    edges: tuple[Line2D, ...]  # as `Databases.edges`
    differs: Line2D  # the record that the other database lacks, or the edge that differs
    weights: tuple[Text, ...]  # beside edges
    why: Text  # names the pair if its records have no place, or explains a dotted edge
    curve: StepPatch
    cut: Line2D  # where the curve is higher than the panel
    source: Text  # names the database above its curve, and says whether it is cut


class _LocatorWithRoom(EndsLocator):
    """Both ends of the records and round ticks; none in a part that is too low for ticks, dots and a name."""

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        box = axis_of(self).axes
        enough = TICKS_FROM * figure_of(box).dpi / 72
        beside = MARGIN / 2 * (vmax - vmin)  # no room for the name of a tick
        return super().tick_values(vmin + beside, vmax - beside) if box.bbox.height >= enough else []


class AuditGuessWho(Picture[AuditView]):
    """Two databases, the answers that were bet on, and the share of right bets."""

    title = "Guess who"
    has_log_y = has_cursor = x_ticks_vary = False
    good_height = 300
    export_size = (9.6, 5.4)

    def build(self) -> None:
        palette = self.palette
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.axes.set_axis_off()
        self._boxes = tuple(self._part(bounds) for bounds in DATABASES)
        self._answers, self._hits = self._part(ANSWERS), self._part(HITS)
        self.parts = (self.axes, *self._boxes, self._answers, self._hits)
        self._styles = [side_style(side, palette) for side in range(2)]
        self._answers.yaxis.set_visible(False)
        self._answers.set_ylim(0, 1)
        log_axis(self._hits.xaxis)
        self._hits.xaxis.set_major_locator(GivenLocator((1.0, 1e2, 1e4, 1e6)))
        self._hits.set(xlim=(1, 10), ylim=(0, 104))
        linear_ticks(self._hits.yaxis, "%")
        self._sentence = self.sentence_above(0.0)
        before = len(self.artists)
        self._sides = [self._side(style, box) for style, box in zip(self._styles, self._boxes, strict=True)]
        self._band = Polygon(np.ones((1, 2)), facecolor=palette.tint(palette.smooth, 0.16), edgecolor="none")
        self._hits.add_patch(self._band)
        within: dict[str, Any] = {"transform": self._hits.get_yaxis_transform(), "va": "center"}
        self._luck = self.text(
            0.04, 0, axes=self._hits, color=palette.text(palette.smooth), fontsize=TICK_SIZE, **within
        )
        self._bound = self.line("smooth", self._hits, layer="", linewidth=1.8)
        self._best = self.line("global_", self._hits, layer="")
        self._hits.axhline(50, color=palette.global_, linewidth=1.2, linestyle=STROKES["global_"].linestyle)
        about: dict[str, Any] = {"color": palette.muted, "fontsize": TICK_SIZE, "ha": "right"}
        self.text(0.97, 44, "coin", self._hits, **within | about)
        beside: dict[str, Any] = {"transform": self._hits.get_yaxis_transform()}
        self._limit = self.text(1.03, axes=self._hits, color=palette.text(palette.smooth), **beside)
        self._reach = self.text(1.03, axes=self._hits, color=palette.muted, **beside)
        del self.artists[before:]  # they stay the same during a game, and belong to the background
        dots: dict[str, Any] = {"linestyle": "none", "markersize": 5, "alpha": 0.75}
        self._dots = [
            self.line("truth", self._answers, marker=style.marker, color=style.colour, **dots)
            for style in self._styles
        ]
        drop: dict[str, Any] = {"linestyle": "solid", "linewidth": 0.8, "markevery": [0]}  # down to the axis
        self._open = self.dot("truth", self._answers, markersize=13, clip_on=False, **drop)
        self._question = self.text(axes=self._answers, va="center", fontweight="bold", color=palette.ink)
        title: dict[str, Any] = {"va": "bottom", "color": palette.ink, "fontweight": "bold"}
        self._last, self._score = (
            self.text(0, 1.05, axes=part, transform=part.transAxes, **title)
            for part in (self._answers, self._hits)
        )
        self._rate = self.line("truth", self._hits, linewidth=1.8, zorder=3)
        self._now = self.dot("accent", self._hits, clip_on=False)

    def _part(self, bounds: tuple[float, float, float, float]) -> Axes:
        part = self.axes.inset_axes(bounds)
        style_axes(part, self.palette)
        part.grid(False)
        return part

    def _side(self, style: ContenderStyle, box: Axes) -> _Side:
        colour = self.palette.text(style.colour)
        box.set_facecolor(self.palette.tint(style.colour, CARD))
        for hidden in (box.yaxis, box.spines["bottom"]):
            hidden.set_visible(False)
        box.tick_params("x", pad=TICKS_INSIDE)
        curve = StepPatch([0.0], [0.0, 1.0], fill=False, edgecolor=style.colour, linewidth=1.8)
        self._answers.add_artist(curve)
        inside: dict[str, Any] = {"axes": box, "transform": box.transAxes}
        middle: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": self.palette.muted}
        dots: dict[str, Any] = {"marker": "o", "linestyle": "none"}
        edges = (
            self.line("muted", box, color=own, linewidth=width, linestyle=dash)
            for own, width, dash in ((self.palette.muted, 1.2, "solid"), (style.colour, 3.2, DOTTED))
        )
        return _Side(
            self.text(0.025, 0.95, color=colour, fontweight="bold", va="top", **inside),
            self.line("muted", box, markersize=5, alpha=0.7, **dots),
            tuple(edges),
            self.line("truth", box, color=style.colour, linewidth=3.2, clip_on=False, zorder=4),
            tuple(self.text(axes=box, **middle) for _ in range(MAX_WEIGHTS)),
            self.text(0.025, 0.06, color=self.palette.muted, fontsize=TICK_SIZE, **inside),
            curve,
            self.line("truth", self._answers, color=style.colour, clip_on=False, **dots | {"marker": "^"}),
            self.text(0, 1, axes=self._answers, transform=self._answers.transAxes, va="top", color=colour),
        )

    # Showing.

    def show(self, result: AuditView) -> None:
        game = result.run.game
        bets = game.bets if result.bets is None else result.bets
        behind = (result.run, result.names, result.bets is None, len(bets) > 0)
        if behind != self.behind:
            self.behind = behind
            self._show_databases(result)
            self._show_curves(result, game)
            self._show_bound(result, game, shown=len(bets) > 0 and not result.plain)
        self._show_answers(result, game, bets)
        hits = game.hits(bets)
        counts = np.arange(1, len(hits) + 1)
        rates = 100 * np.cumsum(hits) / counts
        drawn = game.marks[game.marks <= len(hits)] - 1
        self._rate.set_data(counts[drawn], rates[drawn])
        self._now.set_data(counts[-1:], rates[-1:])
        self._score.set_text(_score(result, game, bets))

    def _show_databases(self, r: AuditView) -> None:
        seen = databases_of(r.run, r.pair)
        question = rule_sentence(r.run.game) if r.bets is None else f"{r.origin} {QUESTION}".lstrip()
        self._sentence.set_text("" if r.plain else question)
        for side, (part, box) in enumerate(zip(self._sides, self._boxes, strict=True)):
            part.name.set(text=plain(r.names[side]), fontsize=SIZES[r.plain])
            if seen is None:
                part.why.set_text("" if side or r.pair is None else plain(r.pair.label))
                continue
            (left, bottom), (right, top) = seen.low, seen.high
            wide, high = (right - left) or 1.0, (top - bottom) or 1.0
            flat = seen.edges is None and len(seen.values[side]) == 1
            around = AROUND_DOTS if flat else AROUND_POINTS if seen.edges is None else AROUND_GRAPH
            below, above, beside = around
            box.set_xlim(left - beside * wide, right + beside * wide)
            box.xaxis.set_major_locator(_LocatorWithRoom(() if r.plain else (left, right)))
            box.xaxis.set_visible(flat)
            box.xaxis.set_major_formatter(TickFormatter(self.unit))
            box.set_ylim(bottom - below * high, top + above * high)
            part.records.set_data(*seen.records[side].T)
            part.differs.set_data(*seen.differing[side].T)
            for text in part.weights:
                text.set_text("")
            if seen.edges is None:
                part.differs.set(marker="o", markersize=9.5, linestyle="none")
                self._show_frames(part, r, [] if flat else [(seen.low, seen.high)])
            else:
                part.differs.set(marker="none", linestyle="solid")
                part.why.set_text("dotted: no edge" if seen.edges[side][1].size else "")
                for line, edges in zip(part.edges, seen.edges[side], strict=True):
                    line.set_data(*edges.T)
            if seen.values[side]:
                graph = seen.edges is not None
                own = graph or r.plain or r.people[side] or not (len(seen.weights[0]) and seen.values[0])
                at = side if own else 0  # beside counts of records, both databases are compared at one place
                one = "the edge weighs" if graph else f"{format_count(seen.counts[side][at])} at"
                where = listed((number if graph else self.amount)(value, 4) for value in seen.values[at])
                where = where if len(seen.values[at]) == 1 else f"({where})"
                value = f"{r.people[side] or one * (not r.plain)} {where}".strip()
                part.name.set_text(f"{plain(r.names[side])}: {value}")
            for text, (*middle, weight, differs) in zip(part.weights, seen.weights[side], strict=False):
                on_right, above = np.array(middle) > (seen.low + seen.high) / 2
                if seen.edges is None:  # where there is room: toward the middle, or outside a frame
                    at_left = on_right == flat
                    right, up = -BESIDE_EDGE if at_left else BESIDE_EDGE, 0
                    text.set(text=f"{format_count(int(weight))} records", ha="right" if at_left else "left")
                else:
                    right, up = 0, BESIDE_EDGE if above else -BESIDE_EDGE
                    text.set(text=plain(number(weight, 4)), ha="center")
                shift = ScaledTranslation(right / 72, up / 72, figure_of(box).dpi_scale_trans)
                text.set(position=middle, transform=box.transData + shift)
                colour = self.palette.text(self._styles[side].colour) if differs else self.palette.muted
                text.set(color=colour, fontweight="bold" if differs else "normal")

    def _show_frames(self, part: _Side, r: AuditView, frames: list[tuple[Floats, Floats]]) -> None:
        """Outline the bounds of points, if there are some, and the box whose records the answers count."""
        index = r.range_of(r.run.game.feature)
        boxes = []
        if frames and r.counts is not None and index is not None:
            boxes.append((r.counts.lower[index, :2], r.counts.upper[index, :2]))
        for line, ends in zip(part.edges, (frames, boxes), strict=True):
            line.set_data(*join_outlines([Bbox(one).corners()[[0, 1, 3, 2]] for one in ends]).T)
        part.edges[1].set(color=self.palette.ink, linestyle="solid", linewidth=1.8)

    def _show_curves(self, r: AuditView, game: GuessWho) -> None:
        bins, heights = game.bins, _heights(game)
        edges = _edges(game)
        self._answers.set_xlim(edges[0], bins.refusals[1] if bins.refused.any() else edges[-1])
        texts = {sum(bins.refusals) / 2: "refused"} if bins.refused.any() else {}
        few, powers = bins.values.tolist(), bins.least > 0
        unit = "" if powers or r.counts else self.unit
        outcome_ticks(self._answers.xaxis, unit, edges[-1], few, texts, logarithms=powers)
        of = r.name_of(game.feature, self.unit, "the framed box")
        of = r.mechanism if game.feature == "the value" else of
        out = float(bins.out.max())
        label = f"{format_count(r.run.audit.runs - r.run.judged)} answers each"
        label += f" ({share(out)} out of view)" if out else ""
        label += (" of " if game.feature == "the value" else ":\n") + plain(of) if of else ""
        set_x_label(self._answers, "answers" if r.plain else f"{label}{unit_behind(unit)}")
        for side, part in enumerate(self._sides):
            for one in (part.curve, part.source):
                one.set_visible(bins.edges.size > 0)
            if bins.edges.size:
                part.curve.set_data(np.minimum(heights[side], TOP), edges, 0.0)
                cut = np.flatnonzero(heights[side] > 1.0)
                part.cut.set_data((edges[cut] + edges[cut + 1]) / 2, np.full(cut.size, 1.0))
                name = f"{plain(r.names[side])}{', cut off' * (cut.size > 0)}"
                part.source.set(text=name, x=side, ha=("left", "right")[side])  # as their answers

    def _show_bound(self, r: AuditView, game: GuessWho, *, shown: bool) -> None:
        last, limit = max(game.rounds, 2), 100 * game.bound
        self._hits.set_xlim(1, last)
        self._hits.set_xlabel("bets", loc="right")  # clear of the long name of the answers
        edge = np.stack([game.marks, 100 * game.luck], 1)
        self._band.set_xy(np.concatenate([[[1, limit]], edge, [[last, limit]]]))
        self._luck.set(y=(limit + 100) / 2, text="by luck" if limit <= 100 - MIN_BAND else "")
        self._bound.set_data([1, last], [limit, limit])
        # the lower text stands below its line, so that it never stands on the other one
        below = game.best_rate <= game.bound
        limited = "enough noise: ≤" if r.plain else "limit"
        self._limit.set(y=limit, text=f"{limited} {share(game.bound)}", va=_AT[below or not shown])
        self._best.set_data([1, last], [100 * game.best_rate] * 2)
        self._reach.set(y=100 * game.best_rate, text=f"best {share(game.best_rate)}", va=_AT[not below])
        for artist in (self._best, self._reach):
            artist.set_visible(shown)

    def _show_answers(self, r: AuditView, game: GuessWho, bets: Ints) -> None:
        first, played = max(0, len(bets) - 4 * MAX_DOTS), len(bets)
        way = r.fall_progress**2
        low, high = self._answers.get_xlim()
        answers = game.answers[first : played + 1]
        refused = sum(game.bins.refusals) / 2
        places = np.clip(np.where(np.isinf(answers), refused, game.bins.positions(answers)), low, high)
        edges, heights = _edges(game), np.minimum(_heights(game), 1.0)
        for side, dots in enumerate(self._dots):
            index = np.flatnonzero(game.sides[first:played] == side)[-MAX_DOTS:]
            x, top = places[index], np.full(index.size, HEIGHT)
            if heights.size:
                top = heights[side][np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)]
            y = FLOOR + (top - FLOOR) * ((first + index) * GOLDEN % 1.0)
            if index.size and first + index[-1] == played - 1:
                y[-1] = PENDING + way * (y[-1] - PENDING)
            dots.set_data(x, y)
        waiting = r.bets is not None and played < game.rounds
        height = START + way * (PENDING - START)
        self._open.set_data(np.repeat(places[-1:], 2), [height, 0.0][: 2 * len(places[-1:])])
        self._open.set_visible(waiting)
        self._question.set_text("")
        if waiting:
            on_right = places[-1] > low + 0.65 * (high - low)  # the outcome stands at the left
            beside = places[-1] + (high - low) * (-BESIDE if on_right else BESIDE)
            write = self._value if game.feature == "the value" else number
            text = "refused" if np.isinf(answers[-1]) else write(float(answers[-1]))
            self._question.set(position=(beside, height), text=text, ha="right" if on_right else "left")
            self._question.set_fontsize(SIZES[r.plain])
        shows = played > 0 and r.bets is not None
        own = self._styles[int(game.sides[played - 1])].colour if shows else self.palette.ink
        self._last.set(text=_outcome(r, game, bets), color=self.palette.text(own), fontsize=SIZES[r.plain])

    def _value(self, value: float) -> str:
        """Write an answer; 0 for one that no eye tells from 0 on the axis of all answers."""
        low, high = self._answers.get_xlim()
        return self.amount(value if abs(value) > UNSEEN * (high - low) else 0.0)

    def alt_text_of(self, r: AuditView) -> str:
        waits = r.bets is not None and not r.bets.size
        said = f"{r.origin} Guess from which database an answer comes.".lstrip()
        return said + (f" {hit_sentence(r.run.game)}" * (not waits))

    def table_of(self, r: AuditView) -> Table:
        game = r.run.game
        hits = game.hits(game.bets if r.bets is None else r.bets)
        known = (np.cumsum(hits) / np.arange(1, len(hits) + 1))[game.marks[game.marks <= len(hits)] - 1]
        rates = [*known.tolist(), *[""] * (len(game.marks) - len(known))]
        return ["bets", "share right", "allowed up to"], rows_of(game.marks, rates, game.luck)


@dataclasses.dataclass(frozen=True, eq=False)
class Databases:
    """Where the records of two databases are drawn (private)."""

    records: list[Floats]  # at most `MAX_RECORDS` shared ones, or the vertices of a graph, shape (m, 2)
    differing: list[Floats]  # the record that the other one lacks, or a path of edges, shape (m, 2)
    low: Floats
    high: Floats
    values: Sequence[Sequence[float]] = ((), ())  # the record in which they differ, one number or two
    edges: list[tuple[Floats, Floats]] | None = None  # paths of the shared edges, and of absent ones
    # for each database: x and y of the middle of an edge, its weight, and whether it differs, shape (m, 4);
    # of numbers on few places: those of their dots, how many records each stands for, and 0
    weights: Sequence[Floats] = (np.empty((0, 4)),) * 2
    counts: Sequence[Sequence[int]] = ()  # records of each database at the places where they differ


def databases_of(run: AuditRun, pair: Pair | None) -> Databases | None:
    """Return the databases of an audit, sorted once, by a worker; None if records have no place."""
    return None if pair is None else remembered(run, ("databases",), lambda: _databases(pair))


def _databases(pair: Pair) -> Databases | None:
    if hasattr(pair.data, "ends"):
        return _graphs(pair)
    values = [np.asarray(getattr(one, "values", ())) for one in (pair.data, pair.neighbour)]
    if any(not one.size or one.ndim > 2 or one.dtype.kind not in "fiu" for one in values):
        return None
    flat = values[0].ndim == 1 or values[0].shape[1] == 1
    if flat:
        ordered = [np.sort(one, axis=None) for one in values]
        places = [np.stack([one, np.zeros(one.size)], axis=1) for one in ordered]
    else:
        places = [one[:, :2] for one in values]
    merged = np.concatenate(places)
    ends = merged if flat else np.array([pair.data.domain.lower[:2], pair.data.domain.upper[:2]])
    low, high = ends.min(axis=0), ends.max(axis=0)
    equal, row = np.unique(merged, axis=0, return_inverse=True)
    rows = np.split(row.ravel(), [len(places[0])])
    first, second = (np.bincount(one, minlength=row.max() + 1) for one in rows)
    own = (first - second)[rows[0]] > 0, (second - first)[rows[1]] > 0
    last = [np.flatnonzero(mine)[-1:] for mine in own]
    differing = [one[index] for one, index in zip(places, last, strict=True)]
    there = [row[index] for row, index in zip(rows, last, strict=True)]
    counts = [[int(held[row].sum()) for row in there] for held in (first, second)]
    others = (np.delete(one, index, axis=0) for one, index in zip(places, last, strict=True))
    shared = [one[:: 1 + len(one) // MAX_RECORDS] for one in others]
    known = 1 if flat else 2 if values[0].shape[1] == 2 else 0
    numbers = [tuple(one.ravel()[:known].tolist()) for one in differing]
    named = ((equal == low) | (equal == high)).all()  # only at the ends there is room for words
    of_all = (np.column_stack([equal, held, np.zeros(len(equal))]) for held in (first, second))
    stacks = [one[(one[:, 2] > 1) & named] for one in of_all]
    if flat:
        wide, high[1] = (high[0] - low[0]) or 1.0, LAYERS_OF_DOTS
        for one in shared:
            stack = np.floor(STACKS * (one[:, 0] - low[0]) / wide)
            one[:, 1] = 1 + (np.arange(len(one)) - np.searchsorted(stack, stack)) % LAYERS_OF_DOTS
        for one in stacks:
            one[:, 1] = (1 + LAYERS_OF_DOTS) / 2
    return Databases(shared, differing, low, high, numbers, weights=stacks, counts=counts)


def _graphs(pair: Pair) -> Databases:
    """Draw two graphs with common vertices; of large ones only what is next to the difference."""
    graphs = pair.data, pair.neighbour
    weighted = hasattr(pair.data, "weights")
    ends = pair.data.ends if weighted else np.unique(np.concatenate([one.ends for one in graphs]), axis=0)
    if weighted:
        weights = np.array([one.weights for one in graphs])
    else:
        codes = ends @ (pair.data.n, 1)
        weights = np.array([np.isin(codes, one.ends @ (pair.data.n, 1)) for one in graphs], dtype=float)
    differs = weights[0] != weights[1]
    near = np.isin(ends, ends[differs]).any(axis=1)
    kept = np.argsort(-(near.astype(int) + differs), kind="stable")[:MAX_RECORDS]
    ends, weights, differs = ends[kept], weights[:, kept], differs[kept]
    vertices, index = np.unique(ends, return_inverse=True)
    at = layout(index.reshape(-1, 2), len(vertices))
    present = weights >= 0 if weighted else weights > 0
    middles = at[index.reshape(-1, 2)].mean(axis=1)
    weighed = (differs | (len(ends) <= MAX_WEIGHTS)) & weighted

    def path(some: Bools) -> Floats:
        """Return edges as one line with gaps."""
        corners = np.full((int(some.sum()), 3, 2), np.nan)
        corners[:, :2] = at[index.reshape(-1, 2)[some]]
        return corners.reshape(-1, 2)

    return Databases(
        [at, at],
        [path(side & differs) for side in present],
        at.min(axis=0),
        at.max(axis=0),
        weights[:, differs].tolist() if weighted and differs.sum() == 1 else ((), ()),
        [(path(~differs), path(~side)) for side in present],
        [np.column_stack([middles, side, differs])[weighed] for side in weights],
    )


def _edges(game: GuessWho) -> Floats:
    return game.bins.edges if game.bins.edges.size else np.array(game.bins.refusals)


def _heights(game: GuessWho) -> Floats:
    """Return the heights of both curves; each reaches at least a third of the panel."""
    shares = game.bins.shares
    lower = float(shares.max(axis=1, initial=0.0).min()) if shares.size else 1.0
    highest = min(float(shares.max(initial=0.0)), 3 * lower) or 1.0
    return np.asarray(HEIGHT * shares / highest)


def _outcome(r: AuditView, game: GuessWho, bets: Ints) -> str:
    """Say how the last bet ended."""
    if r.bets is None or not len(bets):
        return ""
    side = int(game.sides[len(bets) - 1])
    result = "Right" if bets[-1] == side else "Wrong" if bets[-1] >= 0 else "No bet"
    return f"{result}: {plain(r.names[side])}"


def _score(r: AuditView, game: GuessWho, bets: Ints) -> str:
    """Return the score of all bets, or of both teams."""
    hits = game.hits(bets)
    if not len(hits):
        return "Right bets" if r.plain else "Right bets: none yet"
    if r.teams:
        right = bets == game.sides[: len(bets)]
        turns = right[0::2], right[1::2]
        return "   ".join(f"{team} {one.sum()} of {one.size}" for team, one in zip("AB", turns, strict=True))
    counts = f"{format_count(int(hits.sum()))} of {format_count(len(hits))} right"
    return f"{counts}: {share(float(hits.mean()))}"
