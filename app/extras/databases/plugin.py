"""Registers the question before the program connects to an address."""

from __future__ import annotations

from app.model.additions import LoadQuestion, add_load_question
from engine.errors import UnconfirmedAddress


def register() -> None:
    add_load_question(UnconfirmedAddress, "app.extras.databases.plugin:question")


CONNECTS = "This file contains the address of a database instead of records:"
TRUST = (
    "If you connect, a driver runs on this computer and may do anything, and the server sees your computer. "
    "Connect only if you know this address. The program has not contacted it yet."
)


def question(error: UnconfirmedAddress) -> LoadQuestion:
    return LoadQuestion(
        error.path,
        "Connect to a database?",
        (CONNECTS, error.address, TRUST),
        accept=("&Connect", "Run the driver and connect to this address"),
        declined=f"Not connected to the database in {error.path.name}; nothing was opened",
        connect=error.fingerprint,
    )
