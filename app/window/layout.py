"""The pages and parts of the window: where they stand, and which of them there is room for."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QWidget

from app.jobs.channels import Jobs
from app.model.dataset import PointedRecord
from app.model.page_spec import PageSpec
from app.model.pages.registry import PAGES, places
from app.model.pages.workspaces import FULL_WIDTH, LESSONS, WORKSPACES
from app.model.references import Loader
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.views import RELEASE
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.view import View
from app.panels.column import FormColumn
from app.panels.history_panel import HistoryPanel
from app.panels.lesson_panel import LessonPanel
from app.panels.navigation import Navigation
from app.panels.privacy_panel import PresentationStrip
from app.session import Session
from app.widgets.buttons import ActionButton
from app.widgets.card import caption, set_text, show_only
from app.widgets.layouts import (
    Bend,
    CurrentPageStack,
    ScrolledColumn,
    ShrinkableWidget,
    line_up,
    stack,
    tab_before,
    together,
)
from app.widgets.messages import MessageArea
from app.widgets.style import THEME

if TYPE_CHECKING:
    from app.lessons.lessons_page import LessonsPage


class Pages(QObject):
    """All pages of a window by name, each made when it is opened, or asked for, for the first time."""

    made = Signal(object)  # View: a page was made; it does not follow the session yet

    def __init__(self, parent: QObject, session: Session, jobs: Jobs) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self.names = tuple(places())  # in the order of the menu
        self._views: dict[str, View] = {}
        self._wanted: dict[str, ViewState] = {}
        session.pointer.moved.connect(self._point_at)

    def __getitem__(self, name: str) -> View:
        if name not in self._views:
            self._make(name)
        return self._views[name]

    def _make(self, name: str) -> None:
        spec, widget = PAGES.get(name), _spec(name).widget()
        if spec is not None:
            view: View = widget(spec, self._session, self._jobs)
        else:
            view = widget(self._session, self._jobs)
        self._views[name] = view
        self.made.emit(view)
        if name in self._wanted:
            view.restore_view_state(self._wanted.pop(name))
        else:
            view.refresh()
        gc.freeze()  # pages stay until the end: no collection looks at them again, which would take 0.1 s

    def parts(self, name: str) -> tuple[Loader, ...]:
        """Return what loads all that it takes to make a page."""
        return _spec(name).parts

    def has(self, name: str) -> bool:
        """Tell whether a page is made already."""
        return name in self._views

    @property
    def there(self) -> tuple[View, ...]:
        """The pages that are made already."""
        return tuple(self._views.values())

    @property
    def lessons(self) -> LessonsPage:
        page: LessonsPage = self[LESSONS.name]  # type: ignore[assignment]  # its widget is declared by name
        return page

    @property
    def shown(self) -> View:
        return self[self._session.state.visible_view]

    @property
    def pictured(self) -> View:
        """The page that is open, or the one with the data where that has no pictures."""
        shown = self.shown
        return shown if shown.card is not None else self[self._session.state.page]

    @property
    def view_states(self) -> dict[str, ViewState]:
        """How all pages look, or will once they are opened."""
        return {name: self._view_state(name) for name in self.names}

    def restore(self, view_states: Mapping[str, ViewState]) -> None:
        """Open what was open in each page, at once or once the page is opened; `ViewState()` by default."""
        for name in self.names:
            wanted = view_states.get(name, ViewState())
            if name in self._views:
                self._views[name].restore_view_state(wanted)
            else:
                self._wanted[name] = wanted

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that says by itself all that is seen."""
        return self.shown.settled(state)

    def _point_at(self, pointed: PointedRecord | None) -> None:
        """Mark the record that is pointed at in all pictures of the open page that show it."""
        for canvas in self.shown.canvases:
            if canvas is not None and canvas.surface is not None:
                canvas.surface.point_at(pointed)

    def _view_state(self, name: str) -> ViewState:
        if name in self._views:
            return self._views[name].view_state
        return self._wanted[name] if name in self._wanted else first_look(name)


