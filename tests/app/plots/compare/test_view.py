"""What is said of a comparison."""

import dataclasses
import types

import numpy as np
import pytest

from app.plots.compare.view import (
    ComparisonView,
    behind,
    clamped_words,
    leaders,
    runs_words,
    sentence,
    so_far,
    value_words,
)
from engine.comparison.verdict import verdict
from engine.mechanisms.facts import Facts

LONG_NAME = "Student's t noise, nu = 3"
LABELS = ("Exponential", "Smooth", "Laplace", "Ptr", "Global")


def judged(make, *errors, trivial=np.inf):
    """Return the verdict on contenders with these errors."""
    found = make.compared(labels=LABELS[: len(errors)], values=(1.0,))
    outcomes = [
        dataclasses.replace(outcome, errors=np.asarray(drawn, dtype=float), problem="", trivial_error=trivial)
        for outcome, drawn in zip(found.outcomes, errors, strict=True)
    ]
    return verdict(outcomes)


def lognormal(seed, middle, runs=1000):
    return middle * np.exp(np.random.default_rng(seed).standard_normal(runs))


def test_a_winner_is_named_with_how_surely_it_wins(make):
    made = judged(make, lognormal(1, 10.0), lognormal(2, 30.0))
    words = sentence(made, "$", LABELS)
    assert words.startswith("Exponential wins: ")
    assert "× smaller error than Smooth (" in words
    assert "(99\u202f% CI " in words
    assert sentence(made, "$").count(made.best.trial.mechanism.label) == 2


def test_a_draw_says_how_many_runs_would_tell(make):
    made = judged(make, lognormal(1, 10.0, 400), lognormal(2, 11.5, 400))
    words = sentence(made, "$", LABELS)
    needed = made.runs_needed
    assert not made.significant
    assert needed > 400
    assert "do not differ significantly" in words
    assert "would settle it" in words
    four_times = judged(make, *[lognormal(seed, middle, 64 * 400) for seed, middle in ((1, 10.0), (2, 11.5))])
    assert four_times.significant


def test_equals_are_not_told_apart_by_any_number_of_runs(make):
    made = judged(make, np.ones(400), np.ones(400))
    assert made.runs_needed is None
    assert "there is no sign of a difference" in sentence(made, "", LABELS)


def test_too_few_runs_say_how_many_would_tell(make):
    made = judged(make, [1.0, 2.0, 3.0], [100.0, 200.0, 300.0])
    # both on one side of the median with probability 2 / 2^n each: below 0.01 / 2 from n = 9 on
    assert made.fewest == 9
    words = sentence(made, "", LABELS)
    assert "3 runs each are too few to tell it from Smooth; at least 9 of each are needed" in words
    assert "there is no sign of a difference" not in words
    enough = judged(make, np.arange(1.0, 10.0), np.arange(100.0, 109.0))
    assert enough.significant


def test_what_is_of_no_use_does_not_win(make):
    made = judged(make, lognormal(1, 50.0), lognormal(2, 500.0), trivial=50.0)
    words = sentence(made, "$", LABELS, 50.0)
    assert "None of them is of much use here: even with Exponential only half" in words
    assert "wins" not in words
    assert words.endswith("; a guess without the data errs by at most 50\u202f$.")


@pytest.mark.parametrize(
    ("alternative", "words"),
    [
        (np.full(400, np.nan), "wins: Smooth refuses at least every second time"),
        (np.full(400, 5.0), "no error in half of the runs; the median error of Smooth is 5\u202f$"),
    ],
)
def test_exact_answers_and_refusals_need_no_ratio(make, alternative, words):
    assert words in sentence(judged(make, np.zeros(400), alternative), "$", LABELS)


def test_who_only_refuses_wins_nothing(make):
    made = judged(make, np.full(400, np.nan), np.full(400, np.nan))
    assert "None of them is useful here" in sentence(made, "$", LABELS)


def without(comparison, *places):
    """A comparison in which some contenders promise nothing."""
    open_book = types.SimpleNamespace(facts=Facts(is_private=False))
    contenders = [
        dataclasses.replace(one, mechanism=open_book) if place in places else one
        for place, one in enumerate(comparison.contenders)
    ]
    mechanisms = [one.mechanism for one in contenders]
    outcomes = [
        dataclasses.replace(
            one, trial=dataclasses.replace(one.trial, mechanism=mechanisms[one.trial.contender])
        )
        for one in comparison.outcomes
    ]
    return dataclasses.replace(comparison, contenders=tuple(contenders), outcomes=tuple(outcomes))


