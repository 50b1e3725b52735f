"""What things from outside have of their own: options, fields, words, and names that are taken."""

import dataclasses

import doors
import numpy as np
import pytest
from outside_cases import CASES, file_in
from PySide6.QtGui import QGuiApplication
from scripts import example as on_example
from scripts import found, of_file
from seen import choose, option

from app.commands.main import main
from app.documents.last_session import last_session, pages_of
from app.export.script import script_of, to_python
from app.model.kinds.registry import KINDS
from app.model.kinds.registry import register as register_kind
from app.model.pages.registry import PAGES
from app.model.pages.registry import register as register_page
from app.model.picture_spec import Seeded
from app.model.view_states import ViewState
from app.panels.history_panel import HistoryPanel
from app.releases.registry import SHAPES
from app.releases.registry import register as register_shape
from engine import register

pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_second_one_of_a_name_is_refused(outside):
    taken = type("Other", (outside.components.Broad,), {})
    for once_more, call in (
        (lambda: register(taken), "registered already"),
        (lambda: register_kind(KINDS["durations"]), "another kind of data"),
        (lambda: register_page(PAGES["spread"]), "another page"),
        (lambda: register_shape(SHAPES["region"]), "another shape"),
    ):
        with pytest.raises(ValueError, match=call):
            once_more()


def test_options_of_a_picture_are_chosen_and_kept(stage, tmp_path, outside):
    doors.drive_form(stage, CASES["scalar"], tmp_path)
    page = stage.page
    editor = page.card.editors[outside.picture.GapOptions]
    editor.boxes["most"].type_in("3")
    editor.boxes["outliers"].click()
    doors.idle(stage)
    assert page.canvas.picture.result.gaps.size == 3
    assert page.card.badge.isVisible()
    assert page.canvas.picture.saved_table()[0][0] == "place"
    kept = page.view_state.options
    assert (kept["most"], kept["outliers"]) == (3, False)
    stage.session.show_view("release")
    doors.idle(stage)
    assert page.card.tab == "noise"  # the first that is public
    stage.session.show_view("curator")
    doors.idle(stage)


@pytest.mark.parametrize(
    ("page", "example"),
    [pytest.param("one-cluster", "airports", marks=pytest.mark.slow), ("histogram", "four-heaps")],
)
def test_pages_about_points_show_options_of_a_picture(stage, page, example, outside):
    stage.session.show_page(page)
    doors.idle(stage)
    stage.controllers.data.open_example(example)
    doors.idle(stage)
    stage.page.show_tab("reach")
    doors.idle(stage)
    card = stage.page.card
    most, column, again = option(card, "most"), option(card, "column"), card.editors[Seeded].again
    assert all(tool.isVisible() for tool in (most, column, again))
    most.type_in("3")
    choose(column, 1)
    again.click()
    doors.idle(stage)
    result, values = stage.page.canvas.picture.result, stage.session.state.builder().build().values
    assert result.reaches.tolist() == np.sort(values[:, 1])[::-1][:3].tolist()
    assert result.seed == card.options["seed"] == 2
    stage.page.show_tab(card.shown[0])
    assert not most.isVisible()
    doors.idle(stage)


def test_a_page_that_tells_nothing_else_has_a_script_of_its_pictures(outside, monkeypatch):
    monkeypatch.setitem(PAGES, "spread", dataclasses.replace(PAGES["spread"], script_analyses=None))
    names = found(to_python(script_of(on_example("spread", "two-heaps"), ViewState(tab="epsilon"))))
    assert names["shown"].current_epsilon == 1.0
    assert "true value" not in names["printed"]


def test_options_of_other_kinds_of_data_are_refused(outside, tmp_path, capsys):
    words = [*CASES["kind"].words(), *CASES["kind"].data(tmp_path), *doors.ASKED, "--vertices", "3"]
    assert main(["run", *words]) == 2
    assert "reads durations between two columns" in capsys.readouterr().err


def test_the_form_says_what_a_kind_of_data_still_needs(stage, tmp_path):
    state = of_file("durations", file_in(tmp_path), {**CASES["kind"].declared, "missing": "refuse"})
    stage.session.show_page("durations")
    stage.controllers.data.open_file(file_in(tmp_path))
    doors.idle(stage)
    assert stage.body.column.data.form.row("begin").problem == "Choose two columns"
    assert pages_of(last_session(state, ""))["durations"].fields["begin"] == "start"


def test_the_side_panel_takes_edits_of_a_kind_of_data(stage, tmp_path):
    doors.drive_form(stage, CASES["kind"], tmp_path)
    panel = stage.body.column.data
    assert panel.facts.text().startswith("n = 60")
    panel.form.box("upper").type_in("8")
    assert stage.session.state.data.upper == 8.0
    assert stage.session.undo_stack.undoText() == "change the upper bound"
    doors.idle(stage)


def test_the_history_gives_numbers_of_a_shape_away(stage, qtbot, tmp_path):
    doors.drive_form(stage, CASES["points"], tmp_path)
    record, _ = doors.drive_run(stage)
    middle = record.release.value["middle"]
    panel = HistoryPanel(stage.session)
    qtbot.addWidget(panel)
    with qtbot.waitSignal(panel.save_requested) as asked:
        panel.save_numbers.trigger()
    assert asked.args == [["", "x", "y"], [["middle", *middle], ["within", 0.01, 0.01]]]
    panel.copy_numbers.trigger()
    assert QGuiApplication.clipboard().text().startswith(",x,y\nmiddle,")


@pytest.mark.slow
def test_processes_of_a_comparison_know_components(outside, tmp_path):
    case = CASES["scalar"]
    words = (case.word(), case.other, *case.data(tmp_path), *doors.ASKED)
    told = doors.drive_command("compare", *words, "--runs", "20", "--workers", "2", "--json")
    assert [one["parameters"]["above"] for one in told["mechanisms"]] == [2, 2]
