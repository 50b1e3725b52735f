"""The session: every edit can be undone, a release cannot."""

import dataclasses
from datetime import UTC, datetime

import numpy as np
import pytest

from app.model.release_record import ReleaseRecord
from app.model.selection import problems, selection
from app.model.state import LessonPosition
from engine import Mean, SmoothRelease, StudentT
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy


def record(session, epsilon=0.5, value=3.0):
    release = Release(
        mechanism="smooth",
        query="median",
        value=value,
        privacy=Privacy(epsilon),
        noise={"family": "lcp"},
        parameters={},
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({"true_value": 7.0}),
    )
    return ReleaseRecord.of(release, session.state)


def test_an_edit_is_undone_and_done_again(session):
    session.edit("change epsilon", epsilon=2.0)
    assert session.state.epsilon == 2.0
    session.undo_stack.undo()
    assert session.state.epsilon == 1.0
    session.undo_stack.redo()
    assert session.state.epsilon == 2.0


def test_a_slider_dragged_is_one_step_to_undo(session):
    for epsilon in (1.5, 2.0, 3.0, 5.0):
        session.edit("change epsilon", merge="epsilon", epsilon=epsilon)
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert session.state.epsilon == 1.0


def test_movements_of_different_things_are_different_steps(session):
    session.move_point(3, 10.0)
    session.move_point(3, 11.0)
    session.move_point(4, 50.0)
    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    assert session.state.data.modified_values == {3: 11.0}


def test_an_edit_that_changes_nothing_is_no_step(session):
    session.edit("change epsilon", epsilon=1.0)
    assert session.undo_stack.count() == 0


def test_undo_leaves_releases_and_view_alone(session):
    session.edit("change epsilon", epsilon=2.0)
    session.add_release(record(session))
    session.show_view("release")
    session.undo_stack.undo()
    assert len(session.state.releases) == 1
    assert session.state.view == "release"
    assert not session.undo_stack.canUndo()


def test_what_is_open_is_told_from_other_data(session, dataset):
    digest = session.state.dataset.digest
    mine = dataclasses.replace(record(session), dataset="account")
    assert not session.is_here(mine)
    session.add_release(mine, digest)
    assert session.is_here(mine)
    assert not session.is_here(dataclasses.replace(mine, dataset="another"))
    assert not session.is_here(dataclasses.replace(mine, location="column y"))
    simulated = dataclasses.replace(mine.release, simulated=True)
    assert session.is_here(dataclasses.replace(mine, dataset="", release=simulated))


def test_the_history_keeps_nothing_private(session):
    kept = record(session)
    assert dict(kept.release.diagnostics) == {}
    assert kept.when <= datetime.now(UTC)


def test_changed_tells_which_fields(session, qtbot):
    with qtbot.waitSignal(session.changed) as caught:
        session.edit("change delta", delta=1e-6)
    assert caught.args[0] == {"delta"}


def test_parameters_are_remembered_when_one_changes_ones_mind(session):
    session.edit("query", query="quantile")
    session.set_parameter(0.9, "query", "q")
    session.edit("query", query="median")
    session.edit("query", query="quantile")
    assert selection(session.state).mechanism.query.q == 0.9


def test_a_changed_parameter_is_named_by_its_label(session):
    session.set_parameter("average", "query", "even")
    assert session.undo_stack.undoText().startswith("change even n")
    session.forget_parameter("query", "even")
    assert session.undo_stack.undoText().startswith("change even n")


def test_noise_and_method_of_one_name_keep_their_own_parameters(session):
    session.edit("choose", parameters={"noise/gaussian": {"x": 1}})
    session.edit("choose", method="gaussian")
    assert session.state.mechanism.plain() == {}


def test_another_method_keeps_the_query_and_the_noise(session):
    session.edit("choose", query="mean", noise="student-t")
    session.set_parameter(4.0, "noise", "nu")
    session.choose("laplace")
    assert session.state.query == "mean"
    session.choose("smooth")
    assert session.state.mechanism.build() == SmoothRelease(query=Mean(), noise=StudentT(nu=4.0))


