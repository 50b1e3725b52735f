"""The history: long answers are cut short, and what kind of release it was stays in sight."""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.model.budget import Budget
from app.model.dataset import Dataset
from app.model.release_record import ReleaseRecord
from app.panels.history_panel import ERROR, HEADER, NOTE, ROW, HistoryPanel
from app.widgets.style import palette_of, style_sheet
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy


def ball(d):
    """Return a release of a ball in d dimensions, of which bounds were looked at."""
    release = Release(
        mechanism="one-cluster",
        query="one-cluster",
        value={"center": [0.125] * d, "radius": 0.151},
        privacy=Privacy(1.0, 1e-6),
        noise={},
        parameters={"finder": "c"},
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    names = tuple(f"x{i}" for i in range(d))
    return ReleaseRecord(
        release,
        "wide",
        "wide.csv",
        f"{d} columns",
        "",
        "",
        datetime(2026, 1, 1, tzinfo=UTC),
        True,
        False,
        names,
    )


def titled(name):
    return dataclasses.replace(Dataset.of_example("salaries"), path=Path(name))


@pytest.fixture
def panel(session, qtbot):
    """Show some balls in 30 dimensions, and one in 3, the newest."""
    panel = HistoryPanel(session)
    qtbot.addWidget(panel)
    panel.setStyleSheet(style_sheet(palette_of("light")))
    panel.show()
    session.open_dataset(titled("wide.csv"), "open")
    for d in (30, 30, 30, 30, 30, 3):
        session.add_release(ball(d), session.state.dataset.digest)
    return panel


def stored(*records):
    return Budget("wide.csv", records=records)


def test_the_list_has_the_releases_of_the_open_data_alone(panel, session):
    assert panel.model.rowCount() == 6
    session.open_dataset(Dataset.of_example("engel"), "open")
    assert panel.model.rowCount() == 0
    other = dataclasses.replace(ball(2), dataset="other")
    session.add_release(other, session.state.dataset.digest)
    assert panel.model.records == [other]
    session.open_dataset(titled("wide.csv"), "open")
    assert panel.model.rowCount() == 6


def test_releases_of_the_ledger_are_listed_once_with_their_dates(panel, session):
    before = dataclasses.replace(ball(4), when=datetime(2025, 12, 24, 18, 30, tzinfo=UTC))
    panel.show_budget(stored(before, *session.state.releases))
    assert panel.model.rowCount() == 7
    assert panel.model.records[-1] is before
    assert panel.model.index(6, 0).data().startswith("2025-12-24 ")
    panel.show_budget(None)
    assert panel.model.rowCount() == 6


def test_only_unusual_releases_have_a_note(panel, session):
    assert not panel.table.isColumnHidden(NOTE)
    assert panel.model.index(0, NOTE).data() == "bounds taken from the data"
    session.open_dataset(Dataset.of_example("engel"), "open")
    plain = dataclasses.replace(ball(2), dataset="other", looked=False)
    session.add_release(plain, session.state.dataset.digest)
    assert panel.table.isColumnHidden(NOTE)


@pytest.mark.slow
def test_errors_have_a_column_while_some_are_public(panel, session):
    assert panel.table.isColumnHidden(ERROR)
    known = ball(3)
    known = dataclasses.replace(known, release=dataclasses.replace(known.release, error=0.25))
    session.add_release(known)
    assert panel.table.isColumnHidden(
        ERROR
    )  # bounds were looked at: an error that follows from them is not public
    session.add_release(dataclasses.replace(known, looked=False))
    assert not panel.table.isColumnHidden(ERROR)
    assert [panel.model.index(row, ERROR).data() for row in (0, 1)] == ["±\N{NO-BREAK SPACE}0.25", ""]


def test_a_long_center_is_counted_and_told_in_full_by_the_tip(panel):
    table = panel.table
    cell = table.model().index(1, 2)
    assert cell.data() == "30 coordinates, radius 0.151"
    tip = cell.data(Qt.ItemDataRole.ToolTipRole)
    assert "x29 0.125" in tip
    assert "radius 0.151" in tip
    assert max(map(len, tip.splitlines())) <= 100
    assert table.model().index(0, 2).data() == "(0.125, 0.125, 0.125), radius 0.151"


@pytest.mark.parametrize("width", [750, 800, 1400])
def test_the_kind_of_a_release_is_seen_and_rows_are_whole(panel, width):
    table = panel.table
    panel.resize(width, panel.sizeHint().height())
    right = table.columnViewportPosition(5) + table.columnWidth(5)
    assert table.columnWidth(5) >= table.sizeHintForColumn(5)
    assert right + 80 <= table.viewport().width()  # and so is some of the mechanism
    assert (table.columnWidth(2) >= table.sizeHintForColumn(2)) == (width == 1400)
    assert table.viewport().height() == ROW


def test_a_short_value_is_seen_whole_beside_a_long_question(session, qtbot):
    panel = HistoryPanel(session)
    qtbot.addWidget(panel)
    panel.show()
    panel.resize(750, panel.sizeHint().height())
    session.open_dataset(titled("wide.csv"), "open")
    long = dataclasses.replace(ball(1), subject="a column " * 20, looked=False)
    session.add_release(long, session.state.dataset.digest)
    table, released = panel.table, HEADER.index("Released")
    assert 100 < table.sizeHintForColumn(released) <= table.columnWidth(released)


def test_fewer_rows_are_seen_in_less_room_and_all_where_there_is_none(panel):
    seen = []
    whole = panel.minimumSizeHint().height()
    for room in (None, whole, whole - 1, whole - ROW, 45, 10):
        if room is not None:
            panel.fit_into(room)
            assert panel.minimumSizeHint().height() <= room or room == 10
        header = panel.table.horizontalHeader().sizeHint().height()
        rows = (panel.table.parentWidget().minimumHeight() - header) // ROW
        seen.append(rows if panel.table.isVisible() else 0)
    assert seen == [1, 1, 0, 0, 0, 1]
    assert panel.budget_button.isVisible()
