"""What a session is about: one immutable value, replaced whole by every edit."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from app.model.comparison_choice import NO_CHOICE, ComparisonChoice
from app.model.dataset import Content, Dataset
from app.model.kinds.base import DataChoice, DatasetBuilder, Fields, fields_of, with_choice
from app.model.kinds.kind import DataKind, size_problem
from app.model.kinds.registry import KINDS
from app.model.pages import workspaces
from app.model.pages.registry import PAGE_KINDS
from app.model.release_record import ReleaseRecord
from app.model.trusted_code import TrustedFunction
from app.model.views import RELEASE
from app.model.wording.releases import answer_unit
from engine.catalog import from_files, kind_names
from engine.components import part_of
from engine.errors import ParameterError
from engine.mechanisms.planning import GUESS
from engine.mechanisms.problem import Problem
from engine.privacy import neighbours_of
from engine.specification import Choices, Specification, key_of

if TYPE_CHECKING:
    from engine.mechanisms.base import Mechanism


@dataclasses.dataclass(frozen=True)
class LessonPosition:
    """One step of a lesson.

    Attributes
    ----------
    lesson : str
        The name of its file, without the ending.
    step : int
        Counted from 0.
    seed : int
        Everything that is drawn while it is played follows from it.
    """

    lesson: str
    step: int
    seed: int


FIRST_PAGE = "median"
"""What a first start shows."""

WORKSPACES = tuple(workspaces.WORKSPACES)
"""Views that have no data of their own: they are entered from a page, and what it works on stays."""


@dataclasses.dataclass(frozen=True, eq=False)
class SessionState:
    """Everything that was chosen, and what was released.

    The fields in `PAGE_FIELDS` belong to the page that is open; `other_pages` keeps those of the
    other pages.  All others are shared.  `workspace` is one of `WORKSPACES` while one of them is open, "" on
    the page itself; `lesson` is the step of a lesson that is played on the pages.

    `mechanism` is what is chosen to be released, with all its parts; `remembered` is what was ever chosen,
    so that changing one's mind and back loses nothing, and a page that is opened for the first time begins
    with what was chosen last.  `data` is what is chosen about the data of the page, and what was read of
    them.  `delta` is None until one is chosen: see `delta_or_default`.  `trusted` are the functions from
    files that were confirmed, and may be run; `published` tells what was called public, by `Dataset.content`.
    """

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
        """What is on the screen: the page, or the workspace that was entered from there."""
        return self.workspace or self.page

    @property
    def has_public_data(self) -> bool:
        """Whether the data of the page are public or synthetic, so that nothing of them is confidential."""
        return self.dataset is not None and (self.dataset.is_public or self.dataset.content in self.published)

    @property
    def seed(self) -> int | None:
        """The seed with which Run simulates in a lesson; None where it makes a release."""
        return self.lesson.seed if self.lesson else None

    @property
    def asked(self) -> type[Any]:
        """What is asked of the data: a query, or the mechanism itself where its answer is its own."""
        return self.mechanism.asked.component

    @property
    def query(self) -> str:
        """The name of what is asked."""
        return self.mechanism.asked.name

    @property
    def reads(self) -> str:
        """What the chosen query reads."""
        return str(self.asked.reads)

    @property
    def kind(self) -> DataKind[Any]:
        """The kind of data that the chosen query reads."""
        return KINDS[self.reads]

    @property
    def topic(self) -> str:
        """What the chosen mechanism is about; "" for a query of one number."""
        return str(self.kind_of_mechanism.facts.topic)

    @property
    def neighbours(self) -> str:
        """Between which databases the releases of the chosen query are added up."""
        return neighbours_of(self.asked)

    @property
    def kind_of_mechanism(self) -> type[Mechanism[Any]]:
        """What releases the answer."""
        return cast("type[Mechanism[Any]]", self.mechanism.component)

    @property
    def read_data(self) -> DataChoice:
        """The part of `data` that the chosen query reads."""
        return self.data.read_by(self.reads)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The columns of points or categories that the chosen query reads; none for all else."""
        return self.kind.coordinates(self.read_data)

    @property
    def looked(self) -> bool:
        """Whether what should be public about the data was taken from them."""
        return self.read_data.bounds_source == "looked"

    @property
    def subject(self) -> str:
        """What the query is asked of, in a word."""
        return self.kind.subject(self.read_data, self.dataset)

    @property
    def location(self) -> str:
        """Where that stands in the file."""
        return self.kind.location(self.read_data)

    @property
    def unit(self) -> str:
        """Unit of the answer, or nothing; of points, the unit that all columns share."""
        return answer_unit(self.asked, self.kind.unit(self.read_data, self.dataset))

    @property
    def edited(self) -> bool:
        """Whether what the chosen query reads was changed by hand."""
        return self.kind.is_modified(self.read_data)

    @property
    def modified(self) -> bool:
        """Whether anything was changed by hand on the page, also what the query does not read."""
        return any(kind.is_modified(self.data.read_by(kind.name)) for kind in PAGE_KINDS[self.page].kinds)

    @property
    def delta_or_default(self) -> float:
        """The delta that is asked for: the chosen one, for all pages, or that with which each begins.

        A page begins with 0 where nothing would be done with more.
        """
        if self.delta is not None:
            return self.delta
        return PAGE_KINDS[self.page].delta if self.uses_delta else 0.0

    @property
    def uses_delta(self) -> bool:
        """Whether what releases the answer does anything with delta."""
        if part_of(self.kind_of_mechanism, "query"):
            return True
        try:
            return bool(self.mechanism.build().guarantee.uses_delta)
        except ParameterError:
            return True

    @property
    def uses_noise(self) -> bool:
        """Whether what releases the answer takes a noise family."""
        return self.mechanism.find("noise") is not None

    @property
    def promises(self) -> bool:
        """Whether a release of what is asked promises any privacy."""
        return bool(self.kind_of_mechanism.facts.is_private)

    def from_file(self, family: str) -> Any:
        """Return what of a family was last chosen from a file, on any page; it may not be trusted.

        None where nothing was.
        """
        names = (name for name, one in from_files(family).items() if key_of(one) in self.known.values)
        return next((self.known.specify(family, name).build() for name in names), None)

    @property
    def size_problem(self) -> Problem | None:
        """What keeps n from being public: records without a value were left out."""
        return size_problem(self.kind, self.read_data, self.dataset, curator=self.view != RELEASE)

    def builder(self) -> DatasetBuilder:
        """Return what makes the database of the chosen query; `ParameterError` for what is missing.

        It has n, which the release view must not show where it is confidential.
        """
        if self.view == RELEASE and self.size_problem is not None:
            raise ParameterError(self.size_problem.field, self.size_problem.message)
        return self.kind.builder(self.read_data, self.dataset)

    @property
    def datasets(self) -> frozenset[Dataset]:
        """The data of all pages."""
        pages = (self.page_fields(), *self.other_pages.values())
        return frozenset(fields["dataset"] for fields in pages if fields["dataset"] is not None)

    def builders(self) -> Iterator[DatasetBuilder]:
        """Yield what makes the databases of all pages."""
        for page, fields in {**self.other_pages, self.page: self.page_fields()}.items():
            for kind in PAGE_KINDS[page].kinds:
                with contextlib.suppress(ParameterError):  # nothing of that kind was chosen
                    yield kind.builder(fields["data"].read_by(kind.name), fields["dataset"])

    def choosing(self, mechanism: Specification) -> Fields:
        """Return the fields with which a mechanism is chosen, and remembered."""
        return {"mechanism": mechanism, "remembered": self.known.learned(mechanism)}

    @property
    def known(self) -> Choices:
        """What was ever chosen; what is chosen on this page was chosen last."""
        return self.remembered.learned(self.mechanism)

    def resolved(self, fields: Fields) -> Fields:
        """Return fields of which those that name components, or set their "parameters", became a mechanism.

        So that they can be named: "query" is what is asked, "method", "noise" … how it is released.
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
        """Return a field by name, of the state or of the data of its page; None for one of other data."""
        return getattr(self, name) if name in _FIELDS else getattr(self.data, name, None)

    def replaced(self, fields: Fields) -> SessionState:
        """Return the state with other values of fields, of its own or of the data of its page."""
        values = self.resolved(fields)
        return dataclasses.replace(self, **with_choice(values.get("data", self.data), values))

    def page_fields(self) -> Fields:
        """Return what belongs to the page that is open."""
        return {name: getattr(self, name) for name in PAGE_FIELDS}

    def at(self, page: str) -> SessionState:
        """Return the state with another page open."""
        if page == self.page:
            return self
        others = {name: kept for name, kept in self.other_pages.items() if name != page}
        return dataclasses.replace(
            self,
            page=page,
            other_pages={**others, self.page: self.page_fields()},
            **{**first_fields(page, self.known), **self.other_pages.get(page, {})},
        )

    def differences(self, other: SessionState) -> frozenset[str]:
        """Return the names of the fields with other values, of the state and of the data of its page.

        Of another mechanism that is said by its parts, too: "query", "noise" … where there is another one,
        and "parameters".
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
    "releases",
    "trusted",
}
"""Fields that change neither the page, the data, nor the components that are chosen."""

