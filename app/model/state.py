"""The state of a session: one immutable value; every edit replaces it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, cast

from app.model.comparison_choice import NO_CHOICE, ComparisonChoice
from app.model.dataset import Content, Dataset
from app.model.kinds.base import FOUND, DataChoice, DatasetBuilder, Fields, fields_of, with_choice
from app.model.kinds.column import public_groups
from app.model.kinds.kind import DataKind, size_problem
from app.model.kinds.registry import KINDS
from app.model.pages import workspaces
from app.model.pages.registry import PAGE_KINDS
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.trusted_code import TrustedFunction
from app.model.views import RELEASE
from app.model.wording.releases import answer_unit
from engine.aggregation.spaces import GUESS
from engine.catalog import from_files, kind_names
from engine.components import part_of
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism
from engine.mechanisms.problem import Problem
from engine.privacy import Privacy, neighbours_of
from engine.questions.declarations import Declarations
from engine.specification import Choices, Specification, key_of


@dataclasses.dataclass(frozen=True)
class LessonPosition:
    """One step of a lesson."""

    lesson: str  # the name of its file, without the extension
    step: int  # counted from 0
    seed: int  # seed of all random draws in it


FIRST_PAGE = "median"
"""Page and example of a first start."""

WORKSPACES = tuple(workspaces.WORKSPACES)
"""Views without data of their own: they open from a page and use its data."""


EPSILON_RANGE = 0.01, 10.0
"""The values of epsilon that sliders and handles reach."""


@dataclasses.dataclass(frozen=True, eq=False)
class SessionState:
    """All choices, and the releases.

    `table` is the dataset of the program, opened on *Data*. `declarations` are the public statements about
    it, `questions` the sheet, and `sheet_budget` the cost of all its rows together. Pages that can read its
    columns follow it.

    The fields in `PAGE_FIELDS` belong to the open page; `other_pages` keeps those of the other pages. All
    others are shared. `workspace` is one of `WORKSPACES` while one is open, "" on the page itself. `lesson`
    is the step of the lesson that is open.

    `mechanism` is the chosen mechanism with all its parts. `remembered` keeps every earlier choice: you can
    switch back without loss, and a new page starts with the latest choices. `data` has the choices about the
    page's data, and the records. `delta` is None until you choose one: see `delta_or_default`. `trusted` are
    the confirmed functions from files; `published` has the datasets stated to be public, by
    `Dataset.content`.
    """

    table: Dataset | None = None
    declarations: Declarations = Declarations()  # noqa: RUF009
    questions: tuple[AskedQuestion, ...] = ()
    sheet_budget: Privacy = Privacy(1.0)  # noqa: RUF009
    page: str = FIRST_PAGE
    workspace: str = ""
    lesson: LessonPosition | None = None
    other_pages: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    dataset: Dataset | None = None
    data: DataChoice = dataclasses.field(default_factory=PAGE_KINDS[FIRST_PAGE].choice)
    mechanism: Specification = Choices().ask(PAGE_KINDS[FIRST_PAGE].query)  # noqa: RUF009
    remembered: Choices = Choices()  # noqa: RUF009
    comparison: ComparisonChoice = NO_CHOICE
    guess: float = GUESS
    trusted: frozenset[TrustedFunction] = frozenset()
    published: frozenset[Content] = frozenset()
    epsilon: float = 1.0
    delta: float | None = None
    view: str = "curator"
    releases: tuple[ReleaseRecord, ...] = ()

    @property
    def visible_view(self) -> str:
        """The page on the screen, or the workspace opened from it."""
        return self.workspace or self.page

    @property
    def has_public_data(self) -> bool:
        """Whether the visible data are public or synthetic, so that no result is confidential."""
        dataset = self.visible_dataset
        return dataset is not None and (dataset.is_public or dataset.content in self.published)

    @property
    def visible_dataset(self) -> Dataset | None:
        """The table on the views *Data*, *Questions* and *Released*, else the data of the page."""
        with_table = self.workspace in workspaces.FIRST
        if self.workspace == workspaces.RELEASED.name and PAGE_KINDS[self.page].follows:
            with_table = self.table is not None
        return self.table if with_table else self.dataset

    @property
    def seed(self) -> int | None:
        """The seed of simulations in a lesson; None where Run makes a release."""
        return self.lesson.seed if self.lesson else None

    @property
    def asked(self) -> type[Any]:
        """The query, or the mechanism itself if it has no query."""
        return self.mechanism.asked.component

    @property
    def query(self) -> str:
        """The name of the query, or of the mechanism itself."""
        return self.mechanism.asked.name

    @property
    def reads(self) -> str:
        """The name of the kind of data that the chosen query reads."""
        return str(self.asked.reads)

    @property
    def kind(self) -> DataKind[Any]:
        """The kind of data that the chosen query reads."""
        return KINDS[self.reads]

    @property
    def topic(self) -> str:
        """The topic of the chosen mechanism; "" for a query of one number."""
        return str(self.kind_of_mechanism.facts.topic)

    @property
    def neighbours(self) -> str:
        """The neighbouring relation for which releases of the chosen query are added up."""
        return neighbours_of(self.asked)

    @property
    def kind_of_mechanism(self) -> type[Mechanism[Any]]:
        """The class of the chosen mechanism."""
        return cast("type[Mechanism[Any]]", self.mechanism.component)

    @property
    def read_data(self) -> DataChoice:
        """The part of `data` that the chosen query reads."""
        return self.data.read_by(self.reads)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The columns of points or categories that the chosen query reads; empty for other data."""
        return self.kind.coordinates(self.read_data)

    @property
    def looked(self) -> bool:
        """Whether facts that should be public were taken from the data."""
        return self.read_data.bounds_source == "looked"

    @property
    def subject(self) -> str:
        """A short noun for the data that the query reads."""
        return self.kind.subject(self.read_data, self.dataset)

    @property
    def location(self) -> str:
        """The location of these data in the file."""
        return self.kind.location(self.read_data)

    @property
    def unit(self) -> str:
        """Unit of the answer, or ""; for points, the unit that all columns share."""
        return answer_unit(self.asked, self.kind.unit(self.read_data, self.dataset))

    @property
    def edited(self) -> bool:
        """Whether data that the chosen query reads were changed by hand."""
        return self.kind.is_modified(self.read_data)

    @property
    def modified(self) -> bool:
        """Whether any data of the page were changed by hand, whether or not the query reads them."""
        return any(kind.is_modified(self.data.read_by(kind.name)) for kind in PAGE_KINDS[self.page].kinds)

    @property
    def delta_or_default(self) -> float:
        """The chosen delta, shared by all pages, or the default of the page.

        The default is 0 where a larger delta would have no effect.
        """
        if self.delta is not None:
            return self.delta
        return PAGE_KINDS[self.page].delta if self.uses_delta else 0.0

    @property
    def varies_epsilon(self) -> bool:
        """Whether the comparison that is open tries many values of epsilon."""
        return self.workspace == workspaces.COMPARE.name and self.comparison.sweep == "epsilon"

    @property
    def uses_delta(self) -> bool:
        """Whether the mechanism makes use of delta."""
        if part_of(self.kind_of_mechanism, "query"):
            return True
        try:
            return bool(self.mechanism.build().guarantee.uses_delta)
        except ParameterError:
            return True

    @property
    def uses_noise(self) -> bool:
        """Whether the mechanism takes a noise family."""
        return self.mechanism.find("noise") is not None

    @property
    def promises(self) -> bool:
        """Whether the chosen release has a privacy guarantee."""
        return bool(self.kind_of_mechanism.facts.is_private)

    def from_file(self, family: str) -> Any:
        """Return the component of a family last chosen from a file, on any page; it may not be trusted.

        Return None if there is none.
        """
        names = (name for name, one in from_files(family).items() if key_of(one) in self.known.values)
        return next((self.known.specify(family, name).build() for name in names), None)

    @property
    def size_problem(self) -> Problem | None:
        """The reason why n is not public: values are missing, or members are confidential."""
        group = getattr(self.read_data, "group", None)
        if group is not None and group not in public_groups(self.declarations, self.dataset):
            return Problem("data", f"it is no longer public who belongs to {group.name}: show all groups")
        return size_problem(self.kind, self.read_data, self.dataset, curator=self.view != RELEASE)

    def builder(self) -> DatasetBuilder:
        """Return the builder of the database; `ParameterError` for a missing choice.

        Its n must not appear in the release view if it is confidential.
        """
        if self.view == RELEASE and self.size_problem is not None:
            raise ParameterError(self.size_problem.field, self.size_problem.message)
        return self.kind.builder(self.read_data, self.dataset)

    @property
    def datasets(self) -> frozenset[Dataset]:
        """The table, and the data of all pages."""
        pages = (self.page_fields(), *self.other_pages.values())
        datasets = (self.table, *(fields["dataset"] for fields in pages))
        return frozenset(dataset for dataset in datasets if dataset is not None)

    def builders(self) -> Iterator[DatasetBuilder]:
        """Yield the builders of the databases of all pages."""
        for page, fields in {**self.other_pages, self.page: self.page_fields()}.items():
            for kind in PAGE_KINDS[page].kinds:
                with contextlib.suppress(ParameterError):  # pages without a complete choice have none
                    yield kind.builder(fields["data"].read_by(kind.name), fields["dataset"])

    def choosing(self, mechanism: Specification) -> Fields:
        return {"mechanism": mechanism, "remembered": self.known.learned(mechanism)}

    @property
    def known(self) -> Choices:
        """All remembered choices; those of the open page are the latest."""
        return self.remembered.learned(self.mechanism)

    def resolved(self, fields: Fields) -> Fields:
        """Return the fields with names and "parameters" of components replaced by one mechanism.

        The name "query" chooses the query; "method", "noise" … the parts of its release.
        """
        named = kind_names() - _FIELDS
        names = {name: value for name, value in fields.items() if name in named}
        values = fields.get("parameters")
        if not names and values is None:
            return fields
        others = {name: value for name, value in fields.items() if name not in (*names, "parameters")}
        asked = names.pop("query", self.query)
        known = self.known.valued(values or {}).named(**names)
        mechanism = known.ask(asked)
        return {**others, "mechanism": mechanism, "remembered": known.learned(mechanism)}

    def value(self, name: str) -> Any:
        """Return a field by name, of the state or of its data; None for a field of another kind of data."""
        return getattr(self, name) if name in _FIELDS else getattr(self.data, name, None)

    def replaced(self, fields: Fields) -> SessionState:
        """Return the state with other values of fields, its own or those of its data."""
        values = self.resolved(fields)
        return dataclasses.replace(self, **with_choice(values.get("data", self.data), values))

    def page_fields(self) -> Fields:
        """Return the fields that belong to the open page."""
        return {name: getattr(self, name) for name in PAGE_FIELDS}

    def at(self, page: str) -> SessionState:
        """Return the state with another page open."""
        if page == self.page:
            return self
        return self._opened(page)._followed()

    def _opened(self, page: str) -> SessionState:
        others = {name: kept for name, kept in self.other_pages.items() if name != page}
        return dataclasses.replace(
            self,
            page=page,
            other_pages={**others, self.page: self.page_fields()},
            **{**first_fields(page, self.known), **self.other_pages.get(page, {})},
        )

    @property
    def records(self) -> Dataset | None:
        """The table with a row for each record; None without a table: see `Dataset.records`."""
        return None if self.table is None else self.table.records(self.declarations)

    @property
    def follows_table(self) -> bool:
        """Whether the page reads the table of the program, with its declarations."""
        return self.dataset is not None and self.dataset is self.records and self.lesson is None

    def _followed(self) -> SessionState:
        """Return the state in which the page has the public facts that are declared about the table."""
        if not self.follows_table:
            return self
        data = PAGE_KINDS[self.page].follow(self.data, self.declarations)
        return self if data is self.data else dataclasses.replace(self, data=data)

    def linked(self, fields: Fields) -> Fields:
        """Return the fields of an edit with those that follow: declarations, or public facts of the page."""
        after = self.replaced(fields)
        if not after.follows_table or after.dataset is None:
            return fields
        if "declarations" in fields:
            followed = after._followed()
            return fields if followed is after else {**fields, "data": followed.data}
        if after.data is self.data and after.dataset is self.dataset:
            return fields
        declared = PAGE_KINDS[self.page].declare(after.data, after.dataset, after.declarations)
        return fields if declared == after.declarations else {**fields, "declarations": declared}

    def has_other_records(self, other: SessionState) -> bool:
        """Return whether its query reads other records than that of another state."""
        now, before = self.read_data, other.read_data
        same = self.dataset is other.dataset and type(now) is type(before)
        return not same or any(getattr(now, name) is not getattr(before, name) for name in now.names(FOUND))

    def differences(self, other: SessionState) -> frozenset[str]:
        """Return the names of fields that differ, in the state and in its data.

        For a different mechanism, also the names of its differing parts ("query", "noise" …) and
        "parameters".
        """
        names = fields_of(type(self.data)) | fields_of(type(other.data)) | (_FIELDS - {"data"})
        changed = {name for name in names if self.value(name) is not other.value(name)}
        if "mechanism" in changed:
            changed |= {"parameters", *self.mechanism.other_kinds(other.mechanism)}
            changed |= {"query"} if self.query != other.query else set()
        return frozenset(changed)


