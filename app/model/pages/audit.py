"""The declaration of the tab "Audit" of every page, and of its pictures."""

from __future__ import annotations

import engine
from app.model import lazy
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec, TabTitle
from app.model.references import Analysis, ClassLoader

TITLE = TabTitle(
    "Audit",
    "An attacker's view of many releases",
    "The better an attacker tells two neighboring databases apart, the larger ε must be. An audit can "
    "refute a guarantee, never prove it.",
)
LOW_BITS = "low-bits"
"""Picture of a separate attack, on real releases."""
GUESS = "guess-who"
"""Picture of the game: the first picture of every audit."""


LOW_BITS_ATTACK = Analysis(lambda: engine.attack_low_bits)
NEIGHBOURS = Analysis(lambda: engine.audit_neighbours)


def _picture(name: str, text: str, shows: str, why: str, drawn_by: ClassLoader) -> PictureSpec:
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
    )


AUDIT = PageSpec(
    "audit",
    TITLE.name,
    "Audits",
    pictures=(
        _picture(
            GUESS,
            "Guess who",
            "Answers of two databases, bets on them, and how many are right",
            "Bet which database gave each answer. "
            "The hit rate of every player stays below (e^ε + δ)/(1 + e^ε).",
            lambda: lazy.AuditGuessWho,
        ),
        _picture(
            "outcomes",
            "Outcomes",
            "The releases of both databases, and the event that tells them apart",
            TITLE.why,
            lambda: lazy.AuditOutcomes,
        ),
        _picture(
            "posterior",
            "Odds",
            "An attacker's belief after the event, against the belief before",
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
            "Where real releases lie on the public grid, and which of them are impossible for the neighbor",
            "A release that one of two neighbors cannot give tells them apart with certainty, however large "
            "the noise is. Rounding to a public grid, decided without an error, leaves no such release.",
            lambda: lazy.AuditLowBits,
        ),
    ),
)
TAB = AUDIT.name
"""Name of the tab in session files and on the command line."""

SHOWS = {spec.name.removeprefix("audit "): (spec.title.name, "", spec.title.shows) for spec in AUDIT.pictures}
"""Label, icon and tooltip for each picture of the tab."""
