"""A window with a ledger in a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.model.lazy_ledger import LazyLedger


@pytest.fixture
def ledger_file(tmp_path: Path) -> Path:
    """Return where a ledger is written."""
    return tmp_path / "ledger.sqlite"


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