def test_leaders_follow_the_sweep(make):
    found = make.compared(labels=LABELS[:2], values=(0.1, 1.0, 10.0), runs=400)
    places = range(3)
    assert leaders(found, LABELS, places) == "Exponential wins all along."
    assert leaders(without(found, 0), LABELS, places).endswith("is compared with Smooth.")
    turned = [
        dataclasses.replace(o, errors=o.errors * 9) if (o.trial.contender, o.trial.position) == (0, 2) else o
        for o in found.outcomes
    ]
    found = dataclasses.replace(found, outcomes=tuple(turned))
    assert leaders(found, LABELS, places) == "Exponential wins up to ε = 1, Smooth at ε = 10."
    assert leaders(found, LABELS, [0]) == "Exponential wins all along."
    few = [dataclasses.replace(one, errors=one.errors[:3]) for one in found.outcomes]
    assert (
        leaders(dataclasses.replace(found, outcomes=tuple(few)), LABELS, places) == "No clear winner along ε."
    )
    assert "No private mechanism" in leaders(without(found, 0, 1), LABELS, places)
    assert value_words("blocks", 1200) == "blocks = 1\u202f200"


def test_who_wins_and_is_far_behind_elsewhere_is_told(make):
    found = make.compared(labels=("Exponential", "Smooth", "Inverse"), values=(0.1, 1.0), runs=400)
    errors = {one.trial.position: one.errors for one in found.outcomes if one.trial.contender == 0}
    factors = {0: {0: 5.0, 1: 1.0, 2: 1.0}, 1: {0: 1.0, 1: 5.0, 2: 5.0}}
    made = [
        dataclasses.replace(one, errors=errors[at] * factors[at][one.trial.contender])
        for one in found.outcomes
        for at in [one.trial.position]
    ]
    asked = dataclasses.replace(found, outcomes=tuple(made)), ("Exponential", "Smooth", "Inverse"), [0, 1]
    assert leaders(*asked) == "Exponential wins at ε = 1; elsewhere no clear winner."
    assert behind(*asked) == "At ε = 0.1 Exponential errs 5 times as much as the best."


def test_partial_results_are_counted(make):
    found = make.compared(runs=100)
    assert so_far(found) == ""
    part = dataclasses.replace(found, outcomes=found.outcomes[:7])
    assert so_far(part) == "Preliminary, 30\u202f% of the runs (600 of 2\u202f000)"


def test_fewer_runs_stand_beside_the_name_and_below_the_picture(make):
    made = make.compared()
    assert runs_words(made) == "200 runs each"
    slow = dataclasses.replace(made, runs=1000, each=(1000, 200, 1000, 1000, 1000))
    view = ComparisonView(slow, 1)
    assert view.beside(1, "3\u202f$") == "3\u202f$ · 200 runs"
    assert (view.beside(0, "3\u202f$"), view.beside(1, "")) == ("3\u202f$", "200 runs")
    assert runs_words(slow) == f"1\u202f000 runs each (“{LONG_NAME}” 200)"
    assert view.left_out(view.rows).startswith("1\u202f000 runs each (")
    assert runs_words(dataclasses.replace(slow, each=(1000, 200, 200, 200, 1))).endswith(
        "(4 slow ones fewer)"
    )


def test_a_median_error_that_is_the_distance_to_a_bound_is_explained(make):
    found = make.compared(labels=LABELS[:2], values=(1.0,))
    assert not clamped_words(found, "$")
    outcomes = [
        dataclasses.replace(one, errors=np.array([40.0, 40.0, 40.0, 60.0, 1.0 + place]), trivial_error=50.0)
        for place, one in enumerate(found.outcomes)
    ]
    clamped = dataclasses.replace(found, outcomes=tuple(outcomes))
    assert ComparisonView(clamped).remarks(0) == ["most runs clamped"]
    assert ComparisonView(found).remarks(0) == []
    text = clamped_words(clamped, "$")
    assert text == "40\u202f$: most runs clamped."
