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
    from engine.primitives.accounting import Concentrated
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


def group_json(size: int, release: Release, concentrated: Concentrated) -> dict[str, Any]:
    """Return the promise to a group; without numbers where there is none."""
    promise = release.privacy.for_group(size)
    more = {} if concentrated.delta else {"rho": concentrated.for_group(size).rho}
    if promise == NO_PROMISE:
        return {"size": size, "epsilon": None, "delta": None, **more, "private": bool(more)}
    return {"size": size, "epsilon": promise.epsilon, "delta": promise.delta, **more}


def group_words(size: int, release: Release, concentrated: Concentrated) -> str:
    """Say what is promised to a group, and by concentrated privacy where that keeps a delta from growing."""
    promise = release.privacy.for_group(size)
    wording = WORDS[release.neighbours]
    who = f"{grouped(size)} {wording.record if size == 1 else wording.records} together"
    more, delta = "", release.privacy.delta
    if delta and not concentrated.delta:
        other = concentrated.for_group(size).privacy(delta)
        more = f"; epsilon = {short(other.epsilon, 4)}, delta = {short(delta)} by concentrated privacy"
    if promise == NO_PROMISE:
        lost = "(epsilon, delta) alone promise nothing, for delta would reach 1"
        return f"{lost}{more}, for {who}" if more else f"nothing is promised to {who}: delta would reach 1"
    return f"epsilon = {short(promise.epsilon)}, delta = {short(promise.delta, 4)} for {who}{more}"
