"""The parts of the window: where they stand, and which of them there is room for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.model.pages.workspaces import LESSONS
from app.model.theme import Palette
from app.pages.base.view import View
from app.panels.column import FormColumn
from app.panels.history_panel import HistoryPanel
from app.panels.lesson_panel import LessonPanel
from app.panels.navigation import Navigation
from app.panels.privacy_panel import PresentationStrip
from app.session import Session
from app.widgets.action_button import ActionButton
from app.widgets.card import show_only
from app.widgets.compact import CurrentPageStack, ScrolledColumn, ShrinkableWidget
from app.widgets.flow import Bend, together
from app.widgets.layouts import line_up, stack, tab_before
from app.widgets.messages import MessageArea
from app.window.arrangement import Forms, Situation, Wishes
from app.window.pages import Pages

GAP = 8
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
    actions : mapping of str to QAction
        Among them Run, and what shows the right column or folds it away.

    Attributes
    ----------
    pages : Pages
    stack : CurrentPageStack
        Shows one of the pages.
    navigation : Navigation
    lesson : LessonPanel
        The text of a lesson; it takes the place of the navigation.
    below : QWidget
        Where something can stand between page and history; hidden.
    history : HistoryPanel
    column : FormColumn
        The forms at the right.
    strip : PresentationStrip
        Epsilon, where the forms are folded away.
    run, unfold : ActionButton
        Beside the strip: Run, and what brings the forms back.
    messages : MessageArea
        Over page and history.
    """

    def __init__(
        self, session: Session, jobs: Jobs, palette: Palette, actions: Mapping[str, QAction]
    ) -> None:
        super().__init__()
        self._session = session
        self._controls = actions["controls"]
        self._wishes = Wishes()
        self._presenting = False
        self._scale = 1.0
        self._palette = palette
        self.navigation = Navigation()
        self.pages = Pages(self, session, jobs, palette)
        self.stack = CurrentPageStack()
        self.history = HistoryPanel(session)
        self.column = FormColumn(session)
        self.lesson = LessonPanel()
        self.strip = PresentationStrip(session)
        self.run, self.unfold = ActionButton(actions["run"]), ActionButton(self._controls)
        self.run.setObjectName("run")
        self.below = QWidget()
        self.below.hide()
        self.middle = ScrolledColumn(self.stack, self.below, self.history, spacing=GAP)
        self.middle.let_spare(self.history)
        self.middle.room_left.connect(self.history.fit_into)
        centre = ShrinkableWidget()
        self._buttons = together(self.run, self.unfold)
        folded = Bend()
        folded.setSpacing(GAP)
        folded.addWidget(self.strip, 1)
        folded.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignRight)
        self._centre = stack(centre, (self.middle, 1), folded, spacing=GAP)
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
        self.navigation.view_chosen.connect(session.show_view)
        self.lesson.controls_wanted.connect(self.show_controls)
        session.changed.connect(self._show_sides)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is shown or hidden as a whole."""
        around = self.navigation, self.lesson, self.strip, self.run, self.unfold, self.history
        return (
            *around,
            self.below,
            self.messages,
            *self.column.parts,
            *self.column.footers,
            self.column.fade,
            self.column.more,
            *self.pages.there,
        )

    @property
    def bars(self) -> tuple[QWidget, ...]:
        """What Qt has made to scroll with, now: it is never kept."""
        return self.column.verticalScrollBar(), self.middle.verticalScrollBar()

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
        """Show the right column, or fold it away; in a lesson it may stand below the text."""
        self._wishes = self._situation.choose(on)
        self.fit()

    @property
    def wishes(self) -> Wishes:
        """Whether users want to see the forms, in a window that has room for them and in one that has not."""
        return self._wishes

    def restore(self, wishes: Wishes) -> None:
        """Show or fold away the forms as users wanted them last time."""
        self._wishes = wishes
        self.fit()

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
            *(self.navigation, self.lesson, self.strip, self.history, self.column),
            *self.pages.there,
        )
        for part in parts:
            part.set_scale(scale)
        self.fit()

    def fit(self) -> None:
        """Make room for the pictures in a narrow window."""
        self.lesson.set_room(round(self.window().width() * READING) if self._presenting else 0)
        self._show_sides()

    @property
    def _situation(self) -> Situation:
        state = self._session.state
        lesson, listing = state.lesson is not None, state.visible_view == LESSONS.name
        width = self.window().width() / self._scale
        return Situation(width, self._presenting, lesson, listing, self._wishes)

    def _show_sides(self, _: object = None) -> None:
        """Show what stands around the page: in large type, less; around the list of lessons, hardly anything.

        In a lesson, its text takes the place of the list of pages.
        """
        state = self._session.state
        if state.lesson is None:
            self._wishes = dataclasses.replace(self._wishes, lesson=False)
        now, large = self._situation, self._presenting
        folded = now.forms is Forms.FOLDED and not now.listing
        narrow = now.foldable and not (now.roomy or now.lesson)
        self.navigation.set_compact(not now.words)
        self._place_column(now)
        show_only(
            {
                self.navigation: not now.lesson,
                self.lesson: now.lesson,
                self.middle: now.forms is not Forms.FOR_PAGE,
                self.column: now.forms is not Forms.FOLDED,
                self.strip: folded and (large or not now.lesson),
                self.run: folded and not (large or now.lesson),
                self.unfold: narrow,
                self._buttons: narrow or (folded and not (large or now.lesson)),
                self.history: not now.listing and (not large or (now.lesson and bool(state.releases))),
            }
        )

    def _place_column(self, now: Situation) -> None:
        """Let the right column stand beside the page, in its place, or below a lesson's text."""
        self._controls.setEnabled(now.foldable)
        with QSignalBlocker(self._controls):
            self._controls.setChecked(now.forms is not Forms.FOLDED)
        instead = now.forms is Forms.BELOW_TEXT
        self.lesson.show_controls(self.column, offered=now.tight, shown=instead)
        self.column.fill(now.forms in (Forms.BELOW_TEXT, Forms.FOR_PAGE))
        if now.forms is Forms.FOR_PAGE:
            self._centre.insertWidget(0, self.column, 1)
        elif not instead and self._line.indexOf(self.column) < 0:
            self._line.addWidget(self.column)
