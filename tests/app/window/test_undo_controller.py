"""Undoing past data that were opened: earlier data stay in memory until they are too large."""

import numpy as np
import pytest

from app import session as sessions
from app.model.kept_data import read_dataset
from app.widgets.style import THEME
from engine.data.reading_options import DETECTED
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

KNOWN = {"missing": "refuse", "lower": 0.0, "upper": 100.0, "resolution": None, "bounds_source": "known"}


def write(folder, name, seed):
    values = np.random.default_rng(seed).uniform(0, 100, (60, 2))
    lines = "\n".join(f"{x:.3f},{y:.3f}" for x, y in values)
    (folder / name).write_text(f"x,y\n{lines}\n")
    return folder / name


def open_column(window, path, column="x"):
    window.controllers.data.open_fields(read_dataset(path, DETECTED, silent), {**KNOWN, "column": column})
    assert window.wait_until_idle()


def step(window, name):
    window.actions_by_name[name].trigger()
    assert window.wait_until_idle()
    return window.session.state


@pytest.fixture
def two_files(window, tmp_path):
    """Return a window; a first file was opened and changed by hand, then a second was opened."""
    paths = write(tmp_path, "first.csv", 1), write(tmp_path, "second.csv", 2)
    open_column(window, paths[0])
    window.session.move_point(3, 5.0)
    assert window.wait_until_idle()
    open_column(window, paths[1])
    for path in paths:
        path.unlink()  # no step needs the files
    return window


def test_undo_and_redo_go_past_an_opened_file(two_files):
    state = step(two_files, "undo")
    assert (state.dataset.title, state.data.modified_values) == ("first.csv", {3: 5.0})
    assert len(state.data.numbers.values) == 60
    dataset = state.dataset
    assert step(two_files, "undo").data.modified_values == {}
    assert step(two_files, "redo").dataset is dataset
    assert step(two_files, "redo").dataset.title == "second.csv"


def test_a_saved_session_is_saved_again_after_undo_and_redo(two_files, tmp_path):
    files = two_files.controllers.session_files
    files.write(tmp_path / "kept.sensiscope")
    assert two_files.wait_until_idle()
    assert not files.modified
    step(two_files, "undo")
    assert files.modified
    step(two_files, "redo")
    assert not files.modified


@pytest.mark.parametrize("most", [0, 1500])
def test_steps_whose_data_are_too_large_are_forgotten(window, tmp_path, monkeypatch, most):
    open_column(window, write(tmp_path, "first.csv", 1))
    open_column(window, write(tmp_path, "second.csv", 2))
    size = window.session.state.dataset.bytes_in_memory
    assert size >= 60 * 2 * 8
    monkeypatch.setattr(sessions, "MAX_BYTES", most)
    open_column(window, write(tmp_path, "third.csv", 3))
    assert window.session.undo_stack.count() == 1
    assert step(window, "undo").dataset.title == "second.csv"
    assert not window.session.undo_stack.canUndo()


def test_nothing_is_chosen_without_steps(window):
    window.actions_by_name["undo_history"].trigger()
    steps = window.controllers.undo.dialog.steps
    assert not steps.selectedItems()
    assert steps.item(0).foreground().color().name() == THEME.palette.muted.lower()  # it is no step


def test_the_list_of_steps_goes_back_and_forward(shared):
    session = shared.session
    session.edit("change epsilon", epsilon=0.5)
    session.move_point(3, 5.0)
    session.choose("laplace")
    assert shared.wait_until_idle()
    shared.actions_by_name["undo_history"].trigger()
    steps = shared.controllers.undo.dialog.steps
    words = [steps.item(row).text() for row in range(steps.count())]
    assert words[1:3] == ["Move a data point: record 4 to 5", "Change epsilon: 1 → 0.5"]
    assert "Smooth sensitivity → " in words[0]
    assert words[-1] == "Start"
    steps.itemClicked.emit(steps.item(2))
    assert (session.state.epsilon, dict(session.state.data.modified_values)) == (0.5, {})
    assert steps.currentRow() == 2
    steps.itemClicked.emit(steps.item(0))
    assert session.state.mechanism.name == "laplace"
    steps.itemClicked.emit(steps.item(3))
    assert session.state.epsilon == 1.0
    shared.controllers.undo.dialog.close()
