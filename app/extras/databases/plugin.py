"""What is registered: the question before an address is followed."""

from __future__ import annotations

from app.model.additions import add_load_question
from engine.errors import UnconfirmedAddress


def register() -> None:
    """Register the question."""
    add_load_question(UnconfirmedAddress, "app.extras.databases.question:question")