def first_look(name: str) -> ViewState:
    """Return how a page looks that has just been made: as it is declared."""
    spec = _spec(name)
    options = {declared.name: declared.default for group in spec.groups for declared in group.parameters()}
    return ViewState(
        tab=spec.opened or next((picture.name for picture in spec.pictures), ""), options=options
    )


def _spec(name: str) -> PageSpec:
    return PAGES.get(name) or WORKSPACES[name]


SIDES = frozenset({"page", "workspace", "lesson", "releases"})
"""State fields that decide which panels surround the page."""
GAP = 8
READING = 0.43
"""Share of the width that the text of a lesson takes where type is large."""
ROOMY = 1200
"""Width in which list of pages, page and right column stand side by side."""
ONE_SIDE = 1000
"""Width in which one of both has room: the labels in the list of pages, or the right column."""
LESSON_BESIDE = 1275
"""Width in which a lesson, a page and the right column stand side by side."""


class Forms(Enum):
    """Where the forms of the right column stand."""

    FOLDED = "nowhere"
    BESIDE = "beside the page"
    FOR_PAGE = "instead of the page"
    BELOW_TEXT = "below a lesson's text"


@dataclasses.dataclass(frozen=True)
class Wishes:
    """Whether users want to see the forms, in layouts that let them choose."""

    # in a window that has room for them, and in one that has not
    roomy: bool = True
    narrow: bool = False
    lesson: bool = False  # in a lesson that has not, or in presentation mode


@dataclasses.dataclass(frozen=True)
class Situation:
    """Everything that decides which panels surround a page."""

    width: float  # width of the window, in pixels of ordinary type
    # whether the window is in presentation mode, in a lesson, or shows a list that takes all the room
    presenting: bool = False
    lesson: bool = False
    listing: bool = False
    wishes: Wishes = Wishes()

    @property
    def tight(self) -> bool:
        """Whether there is no room for the forms beside a lesson and its page."""
        return self.lesson and (self.presenting or self.width < LESSON_BESIDE)

    @property
    def cramped(self) -> bool:
        """Whether controls are visible only on request."""
        return self.tight or self.presenting

    @property
    def roomy(self) -> bool:
        """Whether there is room for the forms beside list and page."""
        return self.width >= ROOMY

    @property
    def foldable(self) -> bool:
        """Whether users choose if the forms are seen, or in presentation mode the list of pages."""
        return self.presenting or (not self.listing and (self.tight or not self.lesson))

    @property
    def wanted(self) -> bool:
        """Whether users have chosen to see the forms."""
        if self.cramped:
            return self.wishes.lesson
        return self.wishes.roomy if self.roomy else self.wishes.narrow

    @property
    def forms(self) -> Forms:
        if self.listing or (self.foldable and not self.wanted) or (self.presenting and not self.lesson):
            return Forms.FOLDED
        if self.tight:
            return Forms.BELOW_TEXT
        return Forms.BESIDE if self.lesson or self.width >= ONE_SIDE else Forms.FOR_PAGE

    @property
    def labelled(self) -> bool:
        """Whether the list of pages has labels beside its icons."""
        return self.width >= (ROOMY if self.forms is Forms.BESIDE else ONE_SIDE)

    @property
    def bare(self) -> bool:
        """Whether only a picture and one sentence are visible."""
        return self.presenting and not self.wanted

    def choose(self, shown: bool) -> Wishes:
        """Return what users want once they have chosen to see the forms, or not."""
        kind = "lesson" if self.cramped else "roomy" if self.roomy else "narrow"
        return dataclasses.replace(self.wishes, **{kind: shown})


