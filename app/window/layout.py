"""The parts of the window: where they stand, and which of them there is room for."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.model.pages.workspaces import LESSONS
from app.pages.base.view import View
from app.panels.column import FormColumn
from app.panels.history_panel import HistoryPanel
from app.panels.lesson_panel import LessonPanel
from app.panels.navigation import Navigation
from app.panels.presentation_strip import PresentationStrip
from app.session import Session
from app.theme import Palette
from app.widgets.card import show_only
from app.widgets.layouts import line_up, stack, tab_before
from app.widgets.messages import MessageArea
from app.widgets.rooms import Modest, Rooms
from app.window.pages import Pages

GAP = 8
ROOMY = 1200
"""Width in which the list of pages has room for words."""
BESIDE = 1275
"""Width in which a lesson, a page and the right column stand side by side."""
READING = 0.43
"""Share of the width that the text of a lesson takes where type is large."""


class _Styled(Protocol):
    def set_palette(self, palette: Palette, /) -> None: ...


class _Scaled(Protocol):
    def set_scale(self, scale: float, /) -> None: ...


class WindowLayout(QWidget):
    """Holds navigation, lesson, pages, history, forms and messages; it is the middle of the window.

    Parameters
    ----------
    controls : QAction
        Shows the right column below a lesson's text.

    Attributes
    ----------
    pages : Pages
    stack : Rooms
        Shows one of the pages.
    navigation : Navigation
    lesson : LessonPanel
        The text of a lesson; it takes the place of the navigation.
    history : HistoryPanel
    column : FormColumn
        The forms at the right.
    strip : PresentationStrip
        Epsilon in presentation mode, where the forms are folded away.
    messages : MessageArea
        Over page and history.
    """

    def __init__(self, session: Session, jobs: Jobs, palette: Palette, controls: QAction) -> None:
        super().__init__()
        self._session = session
        self._controls = controls
        self._controls_wanted = False
        self._presenting = False
        self._scale = 1.0
        self._palette = palette
        self.navigation = Navigation()
        self.pages = Pages(self, session, jobs, palette)
        self.stack = Rooms()
        self.history = HistoryPanel(session)
        self.column = FormColumn(session)
        self.lesson = LessonPanel()
        self.strip = PresentationStrip(session)
        centre = Modest()
        stack(centre, (self.stack, 1), self.strip, self.history, spacing=GAP)
        self._line = line_up(
            self,
            self.navigation,
            self.lesson,
            (centre, 1),
            self.column,
            margins=(GAP, 4, GAP, 4),
            spacing=GAP,
        )
        self.messages = MessageArea(centre, palette)
        self.pages.made.connect(self._take_in)
        self.navigation.page_chosen.connect(session.show_page)
        self.navigation.view_chosen.connect(session.show_view)
        self.lesson.controls_wanted.connect(self.show_controls)
        session.changed.connect(self._show_sides)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is shown or hidden as a whole."""
        around = self.navigation, self.lesson, self.strip, self.history, self.messages
        return (*around, *self.column.parts, self.column.more, *self.pages.there)

    def show_page(self) -> None:
        """Bring the page that is open to the front, and mark it and the view."""
        state = self._session.state
        self.stack.setCurrentWidget(self.pages.shown)
        self.navigation.show_page(state.visible_view)
        self.navigation.view.show_choice(state.view)

    def _take_in(self, page: View) -> None:
        """Give a page that was made a moment ago its place, and the look of all others."""
        self.stack.addWidget(page)
        tab_before(page, self.history)
        page.set_palette(self._palette)
        page.set_scale(self._scale)

    def show_controls(self, on: bool) -> None:
        """Show the right column below a lesson's text, where there is no other room for it."""
        self._controls_wanted = on
        self._show_sides()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        parts: tuple[_Styled, ...] = (
            self.navigation,
            self.lesson,
            *self.column.releases,
            self.history,
            self.messages,
            *self.pages.there,
        )
        for part in parts:
            part.set_palette(palette)

    def set_presenting(self, on: bool) -> None:
        """Prepare for large type, or for ordinary one."""
        self._presenting = on
        # never large type and the column at once, which a small screen has no room for
        if on:
            self.column.hide()

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        parts: tuple[_Scaled, ...] = (
            *(self.navigation, self.lesson, self.strip, self.history),
            *self.pages.there,
        )
        for part in parts:
            part.set_scale(scale)
        self.fit()

    def fit(self) -> None:
        """Make room for the pictures in a narrow window."""
        width = self.window().width()
        self.navigation.set_compact(width < ROOMY * self._scale)
        self.lesson.set_room(round(width * READING) if self._presenting else 0)
        self._show_sides()

    def _show_sides(self, _: object = None) -> None:
        """Show what stands around the page: in large type, less; around the list of lessons, hardly anything.

        In a lesson, its text takes the place of the list of pages.
        """
        state, large = self._session.state, self._presenting
        listing, lesson = state.visible_view == LESSONS.name, state.lesson is not None
        folded = large or (lesson and self.window().width() < BESIDE)
        self._controls_wanted = self._controls_wanted and lesson
        instead = folded and self._controls_wanted
        self._place_column(lesson and folded, instead)
        show_only(
            {
                self.navigation: not lesson,
                self.lesson: lesson,
                self.column: not listing and (instead or not folded),
                self.strip: large and not listing and not instead,
                self.history: not listing and (not large or bool(state.releases)),
            }
        )

    def _place_column(self, offered: bool, instead: bool) -> None:
        """Let the right column stand below a lesson's text, or beside the page."""
        self._controls.setEnabled(offered)
        with QSignalBlocker(self._controls):
            self._controls.setChecked(self._controls_wanted)
        self.lesson.show_controls(self.column, offered=offered, shown=instead)
        self.column.fill(instead)
        if not instead and self._line.indexOf(self.column) < 0:
            self._line.addWidget(self.column)
