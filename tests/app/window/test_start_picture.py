"""The first picture of a start, shown as it was drawn last time until it is drawn again."""

import pytest
from last_sessions import EDGES, opened
from PySide6.QtCore import QSettings

from app.documents.last_session import last_session
from app.model.pages.registry import PAGE_KINDS
from app.model.state import FIRST_PAGE
from app.model.wording import numbers
from app.model.wording.numbers import FORMATS
from app.session import Session
from app.window import start_picture
from app.window.main_window import MainWindow
from app.window.open_controller import KEY
from app.window.start_picture_cache import default_folder


@pytest.fixture
def begun(qtbot, monkeypatch, tmp_path):
    """Return a function that starts the program, in a window that was painted and reads an example."""
    monkeypatch.setattr(start_picture, "QUIET_MS", 0)
    made = []

    def begin(page=FIRST_PAGE):
        store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        store.setValue("page", page)
        window = MainWindow(Session(), settings=store)
        window.resize(1280, 800)  # whatever this screen allows
        made.append(window)
        window.show()
        qtbot.waitUntil(lambda: window.controllers.start_picture._page is not None)
        return window

    yield begin
    for window in made:
        window.close()
        window.deleteLater()


def kept():
    """Return the files that are kept."""
    return sorted(default_folder().glob("*"))


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=() if page == FIRST_PAGE else pytest.mark.slow) for page in PAGE_KINDS]
)
def test_a_start_shows_at_once_what_it_will_draw(begun, page):
    window = begun(page)
    assert window.controllers.start_picture.cover is None
    assert window.wait_until_idle()
    (path,) = kept()
    content = path.read_bytes()
    window.close()

    window = begun(page)
    opening = window.controllers.start_picture
    cover = opening.cover
    assert cover.painted
    assert window.page.card.badge.text() == "Public data"
    assert not (window.page.canvas and window.page.canvas.has_picture)
    covered = cover.grab().toImage()
    assert window.wait_until_idle()
    assert opening.cover is None
    assert window.page.canvas.surface.grab().toImage() == covered
    assert [one.read_bytes() for one in kept()] == [content]

    window.session.edit("change epsilon", epsilon=0.5)
    window.resize(1300, 820)
    assert window.wait_until_idle()
    assert [one.read_bytes() for one in kept()] == [content]


def test_a_picture_stands_where_its_size_says_whatever_size_it_had(begun):
    window, seen = begun("histogram"), []
    for height in (800, 700, 800, 820, 800):
        window.resize(1280, height)
        assert window.wait_until_idle()
        if height == 800:
            seen.append(window.page.canvas.picture.axes.get_window_extent().bounds)
    assert seen[1:] == [pytest.approx(seen[0])] * 2


def test_whatever_decides_how_the_picture_looks_is_in_its_key(window, monkeypatch):
    opening = window.controllers.start_picture
    opening._page, opening._example = window.page, "salaries"
    seen = [opening._now]

    def differs():
        assert opening._now not in seen
        seen.append(opening._now)

    window.controllers.appearance.set_theme("dark")
    differs()
    window.controllers.appearance.set_size(1.25)
    differs()
    window.resize(1310, 820)
    differs()
    window.page.show_tab("epsilon")
    differs()
    opening._example = "ages"
    differs()
    opening._chosen = "another epsilon"
    differs()
    monkeypatch.setattr(numbers, "_in_use", [FORMATS["comma"]])
    differs()


@pytest.mark.slow
@pytest.mark.parametrize("change", ["edit", "view", "tab", "page"])
def test_nothing_is_kept_once_anything_is_chosen(begun, change):
    window = begun()
    changes = {
        "edit": lambda: window.session.edit("change epsilon", epsilon=0.5),
        "view": lambda: window.session.show_view("release"),
        "tab": lambda: window.page.show_tab("epsilon"),
        "page": lambda: window.session.show_page("spanning-tree"),
    }
    changes[change]()
    assert window.wait_until_idle()
    assert kept() == []


@pytest.mark.slow
def test_of_ones_own_data_nothing_is_kept_or_shown(window_on, monkeypatch, tmp_path):
    monkeypatch.setattr(start_picture, "QUIET_MS", 0)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    edges = tmp_path / "edges.csv"
    edges.write_text(EDGES, "utf-8")
    settings.setValue("page", "spanning-tree")
    settings.setValue(KEY, last_session(opened(edges), ""))
    window = window_on(settings=settings)
    assert window.session.state.dataset.path == edges
    assert window.page.canvas.has_picture
    assert kept() == []
