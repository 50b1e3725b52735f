"""Reads the lessons from their files; a mistake names file and line, and concerns only its own lesson."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from app.jobs.tasks import JobTask
from app.lessons.lesson import (
    LAST,
    MAX_ANSWERS,
    RUN,
    SUFFIX,
    AuditScene,
    Lesson,
    LessonQuestion,
    LessonStep,
    Prediction,
    Scene,
)
from app.lessons.toml_table import Lines, TomlTable
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.base import fields_of
from app.model.kinds.registry import KINDS
from app.model.kinds.simple_graph import SimpleGraphKind
from app.model.pages.audit import SHOWS
from app.model.pages.registry import PAGE_KINDS, layers_of, queries_of, tabs_of
from app.model.pages.workspaces import PICTURED
from app.model.texts.pages import FieldError, fill_fields, text_numbers
from app.model.view_states import WALL_SHOWS
from app.model.views import CURATOR, VIEWS
from app.model.wording.numbers import is_number
from engine.catalog import kinds, offered, questions
from engine.data import EXAMPLES
from engine.domain import Interval, check_resolution
from engine.errors import DataError
from engine.mechanisms import PLANTED
from engine.parameters import plain_parameters
from engine.privacy import Privacy
from engine.resources import resource_folders
from engine.small_files import parse_toml, small_text

MAX_MINUTES = 60
GRAPHS = "spanning-tree"
"""The page that shows a graph."""
AUDIT_VERDICTS = ("consistent", "violated")
AUDIT_SHOWS = tuple(SHOWS)
ASKING = ("query", "mechanism", "function", "planted")
"""Kinds of components that a scene calls by another key."""
PREDICTIONS = ("point", "bet", "line")
LOGARITHMIC = 1000.0
"""A scale is logarithmic if its ends differ by this factor."""
MAX_RUNS = 1_000_000
MAX_COMPARED = 20_000
"""Limit of releases of each mechanism in a comparison: a lesson starts it without confirmation."""

T = TypeVar("T")
LayersOf = Callable[[str, str, str], tuple[str, ...]]


class Faults:
    """Reads part by part, and goes on after a fault."""

    def __init__(self) -> None:
        self.errors: list[DataError] = []

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Return the result of `read`; on a `DataError`, store it and return None."""
        try:
            return read()
        except DataError as error:
            self.errors.append(error)
            return None


def lessons(folder: Path | None = None) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Return all lessons in their order, and the faults of the other files.

    `folder`: where they lie; by default the bundled ones, those of plug-ins and those in `own_folder`.
    """
    return lessons_in((*resource_folders("lessons"), own_folder()) if folder is None else (folder,))


@cache
def read_all(task: JobTask) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Read all lessons (in a worker)."""
    task(0.0, "reading the lessons")
    return lessons()


def lessons_in(folders: tuple[Path, ...]) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Return the lessons in folders; a name that an earlier folder has is a fault."""
    good: dict[str, Lesson] = {}
    bad: list[DataError] = []
    for file in folders:
        for path in sorted(file.glob(f"*{SUFFIX}")):
            try:
                lesson = read_lesson(path)
                if lesson.name in good:
                    raise DataError("a bundled lesson has this name; rename the file", source=path.name)
                good[lesson.name] = lesson
            except DataError as error:
                bad.append(error)
    return tuple(sorted(good.values(), key=lambda lesson: (lesson.order, lesson.name))), tuple(bad)


def own_folder() -> Path:
    """Return the folder of the user's own lessons; it may not exist."""
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "lessons"


def read_lesson(path: Path) -> Lesson:
    """Read one file.

    Raises `DataError` with file and line of the first mistake.
    """
    lesson, faults = _read(path)
    if lesson is None:
        raise faults[0]
    return lesson


def faults_of(path: Path) -> tuple[DataError, ...]:
    """Return the first fault of each table of a file, and of each line of its head.

    It imports the pictures, which know their layers; `read_lesson` leaves these names to `begin_scene`.
    """
    return tuple(_read(path, layers_of)[1])


