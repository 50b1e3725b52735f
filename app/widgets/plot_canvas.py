"""A picture in a window: the widget, and the surface on which matplotlib draws it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.jobs.tasks import hold_workers
from app.model.dataset import PointedRecord
from app.model.theme import Palette
from app.model.wording.numbers import escape
from app.plots.base import Picture
from app.plots.elements.zoom import Direction
from app.plots.figure_panel import FigurePanel
from app.plots.figures import screen_figure
from app.widgets.deferred import deferred_call, take_frame_slot
from app.widgets.layouts import least_size, stack
from app.widgets.plot_table import TableDialog
from app.widgets.style import FAMILY, THEME

rcParams["font.family"] = FAMILY  # whatever a file with settings of matplotlib says
_NOTCH = 1.25
"""How much more is seen after the wheel was turned back by a notch."""
_EIGHTHS = 120.0
"""Eighths of a degree in a notch."""
ZOOM_KEYS = {Qt.Key.Key_Plus: -1.0, Qt.Key.Key_Equal: -1.0, Qt.Key.Key_Minus: 1.0}
"""Keys that look more closely, or less, by so many notches."""
FIRST_LAYOUT_STEPS = 3
"""Steps of the layout of a new picture: ticks are made; they depend on the room that the layout leaves, and
it on them, so that it is computed twice. Later it takes one."""
RESIZED_LAYOUT_STEPS = 2
"""Steps of the layout for another size: after one, a map would stand where the size before has put it."""
_FRAME_MS = 16
_TIP_OFFSET = QPoint(8, 4)


class LayoutSteps:
    """Finds space for the labels of a figure, a step at a time: all of it would hold the window up."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._engine = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.08)
        self._left = FIRST_LAYOUT_STEPS

    def resize(self) -> None:
        """Begin again for another size."""
        self._left = max(self._left, RESIZED_LAYOUT_STEPS)

    def step(self, renderer: Any) -> bool:
        """Take the next step; return whether it was the last."""
        if self._left == FIRST_LAYOUT_STEPS:
            for axes in _with_ticks(self._figure.axes):
                for axis in (axes.xaxis, axes.yaxis):
                    axis.get_tightbbox(renderer)  # makes the ticks, and measures their labels
        else:
            with warnings.catch_warnings():
                # A window that is too small for its labels keeps the layout it had.
                warnings.filterwarnings("ignore", message="constrained_layout not applied")
                self._engine.execute(self._figure)
        self._left = max(self._left - 1, 0)
        return self._left == 0


def _with_ticks(some: Iterable[Any]) -> Iterator[Axes]:
    """Yield those whose ticks are seen, also inside others: a figure knows the outermost alone."""
    for axes in some:
        if axes.get_visible():
            if axes.axison:
                yield axes
            yield from _with_ticks(axes.child_axes)


