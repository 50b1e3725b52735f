"""Forms drawn from declarations."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit

from app.model.wording.numbers import THIN, use
from app.widgets.form_row import refusal_in
from app.widgets.number_box import NumberBox
from app.widgets.value_editors import EDITORS, FieldLine, NumbersButton, ParameterForm, TextEditor, editor_of
from engine.catalog import methods
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.noise import NOISES
from engine.parameters import Parameter, plain_parameters
from engine.queries import QUERIES

WORDS = (Parameter("words", "text", "", "Words", ""),)
CLASSES = [*QUERIES.values(), *NOISES.values(), *methods().values()]


@pytest.fixture
def form(qtbot):
    made = ParameterForm()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    "component", CLASSES, ids=lambda component: f"{component.__mro__[1].__name__}-{component.name}"
)
def test_every_component_of_the_catalog_has_a_form(form, component):
    form.show_parameters(component.parameters(), {})
    plain = plain_parameters(component)
    assert list(form.rows) == [one.name for one in plain]
    assert form.isVisibleTo(None) == bool(plain)
    for one in plain:
        row = form.rows[one.name]
        kinds = {"choice": QComboBox, "text": QLineEdit}
        assert isinstance(row.box, kinds.get(one.kind, NumberBox))
        assert row.box.accessibleName() == one.label
        assert one.help in row.box.toolTip()
        read = {"choice": "currentData", "text": "text"}
        shown = getattr(row.box, read[one.kind])() if one.kind in read else row.box.value
        assert shown == one.default


def test_edits_name_the_parameter(form):
    form.show_parameters(QUERIES["quantile"].parameters(), {"q": 0.25})
    heard = []
    form.edited.connect(lambda name, value, continuous: heard.append((name, value, continuous)))
    box = form.rows["q"].box
    assert box.value == 0.25
    box.type_in("0.9")
    box.stepBy(1)
    assert heard[0] == ("q", 0.9, False)
    assert heard[1][2]
    assert 0.9 < heard[1][1] <= 1


def test_a_text_is_announced_as_it_is_written_and_shown_without_being_announced(form, qtbot):
    form.show_parameters(WORDS, {"words": "> 1"})
    heard = []
    form.edited.connect(lambda name, value, continuous: heard.append((name, value, continuous)))
    box = form.rows["words"].box
    assert box.text() == "> 1"
    qtbot.keyClicks(box, "2")
    assert heard == [("words", "> 12", True)]
    form.show_parameters(WORDS, {"words": "<= 5"})
    assert (box.text(), len(heard)) == ("<= 5", 1)


def test_a_finished_text_is_announced_unless_its_letters_were_taken(form, qtbot):
    declared = WORDS
    form.show_parameters(declared, {"words": ""})
    heard = []
    form.edited.connect(lambda *edit: heard.append(edit[1:]))
    box = form.rows["words"].box
    qtbot.keyClicks(box, ">1")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert heard == [(">", True), (">1", True), (">1", False)]
    qtbot.keyClicks(box, "2")
    form.show_parameters(declared, {"words": ">12"})
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert heard[3:] == [(">12", True)]


def test_problems_stand_below_the_field_until_they_are_solved(form):
    form.show_parameters(QUERIES["quantile"].parameters(), {})
    row = form.rows["q"]
    row.show_problem("2 is not possible")
    assert row.problem == "2 is not possible"
    assert row.box.property("wrong") is True
    row.refuse("'x' is not a number")
    row.settle()
    assert row.problem == "2 is not possible"
    row.show_problem("")
    assert row.problem == ""
    assert row.box.property("wrong") is False


def test_rows_that_stay_are_kept_when_others_come_and_are_heard_once(form):
    parameters = methods()["smooth"].parameters()
    form.show_parameters(tuple(one for one in parameters if one.name != "farthest"), {})
    row, heard = form.rows["bound_method"], []
    form.edited.connect(lambda *edit: heard.append(edit))
    form.show_parameters(parameters, {})
    assert form.rows["bound_method"] is row
    assert list(form.rows)[-1] == "farthest"
    row.edited.emit("bound_method", "truncated", False)
    assert heard == [("bound_method", "truncated", False)]


def test_public_numbers_are_read_from_a_file(form, tmp_path):
    form.show_parameters(ScoredChoice.parameters(), {})
    row, told = form.rows["prior"], []
    (button,) = row.findChildren(NumbersButton)
    assert button.accessibleName() == "Prior from a file"
    form.edited.connect(lambda *each: told.append(each))
    file = tmp_path / "prior.txt"
    file.write_text("1\n2.5\n")
    button.read_file(str(file))
    assert told == [("prior", "1, 2.5", True)]
    file.write_text("none")
    button.read_file(str(file))
    assert len(told) == 1
    assert any("Prior.txt, row 1: 'none'" in each.text() for each in row.findChildren(QLabel))


def test_fields_stand_on_a_line_between_label_and_unit(qtbot):
    runs = Parameter("runs", "int", 1000, "&Runs", "How many.", "each", lower=1000, upper=1_000_000)
    prior = Parameter("prior", "percent", 50, "Prior", "How sure.", lower=1, upper=99)
    line = FieldLine(runs, prior)
    qtbot.addWidget(line)
    heard = []
    line.edited.connect(lambda *edit: heard.append(edit))
    line.refused.connect(lambda *problem: heard.append(problem[1]))
    labels = [label.text() for label in line.findChildren(QLabel)]
    assert labels == ["&Runs", "each", "Prior", f"50{THIN}%"]
    runs_box, slider = (field.box for field in line.fields.values())
    assert line.findChildren(QLabel)[0].buddy() is runs_box
    assert (runs_box.accessibleName(), runs_box.toolTip()) == ("Runs", "How many.")
    line.fields["runs"].show_value(20_000)
    runs_box.stepBy(1)  # multiplies, as runs begin at 1000
    runs_box.type_in("5")  # is no possible value: the owner of the line shows the problem
    runs_box.type_in("many")
    slider.setValue(20)
    assert heard == [("runs", 25_000, True), ("runs", 5, False), "runs", ("prior", 20, True)]
    assert line.fields["prior"].beside.text() == f"20{THIN}%"
    line.fields["prior"].show_value(70)
    assert (slider.value(), len(heard)) == (70, 4)


def test_an_open_choice_takes_its_entries_and_other_texts(form, qtbot):
    declared = Parameter(
        "mark", "choice or text", "", "Mark", "", choices=("", "#"), choice_labels=("none", "hash")
    )
    form.show_parameters((declared,), {"mark": "#"})
    box, heard = form.rows["mark"].box, []
    form.edited.connect(lambda name, value, continuous: heard.append((value, continuous)))
    assert box.currentText() == "hash"
    for text in ("none", " // "):
        box.setEditText(text)
        qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert {value for value, _ in heard} == {"", "//"}


def test_an_offered_choice_describes_itself(form):
    declared = Parameter("pair", "choice", "", "Pair", "")
    editor = editor_of(declared, "Pair")
    editor.show_value("b")
    editor.offer({"a": "First", "b": "Second"}, {"b": "the second one"})
    assert (editor.value, editor.box.toolTip()) == ("b", "Second: the second one")


def test_a_plug_in_adds_the_editor_of_its_own_kind_of_value(form, monkeypatch):
    class DayEditor(TextEditor):
        """Edits a day."""

    monkeypatch.setitem(EDITORS, "day", DayEditor)
    declared = Parameter("begin", "day", "", "Begin", "The first day.")
    form.show_parameters((declared,), {"begin": "2024-02-29"})
    assert form.rows["begin"].box.text() == "2024-02-29"
    assert isinstance(editor_of(declared, "Begin", tool=True), DayEditor)


def test_a_list_is_read_in_the_format_or_refused_beside_it(qtbot):
    declared = Parameter("spread", "text", "", "Spread", "", holds="numbers")
    editor = editor_of(declared, "Spread")
    qtbot.addWidget(editor.box)
    values, problems = [], []
    editor.edited.connect(lambda value, continuous: values.append(value))
    editor.refused.connect(problems.append)
    qtbot.keyClicks(editor.box, "1,5")
    editor.box.editingFinished.emit()
    assert not values
    assert "can be one number or a list" in problems[0]
    assert editor.box.text() == "1,5"
    use("comma")
    editor.box.editingFinished.emit()
    assert values == ["1.5"]
    assert editor.value == "1.5"
    editor.show_value("1, 2.5")
    assert editor.box.text() == "1; 2,5"


def test_a_refused_list_stays_until_another_value_is_shown(form, qtbot):
    declared = (Parameter("spread", "text", "", "Spread", "", holds="numbers"),)
    form.show_parameters(declared, {"spread": "2"})
    row = form.rows["spread"]
    row.box.setText("1,5")
    row.box.setModified(True)
    row.box.commit()
    assert "can be one number or a list" in row.problem
    row.show_problem("")
    form.show_parameters(declared, {"spread": "2"})
    assert (row.box.text(), refusal_in(form)) == ("1,5", row.box.refusal)
    form.show_parameters(declared, {"spread": "3"})
    assert (row.box.text(), row.problem, refusal_in(form)) == ("3", "", "")
