"""The page about histograms: every tab, what is played, dragged and compared there."""

import numpy as np
import pytest
from histogram_windows import PLANE, open_tab, result, wait
from PySide6.QtCore import QPoint, Qt
from seen import choose, option

from app.model.pages.audit import TAB as AUDIT
from app.model.pages.histogram_options import LevelOptions, QueryOptions
from app.pages.histogram.editors import NOT_AIMED
from engine.analysis import histogram_accuracy

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PICTURED = {
    "cells": "CellMap",
    "tree": "TreeMap",
    "isolation": "QueryMap",
    "attacks": "AttackSweep",
    "compare": "HistogramErrors",
    "radii": "DiametersByRadius",
}


def test_every_tab_has_its_picture(window):
    assert window.page.card.shown == (*PLANE, AUDIT)
    for tab, kind in PICTURED.items():
        assert type(open_tab(window, tab)).__name__ == kind
        assert window.page.canvas.picture.alt_text()
        header, rows = window.page.canvas.picture.table()
        assert rows
        assert all(len(row) == len(header) for row in rows)
        assert window.page.card.badge.isVisible()
        assert window.page.canvas.private
        assert window.page.notice.text() == "Not DP: a release promises no privacy."
        assert window.page.notice.isVisible()
        assert window.page.notice.objectName() == "warning"
        card, top = window.page.card, QPoint()
        assert window.page.notice.mapTo(card, top).y() < window.page.canvas.mapTo(card, top).y()
    assert not window.body.messages.texts()
    assert window.session.undo_stack.count() == 0  # looking is no edit


def test_cells_are_cut_level_by_level(window, qtbot):
    levels = window.page.card.editors[LevelOptions]
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
    levels.slider.setFocus()
    for _ in range(deepest):
        qtbot.keyClick(levels.slider, Qt.Key.Key_Right)
    assert levels.level is None
    assert len(wait(window).cells.counts) == len(whole.cells.counts)


def test_the_shift_is_drawn_anew_and_its_perimeter_is_shown_before_and_after(window):
    card = window.page.card
    assert result(window).shift is None
    choose(option(card, "grid"), "before")
    before = wait(window)
    assert before.before
    assert any(len(planes) for planes in before.shift.dropped)
    assert before.window[0].width > 1  # the inflated cube reaches beyond the bounds
    card.editors[LevelOptions].slider.setValue(1)
    for planes in wait(window).shift.kept:
        assert len(planes) in (1, 2)
        assert ((planes > 0.25) & (planes < 0.75)).all()
    choose(option(card, "grid"), "after")
    assert not wait(window).before
    card.draws.again.click()
    assert wait(window).shift.middle.tolist() != before.shift.middle.tolist()
    option(card, "records").click()
    assert wait(window).records is None
    option(card, "per_area").click()
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
    assert len(view.verdict.within) == np.count_nonzero(gaps <= 4 * gaps.min() * (1 + 1e-9))
    assert view.verdict.isolates == (len(view.verdict.within) < 8)
    canvas.moved.emit(7.0, -3.0)
    canvas.released.emit(7.0, -3.0)
    assert wait(window).query.tolist() == [1.0, 0.0]
    # a step that ends at a bound would tell where it began
    assert page.view_state.options["moved"] == (1.0, -1.0)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert wait(window).query == pytest.approx([0.99, 0.0])
    option(page.card, "near").click()
    near = wait(window)
    assert near.window[0].width == pytest.approx(2 * 1.5 * 4 * near.verdict.distance)
    canvas.pressed.emit(0.98, 0.0)
    assert wait(window).window == near.window  # it stays while it is dragged
    canvas.released.emit(0.98, 0.0)
    assert wait(window).window != near.window
    option(page.card, "c").edited.emit(0.5, False)
    assert wait(window).c == 1.0
    option(page.card, "records").click()
    assert (wait(window).verdict, result(window).records) == (None, None)


