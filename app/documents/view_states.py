"""How pages and workspaces look, as a session file has it."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

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
from app.model.view_states import (
    AuditViewState,
    BallViewState,
    CompareViewState,
    HistogramViewState,
    PipelineViewState,
    ViewState,
)
from app.pages.audit import tabs as audit_tabs
from app.pages.clustering import pipeline_panel as stage_card
from app.pages.compare import tabs as compare_tabs
from app.pages.histogram import tabs as histogram_tabs
from app.pages.histogram.options_bar import LARGEST
from app.pages.histogram.plot_panel import GRIDS
from app.pages.one_cluster import plot_panel as ball_card
from app.pages.sensitivity import tabs as picture_tabs
from app.pages.sensitivity.path_targets import TARGETS
from app.plots.compare.view import MODES, SPREADS
from engine.analysis.attack_sweep import SWEPT
from engine.audit import FEWEST
from engine.histograms.attacks import ATTACKS, BASELINE
from engine.mechanisms import PLANTED

TITLES: Mapping[str, Collection[str]] = {
    "median": picture_tabs.TABS,
    "spanning-tree": picture_tabs.TABS,
    "clustering": stage_card.TITLES,
    "one-cluster": ball_card.TITLES,
    "histogram": histogram_tabs.TITLES,
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
STAGE = Record(PipelineViewState, {"zoom": OptionalOf(PLACE), "published": FLAG})
BALL = Record(
    BallViewState,
    {
        "ball": PLACE,
        "tried": OptionalOf(PLACE),
        "step": OneOf(("first", "last")),
        "near": OptionalOf(FLAG),
    },
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
TOWARDS = ("", *dict.fromkeys(target for targets in TARGETS.values() for target in targets))


@functools.cache
def view_state_kind(place: str) -> ValueKind:
    """Return the kind of the look of a page or workspace."""
    pictures = OneOf((*TITLES[place], *audit_tabs.PICTURES))
    return Record(
        ViewState,
        {
            "tab": OneOf(("", *TITLES[place])),
            "log": TableOf(FLAG, pictures),
            "target": OneOf(TOWARDS),
            "k": PLACE,
            "seed": SEED,
            "simulated": FLAG,
            "across": PLACE,
            "up": PLACE,
            "stage": STAGE,
            "ball": BALL,
            "histogram": HISTOGRAM,
            "audit": AUDIT,
            "compare": COMPARE,
        },
    )
