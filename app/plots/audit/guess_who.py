"""The game behind an audit: answers of two databases, bets, and the hit rate against its bound."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, StepPatch

from app.model.wording.numbers import format_count, number, plain, share
from app.plots.audit.outcomes import outcome_ticks
from app.plots.audit.view import AuditView, side_style
from app.plots.base import Picture, Table, rows_of, set_x_label
from app.plots.elements.scales import GivenLocator, TickFormatter, linear_ticks, style_axes
from engine.array_types import Floats, Ints
from engine.audit.guess_who import GuessWho

DATABASES = ((0.0, 0.74, 0.48, 0.2), (0.52, 0.74, 0.48, 0.2))
ANSWERS, HITS = (0.0, 0.1, 0.52, 0.5), (0.6, 0.1, 0.25, 0.5)
"""Left, bottom, width and height of each part, as shares of the whole."""
MAX_RECORDS, MAX_DOTS = 400, 160
"""Records of each database, and the last answers of each, that are drawn."""
LAYERS_OF_DOTS = 5  # dots of one database, one above the other
HEIGHT, PENDING = 0.78, 0.9  # of the higher curve and the open answer, as shares of the panel
APART = 10.0  # percent between the texts beside the bound and the best guess
GOLDEN = (5**0.5 - 1) / 2  # its multiples spread dots evenly under a curve


class AuditGuessWho(Picture[AuditView]):
    """Two databases, the answers that were bet on, and the share of right bets."""

    title = "Guess who"
    has_log_y = has_cursor = x_ticks_vary = False
    good_height = 300
    export_size = (9.6, 5.4)

    def build(self) -> None:
        palette, muted = self.palette, self.palette.muted
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.axes.set_axis_off()
        self._boxes = tuple(self._part(place) for place in DATABASES)
        self._answers, self._hits = self._part(ANSWERS), self._part(HITS)
        self.parts = (self.axes, *self._boxes, self._answers, self._hits)
        self._styles = [side_style(side, palette) for side in range(2)]
        self._colours = [palette.text(style.colour) for style in self._styles]
        self._answers.yaxis.set_visible(False)
        self._answers.set_ylim(0, 1)
        self._hits.set(xscale="log", ylim=(0, 104))
        linear_ticks(self._hits.yaxis, "%")
        self._sides = [self._side(side, box) for side, box in enumerate(self._boxes)]
        self._open = self.dot("truth", self._answers, markersize=13, clip_on=False)
        self._question = self.text(axes=self._answers, va="center", fontweight="bold", color=palette.ink)
        self._last = self._above(self._answers)
        self._score = self._above(self._hits)
        self._band = Polygon(np.zeros((1, 2)), facecolor=palette.tint(palette.smooth, 0.16), edgecolor="none")
        self._hits.add_patch(self._band)
        self.add(self._band)
        self._bound = self.line("smooth", self._hits, linewidth=1.8)
        self._best = self.line("global_", self._hits)
        self._rate = self.line("truth", self._hits, linewidth=1.8, zorder=3)
        self._now = self.dot("accent", self._hits, clip_on=False)
        beside: dict[str, Any] = {"transform": self._hits.get_yaxis_transform(), "va": "center"}
        self._limit = self.text(1.03, axes=self._hits, color=palette.text(palette.smooth), **beside)
        self._reach = self.text(1.03, axes=self._hits, color=muted, **beside)

    def _part(self, place: tuple[float, float, float, float]) -> Axes:
        part = self.axes.inset_axes(place)
        style_axes(part, self.palette)
        part.grid(False)
        return part

    def _above(self, axes: Axes) -> Any:
        return self.text(0, 1.05, axes=axes, transform=axes.transAxes, va="bottom", color=self.palette.ink)

    def _side(self, side: int, box: Axes) -> dict[str, Any]:
        """Add what is drawn of one database: its records, and its answers."""
        style, colour = self._styles[side], self._colours[side]
        dots: dict[str, Any] = {"marker": "o", "linestyle": "none", "color": style.colour}
        box.yaxis.set_visible(False)
        box.xaxis.set_visible(False)
        curve = StepPatch([0.0], [0.0, 1.0], fill=False, edgecolor=style.colour, linewidth=1.8)
        self._answers.add_artist(curve)
        return {
            "name": self.text(0, 1.06, axes=box, transform=box.transAxes, va="bottom", fontweight="bold"),
            "records": self.line(
                "global_", box, markersize=5, alpha=0.7, **dots | {"color": self.palette.muted}
            ),
            "differs": self.line("truth", box, markersize=11, clip_on=False, zorder=4, **dots),
            "person": self.text(axes=box, color=colour, va="bottom", ha="center", fontweight="bold"),
            "why": self.text(0.0, 0.5, axes=box, transform=box.transAxes, va="center", color=colour),
            "curve": self.add(curve),
            "dots": self.line(
                "truth", self._answers, markersize=5, alpha=0.75, **dots | {"marker": style.marker}
            ),
        }

    # Showing.

    def show(self, result: AuditView) -> None:
        game = result.run.game
        bets = game.bets if result.bets is None else result.bets
        self._show_databases(result)
        self._show_answers(result, game, bets)
        self._show_hits(result, game, bets)

    def _show_databases(self, r: AuditView) -> None:
        databases = (None, None) if r.pair is None else (r.pair.data, r.pair.neighbour)
        records = [_records(database) for database in databases]
        flat = r.pair is not None and records[0] is not None and _is_flat(r.pair.data)
        differing = _differing(records, flat=flat)
        drawn = np.concatenate([one for one in records if one is not None] or [np.zeros((1, 2))])
        (left, bottom), (right, top) = drawn.min(axis=0), drawn.max(axis=0)
        for side, (parts, box) in enumerate(zip(self._sides, self._boxes, strict=True)):
            parts["name"].set(text=plain(r.names[side]), color=self._colours[side])
            here, differs = records[side], differing[side]
            known = here is not None
            box.set_visible(known or side == 0)
            for name in ("records", "differs", "person"):
                parts[name].set_visible(known)
            pair = r.pair
            parts["why"].set_text("" if known or pair is None or side else f"{pair.label}: {pair.why}")
            if here is None:
                continue
            wide, high = (right - left) or 1.0, (top - bottom) or 1.0
            box.set(
                xlim=(left - 0.05 * wide, right + 0.05 * wide), ylim=(bottom - 0.2 * high, top + 0.9 * high)
            )
            parts["records"].set_data(*here[:: max(1, len(here) // MAX_RECORDS)].T)
            parts["differs"].set_data(*differs.T)
            parts["person"].set_text("")
            if len(differs):
                x, y = differs[0]
                name = r.people[side]
                value = self.amount(float(x), 4) if flat else ""
                above = top + 0.2 * high if flat else y + 0.1 * high
                parts["person"].set(position=(x, above), text=" ".join(filter(None, (name, value))))
                parts["person"].set_ha("left" if x < (left + right) / 2 else "right")

    def _show_answers(self, r: AuditView, game: GuessWho, bets: Ints) -> None:
        bins, axes = game.bins, self._answers
        edges = bins.edges if bins.edges.size else np.array(bins.refusals)
        low, high = float(edges[0]), float(bins.refusals[1] if bins.refused.any() else edges[-1])
        axes.set_xlim(low, high)
        texts = {sum(bins.refusals) / 2: "refused"} if bins.refused.any() else {}
        unit = self.unit if not bins.least else ""
        outcome_ticks(
            axes.xaxis, unit, float(edges[-1]), bins.values.tolist(), texts, logarithms=bins.least > 0
        )
        set_x_label(axes, "" if r.plain else f"answers: {game.feature}")
        heights = _heights(game)
        places = np.array(
            [
                _place(game, answer)
                for answer in game.answers[max(0, len(bets) - 4 * MAX_DOTS) : len(bets) + 1]
            ]
        )
        places = np.clip(places, low, high)
        first = max(0, len(bets) - 4 * MAX_DOTS)
        for side, parts in enumerate(self._sides):
            parts["curve"].set_visible(len(bets) > 0 and bins.edges.size > 0)
            if bins.edges.size:
                parts["curve"].set_data(np.minimum(heights[side], 1.2), edges, 0.0)
            index = np.flatnonzero(game.sides[first : len(bets)] == side)[-MAX_DOTS:]
            x = places[index]
            bin_of = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)
            top = np.minimum(heights[side][bin_of], 1.0) if bins.edges.size else np.full(len(x), HEIGHT)
            parts["dots"].set_data(x, 0.03 + (top - 0.03) * ((first + index) * GOLDEN % 1.0))
        waiting = r.bets is not None and len(bets) < game.rounds
        self._open.set_data(*(([places[-1]], [PENDING]) if waiting else ([], [])))
        self._question.set_text("")
        if waiting:
            left = places[-1] > (low + high) / 2
            answer = game.answers[len(bets)]
            told = "refused" if np.isinf(answer) else self.amount(float(answer), 4)
            if game.feature != "the value" or bins.values.size:
                told = "?"
            offset = (high - low) * (-0.035 if left else 0.035)
            self._question.set(
                position=(places[-1] + offset, PENDING), text=told, ha="right" if left else "left"
            )
        self._last.set(text=self._outcome(r, game, bets), color=self.palette.ink)

    def _outcome(self, r: AuditView, game: GuessWho, bets: Ints) -> str:
        """Say how the last bet ended, or what to do."""
        if r.bets is None or not len(bets):
            return "" if r.bets is None or r.plain else "Where does this answer come from?"
        side = int(game.sides[len(bets) - 1])
        right = "Right" if bets[-1] == side else "Wrong" if bets[-1] >= 0 else "No bet"
        return f"{right}: {plain(r.names[side])}"

    def _show_hits(self, r: AuditView, game: GuessWho, bets: Ints) -> None:
        last = max(game.rounds, 2)
        self._hits.set_xlim(1, last)
        ticks = 10.0 ** np.arange(np.ceil(np.log10(last) + 0.01))
        self._hits.xaxis.set_major_locator(GivenLocator(ticks.tolist()))
        self._hits.xaxis.set_major_formatter(TickFormatter(logarithmic=True))
        self._hits.xaxis.minorticks_off()
        low, high = 100 * game.band
        self._band.set_xy(
            np.concatenate([np.stack([game.marks, low], 1), np.stack([game.marks, high], 1)[::-1]])
        )
        limit, best = 100 * game.bound, game.best
        self._bound.set_data([1, last], [limit, limit])
        self._limit.set(y=limit, text=f"limit {share(game.bound)}")
        epsilon = number(game.privacy.epsilon)
        set_x_label(self._hits, "" if r.plain else f"bets (limit for ε = {epsilon})")
        self._best.set_visible(best is not None and not r.plain)
        self._reach.set_text("")
        if best is not None and not r.plain:
            self._best.set_data([1, last], [100 * best] * 2)
            below = best < game.bound
            y = min(100 * best, limit - APART) if below else max(100 * best, limit + APART)
            self._reach.set(y=y, text=f"best {share(best)}")
        hits = game.hits(bets)
        counts = np.arange(1, len(hits) + 1)
        rates = 100 * np.cumsum(hits) / counts
        drawn = game.marks[game.marks <= len(hits)] - 1
        self._rate.set_data(counts[drawn], rates[drawn])
        self._now.set_data(counts[-1:], rates[-1:])
        self._score.set_text(self._score_words(r, game, bets))

    def _score_words(self, r: AuditView, game: GuessWho, bets: Ints) -> str:
        """Return the score: of all bets, or of both teams."""
        if r.teams:
            by_team = (np.flatnonzero(np.arange(len(bets)) % 2 == team) for team in range(2))
            scores = [(int((bets[turns] == game.sides[turns]).sum()), len(turns)) for turns in by_team]
            return "   ".join(
                f"{team} {right} of {all_}" for team, (right, all_) in zip("AB", scores, strict=True)
            )
        hits = game.hits(bets)
        if not len(hits):
            return "" if r.plain else "right bets"
        rate = share(float(hits.mean()))
        return f"{format_count(int(hits.sum()))} of {format_count(len(hits))} right: {rate}"

    def alt_text_of(self, r: AuditView) -> str:
        game = r.run.game
        bets = game.bets if r.bets is None else r.bets
        hits = game.hits(bets)
        allowed = f"ε = {number(game.privacy.epsilon)} allows at most {share(game.bound)}"
        played = (
            f"{share(float(hits.mean()))} of {format_count(len(hits))} bets are right; " if len(hits) else ""
        )
        return f"Guess from which database an answer comes: {played}{allowed}."

    def table_of(self, r: AuditView) -> Table:
        game = r.run.game
        hits = game.hits(game.bets if r.bets is None else r.bets)
        marks = game.marks[game.marks <= len(hits)]
        rates = (np.cumsum(hits) / np.arange(1, len(hits) + 1))[marks - 1]
        band = game.band[:, : len(marks)]
        return ["bets", "share right", "band from", "band to"], rows_of(marks, rates, *band)


def _records(database: Any) -> Floats | None:
    """Return where the records of a database are drawn, shape (n, 2); None if they have no place."""
    values = np.asarray(getattr(database, "values", ()), dtype=np.float64)
    if not values.size or values.ndim > 2:
        return None
    if _is_flat(database):
        ordered = np.sort(values.ravel())
        return np.stack([ordered, np.arange(ordered.size) % LAYERS_OF_DOTS], axis=1)
    return values[:, :2]


def _is_flat(database: Any) -> bool:
    return bool(database.values.ndim == 1 or database.values.shape[1] == 1)


def _differing(records: list[Floats | None], *, flat: bool) -> list[Floats]:
    """Return the record of each of two databases that the other lacks, shape (1, 2); none if none is seen."""
    rows = [[] if one is None else [tuple(row) for row in (one[:, :1] if flat else one)] for one in records]
    result = []
    for side, (mine, others) in enumerate(zip(rows, rows[::-1], strict=True)):
        own = Counter(mine) - Counter(others)
        index = [position for position, row in enumerate(mine) if row in own][-1:]
        places = records[side]
        result.append(np.empty((0, 2)) if places is None else places[index])
    return result


def _heights(game: GuessWho) -> Floats:
    """Return the heights of both curves; each reaches at least a third of the panel."""
    shares = game.bins.shares
    lower = float(shares.max(axis=1, initial=0.0).min()) if shares.size else 1.0
    highest = min(float(shares.max(initial=0.0)), 3 * lower) or 1.0
    return np.asarray(HEIGHT * shares / highest)


def _place(game: GuessWho, answer: float) -> float:
    bins = game.bins
    return sum(bins.refusals) / 2 if np.isinf(answer) else bins.position(float(answer))
