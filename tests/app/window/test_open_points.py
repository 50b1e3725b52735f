"""Opening points: which columns, which bounds, what is remembered."""

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from seen import words
from tables import ask_on, declare, open_table

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


def test_declared_columns_are_read(points_window, table):
    open_table(points_window, table)
    declare(points_window, "x", lower=0, upper=6)
    declare(points_window, "y", lower=0, upper=9)
    ask_on(points_window, "clustering")
    state = points_window.session.state
    assert (state.data.columns, state.data.points.values.shape) == (("x", "y"), (40, 2))
    assert state.data.bounds == {"x": (0.0, 6.0), "y": (0.0, 9.0)}
    assert points_window.body.column.data.form.box("columns").currentText() == "x, y"
    points_window.session.undo_stack.undo()
    assert points_window.session.state.data.points.values.shape == (3000, 2)
    assert points_window.wait_until_idle(30_000)


def test_records_without_a_value_are_left_out(points_window, tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text(GAPS)
    open_table(points_window, file)
    declare(points_window, "x", lower=0, upper=9)
    declare(points_window, "y", lower=0, upper=9)
    ask_on(points_window, "clustering")
    assert points_window.session.state.data.points.values.shape == (6, 2)
    assert "2 rows left out" in points_window.body.column.data.facts.text()
    points_window.session.show_view("release")
    assert points_window.wait_until_idle(30_000)
    assert "dropped" not in points_window.body.column.data.facts.text()


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
    def test_another_column_needs_bounds_on_the_page_data(self, window):
        self.column(window, "z").trigger()
        assert window.wait_until_idle(30_000)
        assert window.session.state.data.columns == ("x", "y", "z")
        assert "Bounds of z: not declared" in window.body.column.data.elsewhere.text()
        assert not window.body.column.release.run.isEnabled()
        window.body.column.data.elsewhere.linkActivated.emit("data")
        assert window.wait_until_idle(30_000)
        state = window.session.state
        assert (state.workspace, state.table) == ("data", state.dataset)
        assert state.declarations.column("x").upper == 6.0
        declare(window, "z", lower=0, upper=40)
        ask_on(window, "clustering")
        assert window.session.state.data.bounds["z"] == (0.0, 40.0)
        assert "Bounds of z: 0 to 40" in window.body.column.data.elsewhere.text()
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
    def test_clamped_records_are_counted_for_the_curator_only(self, window):
        bounds = {**window.session.state.data.bounds, "x": (0.0, 5.0)}
        window.session.edit("change the bounds", bounds=bounds)
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
