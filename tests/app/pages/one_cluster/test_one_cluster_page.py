"""The page about balls: pictures, form, promises, releases and what the release view hides."""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from seen import choose, clipped, letters_of, tabbed, words

from app.model.kinds.registry import PAGE_KINDS
from app.model.selection import selection
from app.model.wording.ball_methods import methods
from app.pages.one_cluster import analysis as one_cluster_work
from app.pages.one_cluster import quality as one_cluster_quality
from app.pages.one_cluster.plot_panel import ATTEMPTS, OF_BALLS
from engine.mechanisms.one_cluster import FINDERS
from engine.privacy import Privacy

PICTURED = {
    "ball": "BallView",
    "radius": "RadiusChoiceView",
    "boxes": "BallView",
    "runs": "BallQualityView",
    "axes": "AxisByAxisView",
    "sides": "BoxesView",
}
CENTER, T, FEW = np.array([0.6, 0.3]), 500, 24


def cluster(n=1500, d=2, held=700):
    """Return columns of n points of the unit cube, of which `held` lie near one place."""
    rng = np.random.default_rng(5)
    points = rng.random((n, d))
    points[:held] = np.resize(CENTER, d) + rng.uniform(-0.02, 0.02, (held, d))
    return dict(zip("xyzuvw", points.T, strict=False))


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setattr(one_cluster_quality, "RUNS", FEW)
    monkeypatch.setattr(one_cluster_work, "JUDGED", FEW)


@pytest.fixture
def balls_on(points_on):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="one-cluster")


@pytest.fixture
def window(balls_on):
    return balls_on(**cluster())


def result(window):
    return window.page.canvas.picture.result


def open_tab(window, tab):
    window.page.show_tab(tab)
    assert window.wait_until_idle(30_000)
    return result(window)


def ask(window, query, **parameters):
    """Ask for another mechanism, with parameters."""
    choose(window.body.column.release.query, query)
    for name, value in parameters.items():
        window.session.set_parameter("mechanism", query, name, value)
    assert window.wait_until_idle(30_000)


def run(window):
    window.controllers.run.start()
    assert window.wait_until_idle(30_000)
    return window.session.state.releases[-1].release


def test_a_first_visit_can_be_run_at_once(window_on):
    window = window_on([1.0, 2.0, 3.0])
    window.session.show_page("one-cluster")
    assert window.wait_until_idle(30_000)
    assert "planted-disc" in window.windowTitle()
    assert window.body.column.release.run.isEnabled()
    [ball] = result(window).balls
    assert np.linalg.norm(ball.center - (0.62, 0.37)) < 0.02
    near = window.page.card.near_box
    assert (near.isChecked(), result(window).is_closeup) == (True, True)  # 3 % of the box would be a dot
    assert (open_tab(window, "boxes").is_closeup, near.isChecked()) == (False, False)
    assert open_tab(window, "ball").is_closeup
    near.click()
    assert window.wait_until_idle(30_000)
    assert (near.isChecked(), result(window).is_closeup) == (False, False)
    assert "This page begins with δ = 10⁻⁶" in window.body.column.privacy.sentence.text()
    assert window.session.undo_stack.count() == 0
    assert not window.body.messages.texts()
    window.session.show_page("median")
    assert window.body.column.privacy.delta.value == 0
    window.body.column.privacy.delta.type_in("1e-7")
    window.session.show_page("one-cluster")
    assert window.body.column.privacy.delta.value == 1e-7
    assert "begins with" not in window.body.column.privacy.sentence.text()
    assert window.wait_until_idle(30_000)


def test_every_tab_has_its_picture(window):
    card = window.page.card
    for tab, kind in PICTURED.items():
        shown = open_tab(window, tab)
        assert type(shown).__name__ == kind
        assert window.page.canvas.picture.summary()
        header, rows = window.page.canvas.picture.table()
        assert rows
        assert all(len(row) == len(header) for row in rows)
        assert window.page.card.badge.isVisible() == (tab not in ATTEMPTS)
        assert window.page.canvas.private == (tab not in ATTEMPTS)
        assert card.advice.text().startswith("A demonstration, not your data: ") == (tab in ATTEMPTS)
    assert "holds a ball, here with probability 1/2" in card.advice.text()
    assert not window.body.messages.texts()


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
    assert f"typically held {quality.typical[0] * T:.0f} of t = 500 points" in window.page.card.advice.text()
    assert window.body.column.release.error.text().startswith("Typically ")