def _read(path: Path, layers_in: LayersOf | None = None) -> tuple[Lesson | None, list[DataError]]:
    """Return the lesson, or None and its faults."""
    faults = Faults()
    section = faults.attempt(lambda: _table_of(path))
    if section is None:
        return None, faults.errors
    head: dict[str, Any] = {
        **{key: faults.attempt(partial(section.text, key)) for key in ("title", "topic", "summary", "needs")},
        "order": faults.attempt(lambda: section.whole("order", 0, LAST, LAST)),
        "minutes": faults.attempt(lambda: section.whole("minutes", 1, MAX_MINUTES)),
        "is_lecture": faults.attempt(lambda: section.flag("lecture")),
        "seed": faults.attempt(lambda: section.whole("seed", 0, 2**31 - 1, 1)),
        "controls": faults.attempt(lambda: read_controls(section)),
    }
    own = faults.attempt(lambda: _own_numbers(section)) or {}
    numbers = {**text_numbers("lessons").get(path.stem, {}), **own}
    steps = [
        _step(step, numbers, faults, layers_in)
        for step in faults.attempt(lambda: section.sections("step")) or ()
    ]
    faults.attempt(section.end)
    if not steps and not faults.errors:
        faults.errors.append(section.wrong("there is no step; begin one with [[step]]"))
    if faults.errors:
        return None, faults.errors
    shown = tuple(step for step in steps if step is not None)
    return Lesson(name=path.stem, steps=shown, path=path.resolve(), **head), []


def _table_of(path: Path) -> TomlTable:
    """Parse a file and return its top-level table."""
    text = small_text(path)
    return TomlTable(path.name, Lines(text), (), parse_toml(text, path.name))


def _step(
    section: TomlTable, numbers: Mapping[str, float], faults: Faults, layers_in: LayersOf | None
) -> LessonStep | None:
    """Read a step, its scene and its question, each with its own faults."""

    known = len(faults.errors)
    scene_table = section.table.get("scene")
    if isinstance(scene_table, dict):
        numbers = {**numbers, **{key: value for key, value in scene_table.items() if is_number(value)}}
    faults.attempt(lambda: _fill_table(section, numbers))
    texts = {
        "title": faults.attempt(partial(section.text, "title")),
        "text": faults.attempt(partial(section.text, "text")),
        "look": faults.attempt(partial(section.text, "look", "")),
        "attempt": faults.attempt(partial(section.text, "try", "")),
        "wall": faults.attempt(partial(section.text, "wall", "")),
        "notes": faults.attempt(partial(section.text, "notes", "")),
    }
    scene = faults.attempt(lambda: read_scene(_there(section, "scene"), layers_in))
    question = faults.attempt(lambda: _question(_there(section, "question"), numbers, scene))
    faults.attempt(section.end)
    step: dict[str, Any] = {**texts, "scene": scene, "question": question}
    return LessonStep(**step) if len(faults.errors) == known else None


def _own_numbers(section: TomlTable) -> dict[str, float]:
    """Return the numbers that a lesson states itself, for the fields of its texts."""
    below = section.section("numbers")
    return {} if below is None else {name: below.number(name) for name in below.table}


def _fill_table(section: TomlTable, numbers: Mapping[str, float]) -> None:
    """Fill the fields of the texts of a step and of its question."""
    for key, value in section.table.items():
        try:
            if isinstance(value, str):
                section.table[key] = fill_fields(value, numbers)
            elif isinstance(value, list):
                section.table[key] = [
                    fill_fields(one, numbers) if isinstance(one, str) else one for one in value
                ]
        except FieldError as error:
            raise section.wrong(str(error), key) from None
    question = section.table.get("question")
    if isinstance(question, dict):
        _fill_table(TomlTable(section.source, section.lines, (*section.path, "question"), question), numbers)


def _there(section: TomlTable, name: str) -> TomlTable:
    match = section.section(name)
    if match is None:
        raise section.wrong(f"the step has no {name}; begin it with [step.{name}]")
    return match


