"""What the window says when something fails."""

import pytest

from app.jobs.channels import Failure
from app.jobs.tasks import JobProgress
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


def test_the_end_of_work_takes_back_its_progress_alone(window):
    status, channel = window.controllers.status, next(iter(window.page.channels))
    view = status.text()
    for said, left in (
        ("", view),
        ("Cancelled: 2 questions spent nothing", "Cancelled: 2 questions spent nothing"),
    ):
        channel.progressed.emit(JobProgress(0.5, "releasing", 9.0))
        assert (status.progressing, status.text()) == (True, "Releasing: 50% · 9 s left · Esc cancels")
        if said:
            status.show_message(said)
        channel.busy_changed.emit(False)
        assert (status.progressing, status.text()) == (False, left)
