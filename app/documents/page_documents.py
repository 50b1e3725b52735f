"""What belongs to one page, as a session file has it: the data by their place, and all choices about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.choices import ATTRIBUTES, LATER, fields_of_choice
from app.documents.components import ComponentKind, SpecificationKind
from app.documents.data_reference import FilePlace
from app.documents.errors import DocumentError
from app.documents.kinds import FLAG, NUMBER, Number, OneOf, Text, ValueKind, Whole
from app.documents.reading_options import ReadingKind
from app.documents.structures import ListOf, OptionalOf, Record
from app.documents.view_states import view_state_kind
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.base import Fields
from app.model.kinds.page_data import fields_of, only, values_of, with_choice
from app.model.pages.registry import PAGE_KINDS, queries_of
from app.model.state import PAGE_FIELDS
from app.model.view_states import ViewState
from engine.comparison.contenders import same_task
from engine.data.examples import EXAMPLES
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.errors import SensiscopeError

END = OptionalOf(NUMBER)
MAX_CONTENDERS = 200
OF_ALL_KINDS = frozenset(
    {"column", "missing", "lower", "upper", "resolution", "origin", "edge_columns", "vertices"}
    | {"columns", "bounds", "categories", "edits", "absent"}
)
"""What files of the first version say on every page, whatever kind of data it has."""


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
    reading : ReadingOptions
        What is stated about how the file is read.
    public : bool
        Whether the user has called them public or synthetic.
    """

    example: str | None
    path: str | None
    digest: str
    account: str
    reading: ReadingOptions = DETECTED
    public: bool = False

    def __post_init__(self) -> None:
        if (self.example is None) == (self.path is None):
            raise DocumentError("", "either a file or an example is needed, and not both")


@dataclasses.dataclass(frozen=True)
class PageDocument:
    """One page: where its data are, what is chosen there, and how it looks.

    `fields` are those of a page and of the choice about its data, side by side.
    """

    data: DataReference
    fields: Mapping[str, Any]
    look: ViewState

    @classmethod
    def of(cls, data: DataReference, page: Fields, look: ViewState) -> PageDocument:
        """Return a page of a session."""
        return cls(data, {**page, **values_of(page["data"])}, look)

    def page_fields(self, page: str, read: Fields) -> Fields:
        """Return the fields of a page of a session, with what was `read` of its data."""
        kind = PAGE_KINDS[page]
        own = fields_of(kind.choice).union(PAGE_FIELDS)
        known = {name: value for name, value in {**self.fields, **read}.items() if name in own}
        return with_choice(kind.choice(), known)


def page_of(page: str, file_place: FilePlace) -> Record:
    """Return the kind of what is said about a page."""
    digest = Text(128)
    data = Record(
        DataReference,
        {
            "example": OptionalOf(OneOf(EXAMPLES)),
            "path": OptionalOf(file_place),
            "digest": digest,
            "account": digest,
            "reading": ReadingKind(),
            "public": FLAG,
        },
        later={"reading": DETECTED, "public": False},
    )
    return Record(
        PageDocument,
        {"data": data, "desk": desk_of(page, file_place), "look": view_state_kind(page)},
        attributes={"desk": "fields"},
    )


def desk_of(page: str, file_place: FilePlace) -> ValueKind:
    """Return the kind of what is chosen on a page."""
    fields = {
        "mechanism": SpecificationKind("mechanism", file_place),
        **fields_of_choice(PAGE_KINDS[page].choice),
        "comparison": _comparison(file_place),
    }
    return _PageFields(page, Record(dict, fields, LATER, ATTRIBUTES, ignored=OF_ALL_KINDS))


def _comparison(file_place: FilePlace) -> Record:
    contenders = ListOf(ComponentKind("mechanism", file_place), MAX_CONTENDERS, fewest=1)
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
        data = PAGE_KINDS[self.page]
        choice = data.choice(**only(data.choice, dict(desk)))
        parts = [(kind, choice.read_by(kind.name)) for kind in data.kinds]
        if not any(kind.columns_of(part) for kind, part in parts):
            field, problem = data.kinds[0].unnamed
            raise DocumentError(f"{where}.{field}", problem)
        for kind, part in parts:
            names = kind.coordinates(part)
            if len(set(names)) < len(names):
                inner = "" if part is choice else f"{kind.name}."
                raise DocumentError(f"{where}.{inner}columns", "names a column twice")

    def _check_contenders(self, mechanisms: tuple[Any, ...], where: str) -> None:
        """Refuse what cannot be compared, or reads data that this page does not have."""
        strange = {mechanism.reads for mechanism in mechanisms} - set(PAGE_KINDS[self.page].reads)
        if strange:
            raise DocumentError(
                where, f"this page has no data for them, which read {', '.join(sorted(strange))}"
            )
        try:
            same_task(mechanisms)
        except SensiscopeError as error:
            raise DocumentError(where, str(error)) from None
