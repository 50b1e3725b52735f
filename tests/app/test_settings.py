"""Settings: read safely, drawn from their table, and each with its effect."""

import math
import stat
import sys

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel
from seen import choose

from app import settings as module
from app.model.kept_data import read_file
from app.model.preferences import DEFAULTS, SETTINGS
from app.panels.settings_dialog import SettingsDialog
from app.settings import FOLDER, Settings, private_store, read, to_text
from app.widgets.style import THEME
from engine.data.reading_options import DETECTED
from engine.errors import ParameterError
from engine.ledger import Limit
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def store(tmp_path):
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


OTHERS = {
    "theme": "dark",
    "size": "125",
    "type_size": 180.0,
    "numbers": "comma",
    "start_with": "example",
    "view": "release",
    "recent_files": 3,
    "cluster": "tcp://10.0.0.5:8786",
    "limit_epsilon": 2.5,
    "limit_delta": 1e-5,
    "slack": 1e-9,
    "ask": "always",
    "figure_width": "single",
    "figure_dpi": 600,
    "figure_font": "tex",
    "figure_words": "none",
    "figure_colors": "light",
    "figure_stamp": "never",
}


@pytest.mark.skipif(sys.platform != "linux", reason="settings are in no file of ours")
@pytest.mark.parametrize("older", [False, True])
def test_settings_are_for_nobody_else(older, tmp_path, monkeypatch, qapp):
    file = tmp_path / "new" / "settings.ini"
    if older:
        file.parent.mkdir()
        file.write_text("[settings]\ntheme=dark\n", "utf-8")
    monkeypatch.setattr(module, "QSettings", lambda: QSettings(str(file), QSettings.Format.IniFormat))
    store, _ = private_store()
    settings = Settings(store)
    assert settings["theme"] == ("dark" if older else "system")
    settings.change(theme="light")
    store.sync()
    assert Settings(private_store()[0])["theme"] == "light"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert older or stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_every_default_and_every_other_value_is_written_and_read(qapp, store):
    assert set(OTHERS) == set(SETTINGS)
    for name, setting in SETTINGS.items():
        for value in (setting.default, OTHERS[name]):
            assert read(setting, to_text(value)) == value
    settings = Settings(store)
    assert settings.values == DEFAULTS
    settings.change(**OTHERS)
    store.sync()
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert again.values == OTHERS
    assert again.problems == ()
    settings.change(limit_epsilon=None)
    assert Settings(store)["limit_epsilon"] is None


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("theme", "purple"),
        ("theme", ["light", "dark"]),
        ("theme", ""),
        ("type_size", "nan"),
        ("type_size", "1e400"),
        ("type_size", "99"),
        ("recent_files", "1.5"),
        ("recent_files", "9" * 5000),
        ("recent_files", "-1"),
        ("limit_epsilon", "0"),
        ("limit_epsilon", "inf"),
        ("limit_epsilon", "x" * 10_000),
        ("limit_delta", "1"),
        ("slack", "0"),
        ("view", "cura\ntor"),
        ("ask", b"\x00\xff"),
    ],
)
def test_what_makes_no_sense_falls_back_to_the_default_and_is_said(qapp, store, name, stored):
    store.setValue(f"{FOLDER}/{name}", stored)
    store.setValue(f"{FOLDER}/unknown", "1")
    settings = Settings(store)
    assert settings.values == DEFAULTS
    [problem] = settings.problems
    assert SETTINGS[name].label.replace("&", "") in problem
    assert "\n" not in problem
    assert len(problem) < 200


def test_nothing_is_changed_by_a_value_that_makes_no_sense(qapp, qtbot):
    settings = Settings()
    with qtbot.assertNotEmitted(settings.changed):
        for name, value in (
            ("slack", 1.0),
            ("type_size", math.nan),
            ("theme", "pink"),
            ("limit_epsilon", 0.0),
        ):
            with pytest.raises(ParameterError):
                settings.change(**{name: value, "recent_files": 5})
        settings.change(**settings.values)
    assert settings.values == DEFAULTS


def test_two_windows_follow_what_was_set(window_on, store, tmp_path):
    window = window_on([1.0, 2.0, 3.0], settings=store)
    window.settings.change(theme="dark", type_size=200.0, view="release")
    assert window.controllers.appearance.theme == "dark"
    assert window.session.state.view == "curator"  # it is about the start
    window.controllers.appearance.set_presentation(True)
    large = THEME.scale
    window.settings.change(type_size=100.0)
    assert window.controllers.appearance.presenting
    assert not window.body.column.isVisible()
    assert (large, THEME.scale) == (2.0, 1.0)
    window.close()
    store.setValue(f"{FOLDER}/type_size", "enormous")
    again = window_on([1.0, 2.0, 3.0], settings=store)
    assert again.controllers.appearance.theme == "dark"
    assert again.session.state.view == "release"
    assert any("enormous" in text for text in again.body.messages.texts())
    again.controllers.appearance.set_presentation(True)
    assert THEME.scale == 1.5
    again.close()


