"""Opening points: which columns, which bounds, what is remembered."""

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from seen import words

from app.documents.last_session import pages_of
from app.window.open_controller import KEY

pytestmark = pytest.mark.usefixtures("undrawn")

TABLE = "name,x,y,z\n" + "".join(f"r{i},{i % 7},{(3 * i) % 10},{i}\n" for i in range(40))
GAPS = "x,y\n1,2\n,3\n4,5\n6,\n7,8\n2,2\n3,3\n5,5\n"


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    return file


@pytest.fixture
def dialog_on(points_window):
    """Return a maker of the dialog about a file."""

    def ask(file):
        points_window.controllers.data.open_file(file)
        assert points_window.wait_until_idle(30_000)
        return points_window.controllers.imports.dialog

    return ask


def check(dialog, name, lower=None, upper=None):
    box, low, high = dialog.form.each[name]
    box.setChecked(True)
    if lower is not None:
        low.type_in(str(lower))
    if upper is not None:
        high.type_in(str(upper))


def test_columns_are_checked_and_bounded(points_window, dialog_on, table):
    dialog = dialog_on(table)
    assert list(dialog.form.each) == ["x", "y", "z"]
    assert not any(box.isChecked() for box, _, _ in dialog.form.each.values())
    check(dialog, "x", 0, 6)
    check(dialog, "y", 0, 9)
    dialog.form.box("known").click()
    dialog.decide()
    assert points_window.wait_until_idle(30_000)
    state = points_window.session.state
    assert points_window.controllers.imports.dialog is None
    assert (state.data.columns, state.data.points.values.shape) == (("x", "y"), (40, 2))
    assert state.data.bounds == {"x": (0.0, 6.0), "y": (0.0, 9.0)}
    assert points_window.body.column.data.form.box("columns").currentText() == "x, y"
    points_window.session.undo_stack.undo()
    assert points_window.session.state.data.points.values.shape == (3000, 2)
    assert points_window.wait_until_idle(30_000)


def test_nothing_is_taken_from_the_data(dialog_on, table):
    dialog = dialog_on(table)
    check(dialog, "x")
    assert dialog.form.each["x"][1].value is None
    assert dialog.form.each["x"][2].value is None


def test_what_is_left_to_say_is_asked_for_in_turn(points_window, dialog_on, table):
    dialog = dialog_on(table)
    dialog.decide()
    assert dialog.form.row("columns").problem == "Choose at least one column"
    check(dialog, "y")
    dialog.decide()
    assert dialog.form.row("columns").problem.startswith("Declare the smallest possible value of y, ")
    check(dialog, "y", 5)
    dialog.decide()
    assert "largest" in dialog.form.row("columns").problem
    check(dialog, "y", upper=1)
    dialog.decide()
    assert "not above" in dialog.form.row("columns").problem
    check(dialog, "y", upper=9)
    dialog.decide()
    assert "where the bounds come from" in dialog.form.row("bounds_source").problem
    assert points_window.session.state.data.columns == ("x", "y")
    assert points_window.session.state.dataset.title == "points.csv"


