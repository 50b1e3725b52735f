"""The look of pages and workspaces in a session file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.components import ComponentSetting
from app.documents.schema import (
    FLAG,
    NUMBER,
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
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT, SHOWS
from app.model.pages.histogram import HISTOGRAM
from app.model.pages.histogram_options import QueryOptions
from app.model.pages.registry import paired_of, places, tabs_of
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
from engine.histograms.attacks import ATTACKS, BASELINE
from engine.mechanisms import MECHANISMS, PLANTED
from engine.parameters import Parameter

FORMER_OPTIONS = {"place": "index"}
"""Present names of options by their names in older files."""
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
QUERY_POINT = Record(
    dict,
    {
        "attack": OptionalOf(PairOf(OneOf((BASELINE, *ATTACKS)), SEED)),
        "moved": TableOf(NUMBER, Whole(upper=10_000), indexed=True),
    },
)
"""The position of the point in files of format 1."""
COMPARE = Record(CompareViewState, {"done": FLAG, "searched": FLAG}, ignored=("mode", "spread", "place"))
GROUPS = {"clustering": "stage", "one-cluster": "ball", "histogram": "histogram", "compare": "compare"}
"""Groups of the options of a page in files of format 1."""


@dataclasses.dataclass(frozen=True)
class Options:
    """The picture options of a page, each checked by its declaration."""

    declared: Mapping[str, Parameter]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: ComponentSetting(self.declared[name]).plain(chosen) for name, chosen in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        stated = object_in(plain, where)
        plain = {self._present_name(name): value for name, value in stated.items()}
        plain = {
            name: value
            for name, value in plain.items()
            if name in self.declared or name not in REMOVED_OPTIONS
        }
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


@dataclasses.dataclass(frozen=True)
class DeclaredViewState:
    """The look of a page with declared pictures.

    Files of format 1 list the options of all pages side by side, whether a page had them or not.
    """

    page: PageSpec

    @property
    def _options(self) -> dict[str, Parameter]:
        return {declared.name: declared for spec in self.page.pictures for declared in spec.declared}

    @property
    def _record(self) -> Record:
        names = tabs_of(self.page.name)
        paired = OptionalOf(OneOf(("", *paired_of(self.page.name))))
        pictures: dict[str, ValueKind] = {
            "tab": OneOf(("", *names)),
            "log": TableOf(FLAG, OneOf((*names, *AUDIT.drawn_by))),
            "k": DISTANCE,
            "simulated": FLAG,
            "noise": FLAG,
            "options": Options(self._options),
            "beside": Record(BesideViewState, {"tab": paired, "mechanism": OneOf(("", *MECHANISMS))}),
            "audit": AUDIT_CHOICES,
            "compare": COMPARE,
        }
        elsewhere = ("compare",) if self.page.data is not None else ("k", "simulated", "noise", "audit")
        fields = {name: kind for name, kind in pictures.items() if name not in elsewhere}
        return Record(
            ViewState, fields, later={"beside": BesideViewState(), "noise": False}, sparse=("noise",)
        )

    def plain(self, value: ViewState) -> dict[str, Any]:
        return self._record.plain(value)

    def read(self, plain: Any, where: str) -> ViewState:
        if isinstance(plain, dict) and "options" not in plain:
            stated = _flattened(self.page.name, plain, where)
            stated |= {new: stated[old] for old, new in FORMER_OPTIONS.items() if old in stated}
            options = {name: stated[name] for name in self._options if name in stated}
            known = self._record.fields.keys()
            plain = {name: value for name, value in plain.items() if name in known} | {"options": options}
        result: ViewState = self._record.read(plain, where)
        return result


def _flattened(page: str, plain: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the options of a page in a file of format 1, by their current names."""
    group = plain.get(GROUPS.get(page, ""))
    results = {name: value for name, value in plain.items() if not isinstance(value, dict)}
    if not isinstance(group, dict):
        return results
    results |= group
    if page != HISTOGRAM.name:
        return results
    named = {name: group[name] for name in QUERY_POINT.fields if name in group}
    point = QUERY_POINT.read(named, inside(where, GROUPS[page]))
    attack, seed = point["attack"] or (None, QueryOptions().attack_seed)
    moved = [point["moved"].get(axis, 0.0) for axis in range(max(point["moved"], default=-1) + 1)]
    swept = {"swept": group["sweep"]} if "sweep" in group else {}
    return {**results, **swept, "attack": attack, "attack_seed": seed, "moved": moved}


def view_state_kind(location: str) -> ValueKind:
    """Return the kind of the look of a page or workspace."""
    return DeclaredViewState(places()[location])
