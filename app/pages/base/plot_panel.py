"""A card with pictures in tabs: made when first looked at, saved, looked at as numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.help.controls import picture_words
from app.model.pages import audit as audit_tabs
from app.model.picture_spec import TabTitle
from app.model.theme import Palette
from app.model.wording.parameters import DECLARED
from app.pages.audit.options_bar import AuditOptionsBar
from app.pages.base.freshness import Freshness
from app.pages.base.offer_button import OfferButton
from app.widgets.card import Card, caption, set_text
from app.widgets.compact import MIN_HEIGHT, CurrentPageStack
from app.widgets.flow import Bend
from app.widgets.tabs import Tabs

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PlotPanel(Card):
    """Shows the picture of one tab, and the tools that belong to it.

    Parameters
    ----------
    name, tab : str
        What the pictures are about, and the one that is open at first.
    pictures : mapping of str to str
        References to their classes.
    titles : dict of str to TabTitle

    Signals
    -------
    asked()
        The user wants to see something that has to be computed.
    pointed(object)
        As in `PlotCanvas`, of the open picture.

    Attributes
    ----------
    tab : str
        The picture that is open.
    shown : tuple of str
        The tabs that there are now.
    log : dict of str to bool
        Pictures whose vertical axis the user has made logarithmic, or linear.
    """

    asked = Signal()
    pointed = Signal(object)

    def __init__(
        self,
        name: str,
        tab: str,
        pictures: Mapping[str, str],
        titles: dict[str, TabTitle],
    ) -> None:
        super().__init__("", private=True)
        self.setAccessibleName(name)
        self.wrap_title()
        self.tab = tab
        self.shown = tuple(titles)
        self.titles = titles
        self._classes = {**pictures, **audit_tabs.AUDIT.drawn_by}
        self._palette: Palette | None = None
        self._scale = 1.0
        self._unit = ""
        self._curator = True
        self._canvases: dict[str, PlotCanvas] = {}
        self._expected = False
        self.log: dict[str, bool] = {}
        self.tabs = Tabs("Pictures", titles)
        self.tabs.choose(tab)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)
        self.save_button = self.add_tool("save", "Save the picture… (Ctrl+E)")
        self.numbers_button = self.add_tool("table", "Show data (Ctrl+T)")
        self.log_button = self.add_tool("logarithm", "Logarithmic vertical axis", checkable=True)
        self.log_button.toggled.connect(self._on_log)
        self.log_button.hide()
        self._last_tool: QWidget = self.log_button
        self.audit = AuditOptionsBar()
        self.audit.hide()
        for tools in (*self._build_tools(), self.audit):
            self.body.addWidget(tools)
        self.pictures = CurrentPageStack()
        self.pictures.setMinimumHeight(MIN_HEIGHT)  # also before there is a picture: nothing jumps
        self.waiting = caption()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pictures.addWidget(self.waiting)
        self.body.addWidget(self.pictures, 1)
        self.advice = caption(name="advice")
        self.alternative = OfferButton()
        foot = Bend()
        foot.setSpacing(8)
        foot.addWidget(self.advice, 1)
        foot.addWidget(self.alternative, 0, Qt.AlignmentFlag.AlignRight)
        self.body.addLayout(foot)
        self.freshness = Freshness(self.pictures, self.waiting, self.advice)

    # What depends on the pictures.

    def _build_tools(self) -> tuple[QWidget, ...]:
        """Return what stands between head and picture; `_last_tool` is the last that Tab reaches."""
        return ()

    def _show_tools(self) -> None:
        """Show the tools of the tab that is open, as far as there is something to choose."""
        raise NotImplementedError

    @property
    def _is_private(self) -> bool:
        """Whether the open tab shows what is private, if there is a picture."""
        return self._curator and (self.tab != audit_tabs.TAB or self.audit.private)

    # What does not.

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.choose(tab)

    def show_only(self, tabs: Collection[str]) -> None:
        """Leave out all other tabs; open another one if the open one is left out."""
        if tuple(tabs) == self.shown:
            return
        self.shown = tuple(tabs)
        if self.tab not in self.shown:
            self.show_tab(self.shown[0])
        self.tabs.show_only(self.shown)

    def choose_log(self, log: Mapping[str, bool]) -> None:
        """Make vertical axes logarithmic or linear; all others as the numbers have it."""
        self.log = dict(log)
        for name, canvas in self._canvases.items():
            if canvas.log_y != self.log.get(name):
                canvas.set_log_y(self.log.get(name))

    @property
    def picture_name(self) -> str:
        """The picture that is open: that of its tab, or one of several of an audit."""
        return self.picture_of(self.tab)

    def picture_of(self, tab: str) -> str:
        """Return the name of the picture of a tab."""
        return self.audit.picture if tab == audit_tabs.TAB else tab

    def show_picture(self, name: str) -> None:
        """Open a picture by name, also one of those of an audit."""
        if name in audit_tabs.AUDIT.titles:
            self.audit.show_picture(name)
            name = audit_tabs.TAB
        self.show_tab(name)

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that is open, once it was made."""
        return self._canvases.get(self.picture_name)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.freshness.set_palette(palette)
        for canvas in self._canvases.values():
            canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        self.audit.set_scale(scale)
        for canvas in self._canvases.values():
            canvas.set_text_scale(scale)

    def show_view(self, curator: bool) -> None:
        """Show everything, or only what may be seen by all."""
        self._curator = curator
        self._show_tools()
        self._show_badge()

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, or in another view."""
        self._unit = unit
        for canvas in self._canvases.values():
            canvas.private = self._curator
            canvas.forget(unit)
        self.freshness.forget()
        self._show_log()

    def outdate(self) -> None:
        """Dim all that is about older choices, until it is replaced."""
        drawn = (name for name, canvas in self._canvases.items() if canvas.has_result)
        self.freshness.outdate(drawn)

    def show_outdated(self, outdated: bool) -> None:
        """Dim the picture that is open where no other one is worked on, or show it as it is."""
        self.freshness.look(self.picture_name)
        if outdated:
            self.freshness.outdate([self.picture_name], words=False)
            self.freshness.end()
        else:
            self.freshness.renew(self.picture_name)

    def say(self, text: str) -> None:
        """Say something about the choices of now below the picture."""
        set_text(self.advice, text)
        self.freshness.renew_words()

    def open(self) -> PlotCanvas:
        """Show the picture that is open, and make it if need be."""
        opened = self.picture_name
        if opened not in self._canvases:
            from app.widgets.plot_canvas import PlotCanvas

            canvas = PlotCanvas(resolve_name(self._classes[opened]), "")
            self._name(canvas, opened)
            assert self._palette is not None
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            canvas.set_unit(self._unit)
            canvas.set_log_y(self.log.get(opened))
            canvas.updated.connect(self._show_log)
            canvas.pointed.connect(self.pointed)
            self._canvases[opened] = canvas
            self.pictures.addWidget(canvas)
            last = self.audit.last_tool if self.tab == audit_tabs.TAB else self._last_tool
            self.setTabOrder(last, canvas)
        canvas = self._canvases[opened]
        canvas.private = self._is_private
        self._expected = True
        if canvas.has_result:
            self.pictures.setCurrentWidget(canvas)
        else:  # an empty picture costs as much to draw as a full one
            self.waiting.setText("")
            self.pictures.setCurrentWidget(self.waiting)
        self.freshness.look(opened)
        self._show_badge()
        return canvas

    def show_result(self, tab: str, result: Any) -> None:
        """Show a result in its picture."""
        if tab in self._canvases:
            self._canvases[tab].show_result(result)
            if tab == self.picture_name and self._expected:
                self.pictures.setCurrentWidget(self._canvases[tab])
                self.freshness.look(tab)

    def show_waiting(self, text: str) -> None:
        """Say what is missing while there is nothing to draw."""
        self._expected = False
        self.waiting.setText(text)
        if text:
            self.pictures.uncover()
        self.pictures.setCurrentWidget(self.waiting)
        self.freshness.look()
        self._show_log()
        self._show_badge()

    def _on_tab(self, index: int) -> None:
        """Show the tools of another tab, and ask for its picture."""
        self.tab = tab = self.tabs.key(index)
        audited = tab == audit_tabs.TAB
        if not audited:  # first, so that the window never makes room for both
            self.audit.hide()
        self._show_tools()
        self.audit.setVisible(audited)
        if self._palette is not None:
            self._show_log()
            self.asked.emit()

    def _show_badge(self) -> None:
        """Call private what is; a sentence in the place of a picture is not."""
        says = self.pictures.currentWidget() is self.waiting and bool(self.waiting.text())
        self.badge.setVisible(self._is_private and not says)

    def _name(self, canvas: PlotCanvas, tab: str) -> None:
        title = audit_tabs.AUDIT.titles.get(tab) or self.titles[tab]
        canvas.setAccessibleName(title.shows)
        canvas.setWhatsThis(picture_words(title.shows, title.why))
        canvas.setProperty(DECLARED, True)

    def _show_log(self) -> None:
        canvas = self.canvas
        picture = canvas.picture if canvas is not None and canvas.has_picture else None
        self.log_button.setVisible(picture is not None and picture.has_log_y)
        self.log_button.blockSignals(True)
        self.log_button.setChecked(picture is not None and picture.axes.get_yscale() != "linear")
        self.log_button.blockSignals(False)

    def _on_log(self, logarithmic: bool) -> None:
        self.log[self.picture_name] = logarithmic
        if self.canvas is not None:
            self.canvas.set_log_y(logarithmic)
