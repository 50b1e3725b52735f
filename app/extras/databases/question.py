"""Asking before an address in a file is followed."""

from __future__ import annotations

from app.model.additions import LoadQuestion
from engine.errors import UnconfirmedAddress

CONNECTS = "This file holds the address of a database and no records:"
TRUST = (
    "If you connect, a driver runs on this computer, which may do anything, and the server learns of you. "
    "Connect only if you know this address. Nothing has been read from it yet."
)


def question(error: UnconfirmedAddress) -> LoadQuestion:
    """Return what shows an address before it is followed."""
    return LoadQuestion(
        error.path,
        "Connect to a database?",
        (CONNECTS, error.address, TRUST),
        accept=("&Connect", "Run the driver and connect to this address"),
        declined=f"Nothing was opened: {error.path.name} is not connected to",
        connect=error.fingerprint,
    )
