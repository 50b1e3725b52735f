"""A picture in a window: drawn often, and looked at closely."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.model.theme import LIGHT, Palette
from app.plots.base import Picture
from app.plots.figure_panel import FigurePanel
from app.plots.figures import screen_figure
from app.widgets.compact import least_size
from app.widgets.deferred import deferred_call, take_frame_slot
from app.widgets.plot_surface import PlotSurface
from app.widgets.plot_table import TableDialog

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
    pointed = Signal(object)  # the `PointedRecord` under the pointer; None for none
    nudged = Signal(int, int)  # an arrow key: right and up are positive; ten steps with Shift
    updated = Signal()  # the picture is one of the newest result

    def __init__(
        self, picture_class: type[Picture[Any]], accessible_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.picture_class = picture_class
        self._palette = LIGHT
        self._unit = ""
        self._wanted_scale = self._text_scale = 1.0
        self._result: Any = None
        self._log_y: bool | None = None
        self._layers: frozenset[str] = frozenset()
        self._outdated = False
        self.private = True  # whether the picture was computed from raw data; saved figures say so
        self.setAccessibleName(accessible_name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(least_size(picture_class.good_height, 1.0))
        self._resized = deferred_call(self, self._fit_text)
        self._redraw = deferred_call(self, self._take_turn)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)  # the rim
        # where it is drawn, once it is made; another one after a change of theme, unit or text size
        self.surface: PlotSurface | None = None
        self._empty: Figure | None = None  # for the picture of the next result
        self._leaving: list[Picture[Any]] = []

    # What is shown.

    @property
    def picture(self) -> Picture[Any]:
        """The picture; a new one after a change of theme, unit or text size."""
        return self._surface.picture

    @property
    def result(self) -> Any:
        """What is shown, or about to be; None for nothing."""
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
        """Draw text and lines larger (1.5 for a projector), as far as that leaves a picture."""
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
        """What is seen, to be drawn again."""
        seen = self.picture.zoom.shares if self.zoomed else {}
        facts = self._result, self._unit, self.private, self._log_y, seen, self._layers
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
        for name in ("pressed", "moved", "released", "hovered", "pointed"):
            getattr(surface, name).connect(getattr(self, name))
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

    def _take_turn(self) -> None:
        """Make figure, then picture, then draw it: two of that, or two pictures, would hold the window up."""
        if self._result is None:
            return
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
        """Show where the keyboard is, as a rim; Qt paints anew whenever that changes."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._palette.card))
        if self.hasFocus():
            painter.setPen(QColor(self._palette.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    # Keyboard.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn arrow keys into `nudged`; + and - look more and less closely, 0 at the whole."""
        if nudge := nudge_of(event):
            self.nudged.emit(*nudge)
        elif self.surface is None or not self.surface.take_key(Qt.Key(event.key())):
            super().keyPressEvent(event)


def nudge_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the steps of an arrow key to the right and up, ten with Shift; None for another key."""
    step = _ARROWS.get(Qt.Key(event.key()))
    if step is None:
        return None
    factor = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
    return factor * step[0], factor * step[1]
