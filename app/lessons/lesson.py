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
    """An audit that runs once the scene stands.

    Attributes
    ----------
    pair : str
        The name of a pair of neighbouring databases; "" leaves the choice to the page.
    bug : str
        The name of a planted bug; "" audits the mechanism as it is.
    runs : int
        Simulated releases of either database.
    shows : {"outcomes", "posterior", "trade-off"}
    verdict : {"", "consistent", "violated"}
        What the text says that it finds; "" where it says nothing of that.
    bound : float or None
        The least epsilon that it finds, as the text tells it.
    """

    pair: str = ""
    bug: str = ""
    runs: int = 20_000
    shows: str = "outcomes"
    verdict: str = ""
    bound: float | None = None


@dataclasses.dataclass(frozen=True)
class Scene:
    """What the window shows while a step is played.

    Attributes
    ----------
    page : str
        The page whose data these are.
    workspace : str
        Where the reader is, if that is not the page; else "".
    query : str
        What is asked of the data.
    example : str
        The bundled data; "" where `values` are a column of their own.
    values : tuple of float
    lower, upper : float or None
        Public bounds of a column or Λ of the weights; None: those of the example's card.
    resolution : float or None
        Declared step of what is released of a column or a graph; None: the automatic grid.
    unit : str
        Of `values`.
    columns : tuple of str
        Which to look at; none: those that the page begins with.
    bounds : mapping of str to (float, float)
        Of the coordinates of points; those that are not named are on the example's card.
    tab : str
        The open picture; "" where the page decides.
    path : str
        Where the path of databases leads; "" where the page decides.
    function : str
        What is worked out on every block; "" where the page decides.
    edits, absent
        As in `app.model.state.SessionState`.
    shared : mapping of str to object
        The fields of the state that all pages share and that are not at their first values.
    k : int or None
        Of a graph, the distance whose deciding cut is marked.
    audit : AuditScene or None
    comparison : mapping of str to object
        The fields of `app.model.comparison_choice.ComparisonChoice` that are not at their first values.
    """

    page: str
    workspace: str = ""
    query: str = ""
    example: str = ""
    values: tuple[float, ...] = ()
    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    unit: str = ""
    columns: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    tab: str = ""
    path: str = ""
    function: str = ""
    edits: Mapping[int, float] = dataclasses.field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    shared: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    k: int | None = None
    audit: AuditScene | None = None
    comparison: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class LessonQuestion:
    """A checkpoint: one of some answers is right.

    Attributes
    ----------
    ask : str
    answers : tuple of str
        Two to four.
    right : int
        Counted from 0.
    because : str
        Shown after any answer.
    """

    ask: str
    answers: tuple[str, ...]
    right: int
    because: str


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
    """A lesson, as its file tells it.

    Attributes
    ----------
    name : str
        Of the file, without the ending.
    order : int
        Lessons are listed by it, then by their names.
    title, summary, needs : str
        What it is called, what readers will understand, and what they know already.
    topic : str
        Lessons of one topic stand together.
    minutes : int
    steps : tuple of LessonStep
    seed : int
        Everything that is drawn while it is played follows from it.
    controls : frozenset of str or None
        What it uses of the forms beside the page, besides epsilon; None: all of them.
    path : Path or None
        The file that tells it.
    """

    name: str
    title: str
    topic: str
    minutes: int
    summary: str
    needs: str
    steps: tuple[LessonStep, ...]
    order: int = LAST
    seed: int = 1
    controls: frozenset[str] | None = None
    path: Path | None = None
