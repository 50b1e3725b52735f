"""Saving a session, and opening it in another window: the same pictures, number by number."""

import dataclasses
import json
import re

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from app.panels.choice_dialog import ChoiceDialog
from app.session import Session
from app.window.main_window import MainWindow
from app.window.session_file_controller import UNSEALED
from engine.ledger import Ledger

PATIENCE = 60_000
PAGES = ("spanning-tree", "clustering", "one-cluster", "histogram")


def opened(ledger, file=None):
    """Return a shown, idle window."""
    window = MainWindow(Session(ledger=ledger), None if file is None else str(file))
    window.show()
    assert window.wait_until_idle(PATIENCE)
    return window


def closed(window):
    """Close a window without a question."""
    window.keeper._closing = True
    window.close()
    window.deleteLater()


def saved(window, path):
    window.keeper.write(path)
    assert window.wait_until_idle(PATIENCE)
    assert not window.messages.texts()
    return path


def shown(window):
    """Return the numbers behind all pictures that are in sight."""
    assert window.wait_until_idle(PATIENCE)
    if window.page.table is not None:
        return window.page.table
    tables = []
    for canvas in window.page.canvases:
        if canvas is not None and canvas.isVisible():
            canvas._draw()
            tables.append((canvas.picture.table(), canvas.picture.axes.get_yscale()))
    return tables


def visited(window, page, tab=""):
    """Go to a page and return what is to be seen there."""
    window.session.show_page(page)
    assert window.wait_until_idle(PATIENCE)
    if tab:
        window.page.show_tab(tab)
    window.compare.running.away.stop()
    return shown(window)


def choose(box, index):
    """Choose an entry as a person does."""
    box.setCurrentIndex(index)
    box.activated.emit(index)


TABS = ("k", "epsilon", "path", "noise", "distribution", "audit")


def work_on_median(window):
    """Choose on the first page whatever changes a picture."""
    window.session.edit("epsilon", epsilon=0.5, delta=1e-6)
    window.session.move_point(3, 52_000.0)
    window.run()
    card = window.page.card
    card.show_target("halves")
    card.simulation.again.click()
    card.audit.choose(card.audit.choice.but(runs=1000), "trade-off")
    assert window.wait_until_idle(PATIENCE)
    window.page.show_tab("k")
    assert window.wait_until_idle(PATIENCE)
    card.log_button.click()
    window.page.show_tab("audit")
    assert window.wait_until_idle(PATIENCE)
    card.audit.audit_button.click()
    assert window.wait_until_idle(PATIENCE)


def work_on(window, page):
    """Choose on another page something that changes the picture that is open at the end."""
    window.session.show_page(page)
    assert window.wait_until_idle(PATIENCE)
    card = window.page.card
    if page == "spanning-tree":
        window.page.graph.show_distance(2)
        window.page.show_tab("path")
        card.show_target("upper")
    elif page == "clustering":
        window.run()
        assert window.wait_until_idle(PATIENCE)
        window.page.show_tab("outputs")
        choose(card.zoom_box, 1)
    elif page == "one-cluster":
        card.draws.draw_anew()
        window.page.show_tab("boxes")
    else:
        card.draws.draw_anew()
        window.page.show_tab("isolation")
        assert window.wait_until_idle(PATIENCE)
        card.attacks.attack("occupied")
        assert window.wait_until_idle(PATIENCE)
        window.page._on_nudged(1, 0)
        card.attacks.near_box.click()
    return shown(window)


@pytest.fixture(scope="module")
def ledger():
    return Ledger(None)


@pytest.fixture(scope="module")
def before(qapp, ledger, tmp_path_factory):
    """Work in a window, save the session and close the window; return what was to be seen, and the file."""
    window = opened(ledger)
    work_on_median(window)
    pictures = {page: work_on(window, page) for page in PAGES}
    pictures |= {tab: visited(window, "median", tab) for tab in TABS}
    window.session.show_page("compare")
    assert window.wait_until_idle(PATIENCE)
    window.session.edit(
        "compare", comparison=dataclasses.replace(window.session.state.comparison, runs=20, steps=2)
    )
    window.page.run()
    pictures["compare"] = visited(window, "compare", "table")
    window.page.card.modes.button("box").click()
    pictures["compare errors"] = visited(window, "compare", "errors")
    path = saved(window, tmp_path_factory.mktemp("kept") / "work.sensiscope")
    pictures["state"] = window.session.state
    closed(window)
    return pictures, path


@pytest.fixture(scope="module")
def again(before, ledger):
    """Return a window that was begun with the session."""
    window = opened(ledger, before[1])
    yield window
    closed(window)


def test_it_opens_where_one_was(before, again):
    state, was = again.session.state, before[0]["state"]
    assert (state.page, state.room, again.page.card.tab) == ("median", "compare", "errors")
    assert (state.epsilon, state.delta, state.data.modified_values) == (
        was.epsilon,
        was.delta,
        was.data.modified_values,
    )
    assert "work" in again.windowTitle()
    assert not again.isWindowModified()
    assert not again.messages.texts()


def without_times(table):
    """Return a table of a comparison without what was measured with a clock."""
    name, header, rows = table
    kept = [place for place, title in enumerate(header) if title != "Seconds per run"]
    return name, [[row[place] for place in kept] for row in rows]


def test_a_comparison_is_made_again(before, again):
    assert shown(again) == before[0]["compare errors"]
    assert without_times(visited(again, "compare", "table")) == without_times(before[0]["compare"])


@pytest.mark.parametrize("tab", TABS)
def test_all_pictures_of_a_page_are_the_same(before, again, tab):
    assert visited(again, "median", tab) == before[0][tab]