def test_the_budget_of_the_steps_adds_up_and_the_promise_is_said(window):
    top, setup = window.page.top, selection(window.session.state)
    assert sum(piece.size for piece in top.bar.pieces) == pytest.approx(1.0)
    assert [piece.name for piece in top.bar.pieces] == ["How large", "Which cell", "Its mean", "How far"]
    assert "Which cell: ε 0.35" in top.bar.accessibleDescription()
    promise = setup.mechanism.guarantee(setup.source.domain, 1500, setup.privacy)
    assert f"at least {np.ceil(promise.promised):.0f} of 500 points" in top.promise.text()
    assert top.promise.text().startswith("Overlapping cells: ")
    assert f"{np.ceil(promise.promised):.0f} points" in window.body.column.release.promise.words.text()
    dialog = window.body.column.release.promise.show_methods()
    text = dialog.findChild(QLabel).text()
    assert all(finder.label in text for finder in FINDERS.values())
    assert "the published constants need t of at least" in text
    assert "for points rounded to the grid" in window.body.column.release.promise.words.toolTip()
    dialog.close()
    window.session.set_parameter("mechanism", "one-cluster", "t", 300)
    from_t = f"nothing is promised for t = 300, only from t = {promise.needed} on"
    assert f"Overlapping cells: {from_t}" in top.promise.text()
    assert (
        f"Nothing is promised below t = {promise.needed}." in window.body.column.release.promise.words.text()
    )
    assert f"N{from_t[1:]}" in methods(selection(window.session.state))["b"]


def test_what_is_not_possible_is_explained_before_run(window):
    for t, said in ((2000, "at most 1,500"), (50, "too few")):
        window.session.set_parameter("mechanism", "one-cluster", "t", t)
        assert said in window.body.column.release.form.rows["t"].problem
        assert not window.body.column.release.run.isEnabled()
    open_tab(window, "axes")  # which is about other points
    window.session.set_parameter("mechanism", "one-cluster", "t", T)
    window.body.column.privacy.delta.type_in("0")
    assert "say 1e-6" in window.body.column.privacy.delta_row.problem
    assert not window.body.column.release.run.isEnabled()
    window.session.undo_stack.undo()
    assert window.body.column.release.run.isEnabled()
    assert window.wait_until_idle(30_000)
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_methods_are_called_what_they_are_and_can_be_compared(window):
    box = window.body.column.release.form.rows["method"].box
    assert [box.itemText(place) for place in range(box.count())] == [
        "auto: overlapping cells",
        *(finder.label for finder in FINDERS.values()),
    ]
    choose(box, "a")
    assert window.wait_until_idle(30_000)
    assert "auto would do better" in window.page.card.advice.text()
    tried = open_tab(window, "boxes")
    assert tried.boxes.chosen is not None
    assert tried.boxes.counts.sum() == 1500
    assert open_tab(window, "radius").name == "L(r, S)"
    window.page.show_tab("ball")
    assert window.wait_until_idle(30_000)
    choose(box, "published")
    assert window.wait_until_idle(30_000)
    assert "published constants need t of at least" in window.body.column.release.form.rows["t"].problem
    card = window.page.card
    for tab in ("boxes", "radius", "ball"):  # each tab has its own picture in front
        window.page.show_tab(tab)
        assert window.wait_until_idle(30_000)
        assert card.pictures.currentWidget() is card.canvas
        assert "still shows" in card.advice.text()
        assert card.badge.isVisible()
    window.page.show_tab("runs")
    assert window.wait_until_idle(30_000)
    assert card.pictures.currentWidget() is card.waiting
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
    window.session.set_parameter("mechanism", "one-cluster", "t", 600)
    assert window.wait_until_idle(30_000)
    assert not counted


@pytest.mark.slow
def test_another_budget_gives_what_counting_anew_would(window):
    from engine.randomness import reproducible

    for query, method in (("one-cluster", "c"), ("k-balls", "auto"), ("screened-mean", "a")):
        ask(window, query, method=method)
        window.session.set_parameter("mechanism", query, "t", 600)
        window.session.edit("change epsilon", epsilon=2.0)
        assert window.wait_until_idle(30_000)
        setup = selection(window.session.state)
        points = window.session.databases.get(setup.source)
        ready = window.page._work.ready(setup, points, lambda *_: None)
        anew = setup.mechanism.prepare(points, setup.privacy)
        drawn = [one.draw(reproducible(3), 2) for one in (ready, anew)]
        np.testing.assert_array_equal(*drawn)
        window.session.edit("change epsilon", epsilon=1.0)
    assert window.wait_until_idle(30_000)


