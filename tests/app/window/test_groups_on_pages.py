"""Pictures of one group whose members are public: for looking, not for releases."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts import python
from tables import ask_on, declare, open_table

from app.model.data_table import DataTable
from app.model.selection import problems, selection
from engine.errors import DataError
from engine.randomness import SecureGenerator

pytestmark = pytest.mark.usefixtures("undrawn")

SALARIES = {"Sales": [30, 40, 50], "IT": [60, 70, 80, 90]}
ROWS = [("IT", 60), ("Sales", 30), ("IT", 70), ("Sales", 40), ("Sales", 50), ("IT", 80), ("IT", 90)]


@pytest.fixture
def page(window: Any, tmp_path: Path) -> Any:
    """Open a table of two teams whose members are public; return the window."""
    path = tmp_path / "staff.csv"
    path.write_text("team,salary\n" + "\n".join(f"{team},{pay}" for team, pay in ROWS), "utf-8")
    data = open_table(window, path)
    declare(window, "salary", lower=0, upper=100)
    declare(window, "team", categories=("Sales", "IT"), other=False)
    data.rows["team"].members.click()
    ask_on(window, "median")
    return window


def group(window: Any, name: str) -> None:
    box = window.body.column.data.form.box("group")
    box.setCurrentIndex(box.findText(name))
    box.activated.emit(box.currentIndex())
    assert window.wait_until_idle()


def test_one_group_is_shown_with_its_rows(page: Any) -> None:
    form = page.body.column.data.form
    assert form.row("group").isVisible()
    assert [form.box("group").itemText(at) for at in range(3)] == ["all", "Sales", "IT"]
    group(page, "Sales")
    state = page.session.state
    database = selection(state).source.build()
    assert np.sort(database.values).tolist() == SALARIES["Sales"]
    table = DataTable.of(state)
    assert table is not None
    assert [table.row(record) for record in range(3)] == [1, 3, 4]
    assert table.record(0) is None
    assert table.record(3) == 1
    assert selection(state).source.rows.tolist() == [3, 5, 6]  # the header is row 1
    assert state.subject == "salary, Sales"
    code = python(state)
    assert 'numbers_of_group(table, "salary"' in code
    names: dict[str, Any] = {}
    exec(code, names)
    assert np.sort(names["data"].values).tolist() == SALARIES["Sales"]


def test_one_group_cannot_be_released(page: Any) -> None:
    group(page, "IT")
    state = page.session.state
    assert [one.field for one in problems(state)] == ["data"]
    assert not page.body.column.ready
    made = selection(state)
    with pytest.raises(DataError, match="all groups together"):
        made.mechanism.run(made.source.build(), made.privacy, SecureGenerator())
    page.controllers.sheet_links.ask_this()
    assert page.session.state.questions[-1].question.as_text() == "median of salary by team"
    ask_on(page, "median")
    group(page, "all")
    assert page.body.column.ready


def test_members_that_are_public_no_longer_are_shown_no_longer(page: Any) -> None:
    group(page, "IT")
    page.session.show_page("data")
    page.page.rows["team"].members.click()
    assert page.session.state.size_problem is not None
    ask_on(page, "median")
    assert page.session.state.data.group is None
    assert page.session.state.data.n == len(ROWS)
    assert not page.body.column.data.form.row("group").isVisible()


def test_undo_shows_the_group_before(page: Any) -> None:
    group(page, "IT")
    group(page, "Sales")
    page.session.stacks.undo()
    assert page.wait_until_idle()
    assert page.session.state.data.group.name == "IT"
    assert page.session.state.data.n == len(SALARIES["IT"])


def test_a_session_file_keeps_the_group(page: Any, tmp_path: Path) -> None:
    group(page, "Sales")
    path = tmp_path / "staff.sensiscope"
    page.controllers.session_files.write(path)
    assert page.wait_until_idle()
    group(page, "all")
    page.controllers.session_files.open(path)
    assert page.wait_until_idle()
    page.controllers.session_files.dialog.answers["discard"].click()
    assert page.wait_until_idle()
    assert page.session.state.data.group.name == "Sales"
    assert page.session.state.data.n == len(SALARIES["Sales"])
    assert page.body.column.data.form.box("group").currentText() == "Sales"