def test_a_page_begins_with_what_was_chosen_last_and_then_has_its_own(session):
    session.edit("choose", noise="student-t", method="smooth")
    session.show_page("spanning-tree")
    assert session.state.mechanism.part("noise").name == "student-t"
    session.choose("laplace", "noise")
    session.show_page("median")
    assert session.state.mechanism.part("noise").name == "student-t"


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"lower": None}, "lower", "declare the smallest"),
        ({"upper": None}, "upper", "declare the largest"),
        ({"lower": 100.0}, "upper", "not above lower"),
        ({"lower": 200.0}, "upper", "not above lower"),
        ({"upper": float("inf")}, "upper", "finite"),
        ({"epsilon": 0.0}, "epsilon", "above 0"),
        ({"epsilon": -1.0}, "epsilon", "above 0"),
        ({"epsilon": float("nan")}, "epsilon", "finite"),
        ({"delta": 1.0}, "delta", "below 1"),
        ({"delta": -0.1}, "delta", "at least 0"),
        ({"noise": "gaussian"}, "delta", "delta above 0"),
        ({"method": "gaussian"}, "delta", "delta"),
        ({"method": "propose-test-release"}, "delta", "delta above 0"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_field(session, fields, field, words):
    session.edit("something wrong", **fields)
    found = {problem.field: problem.message for problem in problems(session.state)}
    assert words in found[field]


def test_two_problems_are_both_told(session):
    session.edit("two wrongs", epsilon=-1.0, lower=500.0)
    assert {problem.field for problem in problems(session.state)} == {"epsilon", "upper"}


def test_databases_are_made_once_and_follow_edits(session):
    first = session.databases.get(selection(session.state).source)
    assert session.databases.get(selection(session.state).source) is first
    session.move_point(0, 55.5)
    moved = session.databases.get(selection(session.state).source)
    assert moved is not first
    assert np.count_nonzero(moved.values == 55.5) == 1
    assert session.state.data.numbers.values[0] == 0.0


def test_a_lesson_has_a_desk_an_undo_stack_and_a_history_of_its_own(session):
    session.edit("change epsilon", epsilon=2.0)
    session.show_view("release")
    before = session.state
    place = LessonPosition("some", 0, seed=5)
    session.begin_lesson(place, "clustering", {"query": "mixture"}, epsilon=0.5)
    state = session.state
    assert (state.page, state.query, state.epsilon, state.view) == ("clustering", "mixture", 0.5, "curator")
    assert (state.seed, state.dataset, dict(state.other_pages)) == (5, None, {})
    assert session.undo_stack.count() == 0
    session.edit("change epsilon", epsilon=3.0)
    assert session.undo_stack.count() == 1
    session.begin_lesson(LessonPosition("some", 1, seed=5), "median", {})
    assert session.undo_stack.count() == 0
    session.leave_lesson()
    assert vars(session.state) == vars(before)
    session.undo_stack.undo()
    assert session.state.epsilon == 1.0
    session.leave_lesson()  # there is none
    assert session.state.epsilon == 1.0


def test_a_page_that_is_chosen_in_a_lesson_is_ones_own(session):
    numbers = session.state.data.numbers
    session.begin_lesson(LessonPosition("some", 0, seed=1), "clustering", {}, workspace="compare")
    session.show_page("median")
    assert session.state.lesson is None
    assert (session.state.visible_view, session.state.data.numbers) == ("median", numbers)


def test_what_is_simulated_in_a_lesson_is_forgotten_and_what_was_released_stays(session):
    first, late = record(session), record(session, 0.25)
    session.add_release(first)
    session.begin_lesson(LessonPosition("some", 0, seed=1), "median", {})
    assert session.state.releases == ()
    simulated = dataclasses.replace(first, release=dataclasses.replace(first.release, simulated=True))
    session.add_release(simulated)
    session.add_release(late)  # begun before the lesson
    assert session.state.releases == (simulated,)
    session.leave_lesson()
    assert session.state.releases == (first, late)


def test_nothing_to_put_back_is_no_edit(session):
    session.undo_stack.clear()
    session.put_back()
    assert session.undo_stack.count() == 0
    session.move_point(3, 11.0)
    session.put_back()
    assert session.state.data.modified_values == {}
    assert session.undo_stack.count() == 2


def test_other_data_have_no_values_that_were_changed_by_hand(session, dataset):
    session.move_point(3, 11.0)
    session.open_dataset(dataset(x=np.arange(9.0)), "open")
    assert session.state.data.modified_values == {}
