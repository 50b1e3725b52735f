"""Records of made-up answers to questions of the sheet."""

from datetime import UTC, datetime
from typing import Any

from app.model.release_record import ReleaseRecord
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy


def record(
    value: Any, *, mechanism: str = "sums-in-parts", query: str = "mean", **facts: Any
) -> ReleaseRecord:
    """Return the record of a value; `facts` are its parameters."""
    error = facts.pop("error", None)
    looked = facts.pop("looked", False)
    release = Release(
        mechanism, query, value, Privacy(1.0), {}, facts, error, simulated=False, diagnostics=Private({})
    )
    when = datetime(2026, 1, 31, 12, tzinfo=UTC)
    return ReleaseRecord(release, "account", "staff.csv", "salary", "staff.csv", "$", when, looked, False)
