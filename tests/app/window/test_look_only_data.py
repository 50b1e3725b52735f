"""Data that may only be looked at: the Curator view goes on, Run is closed, and a line says why."""

import numpy as np
import pyarrow as pa
import pytest
from loading import load
from seen import all_words

from app.model.dataset import Dataset
from app.model.selection import problems
from engine.data import Table

pytestmark = pytest.mark.usefixtures("undrawn")

WHY = "these rows may only be looked at"
VALUES = np.linspace(3.0, 97.0, 983)


@pytest.fixture
def looked(shared):
    """Open a column of which no release may be made."""
    table = Table("data.csv", pa.table({"x": VALUES}), release_problem=WHY)
    load(shared.session, Dataset(table, "file:data.csv"), "x", 0.0, 100.0)
    assert shared.wait_until_idle()
    return shared


def test_run_is_closed_and_the_line_beside_it_says_why(looked):
    release = looked.body.column.release
    assert not release.run.isEnabled()
    assert release.elsewhere.text() == f"{WHY[:1].upper()}{WHY[1:]}"
    looked.controllers.run.start()
    assert looked.wait_until_idle()
    assert not looked.session.state.releases


def test_the_reason_is_seen_whole_beside_run(looked):
    looked.resize(1280, 800)
    line = looked.body.column.release.elsewhere
    line.setText(20 * f"{WHY} ")
    assert looked.wait_until_idle()
    assert line.visibleRegion().boundingRect() == line.rect()
    assert line.height() >= line.heightForWidth(line.width())
    line.setText(WHY)


def test_the_curator_sees_pictures_and_n_as_confidential(looked):
    page = looked.body.pages["median"]
    assert page.canvas.picture.result is not None
    data = looked.body.column.data
    assert "n = 983" in data.facts.text()
    assert data.badge.isVisibleTo(looked)


def test_the_release_view_does_not_tell_n(looked):
    looked.session.show_view("release")
    assert looked.wait_until_idle()
    assert looked.body.column.release.elsewhere.text() == f"{WHY[:1].upper()}{WHY[1:]}"
    assert "983" not in all_words(looked)


def test_other_data_can_be_released_again(looked):
    load(looked.session, Dataset(Table("b.csv", pa.table({"x": VALUES})), "file:b.csv"), "x", 0.0, 100.0)
    assert looked.wait_until_idle()
    assert looked.body.column.release.run.isEnabled()
    assert not problems(looked.session.state)