def _question(section: TomlTable, numbers: Mapping[str, float], scene: Scene | None) -> LessonQuestion:
    answered: dict[str, Any]
    if "predict" in section:
        answered = {"prediction": _prediction(section, numbers, scene)}
    else:
        answers = section.texts("answers")
        if not 2 <= len(answers) <= MAX_ANSWERS:
            raise section.wrong(f"a question has 2 to {MAX_ANSWERS} answers, not {len(answers)}", "answers")
        answered = {"answers": answers, "right": section.whole("right", 1, len(answers)) - 1}
    question = LessonQuestion(section.text("ask"), section.text("because"), **answered)
    section.end()
    return question


def _prediction(section: TomlTable, numbers: Mapping[str, float], scene: Scene | None) -> Prediction:
    """Read what a question asks to place, to bet on or to draw."""
    kind = section.name("predict", "prediction", PREDICTIONS)
    if kind == "line":
        layer = section.text("layer")
        if scene is not None and (layer not in scene.layers or len(scene.layers) < 2):
            raise section.wrong("the 'layers' of the scene must name this layer and another one", "layer")
        return Prediction(layer=layer)
    if kind == "bet":
        ends = section.texts("answers")
        if len(ends) != 2:
            raise section.wrong(f"a bet has 2 answers, not {len(ends)}", "answers")
        return Prediction(100.0 * (section.whole("right", 1, 2) - 1), ends=ends)
    known = section.name("answer", "number of this lesson", numbers)
    scale = section.numbers("scale")
    if len(scale) != 2 or not scale[0] <= numbers[known] <= scale[1] or scale[0] == scale[1]:
        raise section.wrong("'scale' must be [lower, upper], with the answer between them", "scale")
    log = scale[0] > 0 and scale[1] >= LOGARITHMIC * scale[0]
    return Prediction(numbers[known], *scale, log=log, unit=section.text("unit", ""))


def control_names() -> frozenset[str]:
    """Return the names of all controls: declared fields, parts of mechanisms and their parameters."""
    data = {one.name for page in PAGE_KINDS.values() for kind in page.forms for one in fields(kind.choice)}
    components = [one for family in kinds().values() for one in family.values()]
    parameters = {declared.name for one in components for declared in one.parameters()}
    return frozenset({"epsilon", "delta", RUN, *data, *kinds(), *parameters})


def read_controls(section: TomlTable) -> frozenset[str] | None:
    """Return the controls that the head of a lesson names; None means all of them."""
    if "controls" not in section:
        return None
    names = section.texts("controls")
    known = control_names() if names else ()
    return frozenset(section.check_known(name, "control", known, "controls") for name in names)


def read_scene(section: TomlTable, layers_in: LayersOf | None = None) -> Scene:
    """Read one ``[step.scene]``."""
    shown = section.name("page", "page", (*PAGE_KINDS, *PICTURED))
    workspace = shown if shown in PICTURED else ""
    askable = questions() if workspace else queries_of(shown)
    query = section.name(
        "query", "query of that page", askable, "median" if workspace else PAGE_KINDS[shown].query
    )
    page = next(page for page in PAGE_KINDS if query in queries_of(page)) if workspace else shown
    reads = questions()[query].reads
    compare = section.section("compare")
    asks = compare if workspace and compare else section
    tabs = tabs_of(shown)
    tab = asks.name("tab", "picture of that page", tabs, *tabs[:1] if workspace else ())
    audit = _audit(section.section("audit"))
    layers = section.texts("layers")
    known = (
        layers if layers_in is None or not layers else layers_in(shown, tab, (audit or AuditScene()).shows)
    )
    scene = Scene(
        page=page,
        workspace=workspace,
        query=query,
        **_data(section, query, reads),
        tab=tab,
        shows=section.name("shows", "part of a page", WALL_SHOWS, Scene.shows),
        layers=frozenset(
            section.check_known(name, "layer of that picture", known, "layers") for name in layers
        ),
        path=section.name("path", "end of a path", KINDS[reads].far_ends(0), ""),
        function=section.name("function", "function", offered("function"), ""),
        shared=_shared(section),
        k=section.whole("k", 0, 10_000, None),
        audit=audit,
        comparison=_comparison(compare),
    )
    section.end()
    _check_together(section, scene)
    return scene


