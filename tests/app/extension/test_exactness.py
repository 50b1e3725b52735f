"""A method from outside that averages in doubles is reported as what it is, wherever a release is told."""

import doors
import pytest
from seen import choose

from app.model.wording.releases import INEXACT

pytestmark = pytest.mark.usefixtures("outside", "undrawn")

REASON = f"{INEXACT}: Laplace in doubles has not been shown to be exact"
WORDS = ("run", "mean", "--method", "laplace-in-doubles", "--example", "one-to-ten", *doors.ASKED)


def test_the_command_line_says_so():
    assert doors.drive_command(*WORDS, "--json")["exact"] is False
    assert doors.drive_command("run", "mean", "--method", "laplace", *WORDS[4:], "--json")["exact"] is True
    assert REASON in doors.drive_command(*WORDS)


def test_a_query_from_outside_is_inexact_too():
    words = ("run", "second", "--method", "laplace", "--example", "one-to-ten", *doors.ASKED)
    assert doors.drive_command(*words, "--json")["exact"] is False
    assert f"{INEXACT}: Second smallest has not been shown to be exact" in doors.drive_command(*words)


def test_the_window_says_so_before_it_runs_and_in_the_history(stage):
    stage.session.show_page("median")
    doors.idle(stage)
    stage.controllers.data.open_example("one-to-ten")
    doors.idle(stage)
    form = stage.body.column.release.form
    choose(form.chooser("query").box, "mean")
    choose(form.chooser("method").box, "laplace-in-doubles")
    doors.idle(stage)
    panel = stage.body.column.release
    assert not panel.inexact.isHidden()
    assert panel.inexact.text().lower().startswith(REASON.lower())
    record, line = doors.drive_run(stage)
    assert (record.release.exact, record.flaw) == (False, REASON)
    assert INEXACT in " ".join(line)
