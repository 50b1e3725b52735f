"""Undoing past data that were opened: they are read again, and nothing else has kept them."""

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from app.model.kept_data import read_dataset
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


def weak(state):
    """Return weak references to all that was read."""
    return [
        weakref.ref(each)
        for each in (state.dataset, state.dataset.table, state.data.numbers, state.data.numbers.values)
    ]


def alive(references):
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return [reference() for reference in references if reference() is not None]


@pytest.fixture
def two_files(window, tmp_path):
    """Return the paths of two files; the first was opened and changed by hand, then the second was opened."""
    paths = write(tmp_path, "first.csv", 1), write(tmp_path, "second.csv", 2)
    open_column(window, paths[0])
    window.session.move_point(3, 5.0)
    assert window.wait_until_idle()
    references = weak(window.session.state)
    open_column(window, paths[1])
    return window, paths, references


def test_data_that_were_left_are_freed_and_read_again_to_undo(two_files):
    window, _, references = two_files
    assert alive(references) == []
    state = step(window, "undo")
    assert (state.dataset.title, state.data.modified_values) == ("first.csv", {3: 5.0})
    assert len(state.data.numbers.values) == 60
    dataset = state.dataset
    assert step(window, "undo").data.modified_values == {}  # nothing is read twice
    assert step(window, "redo").dataset is dataset
    assert step(window, "redo").dataset.title == "second.csv"


@pytest.mark.slow
def test_a_column_that_was_left_is_read_again_from_the_same_table(window, tmp_path):
    open_column(window, write(tmp_path, "first.csv", 1))
    dataset, numbers = window.session.state.dataset, weakref.ref(window.session.state.data.numbers)
    values = window.session.state.data.numbers.values.copy()
    window.controllers.data.choose(column="y")
    assert window.wait_until_idle()
    assert alive([numbers]) == []
    state = step(window, "undo")
    assert state.dataset is dataset
    assert (state.data.column, state.data.numbers.values.tolist()) == ("x", values.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("gone", [True, False])
def test_a_step_to_a_file_that_is_not_as_it_was_is_refused(two_files, gone):
    window, paths, references = two_files
    assert alive(references) == []
    if gone:
        paths[0].unlink()
    else:  # the same data in another order: other records would be the changed ones
        head, *rows = paths[0].read_text().splitlines()
        paths[0].write_text("\n".join([head, *reversed(rows)]) + "\n")
    before, stack = window.session.state, window.session.undo_stack
    index = stack.index()
    assert step(window, "undo") is before
    assert stack.index() == index
    said = " ".join(window.body.messages.texts())
    assert ("the file no longer exists" if gone else "the file has changed") in said
    assert "everything stays as it is" in said


@pytest.mark.slow
def test_what_is_done_while_data_are_read_comes_first(two_files):
    window, _, references = two_files
    assert alive(references) == []
    window.session.stacks.undo()
    assert window.controllers.undo.reading.busy
    window.session.edit("change epsilon", epsilon=3.0)
    assert window.wait_until_idle()
    state = window.session.state
    assert (state.dataset.title, state.epsilon) == ("second.csv", 3.0)
    assert step(window, "undo").epsilon == 1.0
    assert step(window, "undo").dataset.title == "first.csv"


@pytest.mark.slow
def test_an_example_is_opened_again_by_its_name(window):
    window.controllers.data.open_example("salaries")
    assert window.wait_until_idle()
    references = weak(window.session.state)
    window.controllers.data.open_example("evenly-spaced")
    assert window.wait_until_idle()
    assert alive(references) == []
    assert step(window, "undo").dataset.example == "salaries"


@pytest.mark.slow
def test_a_saved_session_keeps_no_data_and_knows_them_again(two_files, tmp_path):
    window, _, references = two_files
    assert alive(references) == []
    files = window.controllers.session_files
    files.write(tmp_path / "kept.sensiscope")
    assert window.wait_until_idle()
    assert not files.modified
    references = weak(window.session.state)
    assert step(window, "undo").dataset.title == "first.csv"
    assert alive(references) == []
    assert files.modified
    step(window, "redo")
    assert not files.modified


def test_data_of_which_something_was_released_are_freed(window, tmp_path):
    open_column(window, write(tmp_path, "first.csv", 1))
    window.controllers.releases.run()
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 1
    references = weak(window.session.state)
    open_column(window, write(tmp_path, "second.csv", 2))
    assert alive(references) == []


def test_the_list_of_steps_goes_back_and_forward(shared):
    session = shared.session
    session.edit("change epsilon", epsilon=0.5)
    session.move_point(3, 5.0)
    session.choose("laplace")
    assert shared.wait_until_idle()
    shared.actions_by_name["undo_history"].trigger()
    steps = shared.controllers.undo.history.steps
    words = [steps.item(row).text() for row in range(steps.count())]
    assert words[1:3] == ["Move a data point: record 4 to 5", "Change epsilon: 1 → 0.5"]
    assert "Smooth sensitivity → " in words[0]
    assert words[-1] == "Before all of these steps"
    steps.itemClicked.emit(steps.item(2))
    assert (session.state.epsilon, dict(session.state.data.modified_values)) == (0.5, {})
    assert steps.currentRow() == 2
    steps.itemClicked.emit(steps.item(0))
    assert session.state.mechanism.name == "laplace"
    steps.itemClicked.emit(steps.item(3))
    assert session.state.epsilon == 1.0
    shared.controllers.undo.history.close()


@pytest.mark.slow
def test_the_list_of_steps_reads_files_again_on_the_way(two_files):
    window, _, references = two_files
    window.session.edit("change epsilon", epsilon=0.5)
    assert window.wait_until_idle()
    assert not alive(references)
    count = window.session.undo_stack.count()
    assert [words for words in window.session.stacks.describe_steps() if "second.csv" in words]
    window.session.stacks.go_to(count - 3)  # before the dot was moved
    assert window.wait_until_idle()
    state = window.session.state
    assert (state.dataset.title, dict(state.data.modified_values), state.epsilon) == ("first.csv", {}, 1.0)
    window.session.stacks.go_to(count)
    assert window.wait_until_idle()
    assert (window.session.state.dataset.title, window.session.state.epsilon) == ("second.csv", 0.5)
