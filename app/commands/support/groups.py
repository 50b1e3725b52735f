"""What a release promises to several records together, where that is asked for."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.options import UsageError, whole
from app.model.wording.neighbours import WORDS
from app.model.wording.number_format import grouped, short
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


def add_group_option(group: argparse._ArgumentGroup) -> None:
    """Add the number of records that belong together."""
    group.add_argument(
        "--group",
        type=whole,
        metavar="G",
        help="also say what is promised to G records together, as of one family: G times epsilon, and "
        "with delta its sum over G steps; costs nothing",
    )


def check_group(size: int | None, privacy: Privacy) -> None:
    """Raise, before anything is released, what `for_group` would raise."""
    if size is None:
        return
    if privacy == NO_PROMISE:
        raise UsageError("--group: what is not differentially private protects no group; leave it out")
    privacy.for_group(size)


def group_json(size: int, release: Release) -> dict[str, Any]:
    """Return the promise to a group; without numbers where there is none."""
    promise = release.privacy.for_group(size)
    if promise == NO_PROMISE:
        return {"size": size, "epsilon": None, "delta": None, "private": False}
    return {"size": size, "epsilon": promise.epsilon, "delta": promise.delta}


def group_words(size: int, release: Release) -> str:
    """Say what is promised to a group."""
    promise = release.privacy.for_group(size)
    words = WORDS[release.neighbours]
    who = f"{grouped(size)} {words.record if size == 1 else words.records} together"
    if promise == NO_PROMISE:
        return f"nothing is promised to {who}: delta would reach 1"
    return f"epsilon = {short(promise.epsilon)}, delta = {short(promise.delta, 4)} for {who}"
