"""The page about balls: every tab, methods, budgets, and what is not possible."""

import numpy as np
import pytest
from ball_windows import CENTER, FEW, T, ask, cluster, open_tab, result
from PySide6.QtWidgets import QLabel
from seen import choose, option

from app.model.pages.registry import PAGES
from app.model.selection import selection
from app.model.view_states import WallView
from app.model.wording.guarantees import methods
from engine.analysis.preparing import prepare
from engine.mechanisms.one_cluster import FINDERS

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PICTURED = {
    "ball": "BallCloud",
    "radius": "ChosenRadius",
    "boxes": "BallCloud",
    "runs": "BallSample",
    "axes": "AxesAttempt",
    "sides": "SidesAttempt",
}

ATTEMPTS = tuple(spec.name for spec in PAGES["one-cluster"].pictures if spec.is_demonstration)


def test_a_first_visit_can_be_run_at_once(window_on, few_runs):
    window = window_on([1.0, 2.0, 3.0])
    window.session.show_page("one-cluster")
    assert window.wait_until_idle(30_000)
    assert "planted-disc" in window.windowTitle()
    assert window.body.column.release.run.isEnabled()
    [ball] = result(window).balls
    assert np.linalg.norm(ball.center - (0.62, 0.37)) < 0.02
    near = option(window.page.card, "near")
    assert (near.isChecked(), result(window).is_closeup) == (True, True)  # 3 % of the box would be a dot
    assert (open_tab(window, "boxes").is_closeup, near.isChecked()) == (False, False)
    assert open_tab(window, "ball").is_closeup
    near.click()
    assert window.wait_until_idle(30_000)
    assert (near.isChecked(), result(window).is_closeup) == (False, False)
    assert "This page starts with δ = 10⁻⁶" in window.body.column.privacy.delta.toolTip()
    assert window.session.undo_stack.count() == 0
    assert not window.body.messages.texts()
    window.session.show_page("median")
    assert window.body.column.privacy.delta.value == 0
    window.body.column.privacy.delta.type_in("1e-7")
    window.session.show_page("one-cluster")
    assert window.body.column.privacy.delta.value == 1e-7
    assert "starts with" not in window.body.column.privacy.delta.toolTip()
    assert window.wait_until_idle(30_000)


def test_every_tab_has_its_picture(window):
    card = window.page.card
    for tab, kind in PICTURED.items():
        shown = open_tab(window, tab)
        assert type(shown).__name__ == kind
        assert window.page.canvas.picture.alt_text()
        header, rows = window.page.canvas.picture.table()
        assert rows
        assert all(len(row) == len(header) for row in rows)
        assert window.page.card.badge.isVisible() == (tab not in ATTEMPTS)
        assert window.page.canvas.private == (tab not in ATTEMPTS)
        assert card.headline.isVisible() == (tab in ATTEMPTS)
    assert "a box holds the ball only if its sides grow" in card.advice.text()
    assert not window.body.messages.texts()
    window.session.show_view("release")
    window.page.show_tab("ball")  # where nothing was released
    assert window.wait_until_idle()
    assert card.advice.text() == ""


def test_the_ball_stands_beside_the_true_one(window):
    view = open_tab(window, "ball")
    [ball], [true] = view.balls, view.truth
    assert view.simulated
    assert true.held >= T
    assert np.linalg.norm(true.center - CENTER) < 0.03
    assert np.linalg.norm(ball.center - CENTER) < 0.05
    points = window.session.state.data.points.values
    inside = np.linalg.norm(points - ball.center, axis=1) <= ball.radius
    assert abs(ball.held - inside.sum()) <= 2  # records are moved to the grid
    assert view.is_closeup  # as the ball is tiny
    for side, middle in zip(view.window, ball.center, strict=True):
        assert side.lower < middle < side.upper < side.lower + 0.5
    quality = open_tab(window, "runs")
    assert len(quality.coverage) == FEW
    assert quality.typical[0] > 0.4
    assert "typically" not in window.page.card.advice.text()  # the form says it
    open_tab(window, "ball")
    window.page.show_wall(WallView("both"))
    typical = window.body.column.release.error.text()
    assert typical.startswith("A typical ball holds ")
    assert typical.endswith(" records")
    said = f"This run's ball holds {ball.held} of the {T} wanted; {typical[:1].lower()}{typical[1:]}."
    assert window.page.card.advice.text() == said
    window.page.show_wall(None)
    assert "typically" not in window.page.card.advice.text()
    assert window.body.column.release.error_range.text().startswith(f"of {T} wanted; at least ")


