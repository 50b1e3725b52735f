"""What a row of a form says is wrong."""

from PySide6.QtWidgets import QLineEdit

from app.widgets import form_row
from app.widgets.form_row import FormRow


def test_a_row_is_written_anew_only_for_other_words(qtbot, monkeypatch):
    """Every row is told at each step of a slider; who listens is told again, since more than words counts."""
    row, written, told = FormRow("epsilon", QLineEdit()), [], []
    qtbot.addWidget(row)
    row.told.connect(told.append)
    write = form_row.set_text
    monkeypatch.setattr(form_row, "set_text", lambda *words: (written.append(words), write(*words)))
    for words in ("", "", "it is too large", "it is too large", "", ""):
        row.show_problem(words)
        assert row.problem == words.capitalize()
        assert bool(row.editors[0].property("wrong")) == bool(words)
    assert len(written) == 2
    assert told == ["", "", "it is too large", "it is too large", "", ""]
