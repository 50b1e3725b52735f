"""For teachers: a handout of the lesson that is played."""

import sys

import pytest

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def teaching(playing):
    """Return the window in a lesson, and leave it afterwards."""
    yield playing
    playing.controllers.lessons.player.leave()
    playing.body.messages.clear()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("ends", "told"), [("exit 0", "Saved"), ("echo no room >&2; exit 2", "was not saved")]
)
def test_a_handout_is_written_by_the_command_for_it(teaching, tmp_path, monkeypatch, qtbot, ends, told):
    program, told_by = tmp_path / "program", tmp_path / "told"
    program.write_text(f"#!/bin/sh\necho \"$@\" > '{told_by}'\n{ends}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    action, controller = teaching.actions_by_name["handout"], teaching.controllers.handout
    assert action.isEnabled()
    out, lesson = tmp_path / "out.pdf", teaching.controllers.lessons.player.lesson
    controller.write(str(out))
    qtbot.waitUntil(lambda: not controller.busy)
    assert told_by.read_text().strip() == f"-m app lessons --handout {lesson.path} --out {out}"
    said = [teaching.controllers.status.text(), *teaching.body.messages.texts()]
    assert any(told in words for words in said)
    teaching.controllers.lessons.player.leave()
    assert not action.isEnabled()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_escape_cancels_a_handout_that_is_being_written(teaching, tmp_path, monkeypatch, qtbot):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    controller, status = teaching.controllers.handout, teaching.controllers.status
    controller.write(str(tmp_path / "out.pdf"))
    assert status.progressing
    assert status.text().endswith("Esc cancels")
    teaching.handlers.cancel()
    qtbot.waitUntil(lambda: not controller.busy)
    qtbot.waitUntil(lambda: not status.progressing)
    assert status.text() == "Cancelled: no handout was written"
    assert not teaching.body.messages.texts()
