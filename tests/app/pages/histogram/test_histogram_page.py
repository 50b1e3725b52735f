"""The page about histograms: pictures, levels, releases, and what the release view hides."""

import re
from collections import Counter
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from seen import choose, clipped, letters_of, tabbed, words

from app.model.selection import selection
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.histogram import attacks as histogram_attacks
from app.pages.histogram import compare as histogram_compare
from app.pages.histogram import radii as histogram_radii
from app.pages.histogram.facilities import default_price
from app.pages.histogram.tabs import OF_SHIFTED, PUBLIC
from engine.data import read_table

PLANE = tuple(tab for tab in OF_SHIFTED if tab != "levels")
"""Tabs of a shifted histogram where all of its dimensions are drawn."""
SEEN = tuple(tab for tab in PUBLIC[:4] if tab != "levels")
"""Those of them that the release view has."""
PICTURED = {
    "cells": "HistogramView",
    "tree": "TreeView",
    "isolation": "IsolationView",
    "attacks": "IsolationRatesView",
    "compare": "HistogramErrorsView",
    "radii": "DiameterView",
}


def heap(n=400, d=2):
    """Return columns of n points of the unit cube, most of them near one place."""
    rng = np.random.default_rng(5)
    points = np.clip(0.3 + 0.1 * rng.standard_normal((n, d)), 0, 1)
    points[: n // 8] = rng.random((n // 8, d))
    return dict(zip("xyzuvw", points.T, strict=False))


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setattr(histogram_attacks, "TRIALS", 60)
    monkeypatch.setattr(histogram_attacks, "EVEN", 80)
    monkeypatch.setattr(histogram_attacks, "DIMENSIONS", (1, 2))
    monkeypatch.setattr(histogram_compare, "RUNS", 2)
    monkeypatch.setattr(histogram_radii, "SHIFTS", 5)


@pytest.fixture
def histograms_on(points_on):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="histogram")


@pytest.fixture
def window(histograms_on):
    return histograms_on(**heap(), chosen={"mechanism/histogram-shifted": {"t": 8}})


def result(window):
    return window.page.canvas.picture.result


def wait(window):
    assert window.wait_until_idle(30_000)
    return result(window)


def open_tab(window, tab):
    window.page.show_tab(tab)
    return wait(window)


def release(window):
    """Make a release, as if the question whether exact counts may leave the room was answered."""
    window.controllers.releases.run()
    wait(window)
    return window.session.state.releases[-1].release


def test_every_tab_has_its_picture(window):
    assert window.page.card.shown == (*PLANE, AUDIT)
    for tab, kind in PICTURED.items():
        assert type(open_tab(window, tab)).__name__ == kind
        assert window.page.canvas.picture.summary()
        header, rows = window.page.canvas.picture.table()
        assert rows
        assert all(len(row) == len(header) for row in rows)
        assert window.page.card.badge.isVisible()
        assert window.page.canvas.private
        assert window.page.card.notice.text().startswith("Not differentially private: exact counts")
        assert window.page.card.notice.isVisible()
    assert not window.body.messages.texts()
    assert window.session.undo_stack.count() == 1  # t, and nothing else


def test_cells_are_cut_level_by_level_and_played_by_the_space_bar(window, qtbot):
    levels = window.page.card.levels
    deepest = levels.slider.maximum()
    whole = result(window)
    assert deepest >= 3
    assert (levels.level, whole.cells.counts.sum()) == (None, 400)
    levels.slider.setValue(1)
    few = wait(window).cells
    assert few.counts.sum() == 400
    assert len(few.counts) < len(whole.cells.counts)
    levels.slider.setValue(0)
    assert wait(window).cells.counts.tolist() == [400]
    levels._timer.setInterval(1)
    levels.slider.setFocus()
    qtbot.keyClick(levels.slider, Qt.Key.Key_Space)
    assert levels.playing
    qtbot.waitUntil(lambda: not levels.playing)
    assert len(wait(window).cells.counts) == len(whole.cells.counts)
    levels.play.click()
    assert levels.playing
    window.page.show_tab("tree")
    assert not levels.playing
    wait(window)


def test_the_shift_is_drawn_anew_and_its_perimeter_is_shown_before_and_after(window):
    card = window.page.card
    assert result(window).shift is None
    choose(card.grid_box, "before")
    before = wait(window)
    assert before.shift.before
    assert any(len(planes) for planes in before.shift.dropped)
    assert before.window[0].width > 1  # the inflated cube reaches beyond the bounds
    card.levels.slider.setValue(1)
    for planes in wait(window).shift.kept:
        assert len(planes) in (1, 2)
        assert ((planes > 0.25) & (planes < 0.75)).all()
    choose(card.grid_box, "after")
    assert not wait(window).shift.before
    card.draws.again.click()
    assert wait(window).shift.middle.tolist() != before.shift.middle.tolist()
    card.records_box.click()
    assert wait(window).records is None
    card.density_box.click()
    assert not wait(window).per_area


