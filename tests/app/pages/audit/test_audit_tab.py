"""The tab on which a page's mechanism is audited: tools, what runs and when, and who may see it.

All audits here are seeded; an audit of a right mechanism at 99.9 % would call it violated with
probability 1e-3 over seeds, and does not with this one.
"""

import copy
import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from seen import choose

from app.model.dataset import PointedRecord
from app.model.kinds.column import ColumnBuilder
from app.model.pages.audit import GUESS, LOW_BITS, SHOWS
from app.model.view_states import DEFAULT_SEED, AuditChoice
from app.model.wording.guarantees import hit_sentence, origin_sentence, rule_sentence
from app.model.wording.numbers import THIN, share
from app.widgets.number_box import NumberBox
from engine.domain import Interval

pytestmark = pytest.mark.usefixtures("undrawn")

RUNS = 1000


def chosen_now(window, **changes):
    """Return what is chosen, with some changes."""
    return window.page.card.audit.choice.but(**changes)


def audited(window, patience=30_000, shows=None, **choices):
    """Audit with these choices, and return what was found."""
    window.page.show_audit(chosen_now(window, **{"runs": RUNS, "seed": DEFAULT_SEED, **choices}), shows)
    assert window.wait_until_idle(patience)
    return window.page.audit.result


def tools(window):
    return window.page.card.audit


def told(window):
    card = window.page.card
    waits = card.pictures.currentWidget() is card.pictures.blank
    if not waits:
        if card.audit.plays and not card.audit.player.bets.size:
            card.audit.player.bet(0)
        card.audit.verdict.explain.setChecked(True)
    return card.waiting.text() if waits else card.advice.text()


def test_the_median_is_audited(window):
    window.page.show_tab("audit")
    assert window.wait_until_idle()
    assert window.page.audit.result is None  # nothing runs by itself
    assert "Audit draws 20" in told(window)
    chosen = tools(window)
    chosen.boxes["runs"].type_in(str(RUNS))
    chosen.audit_button.click()
    assert window.wait_until_idle()
    found = window.page.audit.result
    assert (found.view.run.audit.verdict, found.public, found.request.choice.runs) == (
        "consistent",
        True,
        RUNS,
    )
    assert window.page.card.badge.isHidden()
    assert not window.page.canvas.private
    assert "seed 1" in told(window)
    shown = set()
    for shows in (one for one in SHOWS if one != LOW_BITS):
        chosen.segments.button(shows).click()
        assert window.wait_until_idle()
        assert window.page.audit.result is found  # another look at the same audit
        shown.add(type(window.page.canvas.picture).__name__)
        assert chosen.prior_row.isVisible() == (shows == "posterior")
    assert len(shown) == 4

    # another prior is another look, too
    chosen.segments.button("posterior").click()
    chosen.prior_row.fields["prior"].box.setValue(20)
    assert window.wait_until_idle()
    assert window.page.canvas.picture.result.prior == 0.2
    chosen.segments.button("outcomes").click()

    # another seed is another audit of the same
    chosen.audit_button.click()
    assert window.wait_until_idle()
    assert window.page.audit.result.request.choice.seed == 2

    # what was found with other choices is marked
    window.session.edit("change epsilon", epsilon=0.5)
    assert window.wait_until_idle()
    assert "Press Audit" in told(window)
    assert window.page.audit.result.view.run.audit.privacy.epsilon == 1.0
    window.session.undo_stack.undo()

    # a planted bug brings the neighbours on which it shows, and is caught
    assert chosen.planted_row.isHidden()
    choose(chosen.boxes["bug"], "local-noise")
    assert window.wait_until_idle()
    assert chosen.choice.pair == "before-the-jump"
    assert chosen.planted_row.isVisible()
    assert "Not DP" in chosen.planted_badge.text()
    assert "local" in chosen.boxes["bug"].currentText().lower()
    assert chosen.wrong.text().endswith(".")
    chosen.audit_button.click()
    assert window.wait_until_idle()
    found = window.page.audit.result
    assert found.view.run.audit.violated
    assert found.view.planted
    assert "caught" in told(window)
    assert not window.session.state.releases

    # what follows from public facts may be seen in the release view, one's own data may not
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert window.page.card.tab == "audit"
    assert window.page.canvas.has_result
    assert not window.page.canvas.private
    assert chosen.boxes["pair"].findData("moved") < 0
    assert chosen.boxes["pair"].findData("realises-s") < 0
    window.session.show_view("curator")
    assert window.wait_until_idle()
    assert chosen.boxes["pair"].findData("realises-s") >= 0
    choose(chosen.boxes["bug"], "")
    choose(chosen.boxes["pair"], "moved")
    assert "record" in chosen.problem.text()
    chosen.audit_button.click()
    assert not window.page.audit.running.busy
    window.session.move_point(3, 90.0)
    assert window.wait_until_idle()
    assert (chosen.choice.record, chosen.boxes["record"].value, chosen.boxes["value"].text()) == (3, 4, "90")
    assert chosen.problem.isHidden()
    chosen.audit_button.click()
    assert window.wait_until_idle()
    found = window.page.audit.result
    assert (found.pair.label, found.public) == ("Record 4 replaced", False)
    assert window.page.card.badge.isVisible()
    assert window.page.canvas.private
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert window.page.audit.result is None
    assert not (window.page.canvas and window.page.canvas.has_result)
    window.session.show_view("curator")

    # where it cannot be audited, that is said in place
    assert audited(window, pair="one-moved").pair.name == "one-moved"
    for text, words in (("0", "0 runs are not possible"), ("many", "not a number"), ("9e9", "1000000")):
        chosen.boxes["runs"].type_in(text)
        assert words in chosen.problem.text()
        assert chosen.boxes["runs"].property("wrong")
    chosen.boxes["runs"].type_in(str(RUNS))
    assert chosen.problem.isHidden()
    window.page.show_audit(chosen_now(window, pair="no-such-pair"))
    assert window.wait_until_idle()
    assert "no pair of neighbors 'no-such-pair'" in told(window)

    # Cancel keeps what was found before, and says so
    before_that = audited(window, pair="one-moved")
    window.page.show_audit(chosen_now(window, runs=1_000_000))
    window.page.requester.due.emit()  # at once, so that it runs when Esc is pressed
    assert window.page.audit.running.busy
    assert tools(window).progress.isVisible()
    window.handlers.cancel()
    assert window.wait_until_idle()
    assert window.page.audit.result is before_that
    assert told(window).startswith("Cancelled")
    assert tools(window).progress.isHidden()


