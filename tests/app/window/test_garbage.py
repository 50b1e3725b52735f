"""Garbage: what data leave behind is freed soon, and by itself."""

import gc
import sys
import weakref

import pytest

from app.model.selection import selection
from app.window import garbage


class Searches:
    """The garbage collector; notes who had it search, and whether that was everywhere."""

    freeze = staticmethod(gc.freeze)
    get_freeze_count = staticmethod(gc.get_freeze_count)
    get_threshold = staticmethod(gc.get_threshold)
    set_threshold = staticmethod(gc.set_threshold)

    def __init__(self):
        self.asked = []
        self.new = 0

    def get_count(self):
        return (0, 0, self.new)

    def unfreeze(self):
        self.asked.append("everywhere")
        gc.unfreeze()

    def collect(self):
        self.asked.append(sys._getframe(1).f_code.co_name)
        gc.collect()


@pytest.fixture
def searches():
    """Return who had garbage searched in this test because data were left."""
    asked = garbage.gc.asked
    asked.clear()
    return lambda: [who for who in asked if who not in ("_tidy", "_search_new")]


@pytest.fixture(scope="module", autouse=True)
def spares():
    """Spare what was imported, and wait before data are looked for, as the program does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.window.garbage.gc", Searches())
        patch.setattr("app.window.garbage.DELAY", 500)
        yield


@pytest.fixture
def no_search_by_chance():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
def test_python_never_searches_all_there_is_while_a_window_is_open(window_on):
    before = gc.get_threshold()
    first, second = window_on([1.0, 2.0, 3.0]), window_on([1.0, 2.0, 3.0])
    first.close()
    assert gc.get_threshold() == (*before[:2], garbage.NEVER)
    first.close()  # which Qt tells it once more
    assert gc.get_threshold() == (*before[:2], garbage.NEVER)
    gc.freeze()
    second.close()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_another_window_that_closes_has_nothing_more_searched(shared, window_on):
    """What was spared stays so: all of it would hold the window that is still open up."""
    gc.freeze()
    frozen = gc.get_freeze_count()
    window_on([1.0, 2.0, 3.0]).close()
    assert gc.get_freeze_count() > 0.9 * frozen


@pytest.mark.slow
@pytest.mark.parametrize(("new", "searched"), [(garbage.SEARCHES, True), (garbage.SEARCHES - 1, False)])
def test_what_is_new_is_searched_at_leisure(shared, qtbot, monkeypatch, no_search_by_chance, new, searched):
    """Once, where there is enough of it, and left out of the next search."""
    monkeypatch.setattr(garbage.gc, "new", new)
    garbage.gc.asked.clear()
    shared._garbage._pause.setInterval(20)
    itself = []
    itself.append(itself)
    frozen = gc.get_freeze_count()
    shared.session.edit("change epsilon", epsilon=0.5 + new)
    qtbot.waitUntil(lambda: not shared._garbage._pause.isActive() and not shared.jobs.busy)
    assert ("_search_new" in garbage.gc.asked) == searched
    assert (gc.get_freeze_count() > frozen) == searched


def test_data_that_were_left_are_freed_soon(shared, qtbot, no_search_by_chance, searches):
    shared.controllers.data.open_example("salaries")
    assert shared.wait_until_idle()
    state = shared.session.state
    values = state.data.numbers.values
    references = [weakref.ref(each) for each in (state, state.dataset, state.dataset.table, values)]
    del state, values
    shared.controllers.data.open_example("evenly-spaced")
    qtbot.waitUntil(lambda: all(reference() is None for reference in references))
    qtbot.waitUntil(lambda: not shared._garbage._soon.isActive())
    assert not searches()


def leave(window, spare=False):
    """Open data and then others; return a reference to what was left, and knows itself."""
    window.controllers.data.open_example("salaries")
    assert window.wait_until_idle()
    dataset = window.session.state.dataset
    vars(dataset)["itself"] = dataset
    reference = weakref.ref(dataset)
    del dataset
    if spare:
        window._garbage._spare(True)
    window.controllers.data.open_example("evenly-spaced")
    return reference


def test_data_that_know_themselves_are_searched_for_among_what_is_young(
    shared, qtbot, no_search_by_chance, searches
):
    reference = leave(shared)
    qtbot.waitUntil(lambda: reference() is None)
    assert searches() == ["_collect"]


@pytest.mark.slow
def test_data_that_know_themselves_and_were_spared_are_searched_for_everywhere(
    shared, qtbot, no_search_by_chance, searches
):
    reference = leave(shared, spare=True)
    qtbot.waitUntil(lambda: reference() is None)
    assert searches() == ["_collect", "everywhere", "_collect_everywhere"]


@pytest.mark.slow
def test_data_that_somebody_keeps_are_searched_for_once(shared, qtbot, no_search_by_chance, searches):
    kept = leave(shared)()
    qtbot.waitUntil(lambda: bool(searches()))
    qtbot.waitUntil(lambda: not shared._garbage._everywhere.isActive())
    asked = len(searches())
    shared._garbage._collect()
    assert kept is not None
    assert not shared._garbage._everywhere.isActive()
    assert len(searches()) == asked


def test_an_edit_of_the_same_data_asks_for_no_search(shared):
    shared.session.edit("change epsilon", epsilon=2.0)
    assert not shared._garbage._soon.isActive()


@pytest.mark.slow
def test_data_that_were_left_are_freed_after_other_pages_were_opened(
    shared, qtbot, no_search_by_chance, searches
):
    """Hidden pages and forms knew them, and imports for a page kept them out of all searches."""
    shared.controllers.data.open_example("salaries")
    assert shared.wait_until_idle()
    state = shared.session.state
    values = state.data.numbers.values
    references = [weakref.ref(each) for each in (state, state.dataset, state.dataset.table, values)]
    del state, values
    for page in ("spanning-tree", "histogram", "median"):
        shared.session.show_page(page)
        assert shared.wait_until_idle(30_000)
    shared.controllers.data.open_example("evenly-spaced")
    qtbot.waitUntil(lambda: all(reference() is None for reference in references))
    qtbot.waitUntil(lambda: not shared._garbage._soon.isActive())
    assert not searches()


@pytest.mark.parametrize(
    ("page", "left", "opened"),
    [
        ("spanning-tree", "k3", "karate"),
        pytest.param("clustering", "geyser", "four-heaps", marks=pytest.mark.slow),
    ],
)
def test_databases_end_without_a_search(shared, qtbot, no_search_by_chance, searches, page, left, opened):
    """What is remembered of them, and what is kept beside them, does not keep them."""
    shared.session.show_page(page)
    shared.controllers.data.open_example(left)
    assert shared.wait_until_idle(30_000)
    seen = weakref.ref(shared.session.databases.get(selection(shared.session.state).source))
    shared.controllers.data.open_example(opened)
    assert shared.wait_until_idle(30_000)
    qtbot.waitUntil(lambda: seen() is None)
    qtbot.waitUntil(lambda: not shared._garbage._soon.isActive())
    assert not searches()
