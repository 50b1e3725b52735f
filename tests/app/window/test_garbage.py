"""Garbage: what data leave behind is freed soon, and by itself."""

import gc
import weakref

import pytest


@pytest.fixture(scope="module", autouse=True)
def spares():
    """Spare what was imported, and wait before data are looked for, as the program does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.window.garbage.gc", gc)
        patch.setattr("app.window.garbage.DELAY", 500)
        yield


@pytest.fixture
def no_search_by_chance():
    gc.disable()
    yield
    gc.enable()


def test_data_that_were_left_are_freed_soon(shared, qtbot, no_search_by_chance):
    shared.controllers.data.open_example("salaries")
    assert shared.wait_until_idle()
    state = shared.session.state
    values = state.data.numbers.values
    references = [weakref.ref(each) for each in (state, state.dataset, state.dataset.table, values)]
    del state, values
    shared.controllers.data.open_example("evenly-spaced")
    qtbot.waitUntil(lambda: all(reference() is None for reference in references), timeout=10_000)


def test_an_edit_of_the_same_data_asks_for_no_search(shared):
    shared.session.edit("change epsilon", epsilon=2.0)
    assert not shared._garbage._soon.isActive()


def test_data_that_were_left_are_freed_after_other_pages_were_opened(shared, qtbot, no_search_by_chance):
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
    qtbot.waitUntil(lambda: all(reference() is None for reference in references), timeout=10_000)
