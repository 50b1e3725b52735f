"""A second picture of a page, beside the first one: what it shows, and of which mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.model.theme import Palette
from app.pages.base.freshness import Freshness
from app.widgets.card import caption, set_text
from app.widgets.combo_box import ComboBox
from app.widgets.compact import CurrentPageStack
from app.widgets.layouts import line_up, stack

if TYPE_CHECKING:
    from app.model.picture_spec import PictureSpec
    from app.widgets.plot_canvas import PlotCanvas

GAP, WIDE = 2, 120
"""Pixels below the line, and of a list whose words need no more."""
AS_CHOSEN = "as chosen"
"""The mechanism that is chosen on the page."""


class BesidePanel(QWidget):
    """Shows one of the declared pictures, with a line above it in which another one is chosen.

    Parameters
    ----------
    specs : mapping of str to PictureSpec
    name : callable
        Gives a canvas the name of its picture.

    Signals
    -------
    asked()
        The user wants to see something else here.
    swapped(), closed()
    pointed(object)
        As in `PlotCanvas`.

    Attributes
    ----------
    tab, mechanism : str
        The picture; and by name the mechanism of which it is, "" for the one that is chosen.
    canvases : dict of str to PlotCanvas
        All pictures that were made, by name.
    """

    asked = Signal()
    swapped = Signal()
    closed = Signal()
    pointed = Signal(object)

    def __init__(self, specs: Mapping[str, PictureSpec], name: Callable[[PlotCanvas, str], None]) -> None:
        super().__init__()
        self._specs = specs
        self._name = name
        self._palette: Palette | None = None
        self._scale = 1.0
        self._unit = ""
        self.canvases: dict[str, PlotCanvas] = {}
        self._held: dict[str, QWidget] = {}
        self.tab = self.mechanism = ""
        self.tabs = _box("Picture beside", "Which picture stands beside the other one")
        self.tabs.activated.connect(self._on_tab)
        self.mechanisms = _box("Mechanism beside", "Of which mechanism the picture beside is")
        self.mechanisms.activated.connect(self._on_mechanism)
        self.swap = _tool("swap", "Swap the two pictures")
        self.swap.clicked.connect(self.swapped)
        self.close_button = _tool("close", "Show one picture alone")
        self.close_button.clicked.connect(self.closed)
        self.waiting = caption()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pictures = CurrentPageStack()
        self.pictures.addWidget(self.waiting)
        self.words = caption(name="advice")
        self.words.hide()
        self.freshness = Freshness(self.pictures, self.waiting, self.words)
        self._head = QWidget()
        line_up(self._head, self.tabs, self.mechanisms, None, self.swap, self.close_button, spacing=6)
        stack(self, self._head, (self.pictures, 1), self.words, spacing=GAP)

    def minimumSizeHint(self) -> QSize:
        """Ask for the lines that the words below really take: a splitter asks for no height of a width."""
        hint, layout = super().minimumSizeHint(), self.layout()
        needed = layout.totalMinimumHeightForWidth(self.width()) if layout is not None else 0
        return QSize(hint.width(), max(hint.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask anew: words have other lines in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def head_height(self) -> int:
        """How far the picture stands below the top."""
        return self._head.sizeHint().height() + GAP

    @property
    def spec(self) -> PictureSpec | None:
        """The picture that is open; None while there is none."""
        return self._specs.get(self.tab)

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture, once it was made."""
        return self.canvases.get(self.tab)

    def offer(self, tabs: Mapping[str, str], mechanisms: Mapping[str, str]) -> None:
        """Offer pictures and mechanisms, by name with what they are called."""
        if self.tab not in tabs:
            self.tab = ""
        if self.mechanism not in mechanisms:
            self.mechanism = ""
        _fill(self.tabs, tabs, self.tab)
        _fill(self.mechanisms, {"": AS_CHOSEN, **mechanisms}, self.mechanism)
        self.mechanisms.setVisible(bool(mechanisms))

    def choose(self, tab: str, mechanism: str) -> None:
        """Show another picture, or that of another mechanism."""
        self.tab, self.mechanism = tab, mechanism
        for box, name in ((self.tabs, tab), (self.mechanisms, mechanism)):
            with QSignalBlocker(box):
                box.setCurrentIndex(box.findData(name))

    def open(self, *, private: bool) -> PlotCanvas:
        """Make the picture if need be; it is seen once there is a result."""
        if self.tab not in self.canvases:
            from app.widgets.plot_canvas import PlotCanvas

            canvas = PlotCanvas(resolve_name(self._specs[self.tab].drawn_by), "")
            self._name(canvas, self.tab)
            assert self._palette is not None
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            canvas.set_unit(self._unit)
            canvas.pointed.connect(self.pointed)
            self.canvases[self.tab] = canvas
            self.pictures.addWidget(canvas)
        canvas = self.canvases[self.tab]
        canvas.private = private
        set_text(self.words, "")
        self.pictures.setCurrentWidget(canvas if canvas.has_result else self.waiting)
        self.freshness.look(self.tab)
        return canvas

    def show_result(self, tab: str, result: Any) -> None:
        """Show a result in its picture."""
        canvas = self.canvases.get(tab)
        if canvas is None:
            return
        if canvas.result is not result:
            canvas.show_result(result)
        if tab == self.tab:
            self.pictures.setCurrentWidget(canvas)
            self.freshness.look(tab)

    def hold(self, tab: str, widget: QWidget) -> None:
        """Keep what stands in the place of a picture, such as a table."""
        self._held[tab] = widget
        self.pictures.addWidget(widget)

    def show_held(self) -> None:
        """Show what stands in the place of the picture."""
        set_text(self.words, "")
        self.pictures.setCurrentWidget(self._held[self.tab])
        self.freshness.look(self.tab)

    def say(self, text: str) -> None:
        """Say something below the picture."""
        set_text(self.words, text)
        self.freshness.renew_words()

    def show_waiting(self, text: str) -> None:
        """Say why there is no picture."""
        set_text(self.words, "")
        self.waiting.setText(text)
        self.pictures.setCurrentWidget(self.waiting)
        self.freshness.look()

    def outdate(self) -> None:
        """Dim what is about older choices."""
        drawn = [tab for tab, canvas in self.canvases.items() if canvas.has_result]
        self.freshness.outdate([*drawn, *self._held])

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, in another view, or of another mechanism."""
        self._unit = unit
        for canvas in self.canvases.values():
            canvas.forget(unit)
        self.freshness.forget()
        self.show_waiting("")

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.freshness.set_palette(palette)
        for canvas in self.canvases.values():
            canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        for canvas in self.canvases.values():
            canvas.set_text_scale(scale)

    def _on_tab(self, _: int) -> None:
        self.tab = self.tabs.currentData()
        self.asked.emit()

    def _on_mechanism(self, _: int) -> None:
        self.mechanism = self.mechanisms.currentData()
        self.asked.emit()


def _box(name: str, tip: str) -> ComboBox:
    box = ComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)
    return box


def _tool(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setProperty("icon_name", name)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _fill(box: ComboBox, choices: Mapping[str, str], chosen: str) -> None:
    if [box.itemData(index) for index in range(box.count())] != list(choices):
        with QSignalBlocker(box):
            box.clear()
            for name, text in choices.items():
                box.addItem(text, name)
        box.take_no_more(WIDE)
    with QSignalBlocker(box):
        box.setCurrentIndex(box.findData(chosen))
