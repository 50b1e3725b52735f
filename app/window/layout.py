"""The window's rooms and its look: where things stand, in which colours, how large."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSignalBlocker, QSize, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app.actions import build_actions
from app.jobs.channels import Jobs
from app.lessons.lessons_page import LessonsPage
from app.pages.base.view import View
from app.pages.clustering.page import ClusteringPage
from app.pages.compare.page import ComparePage
from app.pages.histogram.page import HistogramPage
from app.pages.one_cluster.page import OneClusterPage
from app.pages.sensitivity.median import MedianPage
from app.pages.sensitivity.spanning_tree import SpanningTreePage
from app.panels.column import FormColumn
from app.panels.data_panel import DataPanel
from app.panels.history_panel import HistoryPanel
from app.panels.lesson_panel import LessonPanel
from app.panels.navigation import Navigation
from app.panels.release_panel import ReleasePanel
from app.session import Session
from app.theme import Palette
from app.widgets.card import plain, show_only
from app.widgets.messages import MessageArea
from app.widgets.rooms import Modest, Rooms
from app.widgets.style import icon, palette_of, qt_palette, style_sheet
from app.window.budget_watcher import BudgetWatcher

LARGE = 1.5
"""Type of presentation mode, as a multiple of its ordinary size, while nothing else is chosen."""
SCREENLESS = ("offscreen", "minimal")
"""Platforms without a screen that a window could fill."""
ICON = 18
GAP = 8
ROOMY = 1200
"""Width in which the list of pages has room for words."""
BESIDE = 1275
"""Width in which a lesson, a page and the right column stand side by side."""
READING = 0.4
"""Share of the width that the text of a lesson takes where type is large."""


class WindowLayout(QMainWindow):
    """Holds navigation, pages, history and forms of one session.

    Signals
    -------
    restyled(Palette, float)
        Other colours, or type of another size.
    """

    restyled = Signal(object, float)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        session.setParent(self)
        self.jobs = Jobs(self)
        self.budget = BudgetWatcher(session, self.jobs)
        self._scale = 1.0
        self._large = LARGE
        self._presenting = False
        self._controls = False
        self._theme = "light"
        self._windowed: QByteArray | None = None
        self._palette = palette_of(self._theme)
        self.resize(1280, 800)
        self.actions_by_name, self.menus = build_actions(self)
        self._build()

    @property
    def theme(self) -> str:
        """The chosen colours: "light", "dark" or "system"."""
        return self._theme

    @property
    def look(self) -> tuple[Palette, float]:
        """The colours, and the size of type as a multiple of its ordinary size."""
        return self._palette, self._scale

    @property
    def page(self) -> View:
        """The page or room that is open."""
        return self.pages[self.session.state.visible_view]

    @property
    def data(self) -> DataPanel:
        """The data panel of the page that is open."""
        return self.column.data

    @property
    def release(self) -> ReleasePanel:
        """The form for what the page that is open releases."""
        return self.column.release

    def set_theme(self, theme: str) -> None:
        """Take the colours of "light", "dark" or "system"."""
        self._theme = theme
        self._palette = palette_of(theme)
        self.actions_by_name[theme].setChecked(True)
        self._apply_style()

    @property
    def font_scale(self) -> float:
        """How large type is, as a multiple of its ordinary size."""
        return self._scale

    @property
    def presenting(self) -> bool:
        """Whether the window is in presentation mode."""
        return self._presenting

    def present(self, on: bool) -> None:
        """Show the window on the whole screen, if there is one, and in large type; or as it was before."""
        self.set_presentation(on)
        if QGuiApplication.platformName() in SCREENLESS:
            return
        if on:
            self._windowed = self.saveGeometry()
            self.showFullScreen()
        elif self._windowed is not None:
            self.showNormal()
            self.restoreGeometry(self._windowed)
            self._windowed = None

    def show_controls(self, on: bool) -> None:
        """Show the right column in the place of a lesson's text, where there is no other room for it."""
        self._controls = on
        self._show_sides()

    @property
    def kept_geometry(self) -> QByteArray:
        """Where the window stands, or stood before it filled the screen."""
        return self._windowed or self.saveGeometry()

    def set_type_size(self, scale: float) -> None:
        """Choose how large type is in presentation mode, as a multiple of its ordinary size."""
        self._large = scale
        if self._presenting:
            self.set_presentation(True)

    def set_presentation(self, on: bool) -> None:
        """Show large type and fold the right column away, or not."""
        self._presenting = on
        self._scale = self._large if on else 1.0
        with QSignalBlocker(self.actions_by_name["presentation"]):
            self.actions_by_name["presentation"].setChecked(on)
        # never large type and the column at once, which a small screen has no room for
        if on:
            self.column.hide()
        self._apply_style()
        self.navigation.set_scale(self._scale)
        self.lesson.set_scale(self._scale)
        self.history.set_scale(self._scale)
        for page in self.pages.values():
            page.set_scale(self._scale)
        self._fold()
        self._show_sides()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make room for the pictures in a narrow window."""
        super().resizeEvent(event)
        self._fold()
        self._show_sides()

    def _build(self) -> None:
        self.navigation = Navigation()
        self.median = MedianPage(self.session, self.jobs, self._palette)
        self.spanning_tree = SpanningTreePage(self.session, self.jobs, self._palette)
        self.clustering = ClusteringPage(self.session, self.jobs, self._palette)
        self.one_cluster = OneClusterPage(self.session, self.jobs, self._palette)
        self.histogram = HistogramPage(self.session, self.jobs, self._palette)
        self.compare = ComparePage(self.session, self.jobs, self._palette)
        pages = (self.median, self.spanning_tree, self.clustering, self.one_cluster, self.histogram)
        self.lessons = LessonsPage(self.session, self.jobs, self._palette)
        rooms = (self.compare, self.lessons)
        self.pages: dict[str, View] = {page.name: page for page in (*pages, *rooms)}
        self.stack = Rooms()
        for page in self.pages.values():
            self.stack.addWidget(page)
        self.history = HistoryPanel(self.session)
        self.budget.changed.connect(self.history.show_budget)
        self.session.changed.connect(self._show_sides)
        self.centre = Modest()
        centre = QVBoxLayout(self.centre)
        centre.setContentsMargins(0, 0, 0, 0)
        centre.setSpacing(8)
        centre.addWidget(self.stack, 1)
        centre.addWidget(self.history)
        self.column = FormColumn(self.session)
        self.privacy = self.column.privacy
        body = QWidget()
        body.setObjectName("body")
        line = self._line = QHBoxLayout(body)
        line.setContentsMargins(GAP, 4, GAP, 4)
        line.setSpacing(GAP)
        self.lesson = LessonPanel()
        self.lesson.controls_wanted.connect(self.show_controls)
        line.addWidget(self.navigation)
        line.addWidget(self.lesson)
        line.addWidget(self.centre, 1)
        line.addWidget(self.column)
        self.setCentralWidget(body)
        self.messages = MessageArea(self.centre, self._palette)
        self.status = plain()
        self.status.setAccessibleName("Status")
        self.statusBar().addWidget(self.status, 1)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.progress.setFixedWidth(180)
        self.progress.setRange(0, 1000)
        self.progress.hide()
        self.statusBar().addPermanentWidget(self.progress)
        self.statusBar().setSizeGripEnabled(False)

    def _fold(self) -> None:
        self.navigation.set_compact(self.width() < ROOMY * self._scale)
        self.lesson.set_room(round(self.width() * READING) if self.presenting else 0)

    def _show_sides(self, _: object = None) -> None:
        """Show what stands around the page: in large type, less; around the list of lessons, hardly anything.

        In a lesson, its text takes the place of the list of pages.
        """
        state, large = self.session.state, self._presenting
        listing, lesson = state.visible_view == self.lessons.name, state.lesson is not None
        folded = large or (lesson and self.width() < BESIDE)
        self._controls = self._controls and lesson
        instead = folded and self._controls
        self._show_controls(lesson and folded, instead)
        show_only(
            {
                self.navigation: not lesson,
                self.lesson: lesson,
                self.column: not listing and (instead or not folded),
                self.history: not listing and (not large or bool(state.releases)),
            }
        )

    def _show_controls(self, offered: bool, instead: bool) -> None:
        """Let the right column stand in the place of a lesson's text, or beside the page."""
        action = self.actions_by_name["controls"]
        action.setEnabled(offered)
        with QSignalBlocker(action):
            action.setChecked(self._controls)
        self.lesson.show_controls(self.column, offered=offered, shown=instead)
        self.column.fill(instead)
        if not instead and self._line.indexOf(self.column) < 0:
            self._line.addWidget(self.column)

    def _apply_style(self) -> None:
        palette = self._palette
        self.setPalette(qt_palette(palette))
        self.setStyleSheet(style_sheet(palette, self._scale))
        self.setWindowIcon(icon("sensiscope", palette.accent, size=64))
        self.navigation.set_palette(palette)
        self.lesson.set_palette(palette)
        for form in self.column.releases:
            form.set_palette(palette)
        self.history.set_palette(palette)
        self.messages.set_palette(palette)
        for button in self.findChildren(QWidget):
            name = button.property("icon_name")
            if name:
                button.setIcon(icon(name, palette.muted, palette.ink))  # type: ignore[attr-defined]
                button.setIconSize(QSize(1, 1) * round(ICON * self._scale))  # type: ignore[attr-defined]
        for page in self.pages.values():
            page.set_palette(palette)
        self.restyled.emit(*self.look)
