"""Possible answers in a picture: all of them faint, one of them strong, and a handle to pull."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.text import Text
from matplotlib.transforms import Transform

from app.model.wording.numbers import number
from app.plots.elements.labels import BeforeDrawing, figure_of
from engine.array_types import Floats
from engine.round_numbers import nice

FAINT_LINE, FAINT_DOT = 0.22, 0.7
"""Opacity of one answer among all."""
MANY_VERTICES, MAX_VERTICES = 8_000, 60_000
"""Vertices of all lines: of more than the former, each is thin; answers beyond the latter are not faint."""
MAX_HALO = 1_000
"""Vertices of the strong line; a longer one has no halo, which costs as much time as the line."""
BELOW = 13.0
"""Pixels at 100 dpi between the lowest dot and the handle."""
SHARE_INSIDE = 0.8
"""Share of the answers between the two grips of the handle."""
MIN_REACH, GRASP, MIN_PULL = 16.0, 11.0, 3.0
"""Pixels at 100 dpi: least distance of a grip from the middle; within which a grip is hit; least pull."""
CORNER = (0.88, 0.1)
"""Middle of the handle in the axes if answers have no common middle, and no room is beside these."""
LENS, MIN_SEEN = 30.0, 5.0
"""Pixels at 100 dpi: radius of the lens over a cloud, and the spread from which a cloud needs none."""
UPRIGHT = 3.0
"""The handle is vertical if the answers spread so many times as far vertically."""
DOTS = {"dots": None, "dot and lines": 1, "lines": 0}
"""Number of vertices of an answer that are dots, the first ones, by `Picture.answer_marks`; None for all."""
ZORDER, STRONG = 5.6, 0.2
"""Usual height of all answers, and how much higher the strong one is."""


@dataclasses.dataclass(frozen=True, eq=False)
class PossibleAnswers:
    """Possible answers to be drawn in a saved picture."""

    paths: list[Floats]  # as `Picture.answer_path` returns them
    note: str  # says that they are simulated, and how
    current: int = 0  # which of them is drawn strongly


class AnswerArtists(NamedTuple):
    """Artists of all answers, of the strong one, of the handle, and of a lens over a small cloud."""

    lines: LineCollection
    dots: Line2D
    strong_line: Line2D
    strong_dots: Line2D
    grips: Line2D
    label: Text
    lens: Line2D
    seen: Line2D  # answers in the lens
    factor: Text


class AnswerCloud:
    """Possible answers over the other artists of a picture; hidden artists leave every pixel as it was.

    Each answer is a path in data coordinates, shape (m, 2), with NaN for gaps. `Picture.answer_marks` says
    which of its vertices are dots; the others are a line.
    """

    def __init__(self, picture: Any) -> None:
        self._picture = picture
        self._paths: list[Floats] = []
        self._drawn: list[Floats] = []
        self._current = 0
        self.faded = 0.0  # opacity of what covers all but the answers
        self._stretched = 1.0
        self._placed: object = None
        # middle in pixels, distance of a grip from it, and axis of the handle (0: x)
        self._handle: tuple[Floats, float, int] | None = None
        self._pulled = False
        self._magnified = 1.0  # by the lens
        self._artists: AnswerArtists | None = None

    @property
    def active(self) -> bool:
        return bool(self._paths)

    def answers(self, note: str) -> PossibleAnswers | None:
        """Return the answers that are drawn now, for a saved picture; None for none."""
        return PossibleAnswers(self._paths, note, self._current) if self.active else None

    def draw(self, answers: PossibleAnswers) -> None:
        """Draw answers without a handle."""
        self._current = answers.current
        self.show(answers.paths)

    @property
    def heights(self) -> tuple[float, float]:
        """The zorder of all answers, and of the strong one; nothing below them changes with them."""
        return self._picture.answer_zorder, self._picture.answer_zorder + STRONG

    def show(self, paths: list[Floats], ratio: float = 1.0, text: str = "", *, handle: bool = False) -> bool:
        """Draw answers so many times as far from their middle, perhaps with a handle and a text beside it.

        Return whether only the strong one and the handle have to be drawn anew.
        """
        still = paths is self._drawn and _stretched(paths, ratio, self._dots) is paths
        self._paths, self._stretched, self._placed = paths, ratio, None
        if self._artists is None:
            self._artists = self._make()
        artists = self._artists
        artists.label.set_text(text)
        self._cover(True)
        for artist in artists:
            artist.set_visible(handle or artist not in (artists.grips, artists.label))
        return still

    def hide(self) -> None:
        """Draw nothing."""
        self._paths, self._handle, self._pulled, self.faded = [], None, False, 0.0
        self._picture.arrange_answers([])
        self._cover(False)
        for artist in self._artists or ():
            artist.set_visible(False)

    @property
    def above_wash(self) -> tuple[Artist, ...]:
        """The artists that `wash` draws."""
        return self._artists if self.faded and self._artists is not None else ()

    def wash(self, renderer: RendererBase) -> None:
        """Cover all but the answers with the colour of the card, with the opacity `faded`."""
        if not self.above_wash:
            return
        figure = figure_of(self._picture.axes)
        card = self._picture.palette.card
        cover = Rectangle((0, 0), 1, 1, transform=figure.transFigure, color=card, alpha=self.faded)
        cover.set_figure(figure)
        for artist in (cover, *self.above_wash):
            artist.draw(renderer)

    def _cover(self, on: bool) -> None:
        for artist in self._picture.under_answers:
            artist.set_visible(not on)

    def step(self) -> None:
        """Draw the next answer strongly."""
        self._current += 1
        self._strengthen()

    # The handle.

    def grasp(self, x: float, y: float) -> bool:
        """Take hold of a grip at a place in pixels; return whether one is there."""
        if self._handle is None or self._artists is None or not self._artists.grips.get_visible():
            return False
        middle, half, axis = self._handle
        off = np.array([x, y]) - middle
        off[axis] = abs(off[axis]) - half
        self._pulled = self.active and float(np.abs(off).max()) <= GRASP * self._pixel
        return self._pulled

    def pull(self, x: float, y: float) -> float:
        """Return how many times as wide the cloud becomes if its grip is pulled to a place in pixels."""
        assert self._handle is not None
        middle, half, axis = self._handle
        return max(abs((x, y)[axis] - float(middle[axis])), MIN_PULL * self._pixel) / half

    def let_go(self) -> None:
        """Let go of the grip, which takes its place at the new answers."""
        self._pulled, self._placed = False, None

    @property
    def _halo(self) -> list[AbstractPathEffect]:
        return [withStroke(linewidth=3.5, foreground=self._picture.palette.card)]

    @property
    def _pixel(self) -> float:
        return figure_of(self._picture.axes).dpi / 100

    # How it is drawn.

    def _make(self) -> AnswerArtists:
        picture, halo, ink = self._picture, self._halo, self._picture.palette.ink
        rim = {"markeredgecolor": picture.palette.card, "markeredgewidth": 0.8}
        over: dict[str, Any] = {"clip_on": not picture.answers_beside}
        dot: dict[str, Any] = {"marker": "o", "linestyle": "none", **rim, **over}
        faint, higher = self.heights
        strong: dict[str, Any] = {"path_effects": halo, "zorder": higher}
        lines = LineCollection([], colors=picture.palette.released)
        grips = picture.line("truth", color=ink, linewidth=1.6, linestyle="solid", marker="o", markersize=8)
        grips.set(markerfacecolor=picture.palette.card, markeredgewidth=1.6)
        label = picture.text(color=ink, fontsize=9.5, fontweight="bold", va="center")
        for part in (grips, label):
            part.set(transform=None, zorder=ZORDER + 1, path_effects=halo, clip_on=False)
        lens = picture.line("truth", color=ink, linewidth=0.8, linestyle="solid", marker="o", markevery=[1])
        lens.set(markersize=2 * 0.72 * LENS, markerfacecolor=picture.palette.card)
        seen = picture.line("released", marker="o", linestyle="none", markersize=3.5, markeredgewidth=0)
        factor = picture.text(color=ink, fontsize=9.5, va="center", path_effects=halo)
        for position, part in enumerate((lens, seen, factor)):
            part.set(transform=None, zorder=ZORDER + 1 + position / 10, clip_on=False)
        picture.add(lines).set_zorder(faint)
        picture.add(BeforeDrawing(picture.axes, self.arrange))
        return AnswerArtists(
            lines,
            picture.line("released", alpha=FAINT_DOT, markersize=6.5, zorder=faint, **dot),
            picture.line("released", linestyle="solid", **strong, **over),
            picture.line("released", **strong, **dot),
            grips,
            label,
            lens,
            seen,
            factor,
        )

    @property
    def _dots(self) -> int | None:
        return DOTS[self._picture.answer_marks]

    def _strengthen(self) -> None:
        if self._artists is not None and self._drawn:
            answer = self._drawn[self._current % len(self._drawn)]
            dots = answer[: self._dots]
            self._artists.strong_line.set_data(*answer[len(dots) :].T)
            self._artists.strong_dots.set_data(*dots.T)

    def arrange(self, renderer: RendererBase) -> None:
        """Arrange answers and handle, if the room or the answers have changed."""
        axes = self._picture.axes
        key = (axes.bbox.bounds, axes.get_xlim(), axes.get_ylim())
        if self._artists is None or not self.active or key == self._placed:
            return
        self._placed = key
        drawn = self._picture.arrange_answers(_stretched(self._paths, self._stretched, self._dots))
        if drawn is not self._drawn:
            self._drawn = drawn
            self._set_data(self._artists)
        self._place_handle(renderer)
        self._place_lens(self._artists)

    def _set_data(self, artists: AnswerArtists) -> None:
        drawn = self._drawn
        heads = [answer[: self._dots] for answer in drawn]
        tails = [answer[len(head) :] for answer, head in zip(drawn, heads, strict=True)]
        segments, alphas = _unnested(tails)
        sizes = np.cumsum([len(segment) for segment in segments])
        many = sizes[-1] > MANY_VERTICES
        few = 0 if self._picture.answers_apart else int(np.searchsorted(sizes, MAX_VERTICES, side="right"))
        artists.lines.set_segments(segments[:few])
        artists.lines.set_alpha(alphas[:few] if few else None)
        artists.lines.set(linewidths=0.7 if many else 1.1)
        artists.dots.set_data(*np.concatenate(heads).T)
        artists.strong_line.set(linewidth=1.3 if many else 2.0)
        artists.strong_line.set_path_effects(self._halo if max(map(len, tails)) < MAX_HALO else [])
        artists.strong_dots.set_markersize(4.0 if sum(map(len, heads)) > MANY_VERTICES else 7.5)
        self._strengthen()

    def _place_handle(self, renderer: RendererBase) -> None:
        """Put the handle where most answers end."""
        assert self._artists is not None
        if not self._artists.grips.get_visible():
            return
        axes = self._picture.axes
        compared = [path[: self._dots or None] for path in self._drawn]
        below = 0.0 if self._dots == 0 else BELOW * self._pixel
        label, away, reach = self._artists.label, 12 * self._pixel, MIN_REACH * self._pixel
        width, edge = label.get_window_extent(renderer).width, axes.bbox.x1
        spread = None if self._picture.answers_apart else _spread(compared, below, axes.transData)
        middle, half, axis = spread or (axes.transAxes.transform(CORNER), 0.0, 0)
        if spread is None and edge + 4 * away + 2 * reach + width < figure_of(axes).bbox.x1:
            # beside the axes, where it covers no count
            middle, edge = np.array((edge + 2 * away + reach, axes.bbox.y0 + away)), figure_of(axes).bbox.x1
        if self._pulled and self._handle is not None:
            middle, _, axis = self._handle  # a grip stays below the pointer
        if not self._picture.answers_beside:
            middle = np.maximum(middle, (axes.bbox.x0, axes.bbox.y0))
        half = max(half, reach * (self._stretched if self._pulled else 1.0))
        if not self._pulled:
            self._handle = middle, half, axis
        ends = np.tile(middle, (2, 1))
        ends[:, axis] += (-half, half)
        self._artists.grips.set_data(*ends.T)
        right = ends[1] + (away, 0.0)
        room = edge - right[0] > width
        label.set(ha="left" if room else "right", position=right if room else ends[0] - (away, 0.0))

    def _place_lens(self, artists: AnswerArtists) -> None:
        """Magnify a cloud that is too small to be seen, beside it; or show no lens."""
        axes, paths = self._picture.axes, [path[: self._dots] for path in self._paths]
        spread = _spread(paths, 0.0, axes.transData) if paths[0].size else None
        for artist in (artists.lens, artists.seen):
            artist.set_data([], [])
        artists.factor.set_text("")
        radius = LENS * self._pixel
        if spread is None or not 0 < spread[1] < MIN_SEEN * self._pixel:
            return
        if not self._pulled:
            self._magnified = nice(0.5 * radius / spread[1], up=False)
        stack = np.stack([axes.transData.transform(path) for path in paths])
        away = stack - np.median(stack, axis=0)
        index = int(np.quantile(np.abs(away), SHARE_INSIDE, axis=0).max(axis=1).argmax())
        off = away[:, index] * self._magnified * self._stretched
        far = 3 * radius
        if not off[:, 1].any():  # numbers, as a dot plot; farther away than the label of the truth reaches
            far = 5.5 * radius
            dot = 5 * self._pixel
            off = stacked(off[:, 0], -0.7 * radius, 0.8 * radius, dot, dot)
        middle = np.median(stack[:, index], axis=0)
        beside = far if middle[0] + far + 4 * radius < axes.bbox.x1 else -far
        low, high = axes.bbox.y0 + radius, axes.bbox.y1 - radius
        center = np.array((middle[0] + beside, max(min(middle[1] + radius, high), low)))
        artists.lens.set_data(*np.stack([middle, center]).T)
        artists.seen.set_data(*(center + off[np.linalg.norm(off, axis=1) < 0.95 * radius]).T)
        artists.factor.set(
            text=f"× {number(self._magnified)}", position=(center[0] + 1.2 * radius, center[1])
        )


def stacked(places: Floats, bottom: float, top: float, width: float, step: float) -> Floats:
    """Return dots above each other where their places are within a width: a dot plot, shape (m, 2).

    They are a step apart, or less if they would reach beyond the top.
    """
    dots, order = np.zeros((len(places), 2)), np.argsort(places)
    while order.size:
        column = order[places[order] <= places[order[0]] + width]
        dots[column] = np.column_stack([np.full(column.size, places[column].mean()), range(column.size)])
        order = order[column.size :]
    step = min(step, (top - bottom) / max(float(dots[:, 1].max(initial=0.0)), 1.0))
    return np.asarray(dots * (1.0, step) + (0.0, bottom))


def level_bars(starts: Floats, lengths: Floats) -> Floats:
    """Return horizontal lines from points, shape (m, 2), to the right as one path."""
    ends = starts + np.column_stack([lengths, np.zeros(len(starts))])
    return np.stack([starts, ends, np.full(starts.shape, np.nan)], axis=1).reshape(-1, 2)


def _stretched(paths: list[Floats], ratio: float, dots: int | None) -> list[Floats]:
    """Return paths so many times as far from their middle; of unlike paths only the first `dots` vertices."""
    vertices = (dots or 0) if len({path.shape for path in paths}) > 1 else len(paths[0])
    if ratio == 1.0 or not vertices:
        return paths
    stack = np.stack([path[:vertices] for path in paths])
    middle = np.median(stack, axis=0)
    moved = middle + ratio * (stack - middle)
    return [np.concatenate([here, path[vertices:]]) for here, path in zip(moved, paths, strict=True)]


def _unnested(lines: list[Floats]) -> tuple[list[Floats], list[float]]:
    """Return lines with their opacity; of lines that continue each other, each part only once."""
    ordered = sorted(lines, key=len)
    if not all(np.array_equal(ordered[-1][: len(line)], line, equal_nan=True) for line in ordered):
        return lines, [FAINT_LINE] * len(lines)
    ends = [len(line) for line in ordered]
    parts = [ordered[-1][start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return parts, [1 - (1 - FAINT_LINE) ** count for count in range(len(lines), 0, -1)]


def _spread(paths: list[Floats], below: float, to_pixels: Transform) -> tuple[Floats, float, int] | None:
    """Return middle, spread and direction, in pixels, of the vertex that differs most; None if unlike or NaN.

    With `below`, the middle is moved so far below the lowest of them.
    """
    if not paths[0].size or len({path.shape for path in paths}) > 1 or np.isnan(paths[0][0]).any():
        return None
    stack = np.stack([to_pixels.transform(path) for path in paths])
    middle = np.median(stack, axis=0)
    spread = np.nan_to_num(np.quantile(np.abs(stack - middle), SHARE_INSIDE, axis=0))
    axis = int(not below and spread[:, 1].max() > UPRIGHT * spread[:, 0].max())
    index = int(spread[:, axis].argmax())
    position = middle[index].copy()
    if below:
        position[1] = float(stack[:, index, 1].min()) - below
    return position, float(spread[index, axis]), axis
