"""What belongs to one page, as a session file has it: the data by their place, and all choices about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.components import ComponentKind, SpecificationKind
from app.documents.data_reference import FilePlace
from app.documents.errors import DocumentError
from app.documents.kinds import NAME, NUMBER, Number, OneOf, Text, ValueKind, Whole
from app.documents.structures import ListOf, OptionalOf, PairOf, Record, TableOf
from app.documents.view_states import view_state_kind
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.base import DataChoice, Fields
from app.model.kinds.categories import CategoryChoice
from app.model.kinds.registry import PAGE_KINDS, fields_of, queries_of, with_choice
from app.model.state import PAGE_FIELDS
from app.model.view_states import ViewState
from app.pages.compare.request import reads_of
from engine.comparison.contenders import same_task
from engine.data.category_columns import UNSEEN_CHOICES
from engine.data.edges import EdgeColumns
from engine.data.examples import EXAMPLES
from engine.data.table import MISSING_CHOICES
from engine.errors import SensiscopeError

ORIGINS = ("known", "looked")
ATTRIBUTES = {"origin": "bounds_source", "edits": "modified_values", "absent": "removed_edges"}
"""What fields are called in the program, where files call them otherwise."""
END = OptionalOf(NUMBER)
MISSING = OneOf(MISSING_CHOICES)
MOST_RECORDS = 1 << 40
MOST_CONTENDERS = 200


@dataclasses.dataclass(frozen=True)
class DataReference:
    """Where the data of a page are, and how to tell whether they are still the same.

    Attributes
    ----------
    example : str or None
        The name of bundled data; None for a file.
    path : str or None
        The file, in full.
    digest : str
        Keyed digest of the data: only who has the ledger of that key can check a guess of them with it.
    account : str
        The name that releases of these data have in that ledger.
    """

    example: str | None
    path: str | None
    digest: str
    account: str

    def __post_init__(self) -> None:
        if (self.example is None) == (self.path is None):
            raise DocumentError("", "either a file or an example is needed, and not both")


@dataclasses.dataclass(frozen=True)
class PageDocument:
    """One page: where its data are, what is chosen there, and how it looks.

    `fields` are those of a page and of a choice about data of any kind, side by side.
    """

    data: DataReference
    fields: Mapping[str, Any]
    look: ViewState

    @classmethod
    def of(cls, data: DataReference, page: Fields, look: ViewState) -> PageDocument:
        """Return a page of a session; what is chosen about data of other kinds has first values."""
        choice = page["data"]
        return cls(data, {**_UNUSED, **page, **_values(choice)}, look)

    def page_fields(self, page: str, read: Fields) -> Fields:
        """Return the fields of a page of a session, with what was `read` of its data."""
        kind = PAGE_KINDS[page]
        own = fields_of(kind.choice).union(PAGE_FIELDS)
        known = {name: value for name, value in {**self.fields, **read}.items() if name in own}
        return with_choice(kind.choice(), known)


def _values(choice: DataChoice) -> Fields:
    return {name: getattr(choice, name) for name in fields_of(type(choice))}


_UNUSED = {name: value for kind in PAGE_KINDS.values() for name, value in _values(kind.choice()).items()}


def page_of(page: str, place: FilePlace) -> Record:
    """Return the kind of what is said about a page."""
    digest = Text(128)
    data = Record(
        DataReference,
        {
            "example": OptionalOf(OneOf(EXAMPLES)),
            "path": OptionalOf(place),
            "digest": digest,
            "account": digest,
        },
    )
    return Record(
        PageDocument,
        {"data": data, "desk": desk_of(page, place), "look": view_state_kind(page)},
        attributes={"desk": "fields"},
    )


def desk_of(page: str, place: FilePlace) -> ValueKind:
    """Return the kind of what is chosen on a page."""
    return _PageFields(page, Record(dict, _fields(page, place), {"resolution": None}, ATTRIBUTES))


def _fields(page: str, place: FilePlace) -> dict[str, ValueKind]:
    edges: dict[str, ValueKind] = {"source": NAME, "target": NAME, "weight": OptionalOf(NAME)}
    categories: dict[str, ValueKind] = {
        "columns": ListOf(NAME, 1000),
        "lists": TableOf(ListOf(NAME), NAME),
        "unseen": OneOf(UNSEEN_CHOICES),
        "missing": MISSING,
        "origin": OneOf(ORIGINS),
    }
    record = Whole(upper=MOST_RECORDS)
    return {
        "mechanism": SpecificationKind("mechanism", place),
        "column": Text(1000),
        "missing": MISSING,
        "lower": END,
        "upper": END,
        "resolution": END,
        "origin": OneOf(ORIGINS),
        "edge_columns": OptionalOf(Record(EdgeColumns, edges)),
        "vertices": OptionalOf(Whole(upper=MOST_RECORDS)),
        "columns": ListOf(NAME, 10_000),
        "bounds": TableOf(PairOf(END, END), NAME),
        "categories": Record(CategoryChoice, categories, attributes=ATTRIBUTES),
        "edits": TableOf(NUMBER, record, places=True),
        "absent": ListOf(record, make=frozenset),
        "comparison": _comparison(place),
    }


def _comparison(place: FilePlace) -> Record:
    contenders = ListOf(ComponentKind("mechanism", place), MOST_CONTENDERS, fewest=1)
    return Record(
        ComparisonChoice,
        {
            "mechanisms": OptionalOf(contenders),
            "sweep": Text(40, 1),
            "start": END,
            "stop": END,
            "steps": Whole(1),
            "runs": OptionalOf(Whole(1)),
            "seed": Whole(),
            "within": OptionalOf(Number(0, open=True)),
            "share": Number(0, 1, open=True),
        },
    )


@dataclasses.dataclass(frozen=True)
class _PageFields:
    """What is chosen on a page, and what that must be together."""

    page: str
    fields: Record

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return self.fields.plain(value)

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        desk: dict[str, Any] = self.fields.read(plain, where)
        if desk["mechanism"].asked.name not in queries_of(self.page):
            raise DocumentError(f"{where}.mechanism", "asks what this page has no data for")
        self._check_data(desk, where)
        mechanisms = desk["comparison"].mechanisms
        if mechanisms is not None:
            self._check_contenders(mechanisms, f"{where}.comparison.mechanisms")
        return desk

    def _check_data(self, desk: Mapping[str, Any], where: str) -> None:
        """Refuse what names nothing that this page could read."""
        kind = PAGE_KINDS[self.page].kind
        if kind == "table" and not desk["column"]:
            raise DocumentError(f"{where}.column", "is empty; it must name a column")
        if kind == "graph" and desk["edge_columns"] is None:
            raise DocumentError(f"{where}.edge_columns", "is null; it must name the columns of the edges")
        if kind == "points" and not (desk["columns"] or self._categories(desk)):
            raise DocumentError(f"{where}.columns", "is empty; it must name the columns of the points")
        for names, place in (
            (desk["columns"], "columns"),
            (desk["categories"].columns, "categories.columns"),
        ):
            if len(set(names)) < len(names):
                raise DocumentError(f"{where}.{place}", "names a column twice")

    def _categories(self, desk: Mapping[str, Any]) -> bool:
        return "categories" in PAGE_KINDS[self.page].reads and bool(desk["categories"].columns)

    def _check_contenders(self, mechanisms: tuple[Any, ...], where: str) -> None:
        """Refuse what cannot be compared, or reads data that this page does not have."""
        strange = set(map(reads_of, mechanisms)) - set(PAGE_KINDS[self.page].reads)
        if strange:
            raise DocumentError(
                where, f"this page has no data for them, which read {', '.join(sorted(strange))}"
            )
        try:
            same_task(mechanisms)
        except SensiscopeError as error:
            raise DocumentError(where, str(error)) from None
