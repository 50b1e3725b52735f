"""A window begins with what the last one ended with, or says in one line why not."""

import pytest
from PySide6.QtCore import QSettings

from app.documents.last_session import last_session
from app.model.loading import read_file
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState
from app.window.open_controller import KEY
from engine.data import EdgeColumns
from engine.data.reading_options import DETECTED
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

EDGES = "from,to,cost\n" + "".join(f"{i},{(i + 1) % 8},{i % 3 + 1}\n" for i in range(8))


@pytest.mark.parametrize("damage", [("12.5", '"much"'), ("{", "["), ("from", "\\u0000")])
@pytest.mark.slow
def test_a_last_session_that_makes_no_sense_is_passed_over_in_one_line(window_on, tmp_path, damage):
    edges = tmp_path / "edges.csv"
    edges.write_text(EDGES, "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("page", "spanning-tree")
    settings.setValue(KEY, last_session(_opened(edges), "").replace(*damage))
    window = window_on(settings=settings)
    assert "karate" in window.windowTitle()
    (line,) = window.body.messages.texts()
    assert "cannot be brought back" in line
    window.close()
    assert not settings.value(KEY)


def _opened(edges):
    """Return a state with a list of edges."""
    dataset = read_file("spanning-tree", edges, DETECTED, silent).dataset
    fields = {"edge_columns": EdgeColumns("from", "to", "cost"), "missing": "refuse", "lower": 0.0}
    read = PAGE_KINDS["spanning-tree"].read(dataset, {**fields, "upper": 12.5}, silent)
    return SessionState().at("spanning-tree").replaced({**read, "dataset": dataset})


@pytest.mark.slow
def test_forms_that_were_folded_away_stay_so(window_on, tmp_path):
    """In a window that has room for them, and in one that has not, each for itself."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for begins, ends in ((True, False), (False, True), (True, True)):
        window = window_on(settings=settings)
        window.resize(1280, 800)
        assert window.wait_until_idle()
        assert window.body.column.isVisible() == begins
        window.body.show_controls(ends)
        assert window.body.column.isVisible() == ends
        window.resize(900, 800)
        assert window.wait_until_idle()
        assert not window.body.column.isVisible()
        window.close()
