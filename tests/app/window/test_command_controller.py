"""The command palette: what it offers, how it is found, and what the keys do."""

import json

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from app.widgets.command_palette import Command, rank
from app.window.command_controller import KEY, MAX_USED, CommandController

pytestmark = pytest.mark.usefixtures("undrawn")

KEYS = Qt.Key


@pytest.fixture
def palette(shared):
    """Return the palette of a window, and close it after the test."""
    shared.activateWindow()
    yield shared.controllers.commands.palette
    shared.controllers.commands.palette.dismiss()
    shared.controllers.commands.used = []


def press(palette, *keys):
    for key in keys:
        QApplication.sendEvent(palette.field, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier(0)))


def offered(window):
    """Return all entries by name."""
    return {entry.name: entry for entry in window.controllers.commands.commands()}


def test_keys_open_it_and_letters_and_enter_choose_a_method(shared, palette, qtbot):
    qtbot.keyClick(shared, KEYS.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert palette.isVisible()
    assert palette.field.hasFocus()
    qtbot.keyClicks(palette.field, "exp mech")
    assert palette.current.name == "Method: Exponential mechanism"
    press(palette, KEYS.Key_Return)
    assert not palette.isVisible()
    assert shared.session.state.mechanism.name == "exponential"
    assert offered(shared)["Method: Exponential mechanism"].chosen
    shared.controllers.commands.open()
    assert palette.field.text() == ""
    assert palette.current.name == "Method: Exponential mechanism"  # used last
    shared.controllers.commands.open()
    assert not palette.isVisible()


def test_the_keyboard_goes_back_to_where_it_was(shared, palette):
    shared.body.column.privacy.epsilon.setFocus()
    before = QApplication.focusWidget()
    assert before is not None
    shared.controllers.commands.open()
    press(palette, KEYS.Key_Escape)
    assert not palette.isVisible()
    assert QApplication.focusWidget() is before


def test_escape_and_return_are_kept_from_the_shortcuts_of_the_window(shared, palette):
    shared.body.messages.show_message("stays")
    shared.controllers.commands.open()
    for key in (KEYS.Key_Escape, KEYS.Key_Return, KEYS.Key_Tab):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier(0))
        event.ignore()
        QApplication.sendEvent(palette.field, event)
        assert event.isAccepted()
    assert shared.body.messages.texts() == ["stays"]


def test_arrows_go_round_and_it_closes_with_the_focus_or_a_click_beside_it(shared, palette, qtbot):
    shared.controllers.commands.open()
    first, last = palette.shown[0], palette.shown[-1]
    press(palette, KEYS.Key_Up)
    assert palette.current is last
    press(palette, KEYS.Key_Down)
    assert palette.current is first
    press(palette, KEYS.Key_PageDown, KEYS.Key_Tab)
    assert palette.list.currentRow() == 11
    assert palette.field.hasFocus()
    shared.body.column.privacy.epsilon.setFocus()
    assert not palette.isVisible()
    shared.controllers.commands.open()
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=palette.rect().bottomLeft())
    assert not palette.isVisible()


def test_a_click_runs(shared, palette, qtbot):
    shared.controllers.commands.open()
    palette.field.setText("picture noise")
    area = palette.list.visualRect(palette.list.currentIndex())
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert shared.body.pages["median"].card.tab == "noise"


def test_everything_is_offered(shared, palette, tmp_path):
    shared.controllers.files.recent.add(tmp_path / "mine.csv")
    shared.controllers.commands.open()
    assert shared.wait_until_idle()
    names = {entry.name: entry for entry in palette._commands}
    for name in (
        "Release: Run",
        "File: Save figure",
        "View: Release view",
        "Colors: Dark",
        "Page: Median & quantiles",
        "Page: Compare",
        "Picture: By distance k",
        "Picture: Audit",
        "Query: Quantile",
        "Noise: Gaussian",
        "Example: Salaries",
        "Recent file: mine.csv",
        "Setting: Ask before a release",
    ):
        assert name in names, name
    assert any(entry.group == "Lesson" for entry in palette._commands)
    assert names["File: Save figure"].keys == "Ctrl+E"
    assert names["Picture: By distance k"].chosen
    shared.controllers.files.recent.clear()


def test_what_cannot_be_done_says_why_and_does_nothing(shared, palette):
    shared.body.column.data.form.box("upper").type_in("-5")
    assert shared.wait_until_idle()
    run = offered(shared)["Release: Run"]
    assert not run.enabled
    assert "fix the fields" in run.why
    assert run.spoken.endswith(run.why)
    assert "View: Controls" in offered(shared)
    shared.controllers.commands.open()
    palette.field.setText("release run")
    assert palette.current.name == "Release: Run"
    press(palette, KEYS.Key_Return)
    assert palette.isVisible()
    assert shared.session.state.releases == ()
    palette.field.setText("zebra")
    assert palette.current.spoken == "No match: try “quantile” or “histogram”"
    press(palette, KEYS.Key_Return, KEYS.Key_Down)
    assert palette.isVisible()


