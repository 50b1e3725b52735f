"""One window in which all lessons of a module are played, and a tiny lesson."""

import numpy as np
import pytest
from tiny_lesson import HEAD, SCENES, STEP

from app.lessons.reading import read_lesson
from engine.data.table import Numbers

WAIT_MILLISECONDS = 60_000  # milliseconds; on a busy machine


@pytest.fixture(scope="module")
def stage(qapp, one_process):
    """Return a shown, idle window on the bundled data that a first start shows."""
    from app.session import Session
    from app.window.main_window import MainWindow

    with pytest.MonkeyPatch.context() as patch:
        # processes end as soon as the room about comparisons is left, and not some time later
        patch.setattr("app.pages.compare.runner.AWAY_MS", 0)
        window = MainWindow(Session())
        window.resize(1280, 800)
        window.show()
        assert window.wait_until_idle(WAIT_MILLISECONDS)
        yield window  # its page is made when it is first opened
        window.close()
        window.deleteLater()


@pytest.fixture
def lesson(tmp_path):
    """Return a lesson of three steps on two pages."""
    path = tmp_path / "tiny.toml"
    steps = (STEP.format(title=title, page=page, scene=scene) for title, page, scene in SCENES)
    path.write_text(HEAD + "".join(steps), "utf-8")
    return read_lesson(path)


@pytest.fixture
def working(stage, dataset):
    """Return the window with work of one's own."""
    stage.session.show_page("median")
    values = np.arange(101.0)
    own = {"column": "x", "numbers": Numbers(values), "lower": 0.0, "upper": 100.0, "missing": "refuse"}
    stage.session.open_dataset(dataset(x=values), "open", **own)
    stage.session.edit("begin", epsilon=1.0)
    stage.session.undo_stack.clear()
    stage.session.edit("change epsilon", epsilon=0.25)
    stage.page.show_tab("epsilon")
    stage.page.card.choose_options(target="halves")
    stage.body.messages.clear()
    assert stage.wait_until_idle()
    return stage


@pytest.fixture
def playing(working, lesson):
    """Return the window in the first step of the lesson."""
    working.controllers.lessons.player.start(lesson)
    assert working.wait_until_idle()
    return working