def test_the_budget_of_the_steps_adds_up_and_the_promise_is_said(window):
    top, setup = window.page.parts[0], selection(window.session.state)
    assert sum(piece.size for piece in top.bar.pieces) == pytest.approx(1.0)
    assert [piece.name for piece in top.bar.pieces] == [
        "Estimate the size",
        "Find the cell",
        "Average",
        "Fit the radius",
    ]
    assert "Find the cell, GoodCenter (cell): ε 0.35" in top.bar.accessibleDescription()
    promise = setup.mechanism.search.promise(setup.source.domain, 1500, setup.privacy)
    said = top.bar.whatsThis()
    assert f"at least {np.ceil(promise.promised):.0f} of 500 points" in said
    assert "Overlapping cells, in the worst case: " in said
    dialog = window.body.column.release.form.part("mechanism").extra.show_methods()
    text = dialog.findChild(QLabel).text()
    assert all(finder.label in text for finder in FINDERS.values())
    assert "the published constants need a t of at least" in text
    assert "for points rounded to the grid" in said
    dialog.close()
    window.session.set_parameter(300, "t")
    from_t = f"nothing is promised for t = 300, only from t = {promise.needed} on"
    assert f"Overlapping cells, in the worst case: {from_t}" in top.bar.whatsThis()
    assert f"N{from_t[1:]}" in methods(selection(window.session.state))["overlapping-cells"]


def test_what_is_not_possible_is_explained_before_run(window):
    for t, said in ((2000, "from 247 to 1,500"), (50, "too few")):
        window.session.set_parameter(t, "t")
        assert said in window.body.column.release.form.row("t").problem
        assert not window.body.column.release.run.isEnabled()
    open_tab(window, "axes")  # which is about other points
    window.session.set_parameter(T, "t")
    window.body.column.privacy.delta.type_in("0")
    assert "say 1e-6" in window.body.column.privacy.delta_row.problem
    assert not window.body.column.release.run.isEnabled()
    window.session.undo_stack.undo()
    assert window.body.column.release.run.isEnabled()
    assert window.wait_until_idle(30_000)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_methods_are_called_what_they_are_and_can_be_compared(window):
    box = window.body.column.release.form.row("method").box
    assert [box.itemText(place) for place in range(box.count())] == [
        "auto: overlapping cells",
        *(finder.label for finder in FINDERS.values()),
    ]
    choose(box, "wide-boxes")
    assert window.wait_until_idle(30_000)
    assert "auto is better" in window.page.card.advice.text()
    tried = open_tab(window, "boxes")
    assert tried.boxes.chosen is not None
    assert tried.boxes.counts.sum() == 1500
    assert open_tab(window, "radius").counted == "capped"
    window.page.show_tab("ball")
    assert window.wait_until_idle(30_000)
    choose(box, "published")
    assert window.wait_until_idle(30_000)
    assert "published constants need a t of at least" in window.body.column.release.form.row("t").problem
    card = window.page.card
    for tab in ("boxes", "radius", "ball"):  # each tab has its own picture in front
        window.page.show_tab(tab)
        assert window.wait_until_idle(30_000)
        assert card.pictures.currentWidget() is card.canvas
        assert "still shows" in card.advice.text()
        assert card.badge.isVisible()
    window.page.show_tab("runs")
    assert window.wait_until_idle(30_000)
    assert card.pictures.currentWidget() is card.pictures.blank
    assert (card.advice.text(), card.log_button.isVisible(), card.badge.isVisible()) == ("", False, False)


def test_epsilon_counts_nothing_again(window, monkeypatch):
    from engine.mechanisms import OneCluster

    counted = []
    before = OneCluster.prepare
    monkeypatch.setattr(
        OneCluster, "prepare", lambda self, *rest: counted.append(self) or before(self, *rest)
    )
    radius = result(window).balls[0].radius
    window.body.column.privacy.epsilon.type_in("5")
    assert window.wait_until_idle(30_000)
    assert result(window).balls[0].radius != radius
    window.session.set_parameter(600, "t")
    assert window.wait_until_idle(30_000)
    assert not counted


@pytest.mark.slow
def test_another_budget_gives_what_counting_anew_would(window):
    from engine.randomness import reproducible

    for query, method in (
        ("one-cluster", "tight-boxes"),
        ("k-balls", "auto"),
        ("screened-mean", "wide-boxes"),
    ):
        ask(window, query, method=method)
        window.session.set_parameter(600, "t")
        window.session.edit("change epsilon", epsilon=2.0)
        assert window.wait_until_idle(30_000)
        setup = selection(window.session.state)
        points = window.session.databases.get(setup.source)
        ready = prepare(setup.mechanism, points, setup.privacy)
        anew = setup.mechanism.prepare(points, setup.privacy)
        drawn = [one.draw(reproducible(3), 2) for one in (ready, anew)]
        np.testing.assert_array_equal(*drawn)
        window.session.edit("change epsilon", epsilon=1.0)
    assert window.wait_until_idle(30_000)


@pytest.mark.slow
def test_records_are_drawn_where_no_ball_is_possible(balls_on):
    window = balls_on(**cluster(n=50, held=20))
    said = "50 records cannot give a ball, which needs at least"
    assert said in window.body.column.release.form.row("t").problem
    assert said in window.page.card.advice.text()
    view = result(window)
    assert (view.balls, view.truth, len(view.records.dots)) == ((), (), 50)
    assert window.page.canvas.isVisible()
    assert window.body.column.data.badge.isVisible()
    window.body.column.data._clamped = None  # as before anything was counted
    window.body.column.data.refresh()
    assert window.body.column.data.facts.text() == "n = 50"
    window.session.set_parameter(40, "t")
    assert window.wait_until_idle(30_000)
    assert said in window.page.card.advice.text()
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert window.page.card.waiting.isVisible()
