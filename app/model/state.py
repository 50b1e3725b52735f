"""What a session is about: one immutable value, replaced whole by every edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.model.comparison_choice import NO_CHOICE, ComparisonChoice
from app.model.dataset import Dataset, ReleaseRecord
from app.model.kinds.categories import NO_CATEGORIES, CategoryChoice
from app.model.kinds.desks import PAGE_KINDS
from app.model.kinds.sources import BUILDERS, DatasetBuilder
from app.model.lesson_step import LessonStep
from app.model.selection import SELECTIONS, Selection, sanitizer
from app.model.trusted_code import TrustedFunction
from engine.catalog import ASKED
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS, SANITIZERS
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planning import GUESS
from engine.mechanisms.problem import Problem
from engine.privacy import Privacy
from engine.queries import QUERIES

if TYPE_CHECKING:
    from engine.aggregation.black_box import BlackBox
    from engine.data import Numbers
    from engine.data.edges import EdgeColumns, EdgeList

FIRST_PAGE = "median"
"""What a first start shows."""

ROOMS = ("compare", "lessons")
"""Rooms that have no data of their own: they are entered from a page, and what it works on stays."""


@dataclasses.dataclass(frozen=True, eq=False)
class SessionState:
    """Everything that a person has chosen, and what was released.

    The fields in `DESK` belong to the page that is open; `desks` keeps those of the
    other pages.  All others are shared.  `room` is one of `ROOMS` while people are there, "" on
    the page itself; `lesson` is the step of a lesson that is played on the pages.  `parameters`
    remembers the parameters of every query, method and noise that was ever chosen, under
    "query/quantile", "noise/lcp" ..., so that changing one's mind and back loses nothing.

    `numbers` are the values of `column`, `edges` what `edge_columns` name, `resolution` a declared
    step for what is released of them, `points` the values of `columns`, whose `bounds` (lower, upper)
    go by name; `categories` are columns of their own, with all that was decided about them.  `edits`
    are values or weights changed by hand: index of the record and its new value; `absent` are edges
    taken out by hand.  `delta` is None until somebody chooses one: see `failing`.  `trusted` are the
    functions from files that a person has allowed to be run.
    """

    page: str = FIRST_PAGE
    room: str = ""
    lesson: LessonStep | None = None
    desks: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    dataset: Dataset | None = None
    column: str = ""
    missing: str = "refuse"
    numbers: Numbers | None = None
    edge_columns: EdgeColumns | None = None
    edges: EdgeList | None = None
    vertices: int | None = None
    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    columns: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[float | None, float | None]] = dataclasses.field(default_factory=dict)
    points: Numbers | None = None
    categories: CategoryChoice = NO_CATEGORIES
    function: str = "mean"
    black_box: BlackBox | None = None
    origin: str = "known"
    edits: Mapping[int, float] = dataclasses.field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    comparison: ComparisonChoice = NO_CHOICE
    query: str = PAGE_KINDS[FIRST_PAGE].query
    method: str = "smooth"
    noise: str = "lcp"
    sampling: str = "partition"
    aggregator: str = "center-of-attention"
    guess: float = GUESS
    trusted: frozenset[TrustedFunction] = frozenset()
    parameters: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    epsilon: float = 1.0
    delta: float | None = None
    view: str = "curator"
    releases: tuple[ReleaseRecord, ...] = ()

    @property
    def shown(self) -> str:
        """What people look at: the page, or the room they have gone to from there."""
        return self.room or self.page

    @property
    def seed(self) -> int | None:
        """The seed with which Run simulates in a lesson; None where it makes a release."""
        return self.lesson.seed if self.lesson else None

    @property
    def reads(self) -> str:
        """What the chosen query reads."""
        return str(ASKED[self.query].reads)

    @property
    def topic(self) -> str:
        """What the chosen mechanism is about; "" for a query of one number."""
        return str(getattr(ASKED[self.query], "topic", ""))

    @property
    def neighbours(self) -> str:
        """Between which databases the releases of the chosen query are private."""
        return str(ASKED[self.query].neighbours)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The columns of points or categories that the chosen query reads; none for all else."""
        return self.categories.columns if self.reads == "categories" else self.columns

    @property
    def looked(self) -> bool:
        """Whether what should be public about the data was taken from them."""
        origin = self.categories.origin if self.reads == "categories" else self.origin
        return origin == "looked"

    @property
    def subject(self) -> str:
        """What the query is asked of, in a word."""
        names = self.coordinates
        if names:
            return ", ".join(names) if len(names) <= 3 else f"{len(names)} columns"
        return self.column or (self.dataset.title if self.dataset else "")

    @property
    def place(self) -> str:
        """Where that stands in the file."""
        columns = self.edge_columns
        names = self.coordinates
        if names:
            return f"column{'s' * (len(names) > 1)} {', '.join(names)}"
        if columns is None:
            return f"column {self.column}"
        weights = f", weights {columns.weight}" if columns.weight and self.reads == "weighted-graph" else ""
        return f"edges {columns.source}–{columns.target}{weights}"

    @property
    def unit(self) -> str:
        """Unit of the answer, or nothing; of points, the unit that all columns share."""
        if self.reads == "points":
            units = {self.dataset.column(name).unit for name in self.columns} if self.dataset else set()
            return str(units.pop()) if len(units) == 1 else ""
        if self.reads == "weighted-graph":
            return self.edges.unit if self.edges else ""
        column = self.dataset.column(self.column) if self.dataset and self.reads == "column" else None
        return column.unit if column else ""

    @property
    def failing(self) -> float:
        """The delta that is asked for: the chosen one, for all pages, or that with which each begins.

        A page begins with 0 where nothing would be done with more.
        """
        if self.delta is not None:
            return self.delta
        return PAGE_KINDS[self.page].delta if self.uses_delta else 0.0

    @property
    def uses_delta(self) -> bool:
        """Whether what releases the answer does anything with delta."""
        if self.query not in SANITIZERS:
            return True
        try:
            return sanitizer(self).uses_delta
        except ParameterError:
            return True

    @property
    def promises(self) -> bool:
        """Whether a release of what is asked promises any privacy."""
        return bool(getattr(ASKED[self.query], "is_private", True))

    @property
    def edited(self) -> bool:
        """Whether what the chosen query reads was changed by hand."""
        return bool(self.absent if self.reads == "simple-graph" else self.edits)

    @property
    def uses_noise(self) -> bool:
        """Whether what releases the answer takes a noise family."""
        kinds = {declared.kind for declared in self.released_by.parameters()}
        if "aggregator" in kinds:
            kinds |= {declared.kind for declared in AGGREGATORS[self.aggregator].parameters()}
        return "noise" in kinds

    @property
    def released_by(self) -> type[Mechanism[Any]]:
        """The mechanism: the chosen method of a query, or what is asked itself."""
        return MECHANISMS[self.method] if self.query in QUERIES else SANITIZERS[self.query]

    def desk(self) -> dict[str, Any]:
        """Return what belongs to the page that is open."""
        return {name: getattr(self, name) for name in DESK}

    def at(self, page: str) -> SessionState:
        """Return the state with another page open."""
        if page == self.page:
            return self
        desk = self.desks.get(page) or {"query": PAGE_KINDS[page].query}
        fresh = SessionState()
        return dataclasses.replace(
            self,
            page=page,
            desks={name: kept for name, kept in self.desks.items() if name != page}
            | {self.page: self.desk()},
            **{name: desk.get(name, getattr(fresh, name)) for name in DESK},
        )

    def chosen(self, kind: str, name: str) -> dict[str, Any]:
        """Return the parameters that were chosen for a "query", "method" or "noise"."""
        return dict(self.parameters.get(f"{kind}/{name}", {}))

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        for field, value, what in (
            ("lower", self.lower, "smallest"),
            ("upper", self.upper, "largest"),
        ):
            if value is None:
                raise ParameterError(
                    field, f"declare the {what} possible value, from what is known without the data"
                )
        assert self.lower is not None
        assert self.upper is not None
        return Interval(self.lower, self.upper, self.resolution)

    def source(self) -> DatasetBuilder:
        """Return the data of the chosen query; `ParameterError` for what is missing."""
        return BUILDERS[self.reads](self)

    def setup(self) -> Selection:
        """Return what a job needs; `ParameterError` for what makes no sense."""
        return SELECTIONS[self.reads](self)

    def problems(self) -> tuple[Problem, ...]:
        """Return what has to be set right before Run, each beside its field."""
        found: dict[str, Problem] = {}
        for check in (self.source, lambda: Privacy(self.epsilon, self.failing), self.setup):
            try:
                check()
            except ParameterError as error:
                found.setdefault(error.field, Problem(error.field, error.problem))
        if not found:
            setup = self.setup()
            wrong = setup.source.problem()
            troubles = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
            for trouble in (*([wrong] if wrong else []), *troubles):
                found.setdefault(trouble.field, trouble)
        return tuple(found.values())


DESK = (
    "dataset",
    "column",
    "missing",
    "numbers",
    "edge_columns",
    "edges",
    "vertices",
    "lower",
    "upper",
    "resolution",
    "columns",
    "bounds",
    "points",
    "categories",
    "function",
    "black_box",
    "origin",
    "edits",
    "absent",
    "comparison",
    "query",
)
"""The fields of a state that each page has for itself."""
