"""Windows that are borrowed, because what they do leaves no trace in them; one with a ledger in a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.model.ledger import LazyLedger


@pytest.fixture
def window(shared: Any) -> Any:
    """Lend a window on 101 values; `window_on` makes a new one."""
    return shared


@pytest.fixture
def graph_window(shared_graph: Any) -> Any:
    """Lend a window on two triangles; `graph_on` makes a new one."""
    return shared_graph


@pytest.fixture
def points_window(shared_points: Any) -> Any:
    """Lend a window on points; `points_on` makes a new one."""
    return shared_points


@pytest.fixture
def ledger_file(personal_folders: Path) -> Path:
    """Return where a ledger is written."""
    return personal_folders / "ledger.sqlite"


@pytest.fixture
def spending(shared: Any, ledger_file: Path) -> Iterator[Any]:
    """Lend a window whose releases are written into a file."""
    shared.session.ledger = LazyLedger(ledger_file)
    shared.controllers.budget_watcher.refresh()
    assert shared.wait_until_idle()
    yield shared
    for dialog in (
        shared.controllers.budget.question,
        shared.controllers.budget.dialog,
        shared.controllers.confirmation.dialog,
    ):
        if dialog is not None:
            dialog.close()
    shared.session.edit("epsilon", epsilon=1.0)
