"""Plays a lesson: loads each scene in a worker, and shows it in the pages of the window."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Failure, Jobs
from app.lessons.bookmarks import Bookmarks
from app.lessons.lesson import Lesson, LessonStep, Scene
from app.model.comparison_choice import ComparisonChoice
from app.model.dataset import OF_LESSON, Dataset
from app.model.kinds.base import Fields
from app.model.kinds.column import GroupChoice
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGE_KINDS
from app.model.state import LessonPosition
from app.model.view_states import AuditChoice, ViewState
from app.pages.base.view import View
from app.session import Session
from engine.progress import Progress


class LessonPages(Protocol):
    """The pages and workspaces of a window, by name."""

    @property
    def view_states(self) -> Mapping[str, ViewState]: ...

    def __getitem__(self, name: str, /) -> View: ...

    def restore(self, view_states: Mapping[str, ViewState], /) -> None:
        """Restore their view states."""
        ...


class Player(QObject):
    """Steps through one lesson, and restores the session when the lesson is left.

    `pages`: the pages and workspaces of the window. `cancel_reading`: stops all reading for the pages.
    """

    moved = Signal()  # another step is shown, or the lesson was left
    failed = Signal(object)  # Failure: a scene could not be shown; the previous step stays
    finished = Signal(object)  # Lesson: it is finished
    answered = Signal()  # the prediction of the step was made

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        pages: LessonPages,
        bookmarks: Bookmarks,
        cancel_reading: Callable[[], None],
    ) -> None:
        super().__init__(session)
        self._session = session
        self._pages = pages
        self._bookmarks = bookmarks
        self._cancel_reading = cancel_reading
        self._loaded: LoadedScene | None = None
        self._view_states: dict[str, ViewState] = {}
        self._wanted: tuple[Lesson, int] | None = None
        self.lesson: Lesson | None = None
        # by step: the index of an answer, a number on a scale, or the distance of a drawn line
        self.answers: dict[int, float] = {}
        self.channel = jobs.channel("scene of a lesson", self._on_loaded, self._on_failed)
        session.watch({"lesson"}, self, self._follow)

    @property
    def index(self) -> int:
        """The step that is shown, counted from 0."""
        position = self._session.state.lesson
        return position.step if position else 0

    @property
    def step(self) -> LessonStep | None:
        return self.lesson.steps[self.index] if self.lesson else None

    @property
    def view_states(self) -> dict[str, ViewState]:
        """The view states of pages and workspaces; during a lesson, those from before it."""
        if self._session.state.lesson is not None:
            return self._view_states
        return dict(self._pages.view_states)

    @property
    def at_end(self) -> bool:
        """Whether this is the last step."""
        return self.lesson is not None and self.index == len(self.lesson.steps) - 1

    def start(self, lesson: Lesson, step: int = 0) -> None:
        if lesson is not self.lesson:
            self.answers = {}
        self._request(lesson, step)

    def next(self) -> None:
        """Go to the next step; after the last one, mark the lesson as finished and leave it."""
        if self.lesson is None:
            return
        if self._ahead < len(self.lesson.steps) - 1:
            self._request(self.lesson, self._ahead + 1)
        elif not self.channel.busy:
            done = self.lesson
            self._bookmarks.finish(done.name)
            self.leave()
            self.finished.emit(done)

    def back(self) -> None:
        """Go to the previous step."""
        if self.lesson is not None and self._ahead > 0:
            self._request(self.lesson, self._ahead - 1)

    def again(self) -> None:
        """Show the step as it was at the beginning."""
        if self.lesson is not None:
            self._request(self.lesson, self.index)

    def answer(self, answer: float) -> None:
        """Answer the question of the current step, and show the layer that it predicts."""
        self.answers[self.index] = answer
        if self.step is not None and self.step.question.prediction is not None:
            scene = self.step.scene
            self._pages[scene.workspace or scene.page].choose_layers(scene.layers)
            self.answered.emit()

    def leave(self) -> None:
        """Leave the lesson, and restore the session from before it."""
        self._session.leave_lesson()

    @property
    def _ahead(self) -> int:
        """The step that is shown or loading."""
        return self._wanted[1] if self._wanted else self.index

    def _request(self, lesson: Lesson, step: int) -> None:
        self._wanted = lesson, step
        scene, begun = lesson.steps[step].scene, lesson is self.lesson
        if begun and self._loaded is not None and self._loaded.fits(scene):
            self.channel.cancel()
            self._on_loaded(self._loaded)
        else:
            self.channel.request(partial(begin_scene, None if begun else lesson.path, scene))

    def _on_loaded(self, loaded: LoadedScene) -> None:
        assert self._wanted is not None
        (lesson, step), self._wanted = self._wanted, None
        if self._session.state.lesson is None:
            self._view_states = self.view_states
        # a read that is under way belongs to the session from before
        self._cancel_reading()
        self._loaded, self.lesson = loaded, lesson
        scene = lesson.steps[step].scene

        position = LessonPosition(lesson.name, step, lesson.seed)
        self._session.begin_lesson(
            position,
            scene.page,
            loaded.page_fields(scene, lesson.seed),
            **{"workspace": scene.workspace, **scene.shared},
        )
        prediction = lesson.steps[step].question.prediction
        hidden = prediction.layer if prediction is not None and step not in self.answers else ""
        show_scene(self._pages[scene.workspace or scene.page], scene, lesson.seed, hidden)
        self._bookmarks.keep(lesson.name, step)
        self.moved.emit()

    def _on_failed(self, failure: Failure) -> None:
        self._wanted = None
        self.failed.emit(failure)

    def _follow(self) -> None:
        """Drop the lesson once the session has left it."""
        if self._session.state.lesson is None:
            self.channel.cancel()
            self.lesson = self._loaded = self._wanted = None
            self._cancel_reading()
            self._pages.restore(self._view_states)
            self.moved.emit()


def show_scene(position: View, scene: Scene, seed: int, hidden: str = "") -> None:
    """Show a scene with draws of a seed, without its `hidden` layer, in a page that has its data already."""
    position.drop_pending_view_state()
    position.choose(target=scene.path, k=scene.k or 0, seed=seed)
    if scene.tab:
        position.demonstrate(scene.tab)
    if asked := scene.audit:
        choice = AuditChoice(pair=asked.pair, bug=asked.bug, runs=asked.runs)
        position.show_audit(choice, asked.shows)
    position.choose_layers(scene.layers - {hidden})


DATA = ("page", "example", "values", "lower", "upper", "resolution", "unit", "columns", "group", "bounds")
"""The fields of a scene that determine its data."""

TITLE = "Data of this lesson"


@dataclasses.dataclass(frozen=True, eq=False)
class LoadedScene:
    """The loaded data of a scene."""

    scene: Scene
    data: Fields

    def fits(self, scene: Scene) -> bool:
        """Tell whether another scene has the same data."""
        return all(getattr(self.scene, name) == getattr(scene, name) for name in DATA)

    def page_fields(self, scene: Scene, seed: int) -> Fields:
        """Return the fields of the page for `scene` with these data."""
        fields = {**self.data, "query": scene.query}
        if scene.edits:
            fields["modified_values"] = scene.edits
        if scene.absent:
            fields["removed_edges"] = scene.absent
        if scene.function:
            fields["function"] = scene.function
        if scene.workspace:
            fields["comparison"] = ComparisonChoice(**scene.comparison, seed=seed)
        return fields


def begin_scene(path: Path | None, scene: Scene, progress: Progress) -> LoadedScene:
    """Load the data of a scene (in a worker); raise the first fault of the file of a lesson that begins."""
    from app.lessons.reading import faults_of

    for fault in () if path is None else faults_of(path):
        raise fault
    return load_scene(scene, progress)


def load_scene(scene: Scene, progress: Progress) -> LoadedScene:
    """Load the data of a scene (in a worker)."""
    dataset, declared = _of_values(scene) if scene.values else _of_example(scene)
    return LoadedScene(
        scene, {"dataset": dataset, **PAGE_KINDS[scene.page].read(dataset, declared, progress)}
    )


def _of_values(scene: Scene) -> tuple[Dataset, Fields]:
    """Return a column of the scene's own values."""
    import pyarrow as pa

    from engine.data import Table

    table = Table(TITLE, pa.table({"x": list(scene.values)}), units={"x": scene.unit})
    bounds = {"lower": scene.lower, "upper": scene.upper, "resolution": scene.resolution}
    declared = {"column": "x", "missing": "refuse", **bounds, "bounds_source": "known"}
    return Dataset(table, f"{OF_LESSON}{scene.values}"), declared