def _check_together(section: TomlTable, scene: Scene) -> None:
    """Raise `DataError` for a key of another picture or page."""
    if scene.k is not None and scene.page != GRAPHS:
        raise section.wrong("'k' marks the cut of a graph; it belongs to the page spanning-tree", "k")
    if scene.path and scene.tab != "path":
        raise section.wrong("'path' belongs to the picture: tab = \"path\"", "path")
    if scene.function and scene.query != "sample-aggregate":
        raise section.wrong("'function' belongs to the query sample-aggregate", "function")
    if scene.audit and scene.tab != "audit":
        raise section.wrong("'audit' belongs to the picture: tab = \"audit\"", "audit")
    if "compare" in section and not scene.workspace:
        raise section.wrong("'compare' belongs to page = \"compare\"", "compare")


def _data(section: TomlTable, query: str, reads: str) -> dict[str, Any]:
    """Return the data of the scene, with its own bounds."""
    values, example = section.numbers("values"), section.name("example", "example", EXAMPLES, "")
    if bool(values) == bool(example):
        raise section.wrong("a scene has either an example or, of a column, values: write one of both")
    lower, upper = section.number("lower", None), section.number("upper", None)
    unit = section.text("unit", "")
    resolution = section.number("resolution", None)
    if resolution is not None:
        if not _has(reads, "resolution"):
            raise section.wrong(
                f"'resolution' belongs to a column or a graph; {query} reads others", "resolution"
            )
        section.attempt(lambda: check_resolution(resolution, math.inf), "resolution")
    if values:
        if not _has(reads, "column"):
            raise section.wrong(
                f"{query} reads {KINDS[reads].description}; 'values' are one column", "values"
            )
        ends = section.number("lower"), section.number("upper")
        section.attempt(lambda: Interval(*ends), "upper")
        section.attempt(lambda: Interval(*ends, resolution), "resolution")
        n = len(values)
        names: tuple[str, ...] = ("x",)
    else:
        card = EXAMPLES[example]
        if not KINDS[reads].fits(card):
            fitting = ", ".join(KINDS[reads].fitting())
            offer = f"try {fitting}" if fitting else "no example does"
            raise section.wrong(f"{query} reads {KINDS[reads].description}; {offer}", "example")
        n, names = card.n, tuple(column.name for column in getattr(card, KINDS[reads].part))
        if unit:
            raise section.wrong("'unit' belongs to 'values'; an example has units of its own", "unit")
    return {
        "example": example,
        "values": values,
        "lower": lower,
        "upper": upper,
        "resolution": resolution,
        "unit": unit,
        "columns": _columns(section, reads, names),
        "group": _group(section, reads, example),
        "bounds": _bounds(section, reads, names),
        "edits": _edits(section, n),
        "absent": _absent(section, reads, n),
    }


def _has(reads: str, name: str) -> bool:
    """Tell whether such data have this declared or editable field."""
    return name in fields_of(KINDS[reads].choice)


