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
    box = window.body.column.release.form.chooser("method").box
    assert box.currentText() == "auto: Exponential mechanism"
    assert next(line.name for line in row.bars.lines) == "Exponential mechanism"
    assert len(row.bars.lines) == 3
    window.session.edit("other epsilon", epsilon=20.0)
    assert window.wait_until_idle(30_000)
    assert box.currentText() == "auto: Smooth sensitivity"
    window.session.choose("smooth")
    assert "Automatic" in [box.itemText(index) for index in range(box.count())]


def test_the_form_names_the_chosen_noise(window):
    window.session.choose("smooth")
    assert window.wait_until_idle(30_000)
    box = window.body.column.release.form.chooser("noise").box
    assert box.currentText() == "auto: Power-law Laplace"
    window.session.edit("other delta", delta=0.01)
    assert window.wait_until_idle(30_000)
    noise = selection(window.session.state).mechanism
    chosen = noise.noise.chosen(selection(window.session.state).privacy, decline=noise.query.decline)[0]
    assert box.currentText() == f"auto: {chosen.label}"
    assert chosen.label != "Power-law Laplace"


def test_a_release_names_the_method(window):
    choose_auto(window)
    window.session.edit("other epsilon", epsilon=0.5)
    assert window.wait_until_idle(30_000)
    assert window.session.state.mechanism.name == "auto"
