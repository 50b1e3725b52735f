"""The page about histograms: the release view, and all mechanisms, columns and dimensions."""

import numpy as np
import pytest
from histogram_windows import OF_SHIFTED, PLANE, heap, open_tab, release, result, wait
from seen import choose, option, words

from app.model.pages.audit import TAB as AUDIT
from app.model.pages.histogram import PICTURES
from app.model.pages.histogram_options import LevelOptions, QueryOptions
from app.model.selection import selection

pytestmark = pytest.mark.usefixtures("undrawn")

SEEN = tuple(
    spec.name for spec in PICTURES if spec.of == "cells" and spec.is_public and spec.name != "levels"
)
"""Those of them that the release view has."""


def choose_text(box, text):
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def test_the_release_view_shows_the_newest_release_and_nothing_private(window):
    page, card = window.page, window.page.card
    open_tab(window, "isolation")
    choose(card.editors[QueryOptions].box, "singleton")
    wait(window)
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert card.shown == (*SEEN, AUDIT)
    assert "Run makes one and spends ε = 1." in card.waiting.text()
    useless = card.save_button, card.numbers_button, page.synthetic
    assert not any(button.isEnabled() for button in useless)
    assert "no histogram to draw from" in page.synthetic.toolTip()
    # how deep the cells go that may not be seen, and whether they crowd, follow from the data
    assert card.editors[LevelOptions].slider.maximum() == 0
    assert card.editors[LevelOptions].count.text().strip() in ("", "0")
    assert not option(card, "closely").isChecked()
    window.session.show_view("curator")
    wait(window)
    open_tab(window, "cells")
    assert card.editors[LevelOptions].has_choice
    made = release(window)
    assert all(button.isEnabled() for button in useless)
    for tab in SEEN:
        window.session.show_view("curator")
        open_tab(window, tab)
        window.session.show_view("release")
        view = wait(window)
        assert not page.canvas.private
        assert not card.badge.isVisible()
        assert not card.draws.isVisible()
        assert window.page.notice.isVisible()
        assert option(card, "records").isHidden()
        shown = getattr(view, "trees", view)
        for private in ("records", "truth", "verdict"):
            assert getattr(view, private, getattr(shown, private, None)) is None, (tab, private)
    view = open_tab(window, "isolation")
    assert view.query.tolist() == [0.1, 0.1]  # not where it was put with what only the curator knows
    view = open_tab(window, "cells")
    assert view.released
    counts = sorted(cell["count"] for cell in made.value["cells"])
    assert sorted(view.cells.counts[view.cells.counts > 0].tolist()) == counts
    deepest = max(cell["level"] for cell in made.value["cells"])
    assert card.editors[LevelOptions].slider.maximum() == deepest
    card.editors[LevelOptions].slider.setValue(0)
    assert wait(window).cells.counts.tolist() == [400]  # n, the sum of what was released
    choose(option(card, "grid"), "after")
    assert wait(window).shift.middle == pytest.approx(made.value["shift"])
    assert "3 clamped" not in words(window)


def test_no_data_are_looked_at_in_the_release_view(window, monkeypatch):
    release(window)
    window.session.show_view("release")
    wait(window)
    with monkeypatch.context() as patch:
        patch.setattr(window.session.databases, "get", lambda source: pytest.fail("data were looked at"))
        for tab in SEEN:
            open_tab(window, tab)
        window.page.card.editors[LevelOptions].slider.setValue(1)
        open_tab(window, "cells")
    assert not window.body.messages.texts()