@pytest.mark.slow
def test_low_bits_are_attacked(window):
    """Real releases have no seed: exact ones are called violated with probability 1e-6."""
    page, chosen = window.page, tools(window)
    page.show_tab("audit")
    chosen.segments.button(LOW_BITS).click()
    assert window.wait_until_idle()
    assert f"Audit draws 5{THIN}000 real releases" in told(window)
    chosen.boxes["runs"].type_in(str(RUNS))
    chosen.audit_button.click()
    assert window.wait_until_idle(30_000)
    found = page.audit.result
    assert (found.view.run.result.verdict, found.view.run.result.runs) == ("consistent", RUNS)
    assert type(page.canvas.picture).__name__ == "AuditLowBits"
    assert page.canvas.picture.alt_text().startswith("Consistent with ε\xa0=\xa01.")
    assert "before clamping" in told(window)
    # the other pictures are of another audit
    chosen.segments.button("outcomes").click()
    assert window.wait_until_idle()
    assert page.audit.result is None
    assert "Audit draws" in told(window)
    chosen.segments.button(LOW_BITS).click()
    assert window.wait_until_idle()
    assert page.audit.result is found

    # noise in double precision opens them, and is caught; other events do not show it
    chosen.segments.button("outcomes").click()
    choose(chosen.boxes["bug"], "naive-doubles")
    assert window.wait_until_idle()
    assert (chosen.low_bits, chosen.choice.runs) == (True, 2000)
    chosen.audit_button.click()
    assert window.wait_until_idle(30_000)
    assert page.audit.result.view.run.result.violated
    assert "caught" in told(window)
    assert page.canvas.picture.alt_text().startswith("Violated: ε\xa0=\xa01.")
    assert not window.session.state.releases
    chosen.segments.button("outcomes").click()
    chosen.audit_button.click()
    assert window.wait_until_idle()
    assert page.audit.result.view.run.audit.verdict == "consistent"
    assert "Only the low bits reveal" in told(window)

    # it can be cancelled
    window.page.show_audit(chosen_now(window, bug="", runs=5000), LOW_BITS)
    window.page.requester.due.emit()
    assert page.audit.running.busy
    window.handlers.cancel()
    assert window.wait_until_idle()
    assert told(window).startswith("Cancelled")


