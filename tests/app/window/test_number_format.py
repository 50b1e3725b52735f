"""One number format: the same number is written alike wherever it is read, and exports keep the point."""

import json

import pytest
from matplotlib.text import Text

from app.commands.main import main
from app.model.chosen_numbers import keep
from app.model.texts.marks import TextRun
from app.model.wording.numbers import FORMATS, THIN, current, in_prose, use
from app.plots.markup_html import runs_html
from app.session import Session
from engine.errors import ParameterError
from engine.privacy import Privacy

SAME = {"english": "1,234.5", "comma": "1\u202f234,5", "si": "1\u202f234.5"}
"""How each format writes the number of the test."""

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def window(window_on):
    return window_on([1234.5] * 201, 0.0, 9999.5)


def letters(canvas):
    return "\n".join(text.get_text() for text in canvas.figure.findobj(Text))


def console(capsys, tmp_path, *more):
    path = tmp_path / "x.csv"
    path.write_text("x\n" + "1234.5\n" * 201, "utf-8")
    bounds = ("--lower", "0", "--upper", "9999.5", "--beta", "0.125")
    assert main(["sensitivity", "median", "--data", str(path), *bounds, *more]) == 0
    return capsys.readouterr().out


def test_a_number_is_written_alike_wherever_it_is_read(window, capsys, tmp_path, qtbot):
    window.session.edit("epsilon", epsilon=2.5)
    window.controllers.run.start()
    assert window.wait_until_idle()
    english = ""
    for name, same in SAME.items():
        window.settings.change(numbers=name)
        assert window.wait_until_idle()
        form, page = window.body.column.data.form, window.body.pages["median"]
        assert form.box("upper").lineEdit().text() == written(name, "9,999.5")
        qtbot.waitUntil(lambda same=same, page=page: same in letters(page.strip.canvas))
        assert same in page.strip.canvas.accessibleDescription()
        released = window.controllers.results.card.value.text()
        english = released if name == "english" else english
        assert released == written(name, english)
        assert window.body.column.privacy.epsilon.lineEdit().text() == written(name, "2.5")
        assert same in in_prose("The median is 1,234.5 here")
        assert same in runs_html((TextRun("the median is 1,234.5"),), str)
        assert same in console(capsys, tmp_path)
        assert json.loads(console(capsys, tmp_path, "--json"))["value"] == 1234.5
        with pytest.raises(ParameterError) as caught:
            Privacy(-1234.5)
        assert FORMATS[name].point in str(caught.value)


def written(name, text):
    return FORMATS[name].written(text)


def test_what_is_typed_is_read_in_the_format_that_is_used(window):
    window.settings.change(numbers="comma")
    box = window.body.column.privacy.epsilon
    for typed, value in (("0,25", 0.25), ("0.5", 0.5), ("1.000,5", 1000.5)):
        box.type_in(typed)
        assert window.session.state.epsilon == value
    told = []
    box.refused.connect(told.append)
    box.type_in("1.500")  # a thousand and a half, or one and a half
    assert window.session.state.epsilon == 1000.5
    assert told == [f"'1.500' can mean 1,5 or 1{THIN}500; write one of these"]
    assert box.text() == "1.500"


def test_the_command_line_follows_the_setting_else_the_system(capsys, tmp_path):
    assert Session  # the window of before has left no choice
    for name in ("comma", "si", "system"):
        keep(name)
        found = console(capsys, tmp_path)
        assert SAME["english" if name == "system" else name] in found
    assert current() is FORMATS["english"]


def test_section_names_and_versions_stay():
    use("comma")
    assert in_prose("Claim 3.2 and version 3.11 for ε = 0.5, see 10.1145/12") == (
        "Claim 3.2 and version 3.11 for ε = 0,5, see 10.1145/12"
    )


def test_choices_that_are_numbers_follow_the_format(window):
    confidence = window.page.card.audit.boxes["confidence"]
    for name in ("comma", "si"):
        window.settings.change(numbers=name)
        assert confidence.currentText() == written(name, "99.9\u202f%")