@pytest.mark.parametrize(
    "query",
    [
        "histogram-voronoi-random",
        "privtree",
        *(
            pytest.param(query, marks=pytest.mark.slow)
            for query in (
                "histogram-recursive",
                "histogram-voronoi-net",
                "histogram-embedded",
                "histogram-noisy",
                "histogram-tree",
            )
        ),
    ],
)
@pytest.mark.slow
def test_all_kinds_of_histograms_have_all_pictures(window, query):
    card = window.page.card
    choose(window.body.column.release.form.chooser("query").box, query)
    private = selection(window.session.state).mechanism.facts.is_private
    assert wait(window).cells.counts.sum() == pytest.approx(400)
    assert window.page.notice.isVisible() != private
    assert option(card, "grid").isHidden()
    assert (wait(window).cells.polygons is not None) == ("voronoi" in query or "embedded" in query)
    for tab in ("tree", "isolation"):
        open_tab(window, tab)
    deepest = card.editors[LevelOptions].slider.maximum()
    release(window)
    window.session.show_view("release")
    assert wait(window).released
    open_tab(window, "cells")
    assert result(window).released
    assert (result(window).cells.polygons is not None) == ("voronoi" in query or "embedded" in query)
    assert (card.editors[LevelOptions].slider.maximum() > 0) == (deepest > 0)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_a_matrix_and_synthetic_points_have_pictures_of_their_own(window):
    choose(window.body.column.release.form.chooser("query").box, "covariance")
    view = wait(window)
    assert window.page.card.shown == ("matrix", AUDIT)
    assert (view.simulated, view.names) == (True, ("x", "y"))
    assert view.truth == pytest.approx(np.cov(window.session.state.data.points.values.T, bias=True), abs=1e-7)
    choose(window.body.column.release.form.chooser("query").box, "synthetic")
    assert wait(window).released.shape == (6, 2)
    assert wait(window).records.n == 400
    release(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.simulated, view.records) == (False, None)
    choose(window.body.column.release.form.chooser("query").box, "covariance")
    assert window.wait_until_idle(30_000)
    assert "Run makes one and spends ε" in window.page.card.waiting.text()
    release(window)
    view = wait(window)
    assert (view.simulated, view.truth) == (False, None)


@pytest.mark.parametrize("n", [1, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_points_that_are_all_the_same(histograms_on, n):
    window = histograms_on(x=np.full(n, 0.25), y=np.full(n, 0.5))
    for tab in PLANE:
        window.page.show_tab(tab)
        assert window.wait_until_idle(30_000)
    assert "fewer than 2t" in window.page.card.waiting.text()
    assert open_tab(window, "tree").trees.truth.cost == 0
    assert open_tab(window, "isolation").verdict.isolates == (n < 50)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_one_column_has_bars(histograms_on):
    window = histograms_on(**heap(d=1))
    assert result(window).flat
    for tab in ("tree", "isolation"):
        assert open_tab(window, tab).flat
    window.page.canvas.nudged.emit(10, 5)
    assert wait(window).query == pytest.approx([0.2])
    assert not window.body.messages.texts()


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 3, 6])
def test_all_pictures_in_other_dimensions(histograms_on, d):
    window = histograms_on(**heap(d=d))
    for tab in window.page.card.shown:
        # of an audit there is nothing to see before it is asked for
        assert tab == AUDIT or open_tab(window, tab) is not None
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_three_columns_have_a_choice_of_two_and_a_table_of_levels(histograms_on):
    three = histograms_on(**heap(d=3))
    card = three.page.card
    assert option(card, "across").isVisible()
    assert card.shown == (*OF_SHIFTED, AUDIT)
    levels = open_tab(three, "levels")
    assert (levels.cells[0], levels.cut[0], levels.points.sum()) == (1, 1, 400)
    assert (np.diff(levels.diameter) < 0).all()
    open_tab(three, "isolation")
    choose_text(option(card, "across"), "z")
    assert [direction.name for direction in wait(three).directions] == ["z", "y"]
    choose_text(option(card, "up"), "z")
    assert [direction.name for direction in wait(three).directions] == ["x", "z"]
    three.page.canvas.pressed.emit(0.7, 0.6)
    assert wait(three).position.tolist() == [0.7, 0.6]
    assert three.page.card.editors[QueryOptions].arguments["query"] == (0.7, 0.1, 0.6)
    assert not three.body.messages.texts()