@pytest.mark.slow
def test_a_spanning_tree_is_audited(graph_window):
    found = audited(graph_window, bug="beta-is-epsilon", shows="trade-off")
    verdict = tools(graph_window).verdict
    assert (verdict.isVisible(), verdict.chip.property("state")) == (True, found.view.verdict.state)
    assert verdict.chip.text() == found.view.verdict.chip
    assert not graph_window.page.parts[0].isVisible()
    assert found.public
    assert found.request.choice.pair == "before-the-jump"
    assert type(graph_window.page.canvas.picture).__name__ == "AuditTradeOff"
    assert tools(graph_window).bug().name == "beta-is-epsilon"
    graph_window.session.move_point(1, 9.0)
    assert not audited(graph_window, pair="moved", bug="").public
    choose(graph_window.body.column.release.form.chooser("query").box, "triangles")
    assert graph_window.wait_until_idle()
    assert audited(graph_window, pair="").view.run.audit.verdict == "consistent"


@pytest.mark.slow
def test_blocks_are_audited(points_window):
    page = points_window.page
    page.show_tab("audit")
    assert points_window.wait_until_idle(30_000)
    assert page.card.tab == "audit"
    assert audited(points_window).view.run.audit.verdict == "consistent"
    page.show_tab("release")
    assert not tools(points_window).isVisible()


@pytest.mark.slow
def test_a_ball_is_audited(points_on):
    rng = np.random.default_rng(5)
    window = points_on(page="one-cluster", **dict(zip("xy", rng.random((2, 600)), strict=True)))
    assert audited(window).view.run.audit.verdict == "consistent"
    tools(window).boxes["value"].setText("0.5")
    tools(window).boxes["value"].editingFinished.emit()
    tools(window).boxes["record"].type_in("7")
    window.page.show_audit(chosen_now(window, pair="moved"))
    assert window.wait_until_idle(30_000)
    assert "x : y" in tools(window).problem.text()


@pytest.mark.slow
def test_exact_counts_are_violated_as_they_must_be(points_on):
    rng = np.random.default_rng(5)
    columns = dict(zip("xy", rng.random((2, 100)), strict=True))
    window = points_on(page="histogram", query="histogram-recursive", **columns)
    found = audited(window)
    assert found.view.run.audit.violated
    assert "As expected" in told(window)


def test_the_record_that_was_moved_by_hand_goes_back_first():
    source = ColumnBuilder(np.arange(4.0), {1: 8.0, 2: 9.0}, Interval(0, 9))
    assert source.before(1).build().values.tolist() == [0, 1, 9, 3]
    assert source.before(3).build().values.tolist() == [0, 8, 9, 3]


def test_a_choice_knows_what_is_missing():
    assert AuditChoice().problem() is None
    assert AuditChoice(runs=10).problem().field == "runs"
    assert AuditChoice(pair="moved", record=1).problem().field == "record"


def test_nothing_is_audited_while_a_number_of_the_form_is_refused(window):
    window.page.show_tab("audit")
    assert window.wait_until_idle()
    box = next(box for box in window.findChildren(NumberBox) if box.isVisible() and box.value is not None)
    box.type_in("1.2.3")
    assert box.refusal
    tools(window).audit_button.click()
    assert not window.page.audit.running.busy
    assert window.wait_until_idle()
    assert window.page.audit.result is None
    assert box.lineEdit().text() == "1.2.3"


def test_the_game_takes_bets_by_keys_and_buttons(window, qtbot):
    audited(window, shows=GUESS)
    player, canvas, verdict = tools(window).player, window.page.canvas, tools(window).verdict
    assert player.isVisible()
    assert canvas.result.bets.size == 0
    assert window.focusWidget() is canvas  # so that two keys are enough
    game, picture = canvas.result.run.game, canvas.picture
    assert verdict.chip.text() == canvas.result.verdict.chip  # the words of the other pictures
    texts = verdict.numbers.text(), picture.alt_text(), verdict.accessibleName()
    assert not any("right for" in text for text in texts)
    assert not any(artist.get_visible() for artist in (picture._best, picture._reach))
    assert all(side.curve.get_visible() for side in picture._sides)  # where answers may come from
    assert verdict.numbers.text() == f"{rule_sentence(game)} {origin_sentence(game)}"
    (story,) = picture.sentences
    assert story.text.startswith("Worst case, not your data: ")
    assert story.text.endswith("Which database answered?")
    assert y_of(player) > y_of(canvas)  # below the answer
    assert not player.again.isEnabled()  # there is nothing to start again
    assert not player.teams.isVisible()
    tools(window).settings_button.click()
    assert player.teams.isVisible()
    canvas.nudged.emit(-1, 0)
    assert verdict.chip.text().startswith("Consistent")
    assert verdict.numbers.text() == hit_sentence(game)
    assert player.again.isEnabled()
    canvas.nudged.emit(1, 0)
    canvas.nudged.emit(0, 1)
    player.bet_buttons[1].click()
    assert window.wait_until_idle()
    assert canvas.result.bets.tolist() == [0, 1, 1]
    player.teams.click()
    assert canvas.result.teams
    assert canvas.result.bets.size == 0
    player.again.click()
    player.play(RUNS)
    game = canvas.result.run.game
    np.testing.assert_array_equal(canvas.result.bets, game.bets)
    assert not player.bet_buttons[0].isEnabled()
    canvas.nudged.emit(1, 0)
    assert player.bets.size == game.rounds
    assert picture._reach.get_text().endswith(share(game.best_rate))
    assert f"for {share(game.best_rate)} of " in verdict.numbers.text()  # one number
    player.again.click()
    assert verdict.numbers.text() == f"{rule_sentence(game)} {origin_sentence(game)}"
    tools(window).segments.button("outcomes").click()
    assert window.wait_until_idle()
    assert not player.isVisible()


