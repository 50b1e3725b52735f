"""A function from a Python file: looked at, confirmed, run in processes of its own, never before."""

import dataclasses

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog
from seen import choose, words

from app.documents.last_session import last_session, pages_of
from engine.extras.sandbox import starting
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.process import Worker

pytestmark = pytest.mark.usefixtures("undrawn")

SOURCE = """\
def middle(block):
    return block.mean(axis=0)


def fails(block):
    raise ValueError(block[0])
"""


@pytest.fixture
def mark(tmp_path, monkeypatch):
    """Return a file that appears as soon as the function's file is run, which itself can write none."""
    path = tmp_path / "mark"
    load = Worker.load

    def marked(worker):
        path.write_text("the file was run")
        load(worker)

    monkeypatch.setattr(Worker, "load", marked)
    return path


@pytest.fixture
def file(tmp_path, mark):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def window(shared_points):
    choose(shared_points.body.column.release.form.chooser("query").box, "sample-aggregate")
    shared_points.body.column.release.form.part("sampling").extra.box.type_in("12")
    assert shared_points.wait_until_idle(30_000)
    return shared_points


def confirmed(window, file, name="middle", lower="0, 0", upper="1, 1"):
    window.controllers.extras["trusted_code"].show_file(str(file))
    dialog = window.controllers.extras["trusted_code"].dialog
    dialog.function.setCurrentIndex(dialog.function.findText(name))
    dialog.lower_box.setText(lower)
    dialog.upper_box.setText(upper)
    dialog.confirm()
    return dialog


def test_the_field_offers_a_file(window):
    box = window.body.column.release.form.chooser("function").box
    assert box.itemText(box.count() - 1) == "Choose a Python file…"
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    [dialog] = [one for one in window.findChildren(QFileDialog) if one.isVisible()]
    assert "Python files" in dialog.nameFilters()[0]
    dialog.close()
    assert box.currentData() == "mean"
    assert window.session.state.mechanism.find("function").name == "mean"


def test_nothing_runs_before_it_was_confirmed(window, file, mark):
    window.controllers.extras["trusted_code"].show_file(str(file))
    dialog = window.controllers.extras["trusted_code"].dialog
    assert dialog.source.toPlainText() == file.read_text()
    assert [dialog.function.itemText(place) for place in range(dialog.function.count())] == [
        "middle",
        "fails",
    ]
    assert "Confirm only code that you have read or trust" in words(window)
    assert window.wait_until_idle(30_000)
    assert not mark.exists()
    dialog.reject()
    assert window.session.state.mechanism.find("function").name == "mean"
    assert not mark.exists()


def test_what_it_imports_is_shown_and_what_the_system_leaves_open_is_said(window, file, monkeypatch):
    file.write_text("import helper\n" + SOURCE)
    file.with_name("helper.py").write_text("scale = 2  # of the helper\n")
    monkeypatch.setattr(starting, "left_open", lambda: "It could reach the network.")
    window.controllers.extras["trusted_code"].show_file(str(file))
    dialog = window.controllers.extras["trusted_code"].dialog
    assert "# helper.py, imported:\n\nscale = 2  # of the helper" in dialog.source.toPlainText()
    assert window.wait_until_idle(30_000)
    assert (dialog.left_open.text(), dialog.left_open.isHidden()) == ("It could reach the network.", False)
    dialog.reject()
    monkeypatch.setattr(starting, "left_open", lambda: "")
    window.controllers.extras["trusted_code"].show_file(str(file))
    assert window.wait_until_idle(30_000)
    assert window.controllers.extras["trusted_code"].dialog.left_open.isHidden()
    window.controllers.extras["trusted_code"].close()


def test_what_is_left_to_say_is_asked_for(window, file, mark):
    window.controllers.extras["trusted_code"].show_file(str(file))
    dialog = window.controllers.extras["trusted_code"].dialog
    dialog.confirm()
    assert "choose one" in dialog.function_row.problem.lower()
    dialog.function.setCurrentIndex(0)
    dialog.confirm()
    assert "enter one bound" in dialog.lower_row.problem.lower()
    dialog.lower_box.setText("0, zero")
    dialog.upper_box.setText("1")
    dialog.confirm()
    assert dialog.lower_row.problem.startswith("'zero' is not a number")
    dialog.lower_box.setText("0, 0")
    dialog.confirm()
    assert "one pair for each number" in dialog.upper_row.problem
    dialog.upper_box.setText("1, -1")
    dialog.confirm()
    assert "not above" in dialog.upper_row.problem
    assert window.session.state.mechanism.find("function").name == "mean"
    dialog.reject()
    assert not mark.exists()


