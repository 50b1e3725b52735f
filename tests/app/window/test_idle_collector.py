"""Garbage waits for a pause, and what data leave behind is freed soon, mostly by itself."""

import gc
import weakref

import pytest

from app.model.selection import selection
from app.window import idle_collector


class Searches:
    """The garbage collector; notes each search, and whether it was everywhere."""

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
        self.asked.append("search")
        gc.collect()


@pytest.fixture(autouse=True)
def searches(monkeypatch):
    """Search as the program does, but not by chance; return what was searched in this test."""
    collector = Searches()
    monkeypatch.setattr(idle_collector, "gc", collector)
    gc.disable()
    yield collector
    gc.enable()


@pytest.mark.slow
def test_python_never_searches_all_there_is_while_a_window_is_open(window_on):
    before = gc.get_threshold()
    first, second = window_on([1.0, 2.0, 3.0]), window_on([1.0, 2.0, 3.0])
    first.close()
    assert gc.get_threshold() == (*before[:2], idle_collector.NEVER)
    first.close()  # which Qt tells it once more
    assert gc.get_threshold() == (*before[:2], idle_collector.NEVER)
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
@pytest.mark.parametrize("new", [idle_collector.MIN_SEARCHES, idle_collector.MIN_SEARCHES - 1])
def test_new_objects_are_searched_in_a_pause_where_there_are_enough(shared, qtbot, searches, new):
    searches.new = new
    frozen = gc.get_freeze_count()
    shared.session.edit("change epsilon", epsilon=0.5 + new)
    qtbot.waitUntil(lambda: not shared._collector._pause.isActive() and not shared.jobs.busy)
    enough = new >= idle_collector.MIN_SEARCHES
    assert bool(searches.asked) == enough
    assert (gc.get_freeze_count() > frozen) == enough


def open_and_leave(window, cycle=False, freeze=False):
    """Open data and then others; return references to what was left."""
    window.controllers.data.open_example("salaries")
    assert window.wait_until_idle()
    state = window.session.state
    references = [weakref.ref(state.dataset), weakref.ref(state.data.numbers.values)]
    if cycle:
        vars(state.dataset)["itself"] = state.dataset
    del state
    if freeze:
        gc.freeze()
    window.controllers.data.open_example("evenly-spaced")
    return references


@pytest.mark.parametrize(
    ("cycle", "freeze", "expected"),
    [
        (False, False, []),
        (True, False, ["search"]),
        pytest.param(True, True, ["search", "everywhere", "search"], marks=pytest.mark.slow),
    ],
)
def test_data_that_were_left_are_freed_soon(shared, qtbot, searches, cycle, freeze, expected):
    """By themselves, unless they stand in a cycle."""
    references = open_and_leave(shared, cycle, freeze)
    qtbot.waitUntil(lambda: all(reference() is None for reference in references))
    qtbot.waitUntil(lambda: not shared._collector._pause.isActive() and not shared.jobs.busy)
    assert searches.asked == expected


@pytest.mark.slow
def test_data_that_somebody_keeps_are_searched_for_once(shared, qtbot, searches):
    kept = open_and_leave(shared, cycle=True)[0]()
    qtbot.waitUntil(lambda: bool(searches.asked))
    assert shared.wait_until_idle()
    asked = len(searches.asked)
    shared._collector._collect()
    assert kept is not None
    assert len(searches.asked) == asked


@pytest.mark.slow
def test_data_that_were_left_are_freed_after_other_pages_were_opened(shared, qtbot, searches):
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
    assert searches.asked == []


@pytest.mark.parametrize(
    ("page", "left", "opened"),
    [
        ("spanning-tree", "k3", "karate"),
        pytest.param("clustering", "geyser", "four-heaps", marks=pytest.mark.slow),
    ],
)
def test_databases_end_without_a_search(shared, qtbot, searches, page, left, opened):
    """What is remembered of them, and what is kept beside them, does not keep them."""
    shared.session.show_page(page)
    shared.controllers.data.open_example(left)
    assert shared.wait_until_idle(30_000)
    seen = weakref.ref(shared.session.databases.get(selection(shared.session.state).source))
    shared.controllers.data.open_example(opened)
    assert shared.wait_until_idle(30_000)
    qtbot.waitUntil(lambda: seen() is None)
    assert searches.asked == []
