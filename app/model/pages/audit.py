"""The tab "Audit" of every page, declared: what it is called, and the pictures of what an audit found."""

from __future__ import annotations

import engine
from app.model import lazy
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec, TabTitle
from app.model.references import USUAL, ClassLoader, Late, known

TITLE = TabTitle(
    "Audit",
    "What an attacker could tell from many releases",
    "Many releases are simulated of two databases that differ in one record: the better an attacker can tell "
    "them apart, the larger ε must be. An audit can refute a guarantee, never prove it.",
)
LOW_BITS = "low-bits"
"""What is found by an attack of its own, on real releases."""


LOW_BITS_ATTACK = Late(lambda: engine.attack_low_bits).takes(
    **USUAL,
    pair=known("pair"),
    bug=known("bug"),
    record=known("record"),
    value=known("value"),
    runs=known("runs"),
)
NEIGHBOURS = Late(lambda: engine.audit_neighbours).takes(
    **USUAL,
    pair=known("pair"),
    bug=known("bug"),
    record=known("record"),
    value=known("value"),
    runs=known("runs"),
    confidence=known("confidence"),
    seed=known("seed"),
)


def _picture(
    name: str, text: str, shows: str, why: str, drawn_by: ClassLoader, layers: tuple[str, ...] = ()
) -> PictureSpec:
    low_bits = name == LOW_BITS
    return PictureSpec(
        f"audit {name}",
        TabTitle(text, shows, why),
        drawn_by,
        LOW_BITS_ATTACK if low_bits else NEIGHBOURS,
        is_public=True,
        arguments=lambda: lazy.audit_arguments,
        view=(lambda: lazy.LowBitsView.of) if low_bits else (lambda: lazy.AuditView.of),
        runs=True,
        layers=layers,
    )


AUDIT = PageSpec(
    "audit",
    TITLE.name,
    "Audits",
    None,
    (
        _picture(
            "outcomes",
            "Outcomes",
            "What either database releases, and the event that tells them apart",
            TITLE.why,
            lambda: lazy.AuditOutcomes,
            layers=("outcomes", "event"),
        ),
        _picture(
            "posterior",
            "Odds",
            "What an attacker believes after the event, against what was believed before",
            "Whatever an attacker knows already, DP bounds how much a release may change it.",
            lambda: lazy.AuditPosterior,
        ),
        _picture(
            "trade-off",
            "Trade-off",
            "False alarms against missed detections of the best test",
            "Guessing from which database a release came goes wrong: DP bounds how seldom.",
            lambda: lazy.AuditTradeOff,
        ),
        _picture(
            LOW_BITS,
            "Low bits",
            "Where real releases lie on the public grid, and which of them are impossible for the neighbour",
            "A release that one of two neighbours cannot give tells them apart with certainty, however large "
            "the noise is. Rounding to a public grid, decided without an error, leaves no such release.",
            lambda: lazy.AuditLowBits,
        ),
    ),
)
TAB = AUDIT.name
"""What the tab is called by those who open it by name."""

SHOWS = {spec.name.removeprefix("audit "): (spec.title.name, "", spec.title.shows) for spec in AUDIT.pictures}
"""Text, icon and tip of each choice of what is shown."""
