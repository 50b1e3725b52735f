"""Parts of sessions, without windows: desks on bundled examples, and releases."""

import dataclasses
from datetime import UTC, datetime
from typing import Any

from app.model.dataset import Dataset
from app.model.pages.registry import PAGE_KINDS
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from engine.data import EXAMPLES
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy
from engine.progress import silent


def desk(page: str, example: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return the fields of a page on a bundled example."""
    name = example or PAGE_KINDS[page].example
    dataset = Dataset.of_example(name)
    fields = PAGE_KINDS[page].read(dataset, PAGE_KINDS[page].from_example(EXAMPLES[name]), silent)
    return SessionState().at(page).replaced({**fields, "dataset": dataset, **changes}).page_fields()


def record(account: str, **changes: Any) -> ReleaseRecord:
    """Return a release of a median."""
    release = Release(
        mechanism="smooth",
        query="median",
        value=48211.71828,
        privacy=Privacy(1.0, 1e-6),
        noise={"family": "lcp", "alpha": 0.25, "beta": 0.03125},
        parameters={"lower": 0.0, "upper": 200000.0, "n": 1000},
        error=123.456,
        simulated=False,
        exact=True,
        diagnostics=Private({"true_value": 314159.26535}),
    )
    return ReleaseRecord(
        release=dataclasses.replace(release, **changes),
        dataset=account,
        title="salaries.csv",
        subject="salary",
        location="column salary",
        unit="EUR",
        when=datetime(2026, 1, 31, 12, 0, tzinfo=UTC),
        looked=False,
        edited=True,
        coordinates=(),
    )
