"""Axes, their scales, limits and ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis, YAxis
from matplotlib.backend_bases import RendererBase
from matplotlib.ticker import Formatter, Locator, MaxNLocator, MultipleLocator, TickHelper
from matplotlib.transforms import Bbox, ScaledTranslation

from app.model.theme import Palette
from app.model.wording.numbers import plain, quantity, tick_texts
from app.plots.elements.labels import figure_of
from app.plots.elements.shared_texts import share_texts
from engine.array_types import Floats
from engine.round_numbers import nice

Limits = tuple[float, float]
AnyAxis = XAxis | YAxis

TICK_SIZE = 9.0  # font size of tick labels, in points
TINY = float(np.finfo(np.float64).tiny)

_FILLED = 0.45
_FILLED_LOG = 0.6
_LOG_MARGIN = 1.5
_LOG_PAYS = 60.0
_ZERO_SHARE = 0.08  # of the height of a logarithmic axis, for what lies below its first number
_MAX_TICKS = 8
_DENSE = 0.7  # of the usual height of a label: decades are easier to read than steps between them
_RESOLVED = 1e-9  # a range that is narrower, relative to its place, is a point
_DEEPEST = 1e-12  # of the highest value: what is smaller is shown next to zero
_SMALLEST = 1e-290  # what is smaller, such as exp(-beta n), counts as zero
_EM_PER_CHARACTER = 0.58
_CLOSE = 0.6  # of the usual room of a label: given places are named as long as they can be read
_SHORT_UNIT = 3  # letters of a unit that is written on every tick


def from_zero(current: Limits | None, high: float) -> Limits:
    """Return limits ``(0, top)`` that hold 0 to `high`; the current ones if they serve."""
    if current is not None and current[0] == 0 and _FILLED * current[1] <= high <= current[1]:
        return current
    return (0.0, nice(high * 1.04, up=True) if high > 0 else 1.0)


def around(current: Limits | None, low: float, high: float) -> Limits:
    """Return limits that hold `low` to `high`; the current ones if they serve."""
    width = high - low
    held = current is not None and current[0] <= low and high <= current[1]
    if current is not None and held and width >= _FILLED * (current[1] - current[0]):
        return current
    if width <= _RESOLVED * max(abs(low), abs(high)):
        width = abs(high) * 0.1 or 1.0
    step = nice(width / 12, up=True)
    return (math.floor((low - 0.03 * width) / step) * step, math.ceil((high + 0.03 * width) / step) * step)


def logarithmic(current: Limits | None, low: float, high: float) -> Limits:
    """Return limits of a logarithmic axis that hold `low` > 0 to `high` with some air."""
    if current is not None and 0 < current[0] * 1.15 <= low and high * 1.15 <= current[1]:
        filled = math.log(high / low) + _LOG_MARGIN
        if filled >= _FILLED_LOG * math.log(current[1] / current[0]):
            return current
    return (nice(low / 2, up=False), nice(high * 1.6, up=True))


class TickFormatter(Formatter):
    """Ticks with thousands separators and a unit, on a linear or logarithmic axis."""

    def __init__(self, unit: str = "", *, logarithmic: bool = False) -> None:
        self.unit = unit
        self.logarithmic = logarithmic

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        if self.logarithmic:
            return [plain(quantity(value, self.unit)) for value in values]
        return [plain(text) for text in tick_texts(list(values), self.unit)]

    def __call__(self, x: float, pos: int | None = None) -> str:
        return plain(quantity(x, self.unit))


class NiceLocator(MaxNLocator):
    """As many round ticks as the labels have room for, from `floor` on."""

    def __init__(self, *, integer: bool = False, floor: float = -math.inf) -> None:
        super().__init__(nbins=_MAX_TICKS, steps=[1, 2, 2.5, 5, 10], integer=integer)
        self._floor = floor

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        vmin = max(vmin, self._floor)
        for most in range(_MAX_TICKS, 0, -1):
            self.set_params(nbins=most)
            ticks = _in_view(super().tick_values(vmin, vmax), vmin, vmax)
            if self._fits(ticks, vmax - vmin):
                return _listed(ticks)
        ends = ticks[[0, -1]]
        return _listed(ends if self._fits(ends, vmax - vmin) else ticks[ticks.size // 2 :][:1])

    def _fits(self, ticks: Floats, width: float) -> bool:
        if ticks.size < 2:
            return True
        axis = axis_of(self)
        gap = float(np.diff(ticks).min()) / width * axis_length(axis)
        return gap >= label_space(axis, ticks)


class EndsLocator(NiceLocator):
    """Both ends of an interval, unless they have many digits, and round ticks between them."""

    def __init__(self, ends: Sequence[float]) -> None:
        super().__init__()
        self._ends = [end for end in ends if float(f"{end:.4g}") == end]

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        ends = _listed(_in_view(self._ends, vmin, vmax))
        ticks, width = super().tick_values(vmin, vmax), vmax - vmin
        inside = [tick for tick in ticks if all(self._fits(np.sort([tick, end]), width) for end in ends)]
        return sorted({*ends, *inside})


class SameStepLocator(NiceLocator):
    """Ticks as far apart as those of another axis, in the same unit and to the same scale."""

    def __init__(self, other: AnyAxis) -> None:
        super().__init__()
        self._other = other

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        steps = np.diff(self._other.get_majorticklocs())
        if not steps.size:
            return super().tick_values(vmin, vmax)
        return _listed(_in_view(MultipleLocator(steps.min()).tick_values(vmin, vmax), vmin, vmax))


class GivenLocator(Locator):
    """Ticks at given places, the first one and of the others those whose labels have room."""

    def __init__(self, places: Sequence[float]) -> None:
        self._places = places

    def __call__(self) -> list[float]:
        return self.tick_values(*axis_of(self).get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        places = _in_view(self._places, vmin, vmax)
        if not places.size:
            return []
        axis = axis_of(self)
        drawn = axis.get_transform().transform
        start, end = drawn(np.array([vmin, vmax]))
        least = _CLOSE * label_space(axis, places) * (end - start) / axis_length(axis)
        ticks, last = [float(places[0])], float(drawn(places)[0])
        for position, at in zip(places.tolist(), drawn(places).tolist(), strict=True):
            if at - last >= least:
                ticks.append(position)
                last = at
        return ticks


class LogLocator(Locator):
    """Ticks at 1-2-5 or whole decades, and at zero where the axis reaches it.

    `floor`: the smallest positive value that the axis tells apart from zero.
    """

    def __init__(self, *, floor: float) -> None:
        self.floor = floor

    def __call__(self) -> list[float]:
        return self.tick_values(*axis_of(self).get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        axis, low = axis_of(self), max(vmin, self.floor)
        space = label_space(axis, [low, vmax]) * (_DENSE if axis.axis_name == "y" else 1.0)
        most = max(2, min(_MAX_TICKS, int(axis_length(axis) / space)))
        ticks = log_ticks(low, vmax, most)
        if vmin > 0:
            return _listed(ticks)
        zero, first, top = axis.get_transform().transform(np.array([0.0, ticks[0], vmax]))
        touching = (first - zero) / (top - zero) * axis_length(axis) < 0.7 * label_space(axis, ticks)
        return [0.0, *_listed(ticks[1:] if touching else ticks)]


def log_ticks(low: float, high: float, most: int) -> Floats:
    """Return at most about `most` round numbers, evenly spread in the logarithm."""
    first, last = math.floor(math.log10(low) - 1e-9), math.ceil(math.log10(high) + 1e-9)
    decades = np.asarray(10.0 ** np.arange(first, last + 1), dtype=np.float64)
    fine = _in_view((decades[:, None] * np.array([1.0, 2.0, 5.0])).ravel(), low, high)
    if len(fine) <= most:
        if len(fine) >= 3:
            return fine
        return _in_view(MaxNLocator(nbins=most, steps=[1, 2, 5, 10]).tick_values(low, high), low, high)
    whole = _in_view(decades, low, high)
    if len(whole) < 3:
        # two places tell a logarithmic axis from no other
        some = fine[:: math.ceil(len(fine) / most)]
        return some if len(some) > len(whole) else whole
    return whole[::-1][:: math.ceil(len(whole) / most)][::-1]


def _in_view(ticks: Sequence[float] | Floats, low: float, high: float) -> Floats:
    places = np.asarray(ticks, dtype=np.float64)
    return places[(places >= low - 1e-9 * abs(low)) & (places <= high + 1e-9 * abs(high))]


def _listed(ticks: Floats) -> list[float]:
    """Return places as matplotlib's locators are declared to return them."""
    places: list[float] = ticks.tolist()
    return places