def test_records_are_drawn_where_no_ball_is_possible(balls_on):
    window = balls_on(**cluster(n=50, held=20))
    said = "o t is possible with 50 records: a ball needs at least"
    assert said in window.body.column.release.form.rows["t"].problem
    assert said in window.page.card.advice.text()
    view = result(window)
    assert (view.balls, view.truth, len(view.records.dots)) == ((), (), 50)
    assert window.page.canvas.isVisible()
    assert window.body.column.data.badge.isVisible()
    window.body.column.data._clamped = None  # as before anything was counted
    window.body.column.data._say_facts()
    assert (window.body.column.data.facts.text(), window.body.column.data.badge.isVisible()) == (
        "n = 50",
        False,
    )
    window.session.set_parameter("mechanism", "one-cluster", "t", 40)
    assert window.wait_until_idle(30_000)
    assert said in window.page.card.advice.text()
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert window.page.card.waiting.isVisible()


@pytest.mark.slow
def test_a_run_that_fails_says_why(window):
    ask(window, "one-cluster", method="c", t=400)
    draws = window.page.card.draws
    window.session.edit("change epsilon", epsilon=0.7)
    draws.seed = 8
    draws.again.click()
    assert window.wait_until_idle(30_000)
    assert result(window).balls == ()
    assert draws.seeded.text() == "seed 9 · no box was clearly fuller than an empty one"
    assert "No ball was found in" in window.page.card.advice.text()
    open_tab(window, "radius")
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_then_the_mean_inside_the_ball(window):
    window.session.set_parameter("mechanism", "one-cluster", "t", 600)
    window.page.card.mean.click()
    assert window.wait_until_idle(30_000)
    state = window.session.state
    assert (state.query, selection(state).mechanism.t) == ("screened-mean", 600)
    view = result(window)
    assert np.linalg.norm(view.mean - view.true_mean) < 0.05
    assert "a noisy mean of all records" in window.page.card.advice.text()
    value = run(window).value
    assert result(window).mean.tolist() == pytest.approx(value["mean"])
    numbers = [*value["center"], value["radius"], *value["mean"]]
    assert taken_away(window) == ("x,y,radius,mean x,mean y", [numbers])
    assert ", mean (" in window.body.history.model._rows[0][2]
    window.session.undo_stack.undo()
    assert window.session.state.query == "one-cluster"
    assert window.wait_until_idle(30_000)
    window.session.show_page("median")
    left = window.session.state
    window.body.pages.one_cluster.release_mean()  # a click comes up to 100 ms late
    assert window.session.state is left
    assert window.wait_until_idle(30_000)


def test_k_balls_can_be_looked_at_one_by_one(window):
    ask(window, "k-balls", t=700, k=2)
    card = window.page.card
    assert len(result(window).truth) == 2
    for tab in ("radius", "boxes", "runs"):
        first = open_tab(window, tab)
        assert card.ball_box.isVisible()
        card.ball_box.setCurrentIndex(1)
        card.ball_box.activated.emit(1)
        assert window.wait_until_idle(30_000)
        assert result(window) is not first
        card.ball_box.setCurrentIndex(0)
    assert "simulated runs ball 2 typically held" in card.advice.text()
    value = run(window).value
    header, rows = taken_away(window)
    assert header == "x,y,radius"
    assert rows == [[*ball["center"], ball["radius"]] for ball in value]
    assert window.body.history.model._rows[0][2].startswith("2 of 2 balls: (")
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_an_interior_point_has_a_picture_of_its_own(balls_on):
    window = balls_on(x=np.linspace(0.3, 0.6, 900))
    ask(window, "interior-point")
    assert window.page.card.tab == "number"
    for epsilon, said in ((0.001, "still shows the last choices"), (1.0, "")):
        window.session.edit("change epsilon", epsilon=epsilon)
        assert window.wait_until_idle(30_000)
        assert said in window.page.card.advice.text()
    assert window.page.card.advice.text() == ""
    assert window.page.card.shown == ("number", *ATTEMPTS, "audit")
    assert 0.3 <= result(window).released[0, 0] <= 0.6
    value = run(window).value
    assert result(window).released[0, 0] == value
    assert not result(window).simulated
    assert taken_away(window) == ("Interior point", [[value]])
    pure_and_not(window)
    ask(window, "one-cluster")
    assert len(open_tab(window, "ball").directions) == 1


def pure_and_not(window):
    """Look at what the two ways to an interior point say of delta, and what it costs."""
    privacy = window.body.column.privacy
    assert window.session.state.releases[-1].release.privacy == Privacy(1.0)
    assert privacy.delta.value == 0
    assert "begins with" not in privacy.sentence.text()
    privacy.delta.type_in("0.01")
    assert "a release costs none" in privacy.remark.text()
    assert "probability" not in privacy.sentence.text()
    assert run(window) is not None
    assert "ε = 2 " in window.body.history.total.text()
    ask(window, "interior-point", way="reduction")
    assert "δ is not below 1/n = 0.0011" in privacy.remark.text()
    assert "but for a probability of 0.01" in privacy.sentence.text()
    privacy.delta.type_in("1e-6")
    assert privacy.remark.text() == ""


