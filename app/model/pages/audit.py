"""The tab "Audit" of every page, declared: what it is called, and the pictures of what an audit found."""

from __future__ import annotations

from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec, TabTitle

TITLE = TabTitle(
    "Audit",
    "What an attacker could tell from many releases",
    "Many releases are simulated of two databases that differ in one record: the better an attacker can tell "
    "them apart, the larger ε must be. An audit can refute a guarantee, never prove it.",
)
LOW_BITS = "low-bits"
"""What is found by an attack of its own, on real releases."""


def _picture(name: str, text: str, shows: str, why: str, drawn_by: str) -> PictureSpec:
    low_bits = name == LOW_BITS
    analysis = "engine:attack_low_bits" if low_bits else "engine:audit_neighbours"
    return PictureSpec(
        f"audit {name}",
        TabTitle(text, shows, why),
        drawn_by,
        analysis,
        public_analysis=analysis,
        arguments="app.pages.audit.analysis:audit_arguments",
        view="app.plots.audit.low_bits:LowBitsView.of" if low_bits else "app.plots.audit.view:AuditView.of",
        runs=True,
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
            "app.plots.audit.outcomes:AuditOutcomes",
        ),
        _picture(
            "posterior",
            "Odds",
            "What an attacker believes after the event, against what was believed before",
            "Whatever an attacker knows already, DP bounds how much a release may change it.",
            "app.plots.audit.squares:AuditPosterior",
        ),
        _picture(
            "trade-off",
            "Trade-off",
            "False alarms against missed detections of the best test",
            "Guessing from which database a release came goes wrong: DP bounds how seldom.",
            "app.plots.audit.squares:AuditTradeOff",
        ),
        _picture(
            LOW_BITS,
            "Low bits",
            "Where real releases lie on the public grid, and which of them are impossible for the neighbour",
            "A release that one of two neighbours cannot give tells them apart with certainty, however large "
            "the noise is. Rounding to a public grid, decided without an error, leaves no such release.",
            "app.plots.audit.low_bits:AuditLowBits",
        ),
    ),
)
TAB = AUDIT.name
"""What the tab is called by those who open it by name."""

SHOWS = {spec.name.removeprefix("audit "): (spec.title.name, "", spec.title.shows) for spec in AUDIT.pictures}
"""Text, icon and tip of each choice of what is shown."""