def axis_of(helper: TickHelper) -> AnyAxis:
    """Return the axis of a locator or a formatter."""
    axis = helper.axis
    assert isinstance(axis, XAxis | YAxis)
    return axis


def axis_length(axis: AnyAxis) -> float:
    """Return the length of an axis in pixels."""
    return float(axis.axes.bbox.width if axis.axis_name == "x" else axis.axes.bbox.height)


def label_space(axis: AnyAxis, ticks: Sequence[float] | Floats) -> float:
    """Return how many pixels of an axis each label needs, with some air."""
    size = TICK_SIZE * figure_of(axis.axes).dpi / 72
    if axis.axis_name == "y":
        return 2.6 * size
    longest = max(len(text) for text in axis.get_major_formatter().format_ticks(list(ticks)))
    return (_EM_PER_CHARACTER * longest + 1.6) * size


def tick_unit(unit: str) -> str:
    """Return a unit that has room on every tick; a longer one stands beside the lines only."""
    return unit if len(unit) <= _SHORT_UNIT else ""


def unit_behind(unit: str) -> str:
    """Return what the title of an axis says of a unit that has no room on its ticks: ", in years" or ""."""
    return "" if tick_unit(unit) == unit else f", in {plain(unit)}"


def linear_ticks(axis: Axis, unit: str, *, integer: bool = False, floor: float = -math.inf) -> None:
    """Give a linear axis round ticks with a unit, from `floor` on."""
    axis.set_major_locator(NiceLocator(integer=integer, floor=floor))
    axis.set_major_formatter(TickFormatter(unit))