_FIELDS = frozenset(field.name for field in dataclasses.fields(SessionState))

RELEASE_FIELDS = frozenset({"epsilon", "delta", "guess", "mechanism", "parameters", "remembered"}) | {
    "comparison",
    "declarations",
    "questions",
    "releases",
    "sheet_budget",
    "table",
    "trusted",
}
"""Fields that change neither page, data nor components."""

PAGE_FIELDS = ("dataset", "data", "mechanism", "comparison")
"""Fields that each page has for itself."""


def first_fields(page: str, known: Choices) -> Fields:
    """Return the fields of a page on its first visit, with choices made earlier on other pages."""
    fresh, kind = SessionState(), PAGE_KINDS[page]
    return {**fresh.page_fields(), "data": kind.choice(), "mechanism": known.ask(kind.query)}


SCENE = ("guess", "remembered", "epsilon", "delta", "view")
"""Shared fields that each step resets to their defaults."""


def fields_of_step(position: LessonPosition, page: str, chosen: Fields, fields: Fields) -> Fields:
    """Return the fields of a session in a lesson step, whose page has its own data and choices.

    `chosen` are choices about the data, `fields` the values of other fields.
    """
    fresh = SessionState()
    shared = {name: getattr(fresh, name) for name in SCENE}
    there = dataclasses.replace(fresh, page=page, **first_fields(page, fresh.remembered))
    chosen = with_choice(there.data, there.resolved({**chosen, **fields}))
    begun = {"lesson": position, "page": page, "workspace": "", "other_pages": {}, "releases": ()}
    return {**begun, **there.page_fields(), **shared, **chosen}