def test_the_release_view_offers_no_private_picture(shared, palette):
    def pictures():
        return {entry.text for entry in shared.controllers.commands.commands() if entry.group == "Picture"}

    assert {"By distance k", "Distribution"} <= pictures()
    shared.session.show_view("release")
    assert pictures() == {"Noise", "Audit"}


def test_new_things_are_offered_with_one_line(shared):
    done = []
    shared.controllers.commands.sources.append(
        lambda: [Command("Help", "Median", "", lambda: done.append(1))]
    )
    offered(shared)["Help: Median"].run()
    assert done == [1]
    del shared.controllers.commands.sources[-1]


def test_what_was_used_last_is_first_among_equals():
    entries = [Command("A", text, "", print) for text in ("mean", "median", "mode")]
    assert [entry.text for entry in rank(entries, "m", [])] == ["mean", "median", "mode"]
    assert [entry.text for entry in rank(entries, "m", ["A: mode"])] == ["mode", "mean", "median"]
    unable = [Command("A", "mean", "", print, enabled=False, why="no"), *entries[1:]]
    assert [entry.text for entry in rank(unable, "m", [])] == ["median", "mode", "mean"]


def test_what_was_used_is_kept_but_no_file(shared, tmp_path):
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue(KEY, "no list")
    commands = CommandController(shared, shared.session, shared.actions_by_name["palette"], (), store)
    assert commands.used == []
    for number in range(MAX_USED + 5):
        commands.palette.ran.emit(Command("Page", str(number), "", print))
    commands.palette.ran.emit(Command("Recent file", "secret.csv", "", print))
    kept = json.loads(store.value(KEY))
    assert len(kept) == MAX_USED
    assert kept[0] == f"Page: {MAX_USED + 4}"
    assert not any("secret" in name for name in kept)
    assert (
        CommandController(shared, shared.session, shared.actions_by_name["palette"], (), store).used == kept
    )


def test_a_field_leaves_the_keys_of_the_palette_to_it(shared, palette):
    """On many systems Ctrl+K deletes in a field; here, Ctrl+V stands for it, which is known everywhere."""
    action = shared.actions_by_name["palette"]
    usual = action.shortcut()
    shared.body.column.privacy.epsilon.setFocus()
    taken = []
    for keys in (usual, QKeySequence("Ctrl+V")):
        action.setShortcut(keys)
        event = QKeyEvent(QEvent.Type.ShortcutOverride, KEYS.Key_V, Qt.KeyboardModifier.ControlModifier)
        event.ignore()
        QApplication.sendEvent(QApplication.focusWidget(), event)
        taken.append(event.isAccepted())
    action.setShortcut(usual)
    assert taken == [True, False]


def test_what_is_offered_follows_what_is_chosen_meanwhile(shared, palette, qtbot):
    shared.controllers.commands.open()
    qtbot.keyClicks(palette.field, "noise")
    assert "Noise" in {one.group for one in palette.shown}
    shared.session.edit("choose", method="exponential")  # such as a file that opens when it has been read
    assert palette.isVisible()
    assert palette.field.text() == "noise"
    assert "Noise" not in {one.group for one in palette.shown}


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("export", "File: Export data"),
        ("csv", "File: Export data"),
        ("zoom", "View: Presentation mode"),
        ("theme", "Colors: Light"),
        ("gif", "Help: Guess who"),
        ("dark", "Colors: Dark"),
        ("epsilon 0.5", "Set: epsilon = 0.5"),
        ("eps=2", "Set: epsilon = 2"),
        ("delta 1e-6", "Set: delta = 1e-6"),
    ],
)
def test_what_users_type_is_found(shared, palette, qtbot, typed, first):
    shared.controllers.commands.open()
    palette.field.setText(typed)
    assert palette.current.name == first


@pytest.mark.parametrize(
    "typed", ["epsilon 0", "epsilon -1", "epsilon", "delta 1", "epsilon 1e999", "eps .."]
)
def test_what_makes_no_sense_is_not_offered(shared, palette, typed):
    shared.controllers.commands.open()
    palette.field.setText(typed)
    assert not palette.current.name.startswith("Set: ")


def test_a_typed_epsilon_is_set_and_can_be_undone(shared, palette):
    shared.controllers.commands.open()
    palette.field.setText("epsilon 0.5")
    press(palette, KEYS.Key_Return)
    assert shared.session.state.epsilon == 0.5
    shared.session.undo_stack.undo()
    assert shared.session.state.epsilon != 0.5