def test_a_dragged_query_point_gets_a_verdict(window, qtbot):
    page, points = window.page, window.session.state.data.points.values
    first = open_tab(window, "isolation")
    assert first.query.tolist() == [0.1, 0.1]
    canvas = page.canvas
    canvas.pressed.emit(0.9, 0.8)
    for x in np.linspace(0.9, 0.6, 7):
        canvas.moved.emit(x, 0.8)
    canvas.released.emit(0.6, 0.8)
    view = wait(window)
    assert view.query.tolist() == [0.6, 0.8]
    gaps = np.linalg.norm(points - view.query, axis=1)
    assert view.verdict.distance == pytest.approx(gaps.min())
    assert view.verdict.within == np.count_nonzero(gaps <= 4 * gaps.min() * (1 + 1e-9))
    assert view.verdict.isolates == (view.verdict.within < 8)
    canvas.moved.emit(7.0, -3.0)
    canvas.released.emit(7.0, -3.0)
    assert wait(window).query.tolist() == [1.0, 0.0]
    # a step that ends at a bound would tell where it began
    assert page.view_state.histogram.moved == {0: 1.0, 1: -1.0}
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert wait(window).query == pytest.approx([0.99, 0.0])
    page.card.attacks.near_box.click()
    near = wait(window)
    assert near.window[0].width == pytest.approx(2 * 1.5 * 4 * near.verdict.distance)
    canvas.pressed.emit(0.98, 0.0)
    assert wait(window).window == near.window  # it stays while it is dragged
    canvas.released.emit(0.98, 0.0)
    assert wait(window).window != near.window
    page.card.attacks.c.edited.emit(0.5, False)
    assert wait(window).c == 1.0
    page.card.records_box.click()
    assert (wait(window).verdict, result(window).records) == (None, None)


def test_attacks_put_the_query_point_from_the_release_alone(window):
    open_tab(window, "isolation")
    attacks, seen = window.page.card.attacks, set()
    for name, button in attacks.buttons.items():
        button.click()
        view = wait(window)
        seen.add(tuple(view.query.tolist()))
        middles = (view.cells.lower + view.cells.upper) / 2
        at_center = bool((np.abs(middles - view.query).max(axis=1) < 1e-9).any())
        assert at_center == (name in ("occupied", "singleton"))
        assert attacks.aim is None
    assert len(seen) == 4
    window.page.card.draws.again.click()
    assert tuple(wait(window).query.tolist()) in seen  # it stays where it is


def test_rates_of_attacks_over_c_t_and_d(window):
    rates = open_tab(window, "attacks")
    assert [attack.baseline for attack in rates.attacks] == [True, False, False, False]
    for attack in rates.attacks:
        assert (np.diff(attack.rates) <= 0).all()  # harder with every c
        assert (attack.lower <= attack.rates).all()
        assert (attack.rates <= attack.upper).all()
    assert window.page.card.advice.text().startswith("At c = 4 the best attack (")
    for sweep, values in (("t", [2, 5, 8, 10, 20, 50, 100, 200]), ("d", [1, 2])):
        choose(window.page.card.attacks.sweep_box, sweep)
        rates = wait(window)
        assert rates.values.tolist() == values
        assert not any(np.isnan(attack.rates).any() for attack in rates.attacks)


@pytest.mark.slow
def test_kinds_of_histograms_are_compared_and_a_comparison_can_be_cancelled(window, qtbot, monkeypatch):
    view = open_tab(window, "compare")
    assert {sample.is_private for sample in view.samples} == {True, False}
    assert [sample.label for sample in view.samples if sample.chosen] == ["Shifted histogram"]
    for sample in view.samples:
        assert not sample.problem
        assert (len(sample.counts), len(sample.tree)) == (2, 2)
    monkeypatch.setattr(histogram_compare, "RUNS", 10_000)
    shown = []
    window.page.curves.result.connect(lambda drawn: shown.append(drawn.result))
    window.page.card.draws.again.click()
    qtbot.waitUntil(lambda: len(shown) > 2 and window.controllers.status.progressing, timeout=20_000)
    window.handlers.cancel()
    last = wait(window)
    assert 0 < len(last.samples[0].counts) < 100  # what was known stays, as far as it was
    assert "Cancelled" in window.page.card.advice.text()
    assert window.page.card.pictures.currentWidget() is window.page.canvas
    open_tab(window, "cells")
    assert not window.body.messages.texts()