def log_axis(axis: AnyAxis, unit: str = "", *, floor: float = TINY) -> None:
    """Make an axis logarithmic, with round ticks."""
    name = axis.axis_name
    axis.axes.set(**{f"{name}lim": (0.1, 1.0)})  # positive before it is logarithmic
    axis.axes.set(**{f"{name}scale": "log"})
    log_ticks_on(axis, unit, floor=floor)


def log_ticks_on(axis: Axis, unit: str, *, floor: float = TINY) -> None:
    """Give a logarithmic axis round ticks with a unit, and none between them."""
    axis.set_major_locator(LogLocator(floor=floor))
    axis.set_major_formatter(TickFormatter(unit, logarithmic=True))
    axis.axes.minorticks_off()


def scale_from_zero(
    axes: Axes, values: Sequence[float], unit: str, log: bool | None, below: float = 1.0
) -> None:
    """Choose scale and limits of a vertical axis on which zero is possible.

    `values`: what must be in view; infinities and NaN are ignored. `unit`: unit of the tick labels, if it is
    short. `log`: logarithmic or not; None takes the logarithm when the values span much.  A logarithmic axis
    is linear between zero and its smallest round number, so that a sensitivity of zero has its place, and
    goes down to the smallest value divided by `below`.
    """
    unit = tick_unit(unit)
    known = [float(value) for value in values if math.isfinite(value)]
    high = max(known, default=0.0)
    positive = [value for value in known if value > max(_SMALLEST, _DEEPEST * high)]
    if log is None:
        log = bool(positive) and high > _LOG_PAYS * min(positive)
    if log and positive:
        _logarithmic_axis(axes, min(positive) / below, high, unit, zero=len(positive) < len(known))
    else:
        _linear_axis(axes, high, unit)


def _linear_axis(axes: Axes, high: float, unit: str) -> None:
    current: Limits | None = axes.get_ylim()
    if axes.get_yscale() != "linear" or not isinstance(axes.yaxis.get_major_locator(), NiceLocator):
        axes.set_yscale("linear")
        linear_ticks(axes.yaxis, unit)
        current = None
    axes.set_ylim(from_zero(current, high))


def _logarithmic_axis(axes: Axes, low: float, high: float, unit: str, *, zero: bool) -> None:
    scale, bottom = axes.get_yscale(), axes.get_ylim()[0]
    kept = getattr(axes.yaxis.get_transform(), "linthresh", bottom if scale == "log" else None)
    floor, top = logarithmic(None if kept is None else (kept, axes.get_ylim()[1]), low, high)
    if floor != kept or scale != ("symlog" if zero else "log"):
        axes.set_ylim(floor, top)  # positive before it is logarithmic
        linear = {"linthresh": floor, "linscale": max(0.3, _ZERO_SHARE * math.log10(top / floor))}
        axes.set_yscale("symlog" if zero else "log", **(linear if zero else {}))
        log_ticks_on(axes.yaxis, unit, floor=floor)
    axes.set_ylim(0.0 if zero else floor, top)


