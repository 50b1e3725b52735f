"""Help: a window of pages, and words about every control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, Signal
from PySide6.QtGui import QAccessible, QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from app.help.controls import explain, explain_actions, explain_one, is_control
from app.model.theme import Palette
from app.model.wording.components import LINK
from app.widgets.layouts import ancestors
from app.widgets.style import THEME, qt_palette
from app.window.parts import Controller, WindowParts

if TYPE_CHECKING:
    from app.help.index import Heading
    from app.help.viewer import HelpWindow


class HelpController(Controller):
    """Open help pages in their own window, and explain controls."""

    loaded = Signal()  # all pages have been read

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._viewer: HelpWindow | None = None
        self._geometry = QByteArray()
        self._headings: tuple[Heading, ...] = ()
        self._wanted: str | None = None
        self._loading = parts.jobs.channel("contents of the help", self._on_loaded)
        THEME.changed.connect(self._on_look)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @property
    def viewer(self) -> HelpWindow:
        """The window of pages, made when it is first asked for."""
        if self._viewer is None:
            from app.help.viewer import HelpWindow

            self._viewer = HelpWindow(self._window, self._jobs.channel("help"))
            self._viewer.restoreGeometry(self._geometry)
            self._session.changed.connect(self._on_changed)
        return self._viewer

    @property
    def geometry(self) -> QByteArray:
        """Where the window of pages stands, to be remembered."""
        return self._geometry if self._viewer is None else self._viewer.saveGeometry()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._geometry = geometry

    def show_chosen(self) -> None:
        """Open the page about what is chosen now."""
        self.show_page("")

    def show_page(self, key: str) -> None:
        """Open a page by its key, or "" for what is chosen, once the pages have been read.

        Where there is none, the first one is opened.
        """
        self._wanted = key
        if self.headings:
            self._open()

    @property
    def headings(self) -> tuple[Heading, ...]:
        """All pages; none while they are still read, which begins when they are first asked for."""
        from app.help.index import load

        if not self._headings and not self._loading.busy:
            self._loading.request(load)
        return self._headings

    def _on_loaded(self, results: tuple[Heading, ...]) -> None:
        self._headings = results
        self.loaded.emit()
        if self._wanted is not None:
            self._open()

    def _open(self) -> None:
        """Open the page that is wanted."""
        from app.help.index import chosen_pages, page_about
        from app.model.texts.pages import pages

        key, self._wanted = self._wanted, None
        chosen = chosen_pages(self._session.state)
        key = page_about(key or "") or (chosen[0][0] if chosen else "")
        viewer = self.viewer
        viewer.show_chosen(chosen)
        viewer.open_page(key if key in pages()[0] else self._headings[0].key)
        viewer.show()
        viewer.raise_()
        viewer.activateWindow()
        viewer.view.setFocus()

    def follow_link(self, link: str) -> bool:
        """Open the page that a link leads to; False for a link to anything else."""
        if link.startswith(LINK):
            self.show_page(link.removeprefix(LINK))
        return link.startswith(LINK)

    def what_is_this(self) -> None:
        """Let the user point at a control; a second call explains the focused one."""
        self.explain()
        focused = QApplication.focusWidget()
        if not QWhatsThis.inWhatsThisMode():
            QWhatsThis.enterWhatsThisMode()
            return
        QWhatsThis.leaveWhatsThisMode()
        if focused is not None:
            position = focused.mapToGlobal(focused.rect().center())
            QWhatsThis.showText(position, words_about(focused), focused)

    def explain(self) -> None:
        """Install the explanations of all controls, menus and side windows."""
        _dye(THEME.palette)
        windows = QApplication.topLevelWidgets()
        explain([one for one in windows if one.isVisible() and self._owns(one)])
        explain_actions(self._actions)

    def _owns(self, widget: QWidget | None) -> bool:
        """Whether it is this window, or stands in it or beside it."""
        return self._window in ancestors(widget)

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Give screen readers the explanation of the focused control."""
        if QAccessible.isActive() and now is not None and is_control(now) and self._owns(now):
            explain_one(now)

    def _on_look(self) -> None:
        bar = self._window.menuBar()
        # it has given its corner a place before the icon there had its size
        QCoreApplication.sendEvent(bar, QResizeEvent(bar.size(), bar.size()))

    def _on_changed(self, _: object) -> None:
        from app.help.index import chosen_pages

        if self._viewer is not None and self._viewer.isVisible():
            self._viewer.show_chosen(chosen_pages(self._session.state))


def _dye(palette: Palette) -> None:
    """Let what pops up have the colours of the window; Qt takes them from the program's palettes."""
    whole = QApplication.palette()
    whole.setColor(QPalette.ColorRole.Link, QColor(palette.text(palette.accent)))
    whole.setColor(QPalette.ColorRole.ToolTipText, QColor(palette.ink))
    QApplication.setPalette(whole)
    # PySide takes a str for this char*; its stubs ask for bytes, which it refuses
    QApplication.setPalette(qt_palette(palette), "QWhatsThat")  # type: ignore[arg-type]


def words_about(widget: QWidget) -> str:
    """Return the explanation of a control, or of its parent."""
    return next((text for one in ancestors(widget) if (text := one.whatsThis())), "")