def test_diameters_stay_below_their_bound(window):
    view = open_tab(window, "radii")
    assert (view.shifts, len(view.radii), view.t) == (5, 400, 8)
    assert not view.above.any()
    window.session.set_parameter("mechanism", "histogram-shifted", "t", 300)
    assert window.wait_until_idle(30_000)
    assert "No point has 2t = 600 points around it" in window.page.card.waiting.text()


def test_the_tree_on_cells_costs_at_least_as_much_as_the_true_one(window):
    view = open_tab(window, "tree")
    assert view.tree.cost >= view.truth.cost
    assert view.resampled == pytest.approx(view.truth.cost, rel=0.5)
    assert len(view.truth.starts) == 399
    window.page.card.records_box.click()
    view = wait(window)
    assert (view.truth, view.records) == (None, None)


def test_the_release_view_shows_the_newest_release_and_nothing_private(window):
    page, card = window.page, window.page.card
    open_tab(window, "isolation")
    card.attacks.buttons["singleton"].click()
    wait(window)
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert card.shown == (*SEEN, AUDIT)
    assert "Nothing has been released yet" in card.waiting.text()
    # how deep the cells go that nobody may see, and whether they crowd, follow from the data
    assert (card.levels.slider.maximum(), card.levels.words.text()) == (0, "0 of 0")
    assert not card.closely_box.isChecked()
    window.session.show_view("curator")
    wait(window)
    assert card.levels.some
    made = release(window)
    for tab in SEEN:
        window.session.show_view("curator")
        open_tab(window, tab)
        window.session.show_view("release")
        view = wait(window)
        assert not page.canvas.private
        assert not card.badge.isVisible()
        assert not card.draws.isVisible()
        assert card.notice.isVisible()
        assert card.records_box.isHidden()
        for private in ("records", "truth", "verdict"):
            assert getattr(view, private, None) is None, (tab, private)
    view = open_tab(window, "isolation")
    assert view.query.tolist() == [0.1, 0.1]  # not where it was put with what nobody else knows
    view = open_tab(window, "cells")
    assert view.released
    counts = sorted(cell["count"] for cell in made.value["cells"])
    assert sorted(view.cells.counts[view.cells.counts > 0].tolist()) == counts
    deepest = max(cell["level"] for cell in made.value["cells"])
    assert card.levels.slider.maximum() == deepest
    card.levels.slider.setValue(0)
    assert wait(window).cells.counts.tolist() == [400]  # n, the sum of what was released
    choose(card.grid_box, "after")
    assert wait(window).shift.middle == pytest.approx(made.value["shift"])
    assert "3 clamped" not in words(window)


def test_no_data_are_looked_at_in_the_release_view(window, monkeypatch):
    release(window)
    window.session.show_view("release")
    wait(window)
    monkeypatch.setattr(window.session.databases, "get", lambda source: pytest.fail("data were looked at"))
    for tab in SEEN:
        open_tab(window, tab)
    window.page.card.levels.slider.setValue(1)
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
    choose(window.body.column.release.query, query)
    private = selection(window.session.state).mechanism.is_private
    assert wait(window).cells.counts.sum() == pytest.approx(400)
    assert card.notice.isVisible() != private
    assert card.grid_box.isHidden()
    assert (wait(window).cells.polygons is not None) == ("voronoi" in query or "embedded" in query)
    for tab in ("tree", "isolation"):
        open_tab(window, tab)
    deepest = card.levels.slider.maximum()
    release(window)
    window.session.show_view("release")
    assert wait(window).released
    open_tab(window, "cells")
    assert result(window).released
    assert (result(window).cells.polygons is not None) == ("voronoi" in query or "embedded" in query)
    assert (card.levels.slider.maximum() > 0) == (deepest > 0)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_a_matrix_and_synthetic_points_have_pictures_of_their_own(window):
    choose(window.body.column.release.query, "covariance")
    view = wait(window)
    assert window.page.card.shown == ("matrix", AUDIT)
    assert (view.simulated, view.names) == (True, ("x", "y"))
    assert view.truth == pytest.approx(np.cov(window.session.state.data.points.values.T, bias=True), abs=1e-7)
    choose(window.body.column.release.query, "synthetic")
    assert wait(window).released.shape == (6, 2)
    assert wait(window).records.n == 400
    release(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.simulated, view.records) == (False, None)
    choose(window.body.column.release.query, "covariance")
    assert window.wait_until_idle(30_000)
    assert "Nothing has been released" in window.page.card.waiting.text()
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
    assert "No point has 2t" in window.page.card.waiting.text()
    assert open_tab(window, "tree").truth.cost == 0
    assert open_tab(window, "isolation").verdict.isolates == (n < 50)
    assert not window.body.messages.texts()


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
    assert card.directions.isVisible()
    assert card.shown == (*OF_SHIFTED, AUDIT)
    levels = open_tab(three, "levels")
    assert (levels.cells[0], levels.cut[0], levels.points.sum()) == (1, 1, 400)
    assert (np.diff(levels.diameter) < 0).all()
    open_tab(three, "isolation")
    choose_text(card.directions.across, "z")
    assert [direction.name for direction in wait(three).directions] == ["z", "y"]
    choose_text(card.directions.up, "z")
    assert [direction.name for direction in wait(three).directions] == ["x", "z"]
    three.page.canvas.pressed.emit(0.7, 0.6)
    assert wait(three).query.tolist() == [0.7, 0.6]
    assert three.page._query == (0.7, 0.1, 0.6)
    assert not three.body.messages.texts()


