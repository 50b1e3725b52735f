"""Records without a value: refused, filled with a public value, or dropped, and what n says of them then."""

import re

import pytest
from reported import request_of
from scripts import python
from seen import all_words, choose
from tables import ask_on, declare, open_table

from app.documents import SessionSnapshot
from app.documents.json_text import format_json
from app.documents.writing import document_from, plain_of
from app.export.report.building import build_report
from app.export.report.html import HtmlWriter
from app.model.selection import problems, selection

pytestmark = pytest.mark.usefixtures("undrawn")

ROWS, LACKING = 1213, 137
SECRET = re.compile(r"(?<![\d.])(137|1[\s,.']?076)(?![\d.])")
"""How many records lack a value, and how many do not."""


@pytest.fixture
def panel(window, tmp_path):
    """Open a file of which some records lack a value, and drop these."""
    path = tmp_path / "ages.csv"
    values = [f"{20 + 61 * i % 997 / 16}" for i in range(ROWS - LACKING)]
    path.write_text("\n".join(["age", *values, *["NA"] * LACKING, ""]), "utf-8")
    open_table(window, path)
    declare(window, "age", lower=0, upper=120)
    ask_on(window, "median")
    return window.body.column.data


def document(state):
    """Return what a session file holds."""
    return plain_of(document_from(SessionSnapshot(state, {}), None), "/", None)


def said(window):
    """Return all that the release view says, shows and writes."""
    state = window.session.state
    assert state.view == "release"
    report = build_report(request_of(window.session, view="release"))
    texts = [format_json(document(state)), "".join(HtmlWriter(report).parts())]
    if not problems(state):
        texts.append(python(state))
    return "\n".join([all_words(window), *texts])


def fill(panel, window, value):
    choose(panel.form.box("missing"), "fill")
    assert window.wait_until_idle()
    panel.form.box("fills").setText(value)
    panel.form.box("fills").editingFinished.emit()
    assert window.wait_until_idle()


def test_n_is_confidential_where_records_were_dropped(window, panel):
    assert SECRET.search(all_words(window))  # the curator sees it
    assert panel.badge.isVisible()
    assert not window.body.column.release.run.isEnabled()
    assert "n is confidential" in panel.form.row("missing").problem
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert SECRET.findall(said(window)) == []
    assert panel.form.row("missing").isVisible()  # what was chosen is no secret
    assert "n is confidential" in window.body.pages["median"].card.waiting.text()
    with pytest.raises(Exception, match="n is confidential"):
        selection(window.session.state)
    # as public as who says so knew it before: any other number is none of these data
    for typed, able in (("1075", False), (str(ROWS - LACKING), True)):
        panel.form.box("complete").type_in(typed)
        assert window.wait_until_idle()
        assert window.body.column.release.run.isEnabled() is able
    assert "n = 1" in panel.facts.text()
    window.session.undo_stack.undo()
    assert not window.body.column.release.run.isEnabled()


def test_the_release_view_does_not_tell_whether_a_number_is_right(window, panel):
    box = panel.form.box("complete")
    seen = {}
    for typed in ("", "1075", "1077", str(ROWS - LACKING)):
        window.session.show_view("curator")
        box.type_in(typed)
        assert window.wait_until_idle()
        window.session.show_view("release")
        assert window.wait_until_idle()
        assert not box.isEnabled()
        seen[typed] = (all_words(window), panel.form.row("missing").problem, box.value)
    *wrong, right = seen.values()
    assert wrong == [wrong[0]] * 3  # as if nothing had been declared
    assert "n is confidential" in wrong[0][1]
    assert (right[1], right[2]) == ("", ROWS - LACKING)


@pytest.mark.slow
def test_a_number_that_was_declared_is_that_of_its_columns(points_window):
    window = points_window
    window.session.edit("declare", missing="drop", complete=5)
    asked = []
    panel = window.body.column.data
    panel.chosen.connect(asked.append)
    panel.choose(missing="drop")
    panel.choose(columns=window.session.state.data.columns[:1])
    assert [fields.get("complete", 5) for fields in asked] == [5, None]


@pytest.mark.slow
def test_filled_records_count_as_all_others(window, panel):
    choose(panel.form.box("missing"), "fill")
    assert window.wait_until_idle()
    assert window.session.state.data.fills == {}  # a value must be typed
    fill(panel, window, "33.5")
    state = window.session.state
    assert list(state.data.numbers.values[-LACKING:]) == [33.5] * LACKING
    assert "137 filled" in panel.facts.text()
    assert window.body.column.release.run.isEnabled()
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert SECRET.findall(said(window)) == []
    assert "213" in panel.facts.text()
    script = python(window.session.state.replaced({"view": "curator"})).replace('"', "'")
    assert "missing='fill', fill=33.5" in script
    desk = document(state)["pages"]["median"]["desk"]
    assert (desk["missing"], desk["fills"], desk["complete"]) == ("fill", {"age": 33.5}, None)
    panel.form.box("fills").setText("a : b")
    panel.form.box("fills").editingFinished.emit()
    assert "'a' is not a number" in panel.form.row("missing").problem
    window.session.edit("change epsilon", epsilon=0.5)
    assert panel.form.box("fills").text() == "a : b"
    window.controllers.run.start()
    assert not window.session.state.releases
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()  # data that are gone are read again
    assert window.wait_until_idle()
    assert window.session.state.data.fills == {}
    assert panel.form.box("fills").text() == ""
    assert "write what stands for a missing value" in panel.form.row("missing").problem.lower()


def test_what_is_refused_says_no_count(window, panel):
    choose(panel.form.box("missing"), "refuse")
    assert window.wait_until_idle()
    assert "the value is missing" in (message := window.body.messages.texts()[0])
    assert not SECRET.search(message)
    assert window.session.state.data.missing == "drop"
