"""How pages and rooms look, as a session file has it."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

from app.documents.kinds import FLAG, NUMBER, Kind, Number, OneOf, Optional, Pair, Record, Table, Text, Whole
from app.model.view_states import AuditLook, BallLook, CompareLook, HistogramLook, Look, StageLook
from app.pages.audit import tabs as audit_tabs
from app.pages.audit.choice import CONFIDENCES, MOST, AuditChoice
from app.pages.clustering import pipeline_panel as stage_card
from app.pages.compare import tabs as compare_tabs
from app.pages.histogram import tabs as histogram_tabs
from app.pages.histogram.attacks import NAMES, SWEPT
from app.pages.histogram.options_bar import LARGEST
from app.pages.histogram.plot_panel import GRIDS
from app.pages.one_cluster import plot_panel as ball_card
from app.pages.sensitivity import tabs as picture_tabs
from app.pages.sensitivity.path_targets import TARGETS
from app.plots.compare.view import MODES, SPREADS
from engine.audit import FEWEST
from engine.mechanisms import PLANTED

TITLES: Mapping[str, Collection[str]] = {
    "median": picture_tabs.TABS,
    "spanning-tree": picture_tabs.TABS,
    "clustering": stage_card.TITLES,
    "one-cluster": ball_card.TITLES,
    "histogram": histogram_tabs.TITLES,
    "compare": compare_tabs.TITLES,
}
"""The pictures of each page and room."""

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
        "record": Optional(Whole()),
        "value": Text(1000),
    },
)
AUDIT = Record(
    AuditLook, {"choice": CHOICE, "shows": OneOf(audit_tabs.SHOWS), "prior": Whole(1, 99), "done": FLAG}
)
STAGE = Record(StageLook, {"zoom": Optional(PLACE), "published": FLAG})
BALL = Record(
    BallLook,
    {
        "ball": PLACE,
        "tried": Optional(PLACE),
        "step": OneOf(("first", "last")),
        "near": Optional(FLAG),
    },
)
HISTOGRAM = Record(
    HistogramLook,
    {
        "level": Optional(PLACE),
        "records": FLAG,
        "per_area": FLAG,
        "closely": Optional(FLAG),
        "grid": OneOf(GRIDS),
        "c": Number(1, LARGEST),
        "sweep": OneOf(SWEPT),
        "near": FLAG,
        "price": Optional(Number(0, open=True)),
        "attack": Optional(Pair(OneOf(NAMES), SEED)),
        "moved": Table(NUMBER, Whole(upper=10_000), places=True),
    },
)
COMPARE = Record(
    CompareLook,
    {
        "mode": OneOf(MODES),
        "spread": OneOf(SPREADS),
        "place": Optional(PLACE),
        "done": FLAG,
        "searched": FLAG,
    },
)
TOWARDS = ("", *dict.fromkeys(target for targets in TARGETS.values() for target in targets))


@functools.cache
def look_of(place: str) -> Kind:
    """Return the kind of the look of a page or room."""
    pictures = OneOf((*TITLES[place], *audit_tabs.PICTURES))
    return Record(
        Look,
        {
            "tab": OneOf(("", *TITLES[place])),
            "log": Table(FLAG, pictures),
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