@pytest.mark.parametrize(("method", "leaves"), [("smooth", True), ("exponential", False)])
def test_the_axis_says_that_answers_are_not_clamped_where_they_leave_the_bounds(window, method, leaves):
    window.session.edit("choose", method=method)
    audited(window, shows=GUESS)
    assert ("not clamped" in window.page.canvas.picture._answers.get_xlabel()) == leaves


def test_auto_plays_the_best_guess_and_stops(window, qtbot):
    audited(window, shows=GUESS)
    player = tools(window).player
    player.auto.click()
    qtbot.waitUntil(lambda: player.bets.size > 50)
    player.auto.click()
    played = player.bets.size
    np.testing.assert_array_equal(player.bets, window.page.canvas.result.run.game.bets[:played])
    qtbot.wait(50)
    assert player.bets.size == played
    player.auto.click()
    tools(window).segments.button("outcomes").click()
    assert not player.auto.isChecked()  # out of sight


def test_without_animations_auto_plays_at_once(window, monkeypatch):
    audited(window, shows=GUESS)
    player = tools(window).player
    monkeypatch.setattr(type(player), "_reduces_motion", property(lambda _: True))
    player.auto.click()
    assert player.bets.size == RUNS // 2
    assert not player.auto.isChecked()


def test_a_record_that_is_clicked_is_audited_in_confidence(window_on):
    window = window_on(np.linspace(10, 40, 21))
    audited(window, shows=GUESS)
    strip = window.page.strip.canvas
    place = strip.picture.place_of(strip.result, PointedRecord(2, {"": 0.0}))
    strip.pressed.emit(*place)
    strip.released.emit(*place)
    choice = tools(window).choice
    assert (choice.pair, choice.record, choice.value) == ("moved", 2, "100")
    tools(window).audit_button.click()
    assert window.wait_until_idle(30_000)
    assert not window.page.audit.result.public
    assert window.page.canvas.private
    assert window.page.card.badge.isVisible()


def clicked(window, canvas, x, y):
    """Click in a data picture, and audit the record there."""
    canvas.pressed.emit(x, y)
    canvas.released.emit(x, y)
    tools(window).audit_button.click()
    assert window.wait_until_idle(30_000)
    result = window.page.audit.result
    assert (result.public, window.page.canvas.private) == (False, True)
    choice = tools(window).choice
    return choice.record, choice.value, result.view.pair


@pytest.mark.parametrize("query", ["mst", "triangles"])
def test_an_edge_that_is_clicked_is_audited(graph_window, query):
    window = graph_window
    window.session.edit("change the query", query=query)
    assert window.wait_until_idle()
    audited(window, shows=GUESS)
    panel = window.page.parts[0].canvas
    edge = 3  # from b to d, of weight 3
    record, value, pair = clicked(window, panel, *panel.picture.place_of(panel.result, PointedRecord(edge)))
    assert (record, value) == {"mst": (3, "10"), "triangles": (4, "0")}[query]  # the fifth of six pairs
    if query == "mst":
        np.testing.assert_array_equal(pair.data.weights != pair.neighbour.weights, np.arange(5) == edge)
    else:
        assert changed(pair) == {(1, 3)}
        window.session.edit("remove an edge", removed_edges=frozenset({0}))
        assert window.wait_until_idle()
        assert (tools(window).choice.record, tools(window).choice.value) == (0, "0")
        tools(window).audit_button.click()
        assert window.wait_until_idle(30_000)
        assert changed(window.page.audit.result.view.pair) == {(0, 1)}  # it is there before


