"""Files that were opened last: in the menu, on the disk, and when they are gone."""

import json

import pytest
from PySide6.QtCore import QSettings

from app.model.preferences import MAX_RECENT
from app.model.wording.numbers import escape
from app.recent_files import KEY, RecentFiles, names

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def store(tmp_path):
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def files(tmp_path):
    made = [tmp_path / f"{letter}.csv" for letter in "abc"]
    for file in made:
        file.write_text("x\n1\n2\n3\n", "utf-8")
    return made


def test_the_newest_is_first_and_each_is_there_once(qapp, files, tmp_path):
    recent = RecentFiles(most=2)
    for file in files:
        recent.add(file)
    assert recent.paths == (files[2], files[1])
    link = tmp_path / "link.csv"
    link.symlink_to(files[1])
    recent.add(link)
    assert recent.paths == (files[1], files[2])
    recent.remove(files[1])
    assert recent.paths == (files[2],)
    recent.limit(0)
    assert recent.paths == ()


def test_they_are_kept_as_paths_and_shared_between_windows(qapp, store, files):
    one, other = RecentFiles(store), RecentFiles(store)
    one.add(files[0])
    other.add(files[1])
    assert one.paths == other.paths == (files[1], files[0])
    store.sync()
    again = RecentFiles(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert again.paths == one.paths
    assert json.loads(store.value(KEY)) == [str(files[1]), str(files[0])]
    one.clear()
    assert other.paths == ()


@pytest.mark.parametrize(
    "stored",
    [
        "no json",
        "[" * 100_000,
        '{"a": 1}',
        '[1, null, ["x"], "relative.csv", "", "\\u0000/x"]',
        ["/a", "/b"],
        json.dumps(["/" + "x" * 10_000]),
    ],
)
def test_what_is_no_list_of_paths_is_passed_over(qapp, store, stored):
    store.setValue(KEY, stored)
    assert RecentFiles(store).paths == ()


def test_files_of_one_name_are_told_apart(tmp_path):
    here, there = tmp_path / "here" / "a.csv", tmp_path / "there" / "a.csv"
    assert names([here, there, tmp_path / "b.csv"]) == ["a.csv (here)", "a.csv (there)", "b.csv"]


def entries(window):
    """Return what the menu offers, without the lines between."""
    return [action for action in window.controllers.files.recent_menu.actions() if not action.isSeparator()]


def test_the_menu_opens_files_and_offers_to_forget_those_that_are_gone(shared, files, tmp_path):
    window = shared
    assert not window.controllers.files.recent_menu.menuAction().isEnabled()
    odd = tmp_path / "R&D.csv"
    odd.write_text("x\n1\n2\n3\n", "utf-8")
    for file in (files[0], odd):
        window.controllers.files.recent.add(file)
    first, second, _ = entries(window)
    assert window.controllers.files.recent_menu.menuAction().isEnabled()
    assert (first.text(), first.toolTip()) == ("&1 R&&D.csv", escape(str(odd)))
    assert second.text() == "&2 a.csv"
    second.trigger()
    assert window.wait_until_idle()
    assert window.session.state.table.path == files[0]
    odd.unlink()
    entries(window)[1].trigger()
    [message] = window.body.messages.messages()
    assert message.text == f"{odd}: this file no longer exists"
    message.take_offer()
    assert window.controllers.files.recent.paths == (files[0],)
    assert not window.body.messages.texts()
    assert [action.text() for action in entries(window)] == ["&1 a.csv", "&Clear the list"]
    entries(window)[-1].trigger()
    assert window.controllers.files.recent.paths == ()
    assert not window.controllers.files.recent_menu.menuAction().isEnabled()


def test_the_menu_stands_behind_the_ways_to_open(shared):
    texts = [action.text() for action in shared.menus["&File"].actions() if action.isVisible()]
    assert texts[:5] == ["&Open…", "Pas&te data…", "Open &example", "Open &recent", ""]


def test_what_was_opened_is_remembered_and_examples_are_not(shared, files):
    window = shared
    window.controllers.data.open_example("salaries")
    assert window.wait_until_idle()
    assert window.controllers.files.recent.paths == ()
    window.controllers.files.open_path(files[0])
    assert window.wait_until_idle()
    assert window.controllers.files.recent.paths == (files[0],)
    window.settings.change(recent_files=0)
    assert window.controllers.files.recent.paths == ()
    window.settings.change(recent_files=MAX_RECENT)