def test_records_without_a_value_are_asked_about(points_window, dialog_on, tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text(GAPS)
    dialog = dialog_on(file)
    check(dialog, "x", 0, 9)
    check(dialog, "y", 0, 9)
    dialog.form.box("known").click()
    dialog.decide()
    assert "missing values" in dialog.form.row("missing").problem
    dialog.form.box("missing").setCurrentIndex(dialog.form.box("missing").findData("drop"))
    dialog.decide()
    assert points_window.wait_until_idle(30_000)
    assert points_window.session.state.data.points.values.shape == (6, 2)
    assert "2 dropped" in points_window.body.column.data.facts.text()
    points_window.session.show_view("release")
    assert points_window.wait_until_idle(30_000)
    assert "dropped" not in points_window.body.column.data.facts.text()


def test_a_header_checks_its_column(dialog_on, table):
    dialog = dialog_on(table)
    dialog.preview.horizontalHeader().sectionClicked.emit(2)
    dialog.preview.horizontalHeader().sectionClicked.emit(0)
    assert [name for name, (box, *_) in dialog.form.each.items() if box.isChecked()] == ["y"]


def test_a_file_without_numbers_says_so(dialog_on, tmp_path):
    file = tmp_path / "names.csv"
    file.write_text("name\na\nb\n")
    dialog = dialog_on(file)
    assert dialog.form.row("columns").problem.startswith(
        "Points need at least one column of numbers, and the file has none"
    )
    assert not dialog.open_button.isEnabled()
    dialog.decide()
    assert dialog.form.row("columns").problem.startswith(
        "Points need at least one column of numbers, and the file has none"
    )


class TestPanel:
    @pytest.fixture
    def window(self, points_window, table):
        from app.model.dataset import Dataset
        from engine.data import read_table

        dataset = Dataset(read_table(table), f"file:{table}", path=table)
        fields = {
            "columns": ("x", "y"),
            "bounds": {"x": (0.0, 6.0), "y": (0.0, 9.0)},
            "missing": "refuse",
            "bounds_source": "known",
        }
        points_window.controllers.data.open_fields(dataset, fields)
        assert points_window.wait_until_idle(30_000)
        return points_window

    def column(self, window, name):
        return next(
            action
            for action in window.body.column.data.form.box("columns").menu.actions()
            if action.text() == name
        )

    @pytest.mark.slow
    def test_another_column_needs_bounds_of_its_own(self, window):
        self.column(window, "z").trigger()
        assert window.wait_until_idle(30_000)
        assert window.session.state.data.columns == ("x", "y", "z")
        assert list(window.body.column.data.form.each) == ["x", "y", "z"]
        assert "declare both bounds" in window.body.column.data.form.each["z"].problem.lower()
        assert not window.body.column.release.run.isEnabled()
        window.body.column.data.form.each["z"].each.lower_box.type_in("0")
        assert "the upper bound" in window.body.column.data.form.each["z"].problem
        window.body.column.data.form.each["z"].each.upper_box.type_in("-5")
        assert "not above" in window.body.column.data.form.each["z"].problem
        window.body.column.data.form.each["z"].each.upper_box.type_in("40")
        assert window.wait_until_idle(30_000)
        assert window.body.column.data.form.each["z"].problem == ""
        self.column(window, "z").trigger()
        assert window.wait_until_idle(30_000)
        self.column(window, "z").trigger()
        assert window.wait_until_idle(30_000)
        assert window.session.state.data.bounds["z"] == (0.0, 40.0)
        assert not window.body.messages.texts()

    def test_the_box_opens_a_menu_in_which_columns_are_checked(self, window, qtbot):
        window.body.column.data.form.box("columns").setFocus()
        qtbot.keyClick(window.body.column.data.form.box("columns"), Qt.Key.Key_Space)
        assert window.body.column.data.form.box("columns").menu.isVisible()
        checked = [
            action.text()
            for action in window.body.column.data.form.box("columns").menu.actions()
            if action.isChecked()
        ]
        assert checked == ["x", "y"]
        window.body.column.data.form.box("columns").menu.close()

    @pytest.mark.slow
    def test_the_last_column_stays(self, window):
        self.column(window, "x").trigger()
        assert window.wait_until_idle(30_000)
        self.column(window, "y").trigger()
        assert window.session.state.data.columns == ("y",)
        assert "at least one column" in window.body.column.data.form.row("columns").problem
        assert window.wait_until_idle(30_000)

    @pytest.mark.slow
    def test_bounds_can_be_undone(self, window):
        window.body.column.data.form.each["x"].each.upper_box.type_in("20")
        assert window.wait_until_idle(30_000)
        window.session.undo_stack.undo()
        assert window.body.column.data.form.each["x"].each.upper_box.value == 6.0
        assert window.wait_until_idle(30_000)

    @pytest.mark.slow
    def test_clamped_records_are_counted_for_the_curator_only(self, window):
        window.body.column.data.form.each["x"].each.upper_box.type_in("5")
        assert window.wait_until_idle(30_000)
        clamped = int(np.count_nonzero(window.session.state.data.points.values[:, 0] > 5))
        assert f"{clamped} clamped" in window.body.column.data.facts.text()
        window.session.show_view("release")
        assert "clamped" not in words(window).replace("How many were clamped", "")


def test_choices_come_back_and_data_do_not(points_window, table, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    dialog_fields = {
        "columns": ("y", "z"),
        "bounds": {"y": (0.0, 9.0), "z": (-1.0, 50.0)},
        "missing": "refuse",
        "bounds_source": "looked",
    }
    from app.model.dataset import Dataset
    from engine.data import read_table

    dataset = Dataset(read_table(table), f"file:{table}", path=table)
    points_window.controllers.data.open_fields(dataset, dialog_fields)
    assert points_window.wait_until_idle(30_000)
    points_window.controllers.data.remember(settings)
    stored = {key: str(settings.value(key)) for key in settings.allKeys()}
    assert "39" not in "".join(stored.values()).replace(str(table), "")
    recalled = pages_of(settings.value(KEY))["clustering"].fields
    assert {name: recalled[name] for name in dialog_fields} == dialog_fields