class WindowLayout(QWidget):
    """Holds navigation, lesson, pages, history, forms and messages; it is the middle of the window.

    `actions`: among them Run, and what shows the right column or folds it away. `run`, `unfold`: beside the
    strip: Run, and what brings the forms back.
    """

    bare_changed = Signal()  # see `is_bare`

    def __init__(self, session: Session, jobs: Jobs, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._session = session
        self.is_bare = False  # whether only a picture and one sentence are visible
        self._controls = actions["controls"]
        self.wishes = Wishes()
        self._presenting = False
        self.navigation = Navigation()
        self.pages = Pages(self, session, jobs)
        self.stack = CurrentPageStack()  # shows one of the pages
        self.history = HistoryPanel(session)
        self.column = FormColumn(session)  # the forms at the right
        self.lesson = LessonPanel()  # the text of a lesson; it takes the place of the navigation
        self.strip = PresentationStrip(session)  # epsilon, where the forms are folded away
        self.headline = QFrame()  # the sentence of a page in presentation mode, as a lesson has one
        self.headline.setObjectName("card")
        self.sentence = caption(name="sentence")  # of a page without pictures
        self._headline = stack(self.headline, self.sentence, margins=(12, 6, 12, 6))
        self.run, self.unfold = ActionButton(actions["run"]), ActionButton(self._controls)
        self.run.setObjectName("run")
        self.below = QWidget()  # for a card between page and history; hidden
        self.below.hide()
        self.middle = ScrolledColumn(self.stack, self.below, self.history, spacing=GAP)
        self.middle.let_spare(self.history)
        self.middle.room_left.connect(self.history.fit_into)
        self.stack.currentChanged.connect(self.middle.forget_room)
        centre = ShrinkableWidget()
        self._buttons = together(self.run, self.unfold)
        self._foot = Bend()
        self._foot.addWidget(self.strip, 1)
        self._foot.addWidget(self._buttons)
        self._centre = stack(centre, self.headline, (self.middle, 1), self._foot, spacing=GAP)
        self._line = line_up(
            self,
            self.navigation,
            self.lesson,
            (centre, 1),
            self.column,
            margins=(GAP, 4, GAP, 4),
            spacing=GAP,
        )
        self.messages = MessageArea(centre)  # over page and history
        self.pages.made.connect(self._take_in)
        self.navigation.view_chosen.connect(self.choose_view)
        self.lesson.controls_wanted.connect(self.show_controls)
        session.watch(SIDES, self, self._show_sides)

    def choose_view(self, view: str) -> None:
        """Switch the view; a page with possible answers stays open, and its truth fades first."""
        noise, switch = self.pages.shown.noise, self._session.choose_view
        if noise is None or not noise.on:
            switch(view)
        elif view == RELEASE:
            noise.fade(partial(switch, view, stay=True))
        else:
            switch(view, stay=True)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The parts that are shown or hidden as a whole."""
        around = (
            self.navigation,
            self.lesson,
            self.lesson.foot,
            self.headline,
            self.strip,
            self.run,
            self.unfold,
            self.history,
        )
        return (
            *around,
            self.below,
            self.messages,
            *(*self.column.data_panels, self.column.privacy, self.column.release),
            self.column.release.footer,
            self.column.fade,
            self.column.more,
            *self.pages.there,
        )

    @property
    def bars(self) -> tuple[QWidget, ...]:
        """The current scroll bars of Qt: read them again each time."""
        return self.column.verticalScrollBar(), self.middle.verticalScrollBar()

    def hold(self, card: PicturePanel) -> None:
        """Show badge and options of a card without a heading below the page, and its sentence above."""
        if self._session.state.lesson is not None:
            self.lesson.hold(card.badge)
            self.lesson.hold(card.tools, 9)
        else:
            self.strip.hold(card.badge)
            card.advice.setObjectName("sentence")
            self._headline.addWidget(card.advice)

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
        page.purpose_changed.connect(self._show_sides)

    def show_controls(self, on: bool) -> None:
        """Show the right column, or fold it away; in a lesson it may stand below the text."""
        self.wishes = self._situation.choose(on)
        self.fit()

    def restore(self, wishes: Wishes) -> None:
        """Show or fold away the forms as users wanted them last time."""
        self.wishes = wishes
        self.fit()

    def set_presenting(self, on: bool) -> None:
        """Prepare for large type, or for ordinary one."""
        if on != self._presenting:
            self.pages.shown.setFocus()  # else Qt moves it on from what is hidden, as if by Tab
        self._presenting = on
        # never large type and the column at once, which a small screen has no room for
        if on:
            self.column.hide()

    def fit(self) -> None:
        """Make room for the pictures in a narrow window."""
        self._show_sides()

    @property
    def _situation(self) -> Situation:
        state = self._session.state
        lesson, listing = state.lesson is not None, state.visible_view in FULL_WIDTH
        width = self.window().width() / THEME.scale
        return Situation(width, self._presenting, lesson, listing, self.wishes)

    def _show_sides(self, _: object = None) -> None:
        """Show what stands around the page: in large type, less; around the list of lessons, hardly anything.

        In a lesson, its text takes the place of the list of pages.
        """
        state = self._session.state
        if state.lesson is None and not self._presenting:
            self.wishes = dataclasses.replace(self.wishes, lesson=False)
        now, large = self._situation, self._presenting
        folded = now.forms is Forms.FOLDED
        narrow = now.foldable and not (now.roomy or now.lesson or large)
        desk, task = not (large or now.lesson or now.listing), self.lesson.task
        epsilon = "epsilon" in task or "delta" in task if now.bare and now.lesson else large or desk
        action = self.pages.shown.action.replace("&", "")  # of an audit and a comparison: another than Run
        wanted = any(f"“{name}”" in task for name in ("Run", action)) if now.lesson else action != "Run"
        run = folded and (wanted if now.bare else desk)
        set_text(self.sentence, self.pages.shown.headline)
        self.navigation.set_compact(not now.labelled)
        self._place_lesson(now)
        self._place_column(now)
        show_only(
            {
                self.navigation: not (now.lesson or now.bare),
                self.lesson: now.lesson,
                self.headline: now.bare and not now.lesson,
                self.middle: now.forms is not Forms.FOR_PAGE,
                self.column: now.forms is not Forms.FOLDED,
                self.strip: folded and epsilon and not now.listing,
                self.run: run,
                self.unfold: narrow,
                self._buttons: narrow or run,
                self.history: not (now.listing or now.bare)
                and (not large or (now.lesson and bool(state.releases))),
            }
        )
        if now.bare != self.is_bare:
            self.is_bare = now.bare
            self.bare_changed.emit()

    def _place_lesson(self, now: Situation) -> None:
        """Let a lesson stand beside the page; if bare, its sentence above and its buttons below."""
        on_wall = now.bare and now.lesson
        if on_wall != self.lesson.on_wall:
            if on_wall:
                self._centre.insertWidget(0, self.lesson)
                self._foot.addWidget(self.lesson.foot, 1)
                self.lesson.hold(self._buttons)
            else:
                self._line.insertWidget(1, self.lesson)
                self._foot.addWidget(self._buttons)
        self.lesson.show_wall(on_wall, round(self.window().width() * READING) if self._presenting else 0)

    def _place_column(self, now: Situation) -> None:
        """Let the right column stand beside the page, in its place, or below a lesson's text."""
        self._controls.setEnabled(now.foldable)
        with QSignalBlocker(self._controls):
            self._controls.setChecked(now.wanted if now.presenting else now.forms is not Forms.FOLDED)
        self._controls.changed.emit()  # its button follows
        instead = now.forms is Forms.BELOW_TEXT
        self.lesson.show_controls(self.column, offered=now.tight, shown=instead)
        self.column.fill(now.forms in (Forms.BELOW_TEXT, Forms.FOR_PAGE))
        self._line.setContentsMargins(GAP, 4, 0 if now.forms is Forms.BESIDE else GAP, 4)
        if now.forms is Forms.FOR_PAGE:
            self._centre.insertWidget(0, self.column, 1)
        elif not instead and self._line.indexOf(self.column) < 0:
            self._line.addWidget(self.column)
