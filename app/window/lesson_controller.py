"""Lessons: chosen from a list, played on the pages of the window, and left again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QSettings

from app.jobs.channels import Jobs
from app.lessons.bookmarks import Bookmarks
from app.lessons.lesson import Lesson
from app.lessons.player import Player
from app.model import lazy
from app.model.pages.workspaces import LESSONS
from app.model.picture_spec import TabTitle
from app.model.view_states import ViewState, WallView
from app.pages.base.view import View
from app.panels.prediction_box import DrawnLine
from app.session import Session
from app.window.layout import WindowLayout
from app.window.open_controller import OpenController
from app.window.status_reporter import StatusReporter

PAGE_ON_WALL = WallView("both")
"""The parts of a page in presentation mode outside lessons."""


class LessonController(QObject):
    """Plays lessons in a window."""

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        body: WindowLayout,
        data: OpenController,
        status: StatusReporter,
        store: QSettings | None,
    ) -> None:
        super().__init__(session)
        self._session = session
        self._status = status
        self._pages = body.pages
        self._messages = body.messages
        self.bookmarks = Bookmarks(store)
        self.player = Player(session, jobs, body.pages, self.bookmarks, data.cancel)
        body.pages.made.connect(self._take_in)
        body.lesson.follow(self.player)
        self._column, self._strip = body.column, body.strip
        self._body = body
        self.player.moved.connect(self._show_controls)
        self.player.moved.connect(self._show_wall)
        self.drawn_line = DrawnLine()
        self.drawn_line.finished.connect(body.lesson.question.take)
        self.player.answered.connect(self.drawn_line.close_line)
        self.player.moved.connect(self._show_drawing)
        body.bare_changed.connect(self._show_wall)
        session.watch({"page", "workspace"}, self, self._show_wall)
        body.column.all_wanted.connect(self._show_rest)
        self.player.failed.connect(status.show_failure)
        self.player.finished.connect(self._on_finished)

    def play(self, lesson: Lesson) -> None:
        """Play a lesson, from where it was left."""
        self._messages.clear()
        self.player.start(lesson, self.bookmarks.step(lesson.name, len(lesson.steps)))

    def play_file(self, path: Path) -> None:
        """Play the lesson of a file, or say what is wrong with it."""
        from app.lessons.reading import faults_of, read_lesson

        faults = faults_of(path)
        if faults:
            more = f" ({len(faults) - 1} more: sensiscope lessons --check FILE)" if faults[1:] else ""
            self._messages.show_message(f"{faults[0]}{more}")
        else:
            self.play(read_lesson(path))

    def _show_controls(self) -> None:
        """Show what the lesson uses of the forms; without one, all."""
        lesson = self.player.lesson
        self._column.show_controls(lesson.controls if lesson is not None else None)
        self._show_rest(self._column.shows_all)

    def _show_rest(self, all_of_it: bool) -> None:
        """Show the tabs that the lesson opens or names, and delta where it uses that; or all."""
        lesson = None if all_of_it else self.player.lesson
        self._strip.show_controls(None if lesson is None else lesson.controls)
        for page in self._pages.there:
            if page.card is not None:
                tabs = page.card.tabs
                tabs.limit(None if lesson is None else tabs_used(lesson, page.name, tabs.titles))

    def _show_wall(self) -> None:
        """Show the picture of the step or of the open page, and little else, while the layout is bare."""
        step, bare = self.player.step, self._body.is_bare
        wall = PAGE_ON_WALL
        if step is not None:
            wall = WallView(step.scene.shows, step.attempt, step.sentence)
        for page in self._pages.there:
            shown = bare and page is self._pages.shown
            page.show_wall(wall if shown else None)
            if shown and page.card is not None:
                self._body.hold(page.card)

    def _show_drawing(self) -> None:
        """Let the user draw the line that the step predicts."""
        step, page = self.player.step, self._pages.shown
        prediction = None if step is None else step.question.prediction
        layer = "" if prediction is None else prediction.layer
        canvas = page.canvas if layer else None
        self.drawn_line.cover(canvas, layer, drawn=not self._body.lesson.predicts)

    def _take_in(self, page: View) -> None:
        """Connect the list of lessons, and show a page that was made in presentation mode."""
        if page.name == LESSONS.name and isinstance(page, lazy.LessonsPage):
            page.bookmarks = self.bookmarks
            page.chosen.connect(self.play)
        if page.card is not None:
            page.card.picture_opened.connect(self._show_drawing)
        self._show_wall()

    def view_states(self) -> dict[str, ViewState]:
        """Return how the pages look, or looked before the lesson that is played."""
        return self.player.view_states

    def _on_finished(self, lesson: Lesson) -> None:
        self._session.show_page(LESSONS.name)
        self._pages.lessons.lead_on(lesson)
        self._status.show_message(f"Done: {lesson.title}")


def tabs_used(lesson: Lesson, location: str, titles: Mapping[str, TabTitle]) -> frozenset[str] | None:
    """Return the tabs of a page or workspace that a lesson opens or names in quotes.

    None: all of them, as one of its steps leaves the choice to the page.
    """
    steps = [step for step in lesson.steps if (step.scene.workspace or step.scene.page) == location]
    opened = {step.scene.tab for step in steps}
    if "" in opened:
        return None
    text = " ".join(f"{step.text} {step.look} {step.attempt}" for step in lesson.steps)
    return frozenset(opened | {tab for tab, title in titles.items() if f"“{title.name}”" in text})
