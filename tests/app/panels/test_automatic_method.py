"""The automatic method in the form: its choice, and the expected errors of the others."""

from app.model.selection import selection
from app.panels.mechanism_rows import MethodRow


def choose_auto(window):
    window.session.choose("auto")
    assert window.wait_until_idle(30_000)
    [row] = [row for row in window.body.column.findChildren(MethodRow) if row.isVisibleTo(window)]
    return row


def test_the_form_shows_the_chosen_method_and_all_errors(window):
    row = choose_auto(window)
    assert selection(window.session.state).mechanism.name == "exponential"
    assert row.text.text() == "Exponential mechanism"
    assert next(line.name for line in row.bars.lines) == "Exponential mechanism"
    assert len(row.bars.lines) == 3
    window.session.edit("other epsilon", epsilon=20.0)
    assert window.wait_until_idle(30_000)
    assert row.text.text() == "Smooth sensitivity"


def test_a_release_names_the_method(window):
    choose_auto(window)
    window.session.edit("other epsilon", epsilon=0.5)
    assert window.wait_until_idle(30_000)
    assert window.session.state.mechanism.name == "auto"