def test_another_graph_without_one_edge_changes_no_audited_record(graph_window):
    """As a session file or a lesson may bring it."""
    window = graph_window
    window.session.edit("change the query", query="triangles")
    assert window.wait_until_idle()
    audited(window, shows=GUESS)
    seen, choice = window.session.state, tools(window).choice
    other = dataclasses.replace(seen.data, edges=copy.copy(seen.data.edges), removed_edges=frozenset({500}))
    window.page.audit.follow(seen, SimpleNamespace(data=other))
    assert tools(window).choice == choice


def changed(pair):
    """Return the edges that one of both graphs lacks."""
    first, second = ({tuple(ends) for ends in one.ends.tolist()} for one in (pair.data, pair.neighbour))
    return first ^ second


def test_a_point_that_is_clicked_is_audited(points_window):
    window = points_window
    audited(window, shows=GUESS)
    window.page.second.show("data")
    assert window.wait_until_idle(30_000)
    canvas = window.page.second.canvas
    point = canvas.result.records.dots[7]
    record, _, pair = clicked(window, canvas, *map(float, point))
    np.testing.assert_array_equal(pair.data.values[record], point)
    corners = [(side.lower, side.upper) for side in pair.data.domain.sides]
    assert all(moved in ends for moved, ends in zip(pair.neighbour.values[record], corners, strict=True))


def test_another_game_ends_the_best_guess_and_its_first_answer_falls(window, qtbot):
    audited(window, shows=GUESS)
    player = tools(window).player
    player.auto.click()
    player.start_fall()
    assert not player.auto.isChecked()
    assert player.fall_progress < 1
    qtbot.waitUntil(lambda: player.fall_progress == 1)
    player.restart()
    player.auto.click()
    player.auto.click()
    assert player.fall_progress == 1


def test_without_animations_an_answer_is_there_at_once(window, monkeypatch):
    audited(window, shows=GUESS)
    player = tools(window).player
    player.bet(0)
    assert player.fall_progress < 1
    monkeypatch.setattr(type(player), "_reduces_motion", property(lambda _: True))
    player.restart()
    assert player.fall_progress == 1


def test_a_second_picture_has_room_and_the_verdict_stands_once(window):
    window.resize(1280, 800)
    audited(window, shows=GUESS)
    window.page.second.show("audit outcomes")
    assert window.wait_until_idle(30_000)
    second = window.page.second
    assert window.page.card.split.is_narrow
    assert second.panel.caption.text() == ""
    for canvas in (window.page.canvas, second.canvas):
        scale = canvas.height() / canvas.figure.bbox.height
        parts = getattr(canvas.picture, "parts", (canvas.picture.axes,))[-1:]
        assert all(part.bbox.height * scale >= 85 for part in parts)


def test_the_settings_stand_in_one_place(window):
    audited(window, shows=GUESS)
    chosen = tools(window)
    settings = [chosen.boxes[name] for name in ("pair", "bug", "runs", "confidence")]
    assert not any(one.isVisible() for one in settings)
    chosen.settings_button.click()
    assert all(one.isVisible() for one in settings)
    assert not chosen.boxes["record"].isVisible()  # belongs to a record that is moved
    chosen.settings_button.click()
    assert not any(one.isVisible() for one in settings)


def test_the_databases_have_an_axis_that_names_both_ends(window):
    audited(window, shows=GUESS)
    for part in window.page.canvas.picture.parts[1:3]:
        texts = [text.get_text() for text in part.get_xticklabels()]
        assert [texts[0], texts[-1]] == ["0", "100"]


def test_on_the_wall_the_story_of_the_game_is_the_sentence(window):
    audited(window, shows=GUESS)
    window.controllers.appearance.present(True)
    assert window.wait_until_idle()
    said = window.page.card.advice.property("otherwise")
    assert said.startswith("Worst case, not your data: ")
    assert said.endswith("Which database answered?")
    assert tools(window).verdict.numbers.text().startswith("If ε = 1 holds, ")
    window.controllers.appearance.present(False)


def y_of(widget):
    return widget.mapTo(widget.window(), QPoint()).y()


def test_the_buttons_of_a_game_go_with_it(window):
    audited(window, shows=GUESS)
    assert tools(window).player.isVisible()
    window.page.show_tab("k")
    tools(window).choose(chosen_now(window))
    assert not tools(window).player.isVisible()
    window.page.show_tab("audit")
    assert window.wait_until_idle()
    assert tools(window).player.isVisible()
    window.page.show_audit(chosen_now(window, pair="nowhere"), GUESS)
    assert window.wait_until_idle(30_000)
    assert not tools(window).player.isVisible()
