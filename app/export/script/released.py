"""What was released in the session, as a list of what is public."""

from __future__ import annotations

from typing import Any

from app.export.script.cell import ScriptCell
from app.export.script.expressions import written
from app.export.script.subject import Subject
from app.model.release_record import ReleaseRecord

MAX_NUMBERS = 200
"""Numbers of a release that a script can hold; larger ones are saved from the history."""


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the releases of the open data, if there are any."""
    # what a lesson has simulated is no release
    records = [record for record in subject.state.releases if not record.release.simulated]
    if not records:
        return []
    lines = [
        "# Made with noise from the operating system, which cannot be drawn again.",
        f"releases = {written([_facts(record) for record in records])}",
        "for release in releases:",
        "    print(release)",
    ]
    if any(_size(record.release.value) > MAX_NUMBERS for record in records):
        lines.insert(1, "# Values of many numbers are left out: save them from the history.")
    if any(record.elsewhere for record in records):
        lines.insert(1, "# What is from elsewhere stood in a session file: no ledger here knows of it.")
    return [ScriptCell.of("What was released", lines, "Releases are public, and were paid for.")]


def _facts(record: ReleaseRecord) -> dict[str, Any]:
    release = record.release
    small = _size(release.value) <= MAX_NUMBERS
    return {
        "query": release.query,
        "mechanism": release.mechanism,
        "of": record.subject,
        "when": record.when.isoformat(timespec="seconds"),
        "epsilon": release.privacy.epsilon,
        "delta": release.privacy.delta,
        "value": release.value if small else "too long for a script",
        **({} if release.step is None else {"step": release.step}),
        **({"inexact": record.flaw} if record.flaw else {}),
        **({"elsewhere": True} if record.elsewhere else {}),
    }


def _size(value: Any) -> int:
    """Return how many numbers and words a value holds."""
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1
