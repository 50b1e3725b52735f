"""Two pictures of one card: which stands beside the open one, what the user does about it, and their link."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from app.pages.base.split_view import SplitView
from app.session import Session
from app.widgets.tabs import Tabs

if TYPE_CHECKING:
    from app.widgets.linked_canvases import CanvasLink
    from app.widgets.plot_canvas import PlotCanvas


class SplitCard(Protocol):
    """A card whose pictures can stand beside each other."""

    tabs: Tabs
    split: SplitView
    split_button: QToolButton

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that is open."""

    @property
    def picture_name(self) -> str:
        """What it is called."""

    @property
    def paired(self) -> Collection[str]:
        """The names of the pictures that there are now, any of which can stand beside another one."""

    def picture_of(self, tab: str) -> str:
        """Return the name of the picture of a tab."""

    def show_picture(self, name: str) -> None:
        """Open a picture by name."""


class TwoPictures(QObject):
    """Keeps the second picture of a card.

    Attributes
    ----------
    link : CanvasLink or None
        What keeps both pictures alike.
    """

    def __init__(self, card: SplitCard, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._session = session
        self.split = card.split
        self.panel = self.split.beside
        self.link: CanvasLink | None = None
        self._linked: tuple[PlotCanvas, PlotCanvas] | None = None
        self._opened = ""
        self.split.asked.connect(self.ask)
        self.panel.asked.connect(self._on_chosen)
        self.panel.pointed.connect(session.pointer.point_at)
        self.panel.swapped.connect(self._on_swapped)
        self.panel.closed.connect(self._on_closed)
        card.split_button.clicked.connect(self.toggle)
        card.tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        card.tabs.customContextMenuRequested.connect(self._open_menu)

    def ask(self) -> None:
        """Show what is to stand beside the open picture now, as far as anything is."""
        raise NotImplementedError

    @property
    def canvas(self) -> PlotCanvas | None:
        """The second picture, while it is seen."""
        return None if self.panel.isHidden() else self.panel.canvas

    def show(self, tab: str, mechanism: str = "") -> None:
        """Show a picture beside the open one, perhaps of another mechanism; "" for none."""
        if mechanism != self.panel.mechanism:
            self.panel.forget(self._session.state.unit)
        self.split.wanted = tab
        self.panel.choose(tab, mechanism)
        self.ask()

    def toggle(self) -> None:
        """Show a second picture, the one that was there last if there was one; or the open one alone."""
        others = [name for name in self._card.paired if name != self._card.picture_name]
        on = self.panel.isHidden() and bool(others)
        self.show((self.panel.tab if self.panel.tab in others else others[0]) if on else "")

    def _choose(self, *, automatic: bool) -> str:
        """Decide which picture stands beside the open one, and make room for it; "" for none."""
        card, opened = self._card, self._card.picture_name
        if opened != self._opened:
            self.split.make_way(opened, self._opened)
            self._opened = opened
        tab = self.split.tab_beside(opened, list(card.paired), automatic=automatic)
        self.split.show_beside(bool(tab))
        card.split_button.setChecked(bool(tab))
        card.split_button.setVisible(bool(tab) or not self.split.is_narrow)
        if tab:
            self.panel.choose(tab, self.panel.mechanism)
        return tab

    def _link(self) -> None:
        """Link the two pictures that are seen, and no others."""
        first, second = self._card.canvas, self.panel.canvas
        pair = None
        if not self.panel.isHidden() and first is not None and second is not None:
            pair = first, second
        self.split.take_maps(pair is not None and all(canvas.picture_class.is_map for canvas in pair))
        if pair == self._linked:
            return
        if self.link is not None:
            self.link.end()
        self.link, self._linked = None, pair
        if pair is not None:
            from app.widgets.linked_canvases import CanvasLink

            self.link = CanvasLink(*pair, self)

    def _on_chosen(self) -> None:
        """Follow the boxes above the second picture."""
        self.panel.forget(self._session.state.unit)
        self.split.wanted = self.panel.tab
        self.ask()

    def _on_swapped(self) -> None:
        opened, beside = self._card.picture_name, self.panel.tab
        self.split.wanted = beside  # it makes way
        if self.panel.mechanism:
            self.show(opened)
        self._card.show_picture(beside)

    def _on_closed(self) -> None:
        self.show("")

    def _open_menu(self, position: QPoint) -> None:
        """Offer to show the picture of a tab beside the open one."""
        tabs = self._card.tabs
        index = tabs.tabAt(position)
        picture = self._card.picture_of(tabs.key(index)) if index >= 0 else ""
        if picture not in self._card.paired:
            return
        menu = QMenu(tabs)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        beside = menu.addAction("Show &beside")
        beside.setData(picture)
        beside.setEnabled(picture != self._card.picture_name)
        alone = menu.addAction("Show &one picture alone")
        alone.setData("")
        alone.setEnabled(not self.panel.isHidden())
        menu.triggered.connect(self._on_menu)
        menu.popup(tabs.mapToGlobal(position))

    def _on_menu(self, action: QAction) -> None:
        self.show(action.data())