def _columns(section: TomlTable, reads: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if _has(reads, "columns"):
        return tuple(
            section.check_known(name, "column", names, "columns") for name in section.texts("columns")
        )
    one = section.name("column", "column", names, "")
    return (one,) if one else ()


def _group(section: TomlTable, reads: str, example: str) -> tuple[str, str] | None:
    below = section.section("group") if example and _has(reads, "group") else None
    if below is None:
        return None
    lists = {one.name: one.labels for one in EXAMPLES[example].categories}
    by = below.name("by", "column of categories", lists)
    group = by, below.name("name", "category", lists[by])
    below.end()
    return group


def _bounds(section: TomlTable, reads: str, names: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    below = section.section("bounds") if _has(reads, "bounds") else None
    if below is None:
        return {}
    results = {}
    for name in below.table:
        below.check_known(name, "column", names, name)
        ends = below.numbers(name)
        if len(ends) != 2:
            raise below.wrong(f"'{name}' must be [lower, upper]", name)
        below.attempt(lambda ends=ends: Interval(*ends), name)
        results[name] = (ends[0], ends[1])
    return results


def _edits(section: TomlTable, n: int) -> dict[int, float]:
    below = section.section("edits")
    if below is None:
        return {}
    for key in below.table:
        if not key.isdecimal() or int(key) >= n:
            raise below.wrong(f"there is no record {key}; they are counted from 0 to {n - 1:,}", key)
    return {int(key): float(below.number(key)) for key in below.table}


def _absent(section: TomlTable, reads: str, n: int) -> frozenset[int]:
    if reads != SimpleGraphKind.name:
        return frozenset()
    edges = section.numbers("absent")
    if not all(edge.is_integer() and 0 <= edge < n for edge in edges):
        raise section.wrong(f"edges are counted from 0 to {n - 1:,}", "absent")
    return frozenset(map(int, edges))


def _shared(section: TomlTable) -> dict[str, Any]:
    """Return the shared fields that the scene names."""
    named = {kind: known for kind, known in kinds().items() if kind not in ASKING}
    results: dict[str, Any] = {
        kind: section.name(kind, kind, known) for kind, known in named.items() if kind in section
    }
    section.asked.update(named)
    epsilon, delta = section.number("epsilon", 1.0), section.number("delta", None)
    section.attempt(
        lambda: Privacy(epsilon, delta or 0.0), "delta" if "delta" in section and epsilon > 0 else "epsilon"
    )
    results |= {"epsilon": float(epsilon)} | ({} if delta is None else {"delta": float(delta)})
    results["view"] = section.name("view", "view", VIEWS, CURATOR)
    below = section.section("parameters")
    return results | ({"parameters": _parameters(below)} if below else {})


def _parameters(section: TomlTable) -> dict[str, dict[str, Any]]:
    """Return the parameters of queries, methods, noises and other parts; check their bounds."""
    results: dict[str, dict[str, Any]] = {}
    for key in section.table:
        kind, _, name = key.partition("/")
        section.check_known(kind, "kind of thing with parameters", kinds(), key)
        section.check_known(name, kind, kinds()[kind], key)
        declared = {one.name: one for one in plain_parameters(kinds()[kind][name])}
        below = section.section(key)
        assert below is not None
        for parameter, value in below.table.items():
            below.check_known(parameter, f"parameter of {name}", declared, parameter)
            below.attempt(lambda: declared[parameter].check(value), parameter)  # noqa: B023
        results[key] = dict(below.table)
    return results


def _audit(section: TomlTable | None) -> AuditScene | None:
    if section is None:
        return None
    result = AuditScene(
        pair=section.text("pair", ""),
        bug=section.name("bug", "faulty variant", PLANTED, ""),
        runs=section.whole("runs", 1000, MAX_RUNS, AuditScene.runs),
        shows=section.name("shows", "picture of an audit", AUDIT_SHOWS, AuditScene.shows),
        verdict=section.name("verdict", "verdict of an audit", AUDIT_VERDICTS, AuditScene.verdict),
        bound=section.number("bound", None),
    )
    section.end()
    return result


def _comparison(section: TomlTable | None) -> dict[str, Any]:
    """Return the sweep and the number of runs of a comparison, without the keys that the scene leaves out."""
    if section is None:
        return {}
    choice: dict[str, Any] = {
        "sweep": section.name("sweep", "variable", ("epsilon", "n", *_numeric()), None),
        "start": section.number("start", None),
        "stop": section.number("stop", None),
        "steps": section.whole("steps", 1, 100, None),
        "runs": section.whole("runs", 1, MAX_RUNS, None),
        "within": section.number("within", None),
        "share": section.number("share", None),
    }
    share = choice["share"]
    if share is not None and not 0 < share < 1:
        raise section.wrong(f"'share' is {share:g}; it must be above 0 and below 1", "share")
    first = ComparisonChoice()
    releases = (choice["runs"] or first.runs or 0) * (choice["steps"] or first.steps)
    if releases > MAX_COMPARED:
        text = f"'runs' times 'steps' is {releases:,}; of each mechanism at most {MAX_COMPARED:,} are run"
        raise section.wrong(text, "runs")
    section.end()
    return {name: value for name, value in choice.items() if value is not None}


def _numeric() -> dict[str, None]:
    """Return the names of all parameters that are numbers."""
    return {
        declared.name: None
        for registry in kinds().values()
        for component in registry.values()
        for declared in plain_parameters(component)
        if declared.kind in ("int", "float")
    }
