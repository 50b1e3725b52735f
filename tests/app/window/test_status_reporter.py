"""What the window says when something fails."""

import pytest

from app.jobs.channels import Failure
from app.widgets.messages import Message
from engine.errors import DataError

FAULTS = {
    "people.csv, row 7, column 'age': it is no number": DataError(
        "it is no number", confidential="'secret'", source="people.csv", row=7, column="age"
    ),
    "internal error: ValueError": ValueError("could not convert 'secret'"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_the_curator_view_alone_shows_what_records_hold(window, text):
    messages = window.body.messages

    def shown():
        window.controllers.status.show_failure(Failure.of(FAULTS[text]))
        return messages.findChildren(Message)[-1]

    curator = shown()
    assert curator.text.startswith(text)
    assert "secret" in curator.text
    assert curator.details
    window.session.show_view("release")
    assert not messages.texts()
    released = shown()
    assert (released.text, released.details) == (text, "")
