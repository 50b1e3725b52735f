"""A card with pictures of which one is open: made when first looked at, saved, looked at as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.theme import Palette
from app.widgets.card import Card, caption
from app.widgets.tabs import TabTitle

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PictureCard(Card):
    """Shows one picture at a time.

    Parameters
    ----------
    name : str
        What the pictures are about.
    tab : str
        The one that is open at first.
    pictures : mapping of str to (str, str)
        Module and class of each.

    Signals
    -------
    asked()
        A person wants to see something that has to be computed.

    Attributes
    ----------
    tab : str
        The picture that is open.
    """

    asked = Signal()

    def __init__(self, name: str, tab: str, pictures: Mapping[str, tuple[str, str]]) -> None:
        super().__init__("", private=True)
        self.setAccessibleName(name)
        self.tab = tab
        self._classes = pictures
        self._palette: Palette | None = None
        self._scale = 1.0
        self._unit = ""
        self._curator = True
        self._canvases: dict[str, PlotCanvas] = {}
        self._expected = False
        # the scale is known once the picture has been drawn, in the next turn
        self._drawn = QTimer(self)
        self._drawn.setSingleShot(True)
        self._drawn.timeout.connect(self._show_log)
        self._build_head()
        self.save_button = self.add_tool("save", "Save the picture… (Ctrl+S)")
        self.numbers_button = self.add_tool("table", "The numbers behind the picture (Ctrl+T)")
        self.log_button = self.add_tool("logarithm", "Logarithmic vertical axis", checkable=True)
        self.log_button.toggled.connect(self._on_log)
        self.log_button.hide()
        self._last_tool: QWidget = self.log_button
        for tools in self._build_tools():
            self.body.addWidget(tools)
        self.pictures = QStackedWidget()
        self.waiting = caption()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pictures.addWidget(self.waiting)
        self.body.addWidget(self.pictures, 1)
        self.advice = caption(name="advice")
        self.body.addWidget(self.advice)

    # What depends on the pictures.

    def _build_head(self) -> None:
        """Add what stands in front of the tools in the head."""

    def _build_tools(self) -> tuple[QWidget, ...]:
        """Return what stands between head and picture; `_last_tool` is the last that Tab reaches."""
        return ()

    def _words(self, tab: str) -> TabTitle:
        """Return what a picture is called."""
        raise NotImplementedError

    def show_tab(self, tab: str) -> None:
        """Open a picture by name."""
        raise NotImplementedError

    # What does not.

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that is open, once it was made."""
        return self._canvases.get(self.tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        for canvas in self._canvases.values():
            canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        for canvas in self._canvases.values():
            canvas.set_text_scale(scale)

    def show_view(self, curator: bool) -> None:
        """Show everything, or only what may be seen by all."""
        self._curator = curator
        self.badge.setVisible(curator)

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, or in another view."""
        self._unit = unit
        for canvas in self._canvases.values():
            canvas.set_unit(unit)
            canvas.private = self._curator
            canvas.clear()
        self._show_log()

    def open(self) -> PlotCanvas:
        """Show the picture that is open, and make it if need be."""
        if self.tab not in self._canvases:
            module, name = self._classes[self.tab]
            from app.widgets.plot_canvas import PlotCanvas

            canvas = PlotCanvas(getattr(import_module(f"app.plots.{module}"), name), "")
            self._name(canvas, self.tab)
            assert self._palette is not None
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            canvas.set_unit(self._unit)
            canvas.private = self._curator
            self._canvases[self.tab] = canvas
            self.pictures.addWidget(canvas)
            self.setTabOrder(self._last_tool, canvas)
        canvas = self._canvases[self.tab]
        self._expected = True
        if canvas.has_result:
            self.pictures.setCurrentWidget(canvas)
        else:  # an empty picture costs as much to draw as a full one
            self.waiting.setText("")
            self.pictures.setCurrentWidget(self.waiting)
        return canvas

    def show_result(self, tab: str, result: Any) -> None:
        """Show a result in its picture."""
        if tab in self._canvases:
            self._canvases[tab].show_result(result)
            if tab == self.tab and self._expected:
                self.pictures.setCurrentWidget(self._canvases[tab])
            self._drawn.start()

    def show_waiting(self, words: str) -> None:
        """Say what is missing while there is nothing to draw."""
        self._expected = False
        self.waiting.setText(words)
        self.waiting.show()
        self.pictures.setCurrentWidget(self.waiting)
        self._show_log()

    def _name(self, canvas: PlotCanvas, tab: str) -> None:
        title = self._words(tab)
        canvas.setAccessibleName(title.shows)
        canvas.setWhatsThis(title.why)

    def _show_log(self) -> None:
        canvas = self.canvas
        seen = canvas is not None and canvas.has_result
        self.log_button.setVisible(seen and canvas.picture.has_log_y)
        self.log_button.blockSignals(True)
        self.log_button.setChecked(canvas is not None and canvas.picture.axes.get_yscale() != "linear")
        self.log_button.blockSignals(False)

    def _on_log(self, logarithmic: bool) -> None:
        if self.canvas is not None:
            self.canvas.set_log_y(logarithmic)