PAGE_FIELDS = ("dataset", "data", "mechanism", "comparison")
"""The fields of a state that each page has for itself."""


def first_fields(page: str, known: Choices) -> Fields:
    """Return what belongs to a page on a first visit, with what was chosen before on others."""
    fresh, kind = SessionState(), PAGE_KINDS[page]
    return {**fresh.page_fields(), "data": kind.choice(), "mechanism": known.ask(kind.query)}


SCENE = ("guess", "remembered", "epsilon", "delta", "view")
"""Shared fields that begin with their first values in each step."""


def fields_of_step(position: LessonPosition, page: str, chosen: Fields, fields: Fields) -> Fields:
    """Return the fields of a session in a step that shows a page with data and choices of its own.

    Parameters
    ----------
    chosen : dict
        What is chosen of the data.
    fields : dict
        Values of other fields.
    """
    fresh = SessionState()
    shared = {name: getattr(fresh, name) for name in SCENE}
    there = dataclasses.replace(fresh, page=page, **first_fields(page, fresh.remembered))
    chosen = with_choice(there.data, there.resolved({**chosen, **fields}))
    begun = {"lesson": position, "page": page, "workspace": "", "other_pages": {}, "releases": ()}
    return {**begun, **there.page_fields(), **shared, **chosen}
