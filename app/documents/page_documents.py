"""One page in a session file: its look, where its data are, how to read them, and all choices about them."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from app.documents.components import ComponentKind, ComponentSetting, SpecificationKind
from app.documents.schema import (
    FLAG,
    NAME,
    NUMBER,
    DocumentError,
    FilePath,
    ListOf,
    Number,
    OneOf,
    OptionalOf,
    PairOf,
    Record,
    TableOf,
    Text,
    ValueKind,
    Whole,
    inside,
    object_in,
    refuse_unknown,
)
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.base import BY_HAND, DataChoice, Fields, fields_of, only, values_of, with_choice
from app.model.pages.audit import AUDIT, SHOWS
from app.model.pages.registry import PAGE_KINDS, paired_of, places, queries_of, tabs_of
from app.model.state import PAGE_FIELDS
from app.model.view_states import (
    CONFIDENCES,
    MAX_RUNS,
    AuditChoice,
    AuditViewState,
    BesideViewState,
    CompareViewState,
    ViewState,
)
from engine.audit import MIN_RUNS
from engine.comparison.contenders import same_task
from engine.data.examples import EXAMPLES
from engine.data.reading_options import DETECTED, OPTIONS, TYPES, ReadingOptions
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms import MECHANISMS, PLANTED
from engine.parameters import Parameter

FORMER_OPTIONS = {"place": "index"}
"""Present names of options by their names in older files."""
FORMER_TABS = {"noise": "compare"}
"""Present names of tabs by their names in older files, on pages that have no tab of that name now."""
REMOVED_OPTIONS = ("seed",)
"""Options that only older files have, on pages that have none of that name now."""
DISTANCE = Whole(upper=10_000_000)
SEED = Whole()
CHOICE = Record(
    AuditChoice,
    {
        "pair": Text(200),
        "bug": OneOf(("", *PLANTED)),
        "runs": Whole(MIN_RUNS, MAX_RUNS),
        "confidence": OneOf(CONFIDENCES),
        "seed": SEED,
        "record": OptionalOf(Whole()),
        "value": Text(1000),
    },
)
AUDIT_CHOICES = Record(
    AuditViewState, {"choice": CHOICE, "shows": OneOf(SHOWS), "prior": Whole(1, 99), "done": FLAG}
)
COMPARE = Record(CompareViewState, {"done": FLAG, "searched": FLAG})


@dataclasses.dataclass(frozen=True)
class Options:
    """The picture options of a page, each checked by its declaration."""

    declared: Mapping[str, Parameter]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: ComponentSetting(self.declared[name]).plain(chosen) for name, chosen in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        stated = object_in(plain, where)
        plain = {self._present_name(name): value for name, value in stated.items()}
        for name in REMOVED_OPTIONS:
            if name not in self.declared:
                plain.pop(name, None)
        refuse_unknown(plain, self.declared, where)
        return {name: self._read(name, value, inside(where, name)) for name, value in plain.items()}

    def _present_name(self, name: str) -> str:
        """Return the present name of an option, which older files call otherwise."""
        present = FORMER_OPTIONS.get(name, name)
        return present if present in self.declared else name

    def _read(self, name: str, value: Any, where: str) -> Any:
        declared = self.declared[name]
        if value is None and declared.optional:
            return None
        plain = Whole().read(value, where) if declared.kind == "int" else value
        return ComponentSetting(declared).read(plain, where)


def view_state_kind(location: str) -> Record:
    """Return the kind of the look of a page or workspace with declared pictures."""
    page, tabs = places()[location], tabs_of(location)
    paired = OptionalOf(OneOf(("", *paired_of(location)), FORMER_TABS))
    fields: dict[str, ValueKind] = {
        "tab": OneOf(("", *tabs), FORMER_TABS),
        "log": TableOf(FLAG, OneOf((*tabs, *AUDIT.drawn_by), FORMER_TABS)),
        "k": DISTANCE,
        "simulated": FLAG,
        "noise": FLAG,
        "options": Options({one.name: one for spec in page.pictures for one in spec.declared}),
        "beside": Record(BesideViewState, {"tab": paired, "mechanism": OneOf(("", *MECHANISMS))}),
        "audit": AUDIT_CHOICES,
        "compare": COMPARE,
    }
    for elsewhere in ("compare",) if page.data is not None else ("k", "simulated", "noise", "audit"):
        del fields[elsewhere]
    return Record(ViewState, fields, later={"beside": BesideViewState(), "noise": False}, sparse=("noise",))


END = OptionalOf(NUMBER)
MAX_CONTENDERS = 200
MAX_QUERY = 10_000
"""Most letters of a query to a database."""
MAX_RECORDS = 1 << 40
OPTIONAL_NAME = Text(1000)
"""The name of a column, or a unit; "" for none."""

ATTRIBUTES = {"origin": "bounds_source", "edits": "modified_values", "absent": "removed_edges"}
"""Names of fields in the program where files use other names."""
NAMES = {attribute: name for name, attribute in ATTRIBUTES.items()}
LATER: Mapping[str, Any] = {
    "resolution": None,
    "complete": None,
    "fills": {},
    "vertex_names": (),
    "group": None,
    "units": {},
}
"""Fields that earlier versions lack, with the value they had then."""


@dataclasses.dataclass(frozen=True)
class DataReference:
    """Where the data of a page are, and how to verify that they are unchanged.

    They are bundled data by the name of an `example`, or the file at an absolute `path`, with the options of
    its `reading`. `digest` is keyed: only the owner of that ledger's key can check a guess of the data with
    it; `account` is the name that releases have there. `public` says whether the user has called the data
    public or synthetic.
    """

    example: str | None
    path: str | None
    digest: str
    account: str
    reading: ReadingOptions = DETECTED
    public: bool = False

    def __post_init__(self) -> None:
        if (self.example is None) == (self.path is None):
            raise DocumentError("", "give either a file or an example, not both")


@dataclasses.dataclass(frozen=True)
class PageDocument:
    """One page: its data, its choices and its look.

    `fields` are those of a page and of its data choice together.
    """

    data: DataReference
    fields: Mapping[str, Any]
    look: ViewState

    @classmethod
    def of(cls, data: DataReference, page: Fields, look: ViewState) -> PageDocument:
        """Return a page of a session."""
        return cls(data, {**page, **values_of(page["data"])}, look)

    def page_fields(self, page: str, read: Fields) -> Fields:
        """Return the fields of a page of a session, with those `read` from its data."""
        kind = PAGE_KINDS[page]
        own = fields_of(kind.choice).union(PAGE_FIELDS)
        known = {name: value for name, value in {**self.fields, **read}.items() if name in own}
        return with_choice(kind.choice(), known)


def data_of(path: FilePath) -> Record:
    """Return the kind of a reference to data."""
    digest = Text(128)
    return Record(
        DataReference,
        {
            "example": OptionalOf(OneOf(EXAMPLES)),
            "path": OptionalOf(path),
            "digest": digest,
            "account": digest,
            "reading": ReadingKind(),
            "public": FLAG,
        },
        later={"reading": DETECTED, "public": False},
    )


def page_of(page: str, path: FilePath) -> Record:
    contenders = ListOf(ComponentKind("mechanism", path), MAX_CONTENDERS, shortest=1)
    comparison = Record(
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
    fields = {
        "mechanism": SpecificationKind("mechanism", path),
        **fields_of_choice(PAGE_KINDS[page].choice),
        "comparison": comparison,
    }
    desk = _PageFields(page, Record(dict, fields, LATER, ATTRIBUTES))
    return Record(
        PageDocument,
        {"data": data_of(path), "desk": desk, "look": view_state_kind(page)},
        attributes={"desk": "fields"},
    )


@dataclasses.dataclass(frozen=True)
class _PageFields:
    """The choices on a page, checked together."""

    page: str
    fields: Record

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return self.fields.plain(value)

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        desk: dict[str, Any] = self.fields.read(plain, where)
        if desk["mechanism"].asked.name not in queries_of(self.page):
            raise DocumentError(
                f"{where}.mechanism", "asks a question that the data of this page cannot answer"
            )
        self._check_data(desk, where)
        mechanisms = desk["comparison"].mechanisms
        if mechanisms is not None:
            self._check_contenders(mechanisms, f"{where}.comparison.mechanisms")
        return desk

    def _check_data(self, desk: Mapping[str, Any], where: str) -> None:
        """Refuse columns that this page cannot read."""
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
        """Refuse mechanisms that cannot be compared, or read data that this page does not have."""
        strange = {mechanism.reads for mechanism in mechanisms} - set(PAGE_KINDS[self.page].reads)
        if strange:
            raise DocumentError(where, f"this page lacks data for them: {', '.join(sorted(strange))}")
        try:
            same_task(mechanisms)
        except SensiscopeError as error:
            raise DocumentError(where, str(error)) from None


class ReadingKind:
    """Options for reading a file, by name; an empty object for none."""

    _stated = TableOf(Text(MAX_QUERY))
    _types = TableOf(Text(len(max(TYPES, key=len))), Text(shortest=1))

    def plain(self, value: ReadingOptions) -> dict[str, Any]:
        return dict(value.keywords)

    def read(self, plain: Any, where: str) -> ReadingOptions:
        stated = dict(object_in(plain, where))
        types = self._types.read(stated.pop("types", {}), inside(where, "types"))
        stated = self._stated.read(stated, where)
        refuse_unknown(stated, OPTIONS, where)
        try:
            return ReadingOptions.of(stated, types)
        except ParameterError as error:
            raise DocumentError(inside(where, error.field), error.problem) from None


def fields_of_choice(choice: type[DataChoice]) -> dict[str, ValueKind]:
    """Return the kind of each field that a file keeps: declarations and manual changes."""
    kept = (*choice.names(), *choice.names(BY_HAND))
    declared = {name: _annotation(choice, name) for name in kept}
    return {
        NAMES.get(name, name): OPTIONAL_NAME if annotation is str else _kind_of(annotation)
        for name, annotation in declared.items()
    }


def _annotation(cls: type[Any], name: str) -> Any:
    """Return the annotation of a field, resolved in its own module."""
    owner = next(one for one in cls.__mro__ if name in vars(one).get("__annotations__", {}))
    declared = owner.__annotations__[name]
    return eval(declared, vars(sys.modules[owner.__module__])) if isinstance(declared, str) else declared


def _kind_of(annotation: Any) -> ValueKind:
    simple: dict[Any, ValueKind] = {str: NAME, float: NUMBER, int: Whole(upper=MAX_RECORDS)}
    if annotation in simple:
        return simple[annotation]
    inner, origin = get_args(annotation), get_origin(annotation)
    if origin is Literal:
        return OneOf(inner)
    if origin is types.UnionType:
        (kind,) = (_kind_of(one) for one in inner if one is not types.NoneType)
        return OptionalOf(kind)
    if origin is tuple and inner[-1] is not Ellipsis:
        return PairOf(*map(_kind_of, inner))
    if origin in (tuple, frozenset):
        return ListOf(_kind_of(inner[0]), make=origin)
    if origin is Mapping:
        values = OPTIONAL_NAME if inner[1] is str else _kind_of(inner[1])
        return TableOf(values, _kind_of(inner[0]), indexed=inner[0] is int)
    if isinstance(annotation, type) and issubclass(annotation, DataChoice):
        return Record(annotation, fields_of_choice(annotation), LATER, ATTRIBUTES)
    names = [field.name for field in dataclasses.fields(annotation)]
    return Record(annotation, {name: _kind_of(_annotation(annotation, name)) for name in names})
