"""Registers the question before the program connects to an address."""

from __future__ import annotations

from app.model.additions import add_load_question
from engine.errors import UnconfirmedAddress


def register() -> None:
    add_load_question(UnconfirmedAddress, "app.extras.databases.question:question")
