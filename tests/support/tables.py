"""The table of the program in tests: opened, declared, and asked about by a page."""

from pathlib import Path
from typing import Any

from engine.questions.declarations import ColumnDeclaration


def open_table(window: Any, path: str | Path) -> Any:
    """Open a file as the table; return the page "Data"."""
    window.controllers.files.open_path(path)
    assert window.wait_until_idle()
    assert window.session.state.workspace == "data"
    return window.page


def declare(window: Any, name: str, **facts: Any) -> None:
    """Declare a column of the table."""
    declarations = window.session.state.declarations.with_column(ColumnDeclaration(name, **facts))
    window.session.edit("declare a column", declarations=declarations)


def ask_on(window: Any, page: str) -> None:
    """Open a page, and wait until it has read its columns of the table."""
    window.session.show_page(page)
    assert window.wait_until_idle()
