"""What a lesson is: steps, each with a text, a live scene, and a question."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LAST = 10_000
"""The order of a lesson whose file has none: after all bundled ones."""
RUN = "run"
"""Among the controls of a lesson: the button that makes a release, with what stands beside it."""


@dataclasses.dataclass(frozen=True)
class AuditScene:
    """An audit that runs once the scene stands."""

    pair: str = ""  # the name of a pair of neighbouring databases; "" leaves the choice to the page
    bug: str = ""  # the name of a planted bug; "" audits the mechanism as it is
    runs: int = 20_000  # simulated releases of either database
    shows: str = "outcomes"
    verdict: str = ""  # as the text states it; "" where it states none
    bound: float | None = None  # the least epsilon that it finds, as the text tells it


@dataclasses.dataclass(frozen=True)
class Scene:
    """What the window shows while a step is played."""

    page: str  # the page whose data these are
    workspace: str = ""  # the open workspace; "" while the page itself is open
    query: str = ""
    example: str = ""  # the bundled data; "" where `values` are a column of their own
    values: tuple[float, ...] = ()
    # public bounds of a column or Λ of the weights; None: those of the example's card
    lower: float | None = None
    upper: float | None = None
    # declared step of what is released of a column or a graph; None: the automatic grid
    resolution: float | None = None
    unit: str = ""  # unit of `values`
    columns: tuple[str, ...] = ()  # the columns used; none: those that the page begins with
    # bounds of coordinates of points; the example's card has the others
    bounds: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    tab: str = ""  # the open picture; "" where the page decides
    layers: frozenset[str] = frozenset()  # of the picture, those that are drawn; all where none is named
    path: str = ""  # the target of the path of databases; "" where the page decides
    function: str = ""  # computed on every block; "" where the page decides
    edits: Mapping[int, float] = dataclasses.field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    # the fields of the state that all pages share and that are not at their first values
    shared: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    k: int | None = None  # distance whose deciding cut is marked, of a graph
    audit: AuditScene | None = None
    # the fields of `app.model.comparison_choice.ComparisonChoice` that are not at their first values
    comparison: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class LessonQuestion:
    """A checkpoint: one of some answers is right."""

    ask: str
    answers: tuple[str, ...]  # two to four
    right: int  # counted from 0
    because: str  # shown after any answer


@dataclasses.dataclass(frozen=True)
class LessonStep:
    """One step: what to read, where to look, what to try."""

    title: str
    text: str
    scene: Scene
    question: LessonQuestion
    look: str = ""
    attempt: str = ""


@dataclasses.dataclass(frozen=True)
class Lesson:
    """A lesson, as its file tells it."""

    name: str  # its file's, without the ending
    title: str
    topic: str  # lessons of one topic stand together
    minutes: int
    summary: str
    needs: str
    steps: tuple[LessonStep, ...]
    order: int = LAST  # lessons are listed by it, then by their names
    seed: int = 1  # everything that is drawn while it is played follows from it
    # the controls that it uses beside the page, besides epsilon; None: all of them
    controls: frozenset[str] | None = None
    path: Path | None = None  # the file that tells it