@pytest.mark.slow
def test_a_window_begins_with_what_was_worked_on_or_with_an_example(window_on, store, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("age\n" + "\n".join(map(str, range(1, 41))), "utf-8")
    begun = window_on([1.0, 2.0], settings=store)
    fields = {"column": "age", "missing": "refuse", "lower": 0.0, "upper": 120.0, "bounds_source": "known"}
    begun.controllers.data.open_fields(read_file("median", file, DETECTED, silent).dataset, fields)
    assert begun.wait_until_idle()
    begun.close()
    assert "mine.csv" in window_on(settings=store).windowTitle()
    store.setValue(f"{FOLDER}/start_with", "example")
    assert "salaries" in window_on(settings=store).windowTitle()


def dialog_of(window):
    window.controllers.settings.show()
    return next(one for one in window.findChildren(SettingsDialog) if one.isVisible())


def test_the_dialog_shows_every_setting_and_takes_effect_at_once(shared, qtbot):
    window = shared
    dialog = dialog_of(window)
    assert set(dialog.rows) == set(SETTINGS)
    for row in dialog.rows.values():
        assert row.box.accessibleName()
        assert row.box.toolTip()
        assert row.box.focusPolicy() & Qt.FocusPolicy.TabFocus
    choose(dialog.rows["theme"].box, "dark")
    assert window.controllers.appearance.theme == "dark"
    dialog.rows["limit_epsilon"].box.type_in("2,5")
    assert window.settings["limit_epsilon"] == 2.5
    dialog.rows["limit_epsilon"].box.type_in("")
    assert window.settings["limit_epsilon"] is None
    for name, text, said in (
        ("recent_files", "31", "at most 30"),
        ("recent_files", "2.5", "a whole number"),
        ("type_size", "much", "not a number"),
        ("slack", "0", "above 0"),
    ):
        dialog.rows[name].box.type_in(text)
        assert said in dialog.rows[name].problem
        assert window.settings[name] == DEFAULTS[name]
    dialog.rows["recent_files"].box.type_in("4")
    assert dialog.rows["recent_files"].problem == ""
    assert window.settings["recent_files"] == 4
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    assert window.settings.values == DEFAULTS
    assert window.controllers.appearance.theme == DEFAULTS["theme"]


def test_defaults_come_back_and_ok_keeps_them(shared):
    window = shared
    window.settings.change(theme="dark", slack=1e-4)
    dialog = dialog_of(window)
    dialog.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults).click()
    assert dialog.rows["slack"].box.value == DEFAULTS["slack"]
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert window.settings.values == DEFAULTS
    window.controllers.settings.show_setting("slack")
    dialog = next(one for one in window.findChildren(SettingsDialog) if one.isVisible())
    assert dialog.focusWidget() is dialog.rows["slack"].box
    dialog.reject()


def test_each_release_is_asked_about_if_one_wants(shared):
    window = shared
    window.settings.change(ask="always")
    window.controllers.run.start()
    dialog = window.controllers.confirmation.dialog
    assert window.wait_until_idle()
    assert window.session.state.releases == ()
    assert any("costs ε = 1" in label.text() for label in dialog.findChildren(QLabel))
    dialog.reject()
    assert window.controllers.confirmation.dialog is None
    window.controllers.run.start()
    # what is asked about has changed: the question is no more
    window.session.edit("change epsilon", epsilon=2.0)
    assert window.controllers.confirmation.dialog is None
    window.controllers.run.start()
    window.controllers.confirmation.dialog.agree_button.click()
    assert window.wait_until_idle()
    [record] = window.session.state.releases
    assert record.release.privacy.epsilon == 2.0
    window.settings.change(ask="over")
    window.controllers.run.start()
    assert window.controllers.confirmation.dialog is None
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 2


def test_a_dataset_of_which_nothing_is_written_begins_with_the_limit_that_is_set(shared):
    window = shared
    window.settings.change(limit_epsilon=1.5, limit_delta=1e-6, ask="never")
    assert window.wait_until_idle()
    assert window.controllers.budget_watcher.budget.limit == Limit(1.5, 1e-6, DEFAULTS["slack"])
    window.controllers.run.start()
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 1
    window.controllers.run.start()
    assert window.wait_until_idle()
    # over the limit, and the user does not want to be asked
    assert len(window.session.state.releases) == 1
    assert window.controllers.confirmation.dialog is None
    [message] = window.body.messages.texts()
    assert "nothing was released" in message
    window.settings.change(ask="over", limit_epsilon=9.0)
    window.controllers.budget_watcher.set_limit(None)
    assert window.wait_until_idle()
    # what the user has decided about a dataset stands
    assert window.controllers.budget_watcher.budget.limit is None
    window.settings.change(**DEFAULTS)