def _of_example(scene: Scene) -> tuple[Dataset, Fields]:
    """Return a bundled example; bounds come from the scene, else from the example."""
    from engine.data import EXAMPLES

    card = EXAMPLES[scene.example]
    dataset = Dataset.of_example(card.name)
    declared = dict(PAGE_KINDS[scene.page].from_example(card))
    declared |= _chosen_columns(scene)
    for name in ("lower", "upper", "resolution"):
        if getattr(scene, name) is not None:
            declared[name] = float(getattr(scene, name))
    if scene.group is not None:
        by, name = scene.group
        [labels] = (one.labels for one in card.categories if one.name == by)
        declared["group"] = GroupChoice(by, name, labels)
    if scene.bounds:
        declared["bounds"] = {**declared["bounds"], **scene.bounds}
    return dataset, declared


def _chosen_columns(scene: Scene) -> dict[str, Any]:
    """Return the fields that choose the columns, if the scene names any."""
    from engine.catalog import questions
    from engine.data import EXAMPLES

    if not scene.columns:
        return {}
    kind, card = KINDS[questions()[scene.query].reads], EXAMPLES[scene.example]
    page = PAGE_KINDS[scene.page].choice()
    part = kind.with_columns(kind.from_example(card), scene.columns, card)
    return page.with_part(kind.name, part)
