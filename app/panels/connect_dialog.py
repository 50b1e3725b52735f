"""Asking before an address in a file is followed."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.widgets.asking import ChoiceDialog
from engine.errors import UnconfirmedAddress

TITLE = "Connect to a database?"
CONNECTS = "This file holds the address of a database and no records:"
TRUST = (
    "If you connect, a driver runs on this computer, which may do anything, and the server learns of you. "
    "Connect only if you know this address. Nothing has been read from it yet."
)
CONNECT = ("&Connect", "Run the driver and connect to this address")


def sentences(error: UnconfirmedAddress) -> tuple[str, ...]:
    """Return the sentences that show an address before it is followed."""
    return CONNECTS, error.address, TRUST


class ConnectDialog(ChoiceDialog):
    """Shows an address, and asks whether to connect; Return cancels."""

    def __init__(self, error: UnconfirmedAddress, parent: QWidget) -> None:
        super().__init__(TITLE, error.path.name, sentences(error), {"connect": CONNECT}, parent)
