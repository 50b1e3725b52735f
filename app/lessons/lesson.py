"""A lesson: steps, each with a text, a live scene, and a question."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.model.view_states import WallView
from app.model.wording.numbers import quantity

LAST = 10_000
"""The order of a lesson whose file states none: after all bundled ones."""
SUFFIX = ".toml"
MAX_ANSWERS = 4
"""As many as keys stand beside each other, and as many as readers compare."""
RUN = "run"
"""Name of the button Run and the lines beside it, among the controls of a lesson."""


@dataclasses.dataclass(frozen=True)
class AuditScene:
    """An audit that starts once the scene is shown."""

    pair: str = ""  # the name of a pair of neighbouring databases; "" leaves the choice to the page
    bug: str = ""  # the name of a planted bug; "" audits the mechanism as it is
    runs: int = 20_000  # simulated releases from each database
    shows: str = "outcomes"
    verdict: str = ""  # as the text states it; "" if it states none
    bound: float | None = None  # the lower bound on epsilon that the text states


@dataclasses.dataclass(frozen=True)
class Scene:
    """The state of the window during a step."""

    page: str  # the page whose data these are
    workspace: str = ""  # the open workspace; "" while the page itself is open
    query: str = ""
    example: str = ""  # the bundled data; "" if `values` are the data
    values: tuple[float, ...] = ()
    # public bounds of a column, or Λ of the weights; None: those that the example declares
    lower: float | None = None
    upper: float | None = None
    # declared step of the released value of a column or a graph; None: the automatic grid
    resolution: float | None = None
    unit: str = ""  # unit of `values`
    columns: tuple[str, ...] = ()  # the columns used; none: the page's initial ones
    # a column of categories, and the one whose records alone are used, as if all knew whose they are
    group: tuple[str, str] | None = None
    # bounds of coordinates of points; the example declares the others
    bounds: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    tab: str = ""  # the open picture; "" for the page's default
    shows: str = WallView.shows  # the pictures in presentation mode
    layers: frozenset[str] = frozenset()  # the layers of the picture to draw; all by default
    path: str = ""  # the target of the path of databases; "" for the page's default
    function: str = ""  # computed on every block; "" for the page's default
    edits: Mapping[int, float] = dataclasses.field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    # fields of the state that all pages share, where they differ from their defaults
    shared: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    k: int | None = None  # distance k whose worst cut is marked, of a graph
    audit: AuditScene | None = None
    # fields of `ComparisonChoice` that differ from their defaults
    comparison: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Prediction:
    """A number to place on a scale, a bet between two outcomes, or a line to draw in the picture."""

    answer: float = 0.0
    lower: float = 0.0  # ends of the scale; of a bet, 0 and 100 percent
    upper: float = 100.0
    log: bool = False
    unit: str = "%"
    ends: tuple[str, ...] = ()  # the outcomes of a bet
    layer: str = ""  # the layer of the picture that the line predicts, hidden until then

    @property
    def scale(self) -> tuple[str, ...]:
        """The labels of both ends of the scale."""
        return self.ends or (quantity(self.lower, self.unit), quantity(self.upper, self.unit))

    def share(self, number: float) -> float:
        """Return the position of a number on the scale, from 0 to 1."""
        if self.log:
            return math.log(number / self.lower) / math.log(self.upper / self.lower)
        return (number - self.lower) / (self.upper - self.lower)

    def number(self, share: float) -> float:
        """Return the number at a position of the scale."""
        if self.log:
            return float(self.lower * (self.upper / self.lower) ** share)
        return self.lower + share * (self.upper - self.lower)

    def distance(self, guess: float) -> float:
        """Return the distance of a guess from the answer, as a share of the scale."""
        return abs(self.share(guess) - self.share(self.answer))


@dataclasses.dataclass(frozen=True)
class LessonQuestion:
    """A question: with several answers, one of them right, or with a prediction."""

    ask: str
    because: str  # shown after any answer
    answers: tuple[str, ...] = ()  # two to four; none with a prediction
    right: int = 0  # counted from 0
    prediction: Prediction | None = None


@dataclasses.dataclass(frozen=True)
class LessonStep:
    """One step: a text, a scene, and hints where to look and what to try."""

    title: str
    text: str
    scene: Scene
    question: LessonQuestion
    look: str = ""
    attempt: str = ""
    wall: str = ""  # the sentence in presentation mode; "" for `look`
    notes: str = ""  # for the presenter, in exported slides

    @property
    def sentence(self) -> str:
        """The sentence in presentation mode."""
        return self.wall or self.look or self.title


@dataclasses.dataclass(frozen=True)
class Lesson:
    """A lesson, as read from its file."""

    name: str  # its file name without the suffix
    title: str
    topic: str  # lessons are grouped by topic
    minutes: int
    summary: str
    needs: str
    steps: tuple[LessonStep, ...]
    order: int = LAST  # sorts the list, before the names
    is_lecture: bool = False  # repeats other lessons in short
    seed: int = 1  # determines all random draws of the lesson
    # the controls beside the page that it uses, besides epsilon; None: all of them
    controls: frozenset[str] | None = None
    path: Path | None = None  # its file
