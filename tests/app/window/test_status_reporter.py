"""What the window says when something fails."""

import pytest

from app.jobs.channels import Failure
from engine.errors import DataError


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("age", "people.csv, column 'age': a cell cannot be used"),
        (None, "people.csv: a row cannot be used"),
    ],
)
def test_the_release_view_names_the_place_but_not_what_stands_there(window, column, said):
    error = DataError("'secret' is no number", source="people.csv", row=7, column=column)
    window.session.edit("view", view="release")
    window.controllers.status.show_failure(Failure.of(error))
    text = window.body.messages.texts()[-1]
    assert text == f"{said}; the Curator view says which one, and why"
    assert "secret" not in text
    assert "7" not in text
