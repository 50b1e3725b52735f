"""How pages and workspaces look, as a session file has it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Mapping
from typing import Any

from app.documents.components import ComponentSetting
from app.documents.errors import DocumentError, inside, quoted
from app.documents.kinds import (
    FLAG,
    NUMBER,
    Number,
    OneOf,
    Text,
    ValueKind,
    Whole,
)
from app.documents.structures import OptionalOf, PairOf, Record, TableOf
from app.model.audit_choice import CONFIDENCES, MOST, AuditChoice
from app.model.page_spec import PageSpec
from app.model.pages import histogram
from app.model.pages.histogram_options import LARGEST
from app.model.pages.registry import PAGES
from app.model.view_states import (
    AuditViewState,
    CompareViewState,
    HistogramViewState,
    ViewState,
)
from app.pages.audit import tabs as audit_tabs
from app.pages.compare import tabs as compare_tabs
from app.plots.compare.view import MODES, SPREADS
from engine.analysis.attack_sweep import SWEPT
from engine.analysis.histogram_maps import GRIDS
from engine.audit import FEWEST
from engine.histograms.attacks import ATTACKS, BASELINE
from engine.mechanisms import PLANTED
from engine.parameters import Parameter

TITLES: Mapping[str, Collection[str]] = {
    **{page.name: (*(spec.name for spec in page.pictures), audit_tabs.TAB) for page in PAGES.values()},
    "compare": compare_tabs.TITLES,
}
"""The pictures of each page and workspace."""

PLACE = Whole(upper=10_000_000)
SEED = Whole()
CHOICE = Record(
    AuditChoice,
    {
        "pair": Text(200),
        "bug": OneOf(("", *PLANTED)),
        "runs": Whole(FEWEST, MOST),
        "confidence": OneOf(CONFIDENCES),
        "seed": SEED,
        "record": OptionalOf(Whole()),
        "value": Text(1000),
    },
)
AUDIT = Record(
    AuditViewState, {"choice": CHOICE, "shows": OneOf(audit_tabs.SHOWS), "prior": Whole(1, 99), "done": FLAG}
)
HISTOGRAM = Record(
    HistogramViewState,
    {
        "level": OptionalOf(PLACE),
        "records": FLAG,
        "per_area": FLAG,
        "closely": OptionalOf(FLAG),
        "grid": OneOf(GRIDS),
        "c": Number(1, LARGEST),
        "sweep": OneOf(SWEPT),
        "near": FLAG,
        "price": OptionalOf(Number(0, open=True)),
        "attack": OptionalOf(PairOf(OneOf((BASELINE, *ATTACKS)), SEED)),
        "moved": TableOf(NUMBER, Whole(upper=10_000), places=True),
    },
)
COMPARE = Record(
    CompareViewState,
    {
        "mode": OneOf(MODES),
        "spread": OneOf(SPREADS),
        "place": OptionalOf(PLACE),
        "done": FLAG,
        "searched": FLAG,
    },
)


@dataclasses.dataclass(frozen=True)
class Options:
    """What is chosen about the pictures of a page, by the names of their declared options."""

    declared: Mapping[str, Parameter]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object."""
        return dict(value)

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        """Return all that are chosen, each checked by its declaration."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        for name, value in plain.items():
            if name not in self.declared:
                raise DocumentError(inside(where, name), "is not known to this version of Sensiscope")
            declared = self.declared[name]
            if value is not None or not declared.optional:
                ComponentSetting(declared).read(value, inside(where, name))
        return plain


@dataclasses.dataclass(frozen=True)
class DeclaredViewState:
    """How a page with declared pictures looks.

    In files of format 1 the options of all pages stood beside each other, whether a page had them
    or not.
    """

    page: PageSpec

    @property
    def _options(self) -> dict[str, Parameter]:
        return {declared.name: declared for spec in self.page.pictures for declared in spec.declared}

    @property
    def _record(self) -> Record:
        names = (*(spec.name for spec in self.page.pictures), audit_tabs.TAB)
        return Record(
            ViewState,
            {
                "tab": OneOf(("", *names)),
                "log": TableOf(FLAG, OneOf((*names, *audit_tabs.PICTURES))),
                "k": PLACE,
                "simulated": FLAG,
                "options": Options(self._options),
                "audit": AUDIT,
            },
        )

    def plain(self, value: ViewState) -> dict[str, Any]:
        """Return an object."""
        return self._record.plain(value)

    def read(self, plain: Any, where: str) -> ViewState:
        """Return the look, also of a file of format 1."""
        if isinstance(plain, dict) and "options" not in plain:
            groups = (
                part for part in (plain, plain.get("stage"), plain.get("ball")) if isinstance(part, dict)
            )
            stated = {name: value for part in groups for name, value in part.items()}
            options = {name: stated[name] for name in self._options.keys() & stated.keys()}
            known = self._record.fields.keys()
            plain = {name: value for name, value in plain.items() if name in known} | {"options": options}
        found: ViewState = self._record.read(plain, where)
        return found


def view_state_kind(place: str) -> ValueKind:
    """Return the kind of the look of a page or workspace."""
    declared = place in PAGES and place != histogram.HISTOGRAM.name
    return DeclaredViewState(PAGES[place]) if declared else _undeclared(place)


@functools.cache
def _undeclared(place: str) -> ValueKind:
    pictures = OneOf((*TITLES[place], *audit_tabs.PICTURES))
    return Record(
        ViewState,
        {
            "tab": OneOf(("", *TITLES[place])),
            "log": TableOf(FLAG, pictures),
            "target": Text(20),
            "k": PLACE,
            "seed": SEED,
            "simulated": FLAG,
            "across": PLACE,
            "up": PLACE,
            "histogram": HISTOGRAM,
            "audit": AUDIT,
            "compare": COMPARE,
        },
    )