def scale_note(axis: AnyAxis) -> str:
    """Return what the title of an axis says of a logarithmic scale."""
    return "" if axis.get_scale() == "linear" else " (log scale)"


LABEL_DROP = 22.0  # from the axis to the top of its label, in points


def style_axes(axes: Axes, palette: Palette) -> None:
    """Make grid, spines and ticks recede behind the data."""
    share_texts()
    axes.set_facecolor(palette.card)
    axes.figure.set_facecolor(palette.card)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_color(palette.border)
    axes.grid(True, color=palette.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(
        length=0, pad=5, labelsize=TICK_SIZE, labelcolor=palette.muted, color=palette.border, which="both"
    )
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        # with no ticks between the others, none of them can coincide: matplotlib would look at each drawing
        axis.remove_overlapping_locs = False
    axes.xaxis.label.set(color=palette.muted, fontsize=TICK_SIZE + 0.5)
    # likewise: below one line of tick labels
    below = ScaledTranslation(0, -LABEL_DROP / 72, figure_of(axes).dpi_scale_trans)
    axes.xaxis.set_label_coords(0.5, 0.0, transform=axes.transAxes + below)
    # what it says stands above; to find room beside the ticks, all of these would be measured once more
    axes.yaxis.set_label_coords(0.0, 0.5)


_BETWEEN, _ABOVE = 26.0, 46.0  # points between panels: side by side, and for ticks and a y label
_MIN_SHARE = 0.3  # of the room, for a panel


class SplitAxes:
    """Divides an axes; while the second panel is hidden, the first one has all the room.

    `axes`: what is divided; nothing is drawn on it. `stacked`: tells from width and height of the room in
    pixels whether one lies above the other; panels that are drawn to scale lie where they are larger.
    `between`: points between panels that are side by side. `turned`: told with the layout whether one lies
    above the other, whenever that changes.
    """

    def __init__(
        self,
        axes: Axes,
        palette: Palette,
        stacked: Callable[[float, float], bool] = lambda width, height: False,
        between: float = _BETWEEN,
        turned: Callable[[bool], None] = lambda stacked: None,
    ) -> None:
        axes.set_axis_off()
        self._whole = axes
        self._stacked = stacked
        self._between = between
        self._turned = turned
        self._was: bool | None = None
        self.first, self.second = (axes.inset_axes((0, 0, 1, 1)) for _ in range(2))
        for part in (self.first, self.second):
            style_axes(part, palette)
            part.set_axes_locator(self._locate)

    def _locate(self, part: Artist, renderer: RendererBase) -> Bbox:
        box: Bbox = self._whole.get_position()
        if not self.second.get_visible():
            return box
        figure = figure_of(self._whole)
        low, size = np.array(box.p0), np.array(box.size)
        space = np.array(figure.bbox.size) * size
        gaps = [gap * figure.dpi / 72 for gap in (self._between, _ABOVE)]
        stacked = self._stacked(float(space[0]), float(space[1]))
        if self.first.get_aspect() != "auto":
            stacked = self._larger(space, gaps)
        if stacked != self._was:
            self._was = stacked
            self._turned(stacked)
        along = int(stacked)
        gap = gaps[along]
        half = max(_MIN_SHARE, (1 - gap / space[along]) / 2)
        # heights count upwards, but the first panel is the upper one
        if (part is self.first) == stacked:
            low[along] += (1 - half) * size[along]
        size[along] *= half
        return Bbox.from_bounds(*low, *size)

    def _larger(self, space: Floats, gaps: list[float]) -> bool:
        """Tell whether panels that are drawn to scale are larger one above the other."""
        spans = [abs(end - start) for start, end in (self.first.get_xlim(), self.first.get_ylim())]
        sizes = []
        for along, gap in enumerate(gaps):
            panel = space.copy()
            panel[along] = (panel[along] - gap) / 2
            sizes.append(float((panel / spans).min()))
        return sizes[1] > sizes[0]