def test_attacks_put_the_query_point_from_the_release_alone(window):
    open_tab(window, "isolation")
    attacks, seen = window.page.card.editors[QueryOptions], set()
    assert attacks.box.currentData() is None
    for name in [attacks.box.itemData(index) for index in range(1, attacks.box.count())]:
        choose(attacks.box, name)
        view = wait(window)
        seen.add(tuple(view.query.tolist()))
        middles = (view.cells.lower + view.cells.upper) / 2
        at_center = bool((np.abs(middles - view.query).max(axis=1) < 1e-9).any())
        assert at_center == (name in ("occupied", "singleton"))
        assert attacks.arguments["attack"] is None
        assert attacks.box.currentData() == name
    choose(attacks.box, name)  # again: another guess
    seen.add(tuple(wait(window).query.tolist()))
    assert len(seen) == 5
    window.page.card.draws.again.click()
    assert tuple(wait(window).query.tolist()) in seen  # it stays where it is
    attacks.nudge(1, 0)
    wait(window)
    assert attacks.box.currentData() is None


def test_rates_of_attacks_over_c_t_and_d(window):
    rates = open_tab(window, "attacks")
    assert [attack.baseline for attack in rates.attacks] == [True, False, False, False]
    for attack in rates.attacks:
        assert (np.diff(attack.rates) <= 0).all()  # harder with every c
        assert (attack.lower <= attack.rates).all()
        assert (attack.rates <= attack.upper).all()
    open_tab(window, "cells")
    assert open_tab(window, "attacks") is rates
    for sweep, values in (("t", [2, 5, 8, 10, 20, 50, 100, 200]), ("d", [1, 2])):
        choose(option(window.page.card, "swept"), sweep)
        rates = wait(window)
        assert rates.values.tolist() == values
        assert not any(np.isnan(attack.rates).any() for attack in rates.attacks)


@pytest.mark.slow
def test_kinds_of_histograms_are_compared_and_a_comparison_can_be_cancelled(window, qtbot, monkeypatch):
    view = open_tab(window, "compare")
    assert {sample.mechanism.facts.is_private for sample in view.samples} == {True, False}
    assert view.mechanism.label == "Shifted histogram"
    for sample in view.samples:
        assert not sample.problem
        assert (len(sample.counts), len(sample.tree)) == (2, 2)
    monkeypatch.setattr(histogram_accuracy, "RUNS", 10_000)
    shown = []
    window.page.requester.channel.result.connect(lambda drawn: shown.append(drawn.result))
    window.page.card.draws.again.click()
    qtbot.waitUntil(lambda: len(shown) > 2 and window.controllers.status.progressing)
    window.handlers.cancel()
    last = wait(window)
    made = [len(sample.counts) for sample in last.samples if sample.mechanism.facts.is_private]
    assert all(0 < runs < 100 for runs in made)  # what was known stays; private kinds are run first
    assert "Cancelled" in window.page.card.advice.text()
    assert window.page.card.pictures.currentWidget() is window.page.canvas
    open_tab(window, "cells")
    assert not window.body.messages.texts()


def test_diameters_stay_below_their_bound(window):
    view = open_tab(window, "radii")
    assert (view.shifts, len(view.radii), view.mechanism.t) == (5, 400, 8)
    assert not view.above.any()
    window.session.set_parameter(300, "t")
    assert window.wait_until_idle(30_000)
    assert "Fewer than 2t = 600 points: n = 400." in window.page.card.waiting.text()


def test_the_tree_on_cells_costs_at_least_as_much_as_the_true_one(window):
    view = open_tab(window, "tree")
    assert view.trees.tree.cost >= view.trees.truth.cost
    assert view.trees.resampled.cost == pytest.approx(view.trees.truth.cost, rel=0.5)
    assert len(view.trees.truth.starts) == 399
    option(window.page.card, "records").click()
    view = wait(window)
    assert (view.trees.truth, view.records) == (None, None)


def test_what_is_said_of_a_guess_goes_with_its_tab(window):
    open_tab(window, "isolation")
    window.page.card.editors[QueryOptions].said.emit(NOT_AIMED)
    assert window.page.card.advice.text() == NOT_AIMED
    open_tab(window, "cells")
    assert window.page.card.advice.text() == ""


def test_the_release_view_does_not_decide_whether_the_data_are_drawn(window):
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert window.page.card.arguments["records"] is False
    assert not window.page.card.tools.isEnabled()  # nothing has been released
    assert window.page.view_state.options["records"] is True


def test_exact_cells_are_offered_on_all_tabs_but_the_one_that_compares_all_kinds(window):
    offer = window.page.card.alternative
    window.session.edit("mechanism", query="privtree")
    for tab, offers in (("cells", True), ("compare", False), ("cells", True)):
        open_tab(window, tab)
        assert offer.isVisible() == offers, tab