@pytest.mark.parametrize("page", PAGES)
def test_the_open_picture_of_each_page_is_the_same(before, again, page):
    assert visited(again, page) == before[0][page]


def test_the_history_is_the_same_and_nothing_can_be_undone(before, again):
    was, now = (state.releases for state in (before[0]["state"], again.session.state))
    assert [one.release.value for one in now] == [one.release.value for one in was]
    assert len(now) == 2
    assert not again.session.undo_stack.canUndo()
    assert not again.actions_by_name["undo"].isEnabled()


def test_nothing_private_is_in_the_file(before):
    pictures, path = before
    text = path.read_text("utf-8")
    coordinates = pictures["state"].at("histogram").points.values.ravel().tolist()
    planted = {repr(abs(value)) for value in coordinates if len(repr(value)) > 6}
    assert len(planted) > 100
    written = set(re.findall(r"\d+\.\d+", text))  # a longer number may hold a shorter one by chance
    assert not planted & written
    for dataset in {pictures["state"].at(page).dataset for page in ("median", *PAGES)}:
        assert dataset.digest not in text
    [[table, _], *_] = pictures["k"]
    private = {f"{value:.12g}" for row in table[1] for value in row if len(f"{value:.12g}") > 8}
    assert private
    assert not [value for value in private if value in text]


# One window for all that is said and asked.

PEOPLE = "name,age,pay\n" + "".join(f"p{i},{20 + i},{1000 * i}\n" for i in range(1, 41))


@pytest.fixture
def people(tmp_path, ledger):
    """Save a session about a file; return both."""
    from app.documents.saving import save
    from app.documents.session_snapshot import SessionSnapshot
    from app.model.loading import read_file
    from app.model.state import SessionState

    def make(keys=ledger, data=tmp_path / "people.csv", **fields):
        data.parent.mkdir(exist_ok=True)
        data.write_text(PEOPLE, "utf-8")
        dataset = read_file("median", data, lambda *_: None).dataset
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
    window.keeper.path = window.keeper._saved = None
    begun = vars(window.session.state).copy()
    yield window
    window.keeper.cancel()
    window.session._replace(begun)
    window.session.undo_stack.clear()
    window.messages.clear()
    assert window.wait_until_idle(PATIENCE)


def opens(window, path):
    window.open_path(path)
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
    window.save_session()
    assert window.wait_until_idle(PATIENCE)
    assert not window.isWindowModified()
    assert json.loads(path.read_text("utf-8"))["shared"]["epsilon"] == 3.5
    assert path in window.recent.paths


def test_categories_come_back(window, tmp_path):
    window.session.show_page("histogram")
    assert window.wait_until_idle(PATIENCE)
    window.opener.open_example("admissions")
    before = visited(window, "histogram")
    assert window.page.card.tab == "table"
    path = saved(window, tmp_path / "categories.sensiscope")
    window.opener.open_example("airports")
    assert visited(window, "histogram") != before
    window.keeper._saved = None
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
    window.open_path(path)
    assert window.keeper.busy
    window.cancel()
    assert window.wait_until_idle(PATIENCE)
    assert window.session.state is before
    assert window.status.text().startswith("No session was opened")


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
        "newer": text.replace('"format": 1', '"format": 2', 1),
        "unknown": text.replace('"shared"', '"shard"', 1),
    }
    path.write_text(changed[wrong], "utf-8")
    before = window.session.state
    opens(window, path)
    [message] = window.messages.texts()
    assert message.startswith("people.sensiscope")
    assert window.session.state is before
    assert window.keeper.path is None


def test_data_that_cannot_be_read_change_nothing(window, people):
    path, data = people()
    data.write_text(PEOPLE.replace("age", "years", 1), "utf-8")
    before = window.session.state
    opens(window, path)
    assert "there is no column 'age'" in window.messages.texts()[0]
    assert window.session.state is before


def test_data_that_were_moved_are_asked_for(window, people, tmp_path):
    path, data = people()
    elsewhere = tmp_path / "elsewhere.csv"
    data.rename(elsewhere)
    before = window.session.state
    opens(window, path)
    assert "is not there any more" in question(window).words[0].text()
    answered(window, "")
    assert window.session.state is before
    opens(window, path)
    answered(window, "choose")
    files = window.keeper.reopener.dialog
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
    assert "is not what it was" in question(window).words[0].text()
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
    assert "not saved on this computer" in question(window).words[0].text()
    assert str(data) in question(window).words[0].text()
    answered(window, "")
    assert window.session.state is before
    opens(window, far)
    answered(window, "take")
    assert is_people(window)
    assert window.messages.texts() == [UNSEALED]


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


def test_in_a_lesson_what_was_there_before_is_saved(window, people, tmp_path):
    from app.model.lesson_step import LessonStep

    path, _ = people()
    opens(window, path)
    window.player._view_states = window.player.view_states
    window.session.begin_lesson(
        LessonStep("noise", 0, 1), "median", window.session.state.page_fields(), epsilon=9.0
    )
    window.keeper.write(tmp_path / "lesson.sensiscope")
    assert window.wait_until_idle(PATIENCE)
    plain = json.loads((tmp_path / "lesson.sensiscope").read_text("utf-8"))
    assert plain["shared"]["epsilon"] == 2.5
    window.session.leave_lesson()


def test_a_state_that_makes_no_sense_is_not_written(window, people, tmp_path):
    path, _ = people()
    opens(window, path)
    window.session.edit("change epsilon", epsilon=-1.0)
    window.keeper.write(tmp_path / "wrong.sensiscope")
    assert window.wait_until_idle(PATIENCE)
    assert "was not written, because shared: epsilon: -1 is not possible" in window.messages.texts()[0]
    assert not (tmp_path / "wrong.sensiscope").exists()