def test_a_confirmed_function_runs_and_is_named(window, file, mark):
    confirmed(window, file)
    assert window.wait_until_idle(60_000)
    assert mark.exists()
    row = window.body.column.release.form.chooser("function")
    assert (row.box.currentData(), row.box.currentText()) == (BlackBox.name, "mine.py:middle")
    assert row.problem == ""
    assert not window.body.messages.texts()
    window.controllers.run.start()
    assert window.wait_until_idle(60_000)
    cells = [
        window.body.history.model.data(window.body.history.model.index(0, column)) for column in range(7)
    ]
    assert cells[1] == "mine.py:middle of x, y"
    assert cells[2].startswith("2 numbers: ")
    window.session.undo_stack.undo()
    assert window.session.state.mechanism.find("function").name == "mean"
    assert row.box.findData(BlackBox.name) == -1
    assert window.wait_until_idle(60_000)


@pytest.mark.slow
def test_blocks_that_fall_back_are_told_to_the_curator_only(window, file):
    confirmed(window, file, "fails")
    assert window.wait_until_idle(60_000)
    assert "12 of 12 blocks use the public default" in window.body.pages["clustering"].card.advice.text()
    window.controllers.run.start()
    assert window.wait_until_idle(60_000)
    assert window.session.state.releases[-1].release.value is not None
    window.session.show_view("release")
    assert window.wait_until_idle(60_000)
    assert "fell back" not in words(window)
    assert "blocks use the public default" not in words(window)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_a_changed_file_is_to_be_confirmed_again(window, file, mark):
    confirmed(window, file)
    assert window.wait_until_idle(60_000)
    file.write_text(file.read_text() + "\n# changed\n")
    mark.unlink()
    window.body.column.privacy.epsilon.type_in("2")
    assert window.wait_until_idle(60_000)
    assert "has changed since it was confirmed" in window.body.column.release.form.chooser("function").problem
    assert not window.body.column.release.run.isEnabled()
    assert not mark.exists()
    window.body.column.release.form.chooser("function").confirm.click()
    dialog = window.controllers.extras["trusted_code"].dialog
    assert (dialog.function.currentText(), dialog.lower_box.text()) == ("middle", "0, 0")
    assert "# changed" in dialog.source.toPlainText()
    dialog.confirm()
    assert window.wait_until_idle(60_000)
    assert window.body.column.release.form.chooser("function").problem == ""
    assert window.body.column.release.run.isEnabled()


@pytest.mark.slow
def test_a_function_that_comes_back_with_settings_is_not_trusted(points_on, window, file, mark, tmp_path):
    confirmed(window, file)
    assert window.wait_until_idle(60_000)
    mark.unlink()
    table = tmp_path / "points.csv"
    table.write_text("x,y\n" + "".join(f"{i / 50},{1 - i / 50}\n" for i in range(50)))
    from app.model.dataset import Dataset
    from engine.data import read_table

    dataset = Dataset(read_table(table), f"file:{table}", path=table)
    fields = {
        name: window.session.state.value(name) for name in ("columns", "bounds", "missing", "bounds_source")
    }
    window.controllers.data.open_fields(dataset, fields)
    assert window.wait_until_idle(60_000)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window.controllers.data.remember(settings)
    mark.unlink(missing_ok=True)

    from app.session import Session
    from app.window.main_window import MainWindow

    session = Session()
    session.show_page("clustering")
    again = MainWindow(session, settings=settings)
    again.show()
    try:
        assert again.wait_until_idle(60_000)
        assert again.session.state.from_file("function").function_name == "middle"
        assert again.body.column.release.form.chooser("function").box.currentText() == "mine.py:middle"
        assert "not confirmed yet" in again.body.column.release.form.chooser("function").problem
        assert not again.body.column.release.run.isEnabled()
        assert "not confirmed yet" in again.body.pages["clustering"].card.waiting.text()
        assert not mark.exists()
        again.controllers.run.start()
        assert again.wait_until_idle(60_000)
        assert not mark.exists()
        assert not again.session.state.releases
    finally:
        again.close()
        again.deleteLater()


def test_what_is_no_python_is_refused(window, tmp_path):
    binary = tmp_path / "data.bin"
    binary.write_bytes(b"\0\1")
    window.controllers.extras["trusted_code"].show_file(str(binary))
    assert "is not a text file" in window.body.messages.texts()[0]
    window.controllers.extras["trusted_code"].show_file(str(tmp_path / "absent.py"))
    assert "absent.py" in window.body.messages.texts()[0]
    assert window.controllers.extras["trusted_code"].dialog is None


@pytest.mark.slow
def test_a_function_without_its_file_stays_away(window, file):
    confirmed(window, file)
    assert window.wait_until_idle(60_000)
    file.unlink()
    window.body.column.privacy.epsilon.type_in("2")
    assert window.wait_until_idle(60_000)
    assert "cannot be read" in window.body.column.release.form.chooser("function").problem
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_a_function_is_remembered_by_names_and_bounds(window, file):
    confirmed(window, file)
    assert window.wait_until_idle(60_000)
    state = window.session.state
    in_file = dataclasses.replace(state, dataset=dataclasses.replace(state.dataset, path=file))
    recalled = pages_of(last_session(in_file, ""))["clustering"].fields
    function = recalled["mechanism"].part("block_function").build()
    assert function == window.session.state.from_file("function")
