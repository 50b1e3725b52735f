"""The page about balls in use: several balls, the release view, directions, room and keys."""

from collections import Counter

import numpy as np
import pytest
from ball_windows import ask, cluster, open_tab, result, run
from PySide6.QtGui import QGuiApplication
from seen import choose, clipped, letters_of, option, tabbed, words

from app.model.pages.registry import PAGES
from app.model.selection import selection
from engine.privacy import Privacy

pytestmark = pytest.mark.usefixtures("undrawn")

ATTEMPTS = tuple(spec.name for spec in PAGES["one-cluster"].pictures if spec.is_demonstration)


def pure_and_not(window):
    """Look at what the two ways to an interior point say of delta, and what it costs."""
    privacy = window.body.column.privacy
    assert window.session.state.releases[-1].release.privacy == Privacy(1.0)
    assert privacy.delta.value == 0
    assert "starts with" not in privacy.sentence.text()
    privacy.delta.type_in("0.01")
    assert "a release costs none" in privacy.remark.text()
    assert "probability" not in privacy.sentence.text()
    assert run(window) is not None
    assert "ε = 2 " in window.body.history.total.text()
    ask(window, "interior-point", way="reduction")
    assert "δ is at least 1/n = 0.0011" in privacy.remark.text()
    assert "plus δ = 0.01 in probability" in privacy.sentence.text()
    privacy.delta.type_in("1e-6")
    assert privacy.remark.text() == ""


def taken_away(window):
    """Return the numbers of the newest release as they are copied."""
    window.body.history.copy_numbers.trigger()
    header, *rows = QGuiApplication.clipboard().text().splitlines()
    return header, [[float(number) for number in row.split(",")] for row in rows]


@pytest.mark.slow
def test_a_run_that_fails_says_why(window):
    ask(window, "one-cluster", method="tight-boxes", t=400)
    draws = window.page.card.draws
    window.session.edit("change epsilon", epsilon=0.7)
    draws.seed = 8
    draws.again.click()
    assert window.wait_until_idle(30_000)
    assert result(window).balls == ()
    assert draws.source.text() == "seed 9, no box was clearly fuller than an empty one"
    assert "No ball was found in" in window.page.card.advice.text()
    open_tab(window, "radius")
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_a_point_is_released_where_others_release_balls(window):
    for name in ("growing-box", "stable-cell"):
        ask(window, name)
        value = run(window).value
        assert len(value) == 2
        assert window.wait_until_idle(30_000)
        assert not window.page.pending  # an exception in a slot would fail the test, too


@pytest.mark.slow
def test_then_the_mean_inside_the_ball(window):
    window.session.set_parameter(600, "t")
    window.page.mean.click()
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
    window.body.pages["one-cluster"].release_mean()  # a click comes up to 100 ms late
    assert window.session.state is left
    assert window.wait_until_idle(30_000)


@pytest.mark.slow
def test_k_balls_can_be_looked_at_one_by_one(window):
    ask(window, "k-balls", t=700, k=2)
    card = window.page.card
    assert len(result(window).truth) == 2
    for tab in ("radius", "boxes", "runs"):
        first = open_tab(window, tab)
        assert option(card, "ball").isVisible()
        option(card, "ball").setCurrentIndex(1)
        option(card, "ball").activated.emit(1)
        assert window.wait_until_idle(30_000)
        assert result(window) is not first
        option(card, "ball").setCurrentIndex(0)
    assert window.body.column.release.error.text().endswith(" records in ball 2")
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
    for epsilon, said in ((0.001, "still shows the last valid choices"), (1.0, "")):
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


class TestReleaseView:
    def test_the_close_up_stays_where_it_is(self, window):
        open_tab(window, "ball")
        box = option(window.page.card, "near")
        place = box.mapTo(window, box.rect().topLeft())
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        assert box.isVisible()
        assert box.mapTo(window, box.rect().topLeft()) == place

    def test_nothing_private_is_said_or_shown(self, window):
        for tab in ("ball", "radius", "boxes", "runs", *ATTEMPTS):
            open_tab(window, tab)
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        card = window.page.card
        assert card.shown == ("ball", *ATTEMPTS, "audit")
        assert card.tab in card.shown
        window.page.show_tab("ball")
        assert window.wait_until_idle(30_000)
        assert "Run makes one and spends ε" in card.waiting.text()
        seen = words(window)
        assert "simulated runs" not in seen
        assert "A typical ball" not in seen
        assert "Confidential" not in seen

    def test_the_released_ball_stands_alone_in_the_public_box(self, window):
        value = run(window).value
        window.session.show_view("release")
        assert window.wait_until_idle(30_000)
        view = result(window)
        [ball] = view.balls
        assert (ball.center.tolist(), ball.radius) == (value["center"], value["radius"])
        assert (view.records, view.truth, view.boxes, ball.held) == (None, (), None, None)
        assert not view.simulated
        assert not window.page.canvas.private
        assert taken_away(window) == ("x,y,radius", [[*value["center"], value["radius"]]])
        assert type(open_tab(window, "sides")).__name__ == "SidesAttempt"

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
    assert option(card, "across").isVisible()
    option(card, "across").setCurrentIndex(3)
    option(card, "across").activated.emit(3)
    assert window.wait_until_idle(30_000)
    assert result(window).directions[0].private
    assert not any(direction.private for direction in open_tab(window, "boxes").directions)
    window.session.show_view("release")
    assert option(card, "across").count() == 3
    assert window.wait_until_idle(30_000)


@pytest.mark.slow
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
    expected = ["Pictures", "Close &up", "Ne&w seed", "Next: mean inside the &ball"]
    expected += ["Epsilon", "Mechanism", "Points t", "Method", "Failure β", "Grid steps"]
    assert [name for name in names if name in expected] == expected


@pytest.mark.slow
def test_no_two_fields_answer_to_the_same_letter(balls_on):
    window = balls_on(**cluster(d=3))
    for query, tab in (("one-cluster", "ball"), ("one-cluster", "radius"), ("k-balls", "boxes")):
        choose(window.body.column.release.form.chooser("query").box, query)
        window.page.show_tab(tab)
        letters = Counter(letters_of(window))
        assert max(letters.values()) == 1, letters
    assert window.wait_until_idle(30_000)