def choose_text(box, text):
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


@pytest.mark.slow
def test_another_mechanism_while_the_first_one_is_computed(window):
    window.page.show_tab("compare")
    window.page.show_tab("attacks")
    choose(window.body.column.release.query, "histogram-noisy")
    choose(window.body.column.release.query, "covariance")
    choose(window.body.column.release.query, "privtree")
    window.page.show_tab("cells")
    assert wait(window).cells.counts.sum() == pytest.approx(400)
    assert window.page.card.shown == (*PLANE[:-1], AUDIT)
    assert not window.body.messages.texts()


def test_everything_is_reached_by_the_keyboard_and_nothing_is_clipped(window):
    for tab, some in (
        ("cells", {"How often cells are cut at most", "What is drawn of the shifted cubes", "Ne&xt draw"}),
        ("isolation", {"Put the query point by an attack: weighted point", "Close u&p"}),
        ("attacks", {"What varies"}),
    ):
        open_tab(window, tab)
        assert some <= set(tabbed(window))
    window.setFixedSize(1024, 768)
    for tab in PLANE:
        open_tab(window, tab)
        assert clipped(window) == []
        letters = Counter(letters_of(window))
        assert max(letters.values()) == 1, letters


def test_pictures_and_numbers_can_be_saved(window, tmp_path):
    open_tab(window, "cells")
    window.controllers.exports.figures.write(window.page.canvas, tmp_path / "cells.png")
    window.controllers.exports.figures.write(window.page.canvas, tmp_path / "cells.csv")
    assert window.wait_until_idle(30_000)
    assert (tmp_path / "cells.png").stat().st_size > 10_000
    assert (tmp_path / "cells.csv").read_text().startswith("mark,count,x from")


def test_synthetic_points_of_a_release_are_public_and_of_a_simulation_are_not(window, tmp_path, monkeypatch):
    page = window.page
    page.card.synthetic.click()
    dialog = page.findChild(QFileDialog)
    assert "derived from private data" in dialog.windowTitle()
    assert dialog.selectedFiles()[0].endswith("histogram-shifted-synthetic-simulated-not-private.csv")
    dialog.close()
    page.save_points(str(tmp_path / "simulated.csv"))
    wait(window)
    assert "simulated histogram, which was derived from private data" in window.controllers.status.text()
    release(window)
    window.session.show_view("release")
    wait(window)
    monkeypatch.setattr(window.session.databases, "get", lambda source: pytest.fail("data were looked at"))
    page.save_points(str(tmp_path / "released.parquet"))
    wait(window)
    assert "400 points drawn from the newest release" in window.controllers.status.text()
    for name in ("simulated.csv", "released.parquet"):
        values = read_table(tmp_path / name).points(("x", "y")).values
        assert values.shape == (400, 2)
        assert ((values >= 0) & (values <= 1)).all()
    page.save_points(str(tmp_path / "nowhere" / "points.csv"))
    window.wait_until_idle()
    assert "there is no folder" in window.body.messages.texts()[0]


