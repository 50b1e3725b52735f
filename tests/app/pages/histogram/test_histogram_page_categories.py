"""The page about histograms of categories: tables and bars, and what the release view hides."""

import numpy as np
import pytest
from seen import choose, option

from app.pages.audit.tabs import TAB as AUDIT
from app.releases.category import CategoryShape
from app.releases.counts import NO_TABLE, CountsShape, TableShape
from app.releases.shares import SharesShape
from app.session import Session
from engine.data.categories import CategoryDomain

DOMAIN = CategoryDomain(("a", "b", "c"), (("x", "y"), ("0", "1", "2"), ("p", "q")))


def cells(counts, labels):
    places = np.ndindex(counts.shape)
    return [
        {"categories": [names[i] for names, i in zip(labels, place, strict=True)], "count": counts[place]}
        for place in places
    ]


@pytest.fixture
def window(window_of):
    session = Session()
    session.show_page("histogram")
    window = window_of(session, 30_000)
    window.controllers.data.open_example("admissions")
    assert window.wait_until_idle(30_000)
    return window


def wait(window):
    assert window.wait_until_idle(30_000)
    return window.page.canvas.picture.result


def test_a_pair_of_columns_is_found_in_whatever_table_holds_it():
    counts = np.arange(12.0).reshape(2, 3, 2)
    full = {"cells": cells(counts, DOMAIN.labels)}
    assert (
        TableShape().crossed(DOMAIN, (0, 1), full, None, False).counts.tolist() == counts.sum(axis=2).tolist()
    )
    turned = TableShape().crossed(DOMAIN, (2, 0), full, full, True)
    assert turned.counts.tolist() == counts.sum(axis=1).T.tolist()
    assert (turned.names, turned.truth.tolist()) == (("c", "a"), turned.counts.tolist())
    pair = {"columns": ["b", "c"], "cells": cells(counts.sum(axis=0), DOMAIN.labels[1:])}
    margins = {"margins": [pair]}
    assert (
        TableShape().crossed(DOMAIN, (2, 1), margins, None, False).counts.tolist()
        == counts.sum(axis=0).T.tolist()
    )
    assert TableShape().crossed(DOMAIN, (0, 1), margins, None, False) is None
    assert "no table" in NO_TABLE


def test_bars_say_what_was_released():
    one = CategoryDomain(("a",), (("x", "y", "z"),))
    mode = CategoryShape().bars(one, "y", [1, 5, 2], True)
    assert (mode.chosen, mode.truth.tolist(), np.isnan(mode.values).all()) == (1, [1, 5, 2], True)
    pairs = CategoryDomain(("a", "b"), (("x", "y"), ("0", "1")))
    assert CategoryShape().bars(pairs, ["y", "0"], None, False).chosen == 2
    ranked = CountsShape().bars(one, {"counts": [5.0, 2.0, 1.0]}, {"counts": [6, 2, 0]}, True)
    assert (ranked.labels, ranked.truth.tolist()) == (("1.", "2.", "3."), [6, 2, 0])
    shares = {"shares": {"x": 0.5, "y": 0.25, "z": 0.25}, "standard_errors": dict.fromkeys("xyz", 0.1)}
    view = SharesShape().bars(one, shares, {"x": 0.4, "y": 0.3, "z": 0.3}, True)
    assert (view.values.tolist(), view.truth.tolist()) == ([0.5, 0.25, 0.25], [0.4, 0.3, 0.3])
    assert view.errors.tolist() == [0.1, 0.1, 0.1]


def test_a_table_of_two_columns_with_the_true_counts_beside(window):
    card = window.page.card
    choose(window.body.column.release.form.chooser("query").box, "contingency-table")
    view = wait(window)
    assert card.shown == ("table", AUDIT)
    assert (view.names, view.simulated) == (("admitted", "gender"), True)
    assert view.truth.tolist() == [[1198, 557], [1493, 1278]]
    assert window.page.notice.isHidden()
    option(card, "across").setCurrentIndex(1)
    option(card, "across").activated.emit(1)
    turned = wait(window)
    assert turned.names == ("gender", "admitted")
    assert turned.counts.tolist() == view.counts.T.tolist()
    option(card, "records").click()
    assert wait(window).truth is None
    window.controllers.releases.run()
    wait(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.truth, view.simulated) == (None, False)
    assert not window.page.canvas.private
    released = window.session.state.releases[-1].release.value
    assert view.counts.sum() == pytest.approx(sum(cell["count"] for cell in released["cells"]))
    assert not window.body.messages.texts()


def test_other_mechanisms_on_categories_have_bars(window):
    for query in ("sorted-histogram", "mode"):
        choose(window.body.column.release.form.chooser("query").box, query)
        view = wait(window)
        assert window.page.card.shown == ("bars", AUDIT)
        assert view.simulated
        assert view.truth.sum() == 4526
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert "Nothing has been released" in window.page.card.waiting.text()
    assert not window.body.messages.texts()