def taken_away(window):
    """Return the numbers of the newest release as they are copied."""
    window.body.history.copy_numbers.trigger()
    header, *rows = QGuiApplication.clipboard().text().splitlines()
    return header, [[float(number) for number in row.split(",")] for row in rows]


class TestReleaseView:
    def test_nothing_private_is_said_or_shown(self, window):
        for tab in OF_BALLS:
            open_tab(window, tab)
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        card = window.page.card
        assert card.shown == ("ball", *ATTEMPTS, "audit")
        assert card.tab in card.shown
        window.page.show_tab("ball")
        assert window.wait_until_idle(30_000)
        assert "Nothing has been released yet" in card.waiting.text()
        seen = words(window)
        assert "simulated runs" not in seen
        assert "Typically" not in seen
        assert "not private" not in seen

    def test_the_released_ball_stands_alone_in_the_public_box(self, window):
        value = run(window).value
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        view = result(window)
        [ball] = view.balls
        assert (ball.center.tolist(), ball.radius) == (value["center"], value["radius"])
        assert (view.records, view.truth, view.boxes, view.runs, ball.held) == (None, (), None, None, None)
        assert not view.simulated
        assert not window.page.canvas.private
        assert taken_away(window) == ("x,y,radius", [[*value["center"], value["radius"]]])
        assert type(open_tab(window, "sides")).__name__ == "BoxesView"

    def test_a_run_that_found_nothing_is_told(self, window, dataset):
        import dataclasses

        run(window)
        session = window.session
        record = session.state.releases[-1]
        failed = dataclasses.replace(record, release=dataclasses.replace(record.release, value=None))
        session.add_release(failed)
        assert window.wait_until_idle(30_000)
        assert window.body.history.model._rows[0][2] == "nothing found"
        session.show_view("release")
        assert window.wait_until_idle(30_000)
        assert "found nothing" in window.page.card.waiting.text()


@pytest.mark.slow
def test_three_columns_have_directions_and_boxes_along_columns(balls_on):
    window = balls_on(**cluster(d=3))
    card = window.page.card
    assert card.directions.isVisible()
    card.directions.across.setCurrentIndex(3)
    card.directions.across.activated.emit(3)
    assert window.wait_until_idle(30_000)
    assert result(window).directions[0].private
    assert not any(direction.private for direction in open_tab(window, "boxes").directions)
    window.session.show_view("release")
    assert card.directions.across.count() == 3
    assert window.wait_until_idle(30_000)


def test_nothing_is_clipped_in_a_small_window(balls_on):
    window = balls_on(**cluster(d=3))
    window.resize(1024, 768)
    ask(window, "k-balls", t=700, k=1)
    for presentation in (False, True):
        window.controllers.appearance.set_presentation(presentation)
        for tab in ("ball", "radius", "boxes"):
            open_tab(window, tab)
            least = window.minimumSizeHint()
            assert least.width() <= 1024, tab
            assert least.height() <= 768, tab
            assert clipped(window) == [], tab
            if presentation:
                assert window.page.canvas.height() > 0.5 * window.height(), tab
        assert window.body.history.isVisible() != presentation


def test_tab_reaches_everything_in_the_order_of_the_eye(window):
    window.body.column.release.tuning_button.setChecked(True)
    assert window.wait_until_idle(30_000)
    names = tabbed(window)
    assert all(names)
    expected = ["Pictures", "Ne&xt draw", "Close &up", "Then the mean inside the &ball"]
    expected += ["Epsilon", "Mechanism", "Points t", "Method", "Failure β", "Grid steps"]
    assert [name for name in names if name in expected] == expected


def test_no_two_fields_answer_to_the_same_letter(balls_on):
    window = balls_on(**cluster(d=3))
    for query, tab in (("one-cluster", "ball"), ("one-cluster", "radius"), ("k-balls", "boxes")):
        choose(window.body.column.release.query, query)
        window.page.show_tab(tab)
        letters = Counter(letters_of(window))
        assert max(letters.values()) == 1, letters
    assert window.wait_until_idle(30_000)


def test_choices_come_back(window):
    stored = PAGE_KINDS["one-cluster"].to_document(window.session.state)
    recalled = PAGE_KINDS["one-cluster"].from_document(stored.__getitem__)
    assert (recalled["query"], recalled["columns"]) == ("one-cluster", ("x", "y"))
    with pytest.raises(ValueError, match="query"):
        PAGE_KINDS["clustering"].from_document(stored.__getitem__)