def test_facilities_are_located_on_cells_and_on_records_for_a_price(window):
    card, points = window.page.card, window.session.state.data.points.values
    open_tab(window, "tree")
    choose(card.sites.box, "facilities")
    view = wait(window)
    assert card.sites.price == default_price(selection(window.session.state).source.domain, 400) == 6.0
    assert len(view.tree.open) >= 1
    assert view.tree.cost >= view.tree.in_truth  # counts are exact
    gaps = np.linalg.norm(points[:, None] - view.tree.open, axis=2).min(axis=1)
    assert view.tree.in_truth == pytest.approx(6.0 * len(view.tree.open) + gaps.sum())
    gaps = np.linalg.norm(points[:, None] - view.truth.open, axis=2).min(axis=1)
    assert view.truth.cost == pytest.approx(6.0 * len(view.truth.open) + gaps.sum())
    assert np.linalg.norm(view.truth.starts - view.truth.ends, axis=1).sum() == pytest.approx(gaps.sum())
    card.sites.price_box.edited.emit(600.0, False)
    dear = wait(window)
    assert (len(dear.tree.open), len(dear.truth.open)) == (1, 1)
    assert "1 facility on the cells costs" in window.page.canvas.picture.summary()
    card.sites.price_box.edited.emit(-1.0, False)
    assert wait(window).tree.price == card.sites.price_box.value == 600.0
    release(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.truth, view.tree.in_truth, view.released) == (None, None, True)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_tiny_cells_are_looked_at_closely_at_first_in_both_views(histograms_on):
    rng = np.random.default_rng(3)
    window = histograms_on(x=0.3 + 1e-3 * rng.random(300), y=0.7 + 1e-3 * rng.random(300))
    card = window.page.card
    window.session.set_parameter("mechanism", "histogram-shifted", "t", 8)
    near = wait(window)
    assert card.closely_box.isChecked()
    assert near.is_closeup
    assert near.window[0].width < 0.02
    assert near.window[0].lower < 0.3005 < near.window[0].upper
    assert near.records.n == 300
    card.levels.slider.setValue(1)
    assert wait(window).window == near.window  # it stays while cells are cut
    release(window)
    window.session.show_view("release")
    assert wait(window).is_closeup
    card.closely_box.click()
    assert not wait(window).is_closeup
    card.closely_box.click()
    assert wait(window).is_closeup
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_cells_all_over_the_bounds_are_not_looked_at_closely(window):
    assert not result(window).is_closeup
    assert not window.page.card.closely_box.isChecked()
    window.page.card.closely_box.click()
    assert wait(window).window[0].upper <= 1


def test_how_far_counts_are_off_is_said_and_is_private(window):
    exact = window.body.column.release.error.text()
    assert re.match(r"Counts of boxes are typically\noff by [\d.]+ records?$", exact)
    choose(window.body.column.release.query, "histogram-noisy")
    wait(window)
    assert window.body.column.release.error.text() != exact
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert not window.body.column.release.error.isVisible() or not window.body.column.release.error.text()


@pytest.mark.slow
def test_a_mended_mistake_leaves_no_sentence(window):
    open_tab(window, "cells")
    window.session.set_parameter("mechanism", "histogram-shifted", "t", 1)
    assert window.wait_until_idle(30_000)
    assert "made sense" in window.page.card.advice.text()
    window.session.set_parameter("mechanism", "histogram-shifted", "t", 9)
    assert window.wait_until_idle(30_000)
    assert window.page.card.advice.text() == ""


def test_mechanisms_of_categories_have_no_tabs_of_points(window):
    window.session.edit("ask for the mode", query="mode")
    assert window.wait_until_idle(30_000)
    assert window.page.card.shown == ("bars",)
    assert not window.page.card.notice.isVisibleTo(window)


@pytest.mark.slow
def test_what_is_not_random_is_not_drawn_anew(window):
    card = window.page.card
    assert card.draws.isVisibleTo(window)
    window.session.edit("halve the bounds", query="histogram-recursive")
    assert window.wait_until_idle(30_000)
    assert not card.draws.isVisibleTo(window)
    open_tab(window, "tree")  # resampled points are random
    assert card.draws.isVisibleTo(window)


def test_more_to_hide_among_than_there_are_is_said(window):
    window.session.set_parameter("mechanism", "histogram-shifted", "t", 1000)
    assert window.wait_until_idle(30_000)
    assert "more than n = 400" in window.page.card.notice.text()


def test_a_release_keeps_its_bounds(window):
    release(window)
    bounds = dict.fromkeys(window.session.state.data.columns, (0.0, 0.5))
    window.session.edit("declare other bounds", bounds=bounds)
    window.session.show_view("release")
    view = wait(window)
    assert [(side.lower, side.upper) for side in view.window] == [(0.0, 1.0)] * 2
