"""Opening and saving session files: what is asked, refused and said on the way."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from session_windows import PATIENCE, closed, opened, saved, shown, visited

from app.documents.document import FORMAT
from app.widgets.asking import ChoiceDialog
from app.window.session_file_controller import UNSEALED
from engine.data.reading_options import DETECTED
from engine.ledger import Ledger

pytestmark = pytest.mark.usefixtures("undrawn")

PEOPLE = "name,age,pay\n" + "".join(f"p{i},{20 + i},{1000 * i}\n" for i in range(1, 41))


@pytest.fixture(scope="module")
def ledger():
    return Ledger(None)


@pytest.fixture
def people(tmp_path, ledger):
    """Save a session about a file; return both."""
    from app.documents import SessionSnapshot
    from app.documents.writing import save
    from app.model.kept_data import read_file
    from app.model.state import SessionState

    def make(keys=ledger, data=tmp_path / "people.csv", **fields):
        data.parent.mkdir(exist_ok=True)
        data.write_text(PEOPLE, "utf-8")
        dataset = read_file("median", data, DETECTED, lambda *_: None).dataset
        numbers = dataset.table.numbers("age", missing="refuse")
        known = {"dataset": dataset, "column": "age", "numbers": numbers, "lower": 0.0, "upper": 120.0}
        state = SessionState().replaced({**known, "epsilon": 2.5, **fields})
        return save(SessionSnapshot(state, {}), tmp_path / "people.sensiscope", keys), data

    return make


@pytest.fixture(scope="module")
def kept_window(qapp, ledger):
    window = opened(ledger)
    yield window
    closed(window)


@pytest.fixture
def window(kept_window):
    """Return a window on an example, with no session."""
    window = kept_window
    window.controllers.session_files.path = window.controllers.session_files._saved = None
    begun = vars(window.session.state).copy()
    yield window
    window.controllers.session_files.cancel()
    window.session._replace(begun)
    window.session.undo_stack.clear()
    window.body.messages.clear()
    assert window.wait_until_idle(PATIENCE)


def opens(window, path):
    window.controllers.files.open_path(path)
    assert window.wait_until_idle(PATIENCE)


def question(window):
    """Return the question that is asked, if there is one."""
    dialogs = [dialog for dialog in window.findChildren(ChoiceDialog) if dialog.isVisible()]
    return dialogs[0] if dialogs else None


def answered(window, key):
    question(window).answer(key)
    assert window.wait_until_idle(PATIENCE)


def is_people(window):
    state = window.session.state
    return state.dataset.title == "people.csv" and state.epsilon == 2.5


def test_ones_own_session_opens_and_can_be_saved_again(window, people):
    path, _ = people()
    opens(window, path)
    assert is_people(window)
    assert question(window) is None
    assert window.windowTitle() == "people[*] – people.csv: age – Sensiscope"
    window.session.edit("change epsilon", epsilon=3.5)
    assert window.isWindowModified()
    window.controllers.session_files.save()
    assert window.wait_until_idle(PATIENCE)
    assert not window.isWindowModified()
    assert json.loads(path.read_text("utf-8"))["shared"]["epsilon"] == 3.5
    assert path in window.controllers.files.recent.paths


@pytest.mark.slow
def test_categories_come_back(window, tmp_path):
    window.session.show_page("histogram")
    assert window.wait_until_idle(PATIENCE)
    window.controllers.data.open_example("admissions")
    before = visited(window, "histogram")
    assert window.page.card.tab == "table"
    path = saved(window, tmp_path / "categories.sensiscope")
    window.controllers.data.open_example("airports")
    assert visited(window, "histogram") != before
    window.controllers.session_files._saved = None
    opens(window, path)
    assert shown(window) == before


def test_a_file_never_leads_out_of_the_release_view(window, people):
    path, _ = people()
    window.session.show_view("release")
    opens(window, path)
    assert is_people(window)
    assert window.session.state.view == "release"
    window.session.show_view("curator")
    shared, _ = people(view="release")
    opens(window, shared)
    assert window.session.state.view == "release"


def test_reading_can_be_cancelled(window, people):
    path, _ = people()
    before = window.session.state
    window.controllers.files.open_path(path)
    assert window.controllers.session_files.busy
    window.handlers.cancel()
    assert window.wait_until_idle(PATIENCE)
    assert window.session.state is before
    assert window.controllers.status.text().startswith("No session was opened")


def test_dropped_sessions_are_opened(window, people):
    path, _ = people()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, buttons, keys))
    assert window.wait_until_idle(PATIENCE)
    assert is_people(window)


@pytest.mark.parametrize("wrong", ["cut", "newer", "unknown"])
def test_what_is_refused_is_said_in_a_line_and_changes_nothing(window, people, wrong):
    path, _ = people()
    text = path.read_text("utf-8")
    changed = {
        "cut": text[:300],
        "newer": text.replace(f'"format": {FORMAT}', f'"format": {FORMAT + 1}', 1),
        "unknown": text.replace('"shared"', '"shard"', 1),
    }
    path.write_text(changed[wrong], "utf-8")
    before = window.session.state
    opens(window, path)
    [message] = window.body.messages.texts()
    assert message.startswith("people.sensiscope")
    assert window.session.state is before
    assert window.controllers.session_files.path is None


def test_data_that_cannot_be_read_change_nothing(window, people):
    path, data = people()
    data.write_text(PEOPLE.replace("age", "years", 1), "utf-8")
    before = window.session.state
    opens(window, path)
    assert "there is no column 'age'" in window.body.messages.texts()[0]
    assert window.session.state is before


def test_data_that_were_moved_are_asked_for(window, people, tmp_path):
    path, data = people()
    elsewhere = tmp_path / "elsewhere.csv"
    data.rename(elsewhere)
    before = window.session.state
    opens(window, path)
    assert "no longer exists" in question(window).sentences[0].text()
    answered(window, "")
    assert window.session.state is before
    opens(window, path)
    answered(window, "choose")
    files = window.controllers.session_files.loader.dialog
    files.fileSelected.emit(str(elsewhere))
    files.close()
    assert window.wait_until_idle(PATIENCE)
    assert window.session.state.dataset.path == elsewhere
    assert window.session.state.epsilon == 2.5


def test_data_that_have_changed_are_told(window, people):
    path, data = people()
    data.write_text(PEOPLE.replace("21,", "22,", 1), "utf-8")
    before = window.session.state
    opens(window, path)
    assert "has changed since the session was saved" in question(window).sentences[0].text()
    assert window.session.state is before
    answered(window, "take")
    assert is_people(window)


def test_somebody_elses_session_reads_nothing_elsewhere_without_a_question(window, people, tmp_path):
    other = Ledger(None)
    path, data = people(other, tmp_path / "secret" / "people.csv")
    far = path.parent / "sessions" / path.name
    far.parent.mkdir()
    far.write_text(path.read_text("utf-8").replace('"secret/people.csv"', json.dumps(str(data))), "utf-8")
    before = window.session.state
    opens(window, far)
    assert "comes from elsewhere" in question(window).sentences[0].text()
    assert str(data) in question(window).sentences[0].text()
    answered(window, "")
    assert window.session.state is before
    opens(window, far)
    answered(window, "take")
    assert is_people(window)
    assert window.body.messages.texts() == [UNSEALED]


@pytest.mark.slow
def test_changes_are_asked_about_before_another_session_is_opened(window, people):
    path, _ = people()
    opens(window, path)
    window.session.edit("change epsilon", epsilon=3.5)
    opens(window, path)
    assert window.session.state.epsilon == 3.5
    answered(window, "")
    assert window.session.state.epsilon == 3.5
    opens(window, path)
    answered(window, "save")
    assert window.session.state.epsilon == 3.5  # which was saved, and read again
    window.session.edit("change epsilon", epsilon=4.5)
    opens(window, path)
    answered(window, "discard")
    assert window.session.state.epsilon == 3.5


def test_a_window_with_changes_asks_before_it_closes(window, people):
    path, _ = people()
    opens(window, path)
    window.session.edit("change epsilon", epsilon=3.5)
    window.close()
    assert window.isVisible()
    assert question(window) is not None
    answered(window, "")
    assert window.isVisible()


@pytest.mark.slow
def test_in_a_lesson_what_was_there_before_is_saved(window, people, tmp_path):
    from app.model.state import LessonPosition

    path, _ = people()
    opens(window, path)
    window.controllers.lessons.player._view_states = window.controllers.lessons.player.view_states
    window.session.begin_lesson(
        LessonPosition("noise", 0, 1), "median", window.session.state.page_fields(), epsilon=9.0
    )
    window.controllers.session_files.write(tmp_path / "lesson.sensiscope")
    assert window.wait_until_idle(PATIENCE)
    plain = json.loads((tmp_path / "lesson.sensiscope").read_text("utf-8"))
    assert plain["shared"]["epsilon"] == 2.5
    window.session.leave_lesson()


def test_a_state_that_makes_no_sense_is_not_written(window, people, tmp_path):
    path, _ = people()
    opens(window, path)
    window.session.edit("change epsilon", epsilon=-1.0)
    window.controllers.session_files.write(tmp_path / "wrong.sensiscope")
    assert window.wait_until_idle(PATIENCE)
    assert "was not written, because shared: epsilon: -1 is not possible" in window.body.messages.texts()[0]
    assert not (tmp_path / "wrong.sensiscope").exists()
