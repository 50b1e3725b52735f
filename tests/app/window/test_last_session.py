"""A window begins with what the last one ended with, or says in one line why not."""

import pytest
from last_sessions import EDGES, opened
from PySide6.QtCore import QSettings

from app.documents.last_session import last_session
from app.window.open_controller import KEY

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.parametrize("damage", [("12.5", '"much"'), ("{", "["), ("from", "\\u0000")])
@pytest.mark.slow
def test_a_last_session_that_makes_no_sense_is_passed_over_in_one_line(window_on, tmp_path, damage):
    edges = tmp_path / "edges.csv"
    edges.write_text(EDGES, "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("page", "spanning-tree")
    settings.setValue(KEY, last_session(opened(edges), "").replace(*damage))
    window = window_on(settings=settings)
    assert "karate" in window.windowTitle()
    (line,) = window.body.messages.texts()
    assert "cannot be brought back" in line
    window.close()
    assert not settings.value(KEY)


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
