"""The tab "Audit" of every page: what it is called, and the pictures that show what an audit found."""

from __future__ import annotations

from app.model.picture_spec import TabTitle

TAB = "audit"
"""What the tab is called by those who open it by name."""

TITLE = TabTitle(
    "Audit",
    "Audit",
    "What a person could tell from many releases",
    "Two databases that differ in one record are released from again and again: the better somebody can tell "
    "them apart, the larger ε must be. An audit can refute a promise; it cannot prove one.",
)

PICTURES = {
    "audit outcomes": "app.plots.audit.outcomes:AuditOutcomes",
    "audit posterior": "app.plots.audit.posterior:AuditPosterior",
    "audit trade-off": "app.plots.audit.trade_off:AuditTradeOff",
    "audit low-bits": "app.plots.audit.low_bits:AuditLowBits",
}
"""References to the pictures, imported when something has been found."""

TITLES = {
    "audit outcomes": TabTitle(
        TITLE.long,
        TITLE.short,
        "What either database releases, and the event that tells them apart",
        TITLE.why,
    ),
    "audit posterior": TabTitle(
        TITLE.long,
        TITLE.short,
        "What somebody believes after the event, against what was believed before",
        "Whatever somebody knows already, privacy bounds how much a release may change it.",
    ),
    "audit trade-off": TabTitle(
        TITLE.long,
        TITLE.short,
        "False alarms against missed detections of the best test",
        "Whoever guesses from which database a release came errs: privacy bounds how seldom.",
    ),
    "audit low-bits": TabTitle(
        TITLE.long,
        TITLE.short,
        "Where real releases lie on the public grid, and which of them are impossible for the neighbour",
        "A release that one of two neighbours cannot give tells them apart with certainty, however large the "
        "noise is. Rounding to a public grid, decided without an error, leaves no such release.",
    ),
}

SHOWS = {
    "outcomes": ("Outcomes", "", TITLES["audit outcomes"].shows),
    "posterior": ("Odds", "", TITLES["audit posterior"].shows),
    "trade-off": ("Trade-off", "", TITLES["audit trade-off"].shows),
    "low-bits": ("Low bits", "", TITLES["audit low-bits"].shows),
}
"""Text, icon and tip of each choice of what is shown."""

LOW_BITS = "low-bits"
"""What is found by an attack of its own, on real releases."""