class PlotSurface(FigureCanvasQTAgg):
    """A canvas with one picture, whose artists are drawn over a kept background.

    The layout is computed when the size or the ticks change and stands still between:
    computing it at every drawing would double the cost of each.

    `picture_class`: what to draw.
    `figure`: where, with one axes: a `screen_figure`.
    `palette`, `unit`: as for the picture.
    """

    pressed = Signal(float, float)  # as in `PlotCanvas`
    moved = Signal(float, float)
    released = Signal(float, float)
    hovered = Signal(float, float)
    pointed = Signal(object)
    pulled = Signal(float)  # as in `PlotCanvas`
    zoomed = Signal()  # another part of the picture is seen
    left = Signal()  # the pointer is over no axes any more
    finished = Signal()  # as in `PlotCanvas`

    def __init__(
        self, picture_class: type[Picture[Any]], figure: Figure, palette: Palette, unit: str
    ) -> None:
        super().__init__(figure)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._layout = LayoutSteps(self.figure)
        self._background: Any = None
        self._beneath: dict[float, Any] = {}  # what is below artists of this height, or the wash
        self._answered = False  # whether the background was drawn for possible answers
        self._laid_out = False
        self._held = self.pulling = False  # `pulling`: whether the handle of possible answers is held
        self._grasped: tuple[float, float] | None = None
        self._pointer: tuple[float, float] | None = None
        self._later = deferred_call(self, self._take_turn)
        self._hover = deferred_call(self, self._point, _FRAME_MS)
        self._pull = deferred_call(self, self._pull_answers, _FRAME_MS)
        self.picture = picture_class(figure.axes[0], palette, unit)
        self.picture.animate()

    # Drawing.

    @hold_workers()
    def show_result(self, result: Any) -> None:
        """Show `result` with as little drawing as it allows; none while it is out of sight."""
        if self.picture.update(result):
            self._laid_out = self._laid_out and not self.picture.needs_layout
            self._forget()
        if self.isVisible():
            self._later.start()  # measuring the new labels was enough for one turn

    @hold_workers()
    def draw(self) -> None:
        """Draw everything, and keep what does not change as the background."""
        self.draw_background()
        if self._background is not None:
            self._draw_artists()

    @hold_workers()
    def draw_background(self) -> None:
        """Draw and keep what does not change; where that has to wait for the layout, in a later turn."""
        if self._tiny:
            return
        if self.picture.result is None:
            # axes without anything on them would cost as much as a picture, and be gone at once
            self.figure.patch.draw(self.get_renderer())
            return
        while not self._laid_out:
            # each costs up to 30 ms: in a turn of its own, the window stays prompt
            self._lay_out()
            if self.isVisible():
                self._later.start()
                return
        super().draw()
        self._forget()
        self._background = self.copy_from_bbox(self.figure.bbox)

    def _forget(self) -> None:
        """Forget what was kept of an earlier drawing."""
        self._background = None
        self._beneath = {}

    def draw_idle(self) -> None:
        """Draw in a later turn, not while Qt paints, as matplotlib does: this one may have laid out."""
        self._later.start()

    @property
    def drawing(self) -> bool:
        """Whether a drawing waits for its turn."""
        return self._later.isActive()

    def _take_turn(self) -> None:
        """Draw, at another time where another picture is made or drawn in this turn."""
        if self.isVisible() and not take_frame_slot():
            self._later.start()
        else:
            self.draw_over()

    @hold_workers()
    def draw_over(self) -> None:
        """Draw what changes over the kept background; nothing while it is out of sight."""
        if not self.isVisible():
            return
        if self._background is None:
            seen = self.copy_from_bbox(self.figure.bbox)
            self.draw_background()
            if self._background is not None:
                # the old picture stands until the next turn: both parts of the new one may take 40 ms
                self.restore_region(seen)
                self._later.start()
        else:
            self.restore_region(self._background)
            self._draw_artists()
            self.update()
        if not self.drawing:
            self.finished.emit()

    @hold_workers()
    def draw_from(self, height: float) -> None:
        """Draw only what is as high as possible answers, or as the strong one: all else is as it was."""
        if self.picture.under_answers and self.picture.cloud.active is not self._answered:
            self._answered = self.picture.cloud.active
            self._forget()
        if not self.isVisible() or self._background is None or height not in self._beneath:
            self._later.start()
            return
        if self.picture.cloud.faded and np.inf in self._beneath:
            height = np.inf
        self.restore_region(self._beneath[height])
        self._draw_artists(height)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._laid_out = False
        self._layout.resize()
        self._forget()
        super().resizeEvent(event)
        if hasattr(self, "renderer") and not self._tiny:
            self.get_renderer()  # nothing of another size is painted until then

    @property
    def _tiny(self) -> bool:
        """Whether there is no room to draw anything."""
        return min(self.get_width_height(physical=True)) < 2

    def _lay_out(self) -> None:
        """Take the next step of the layout."""
        self._laid_out = self._layout.step(self.get_renderer())

    def _draw_artists(self, height: float = -np.inf) -> None:
        renderer, cloud = self.get_renderer(), self.picture.cloud
        cloud.arrange(renderer)
        kept = [one for one in cloud.heights if one > height and cloud.active]
        self._beneath = {one: seen for one, seen in self._beneath.items() if one <= height}
        for artist in sorted(self.picture.artists, key=_height):
            while kept and _height(artist) >= kept[0]:
                self._beneath[kept.pop(0)] = self.copy_from_bbox(self.figure.bbox)
            if _height(artist) >= height and artist not in cloud.above_wash:
                artist.draw(renderer)
        if cloud.faded:
            self._beneath.setdefault(np.inf, self.copy_from_bbox(self.figure.bbox))
            cloud.wash(renderer)

    # The pointer.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._rest()
            self.pulling = self.picture.cloud.grasp(*self.mouseEventCoords(event))
            if self.pulling:
                return
            self._held = True
            self.pressed.emit(*self._place(self.mouseEventCoords(event)))
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._grasped = self._place(self.mouseEventCoords(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit `moved` while the button is held; look up what is under the pointer otherwise."""
        self._pointer = self.mouseEventCoords(event)
        if self.pulling:
            self._pull.start()
        elif self._held:
            self.moved.emit(*self._place(self._pointer))
        elif self._grasped is not None:
            self.picture.zoom.move(self.picture.axes, self._grasped, self._place(self._pointer))
            self.look_again()
            self.zoomed.emit()
        elif not self._hover.isActive():
            self._hover.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.pulling and event.button() == Qt.MouseButton.LeftButton:
            self.pulling = False
            if self._pull.isActive():
                self._pull.stop()
                self._pull_answers()
            self.pulled.emit(0.0)
        elif self._held and event.button() == Qt.MouseButton.LeftButton:
            self._held = False
            self.released.emit(*self._place(self.mouseEventCoords(event)))
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._grasped = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_view()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Look more closely at what is under the pointer; with Shift, along the vertical axis alone."""
        upright = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        # with Shift, some systems turn the wheel sideways
        turned = event.angleDelta().y() or event.angleDelta().x()
        self._zoom(-turned / _EIGHTHS, self.mouseEventCoords(event.position()), upright=upright)
        event.accept()

    def take_key(self, key: Qt.Key) -> bool:
        """Look more closely (+) or less (−) at the middle, or at the whole (0); tell if the key does so."""
        if key in ZOOM_KEYS:
            box = self.picture.axes.bbox
            self._zoom(ZOOM_KEYS[key], ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
        elif key == Qt.Key.Key_0:
            self.reset_view()
        else:
            return False
        return True

    def reset_view(self) -> None:
        """Show the whole picture again."""
        if self.picture.zoom.active:
            self.picture.zoom.reset()
            self.look_again()
            self.zoomed.emit()

    def _zoom(self, notches: float, pixels: tuple[float, float], *, upright: bool = False) -> None:
        """Look more or less closely at a place: along both axes if they are to one scale, else along one."""
        if self.picture.result is None or not notches:
            return
        axes = self.picture.axes
        one: Direction = "y" if upright else "x"
        directions: tuple[Direction, ...] = ("x", "y") if self.picture.zoom.planar else (one,)
        self.picture.zoom.scale(_NOTCH**notches, axes, self._place(pixels), directions)
        self.look_again()
        self.zoomed.emit()

    def look_again(self, *, other_room: bool = False) -> None:
        """Draw everything in the next turn: other limits have other ticks, which may need other room."""
        self._laid_out = self._laid_out and not other_room
        self._rest()
        self._forget()
        self._later.start()

    def point_at(self, pointed: PointedRecord | None) -> None:
        """Mark a record that is pointed at, here or elsewhere."""
        if self.picture.mark.point_at(pointed) and self.isVisible():
            self.draw_over()

    def leaveEvent(self, event: QEvent) -> None:
        self._leave()
        super().leaveEvent(event)

    def _place(self, pixels: tuple[float, float]) -> tuple[float, float]:
        """Return data coordinates, also beyond the axes, where a drag may lead."""
        x, y = self.picture.axes.transData.inverted().transform(pixels)
        return float(x), float(y)

    def _point(self) -> None:
        if self._pointer is None or self.picture.result is None:
            return
        if not any(part.bbox.contains(*self._pointer) for part in self.picture.parts):
            self._leave()
            return
        x, y = self._place(self._pointer)
        self.hovered.emit(x, y)
        self.pointed.emit(self.picture.record_at(self.picture.result, x, y))
        text = self.picture.point_at(x, y)
        self.draw_over()
        right, up = (side / self.device_pixel_ratio for side in self._pointer)
        spot = QPoint(round(right), round(self.height() - up))
        QToolTip.showText(self.mapToGlobal(spot + _TIP_OFFSET), escape(text), self)

    def _pull_answers(self) -> None:
        if self._pointer is not None:
            self.pulled.emit(self.picture.cloud.pull(*self._pointer))

    def _leave(self) -> None:
        """Take away what the pointer had brought up, here and elsewhere."""
        self._rest()
        self.pointed.emit(None)
        self.left.emit()

    def _rest(self) -> None:
        self._hover.stop()
        if self.picture.cursor.get_visible():
            self.picture.point_away()
            self.draw_over()
        QToolTip.hideText()


def _height(artist: Any) -> float:
    return float(artist.get_zorder())


_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class PlotCanvas(QWidget):
    """Shows a picture and redraws it at most once per turn of the event loop.

    `picture_class`: what to draw.
    `accessible_name`: what the picture is; also the title of saved figures.
    """

    # the left mouse button, in data coordinates; `moved` only while it is held
    pressed = Signal(float, float)
    moved = Signal(float, float)
    released = Signal(float, float)
    hovered = Signal(float, float)  # the pointer without a button, at most 60 times a second
    pulled = Signal(float)  # how many times as wide the possible answers become; 0 when let go
    paused = Signal()  # the space bar
    pointed = Signal(object)  # the `PointedRecord` under the pointer; None for none
    picked = Signal(object)  # the `PointedRecord` that is clicked
    nudged = Signal(int, int)  # an arrow key: right and up are positive; ten steps with Shift
    updated = Signal()  # the picture is one of the newest result
    finished = Signal()  # nothing is left to draw

    def __init__(
        self, picture_class: type[Picture[Any]], accessible_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.picture_class = picture_class
        self._palette = THEME.palette
        self._unit = ""
        self._wanted_scale = self._text_scale = 1.0
        self._result: Any = None
        self._log_y: bool | None = None
        self._layers: frozenset[str] = frozenset()
        self._outdated = self._rim = False
        self.answers_note = ""  # what saved figures say of possible answers
        self.private = True  # whether the picture was computed from raw data; saved figures say so
        self.setAccessibleName(accessible_name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(least_size(picture_class.good_height, 1.0))
        self.pressed.connect(self._pick)
        self._resized = deferred_call(self, self._fit_text)
        self._redraw = deferred_call(self, self._take_turn)
        self._column = stack(self, margins=2)  # the rim
        # where it is drawn, once it is made; another one after a change of theme, unit or text size
        self.surface: PlotSurface | None = None
        self._empty: Figure | None = None  # for the picture of the next result
        self._leaving: list[Picture[Any]] = []
        THEME.changed.connect(self.set_palette)
        THEME.follow_scale(self.set_text_scale)

    # What is shown.

    @property
    def picture(self) -> Picture[Any]:
        """The picture; a new one after a change of theme, unit or text size."""
        return self._surface.picture

    @property
    def result(self) -> Any:
        """The picture on show, or about to be; None for none."""
        return self._result

    @property
    def log_y(self) -> bool | None:
        """The vertical scale that was chosen; None leaves it to the numbers."""
        return self._log_y

    @property
    def figure(self) -> Figure:
        """The figure on the screen."""
        return self._surface.figure

    @property
    def theme(self) -> Palette:
        """The colours that it is drawn in."""
        return self._palette

    @property
    def has_result(self) -> bool:
        """Whether there is anything to see, save or copy."""
        return self._result is not None

    @property
    def has_picture(self) -> bool:
        """Whether the picture of the result is made already."""
        return self.has_result and self.surface is not None

    def show_result(self, result: Any) -> None:
        """Show `result` in the next turn of the event loop; only the latest is drawn."""
        self._result = result
        self._redraw.start()

    def forget(self, unit: str) -> None:
        """Forget the result, and write another unit behind the numbers of the next one."""
        self.setAccessibleDescription("")
        if self._result is not None or unit != self._unit:
            self._result, self._unit = None, unit
            self._drop()

    def set_palette(self, palette: Palette) -> None:
        """Draw in the colours of another theme."""
        if palette is not self._palette:
            self._palette = palette
            self.restyle()

    def set_unit(self, unit: str) -> None:
        """Write another unit behind numbers."""
        if unit != self._unit:
            self._unit = unit
            self._rebuild()

    def set_text_scale(self, scale: float) -> None:
        """Draw text and lines larger (1.5 for a projector), within the room for the picture."""
        self._wanted_scale = scale
        self._fit_text()

    def set_log_y(self, logarithmic: bool | None) -> None:
        """Choose the vertical scale; None leaves it to the numbers."""
        self._log_y = logarithmic
        if self.surface is not None:
            self.surface.picture.log_y = logarithmic
        self._redraw.start()

    def choose_layers(self, layers: frozenset[str]) -> None:
        """Draw these layers only; all of them where none is named."""
        if layers != self._layers:
            self._layers = layers
            if self.surface is not None:
                self.surface.picture.choose_layers(layers)
            self._redraw.start()

    @property
    def drawing(self) -> bool:
        """Whether what is seen is about to be drawn anew."""
        waiting = self._resized.isActive() or self._redraw.isActive()
        return self.isVisible() and (waiting or (self.surface is not None and self.surface.drawing))

    # What can be taken away.

    @property
    def drawn(self) -> FigurePanel:
        """The visible state, to be drawn again."""
        seen = self.picture.zoom.shares if self.zoomed else {}
        answers = self.picture.cloud.answers(self.answers_note)
        facts = self._result, self._unit, self.private, self._log_y, seen, self._layers, answers
        return FigurePanel(self.accessibleName(), self.picture_class, *facts)

    def show_table(self) -> TableDialog:
        """Open the numbers behind the picture in a small window."""
        self._draw()
        dialog = TableDialog(self, self.accessibleName(), *self.picture.saved_table())
        dialog.show()
        return dialog

    @property
    def zoomed(self) -> bool:
        """Whether only a part of the picture is seen."""
        return self.surface is not None and self.surface.picture.zoom.active

    def reset_view(self) -> None:
        """Show the whole picture again."""
        self._surface.reset_view()

    def draw_answers(self, *, strong: bool = False) -> None:
        """Draw possible answers anew, or only the strong one, if the picture is made."""
        if self.surface is not None:
            self.surface.draw_from(self.picture.cloud.heights[strong])

    # Drawing.

    @property
    def _surface(self) -> PlotSurface:
        """Where it is drawn: made when it is first needed, which takes as long as to draw it."""
        return self._make_surface() if self.surface is None else self.surface

    def _make_figure(self) -> Figure:
        self._empty = screen_figure(self._palette, self._text_scale)
        return self._empty

    def _make_surface(self) -> PlotSurface:
        figure = self._empty or self._make_figure()
        surface = PlotSurface(self.picture_class, figure, self._palette, self._unit)
        self.surface, self._empty = surface, None
        for name in ("pressed", "moved", "released", "hovered", "pointed", "pulled", "finished"):
            getattr(surface, name).connect(getattr(self, name))
        surface.pulled.connect(self._redraw.start)
        surface.picture.log_y = self._log_y
        surface.picture.choose_layers(self._layers)
        self._column.addWidget(surface)
        surface.show()  # at once: rows and columns around it are measured again
        return surface

    def restyle(self) -> None:
        """Make the picture anew, at once or when it is next seen: each takes its time."""
        self._empty = None
        self._outdated = not self.isVisible()
        if not self._outdated:
            self._rebuild()

    def _rebuild(self) -> None:
        """Make the picture anew, in a turn of its own: simpler than teaching each to change its clothes."""
        self._outdated = False
        if self.surface is not None:
            self._drop()
            self._redraw.start()

    def _drop(self) -> None:
        """Let the picture go; the next result makes another one."""
        if self.surface is not None:
            self.surface.hide()
            self._leaving.append(self.surface.picture)
            self.surface.destroyed.connect(self._take_apart)
            self.surface.deleteLater()
            self._column.removeWidget(self.surface)
            self.surface = None
            self.update()

    def _take_apart(self) -> None:
        """Free a picture that was let go, once nothing can draw it any more."""
        self._leaving.pop(0).take_apart()

    def _fit_text(self) -> None:
        """Draw text as large as is wanted and the room allows."""
        self.setMinimumSize(least_size(self.picture_class.good_height, self._wanted_scale))
        scale = self.picture_class.fitting_scale(self._wanted_scale, self.width(), self.height())
        if scale != self._text_scale:
            self._text_scale = scale
            self.restyle()
        if not self.drawing:
            self.finished.emit()  # what was drawn before fits: no drawing follows that would say so

    def _take_turn(self) -> None:
        """Make figure, then picture, then draw it: two of that, or two pictures, would hold the window up."""
        if self._result is None or (self.surface is not None and self.surface.pulling):
            return  # what follows from a pull is drawn when the handle is let go
        if not take_frame_slot():
            self._redraw.start()
        elif self.surface is not None:
            self._draw()
        else:
            make = self._make_surface if self._empty else self._make_figure
            make()
            self._redraw.start()

    def _draw(self) -> None:
        self._redraw.stop()
        if self._result is not None:
            self._surface.show_result(self._result)
            self.setAccessibleDescription(self.picture.alt_text())
            self.updated.emit()

    def sizeHint(self) -> QSize:
        """Ask for little: matplotlib asks for the size that a figure has, and would never give it back."""
        return self.minimumSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while the picture was hidden, in the colours and the type of now."""
        super().showEvent(event)
        if self._outdated:
            self._rebuild()
        self._redraw.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show where the user has put the keyboard, as a rim; Qt paints anew whenever that changes."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._palette.card))
        if self.hasFocus() and self._rim:
            painter.setPen(QColor(self._palette.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _pick(self, x: float, y: float) -> None:
        pointed = self.picture.record_at(self.result, x, y) if self.has_picture else None
        if pointed is not None:
            self.picked.emit(pointed)

    # Keyboard.

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:  # the window came back: as it was
            self._rim = event.reason() != Qt.FocusReason.OtherFocusReason
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn arrows into `nudged`, space into `paused`; + and - zoom, 0 shows the whole."""
        if nudge := nudge_of(event):
            self.nudged.emit(*nudge)
        elif event.key() == Qt.Key.Key_Space:
            self.paused.emit()
        elif self.surface is None or not self.surface.take_key(Qt.Key(event.key())):
            super().keyPressEvent(event)


def nudge_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the steps of an arrow key to the right and up, ten with Shift; None for another key."""
    step = _ARROWS.get(Qt.Key(event.key()))
    if step is None:
        return None
    factor = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
    return factor * step[0], factor * step[1]
