"""The answers of a release: one for each group, with interval, or with its width in ranks."""

import dataclasses

import pytest
from released_answers import record

from app.releases.answers import answers, scale_of
from app.releases.text import asked_words
from engine.data.categories import OTHER

GROUPS = {
    "groups": [
        {"group": "A", "value": 1234.5, "interval": [1000.0, 1400.0]},
        {"group": "other", "value": None, "interval": None},
    ]
}


def test_groups_keep_their_order_and_their_intervals():
    first, second = answers(record(GROUPS))
    assert (first.group, first.value, first.low, first.high) == ("A", 1234.5, 1000.0, 1400.0)
    assert first.interval_words("$") == "1\N{NARROW NO-BREAK SPACE}000 to 1\N{NARROW NO-BREAK SPACE}400 $"
    assert (second.value_words(), second.interval_words()) == ("no answer", "none")


def test_a_choice_by_rank_says_how_many_ranks_it_may_be_off():
    (answer,) = answers(record(50.0, mechanism="choice-in-parts", query="median", rank_error=12.0))
    assert answer.interval_words() == "within 12 ranks"


def test_ranks_are_not_stated_for_groups_of_confidential_size():
    groups = {"groups": [{"group": "A", "value": 50.0, "interval": None}]}
    (answer,) = answers(record(groups, mechanism="choice-in-parts", query="median", rank_error=12.0))
    assert answer.interval_words() == "none"


@pytest.mark.parametrize(
    ("value", "error", "ends"),
    [(50.0, 10.0, (40.0, 60.0)), (95.0, 10.0, (85.0, 100.0)), (200.0, 10.0, (190, 210))],
)
def test_an_interval_stays_within_possible_results(value, error, ends):
    made = record(value, mechanism="laplace", query="mean", error=error, lower=0.0, upper=100.0)
    (answer,) = answers(made)
    assert (answer.low, answer.high) == ends


def test_bounds_from_the_data_leave_no_interval():
    made = record(50.0, mechanism="laplace", query="mean", error=1.0, lower=0.0, upper=100.0, looked=True)
    assert not answers(made)[0].interval


def test_only_groups_with_rows_for_sure_share_a_scale():
    groups = {"groups": [{"group": one, "value": 5.0, "interval": [0.0, 9.0]} for one in ("A", OTHER)]}
    _, other = answers(record(groups, query="mean"))
    assert other.may_be_empty
    assert scale_of([other]) is None
    assert not any(one.may_be_empty for one in answers(record(groups, query="count")))
    assert scale_of(answers(record(50.0, mechanism="laplace", error=1.0, lower=0.0, upper=100.0))) is None


def test_the_mean_of_a_condition_is_called_a_share():
    shares = dataclasses.replace(record(0.5), subject="rows where age >= 40")
    assert asked_words(shares) == "Share of rows where age >= 40"
    column = dataclasses.replace(shares, location="staff.csv, rows")  # a mean of the column "rows"
    assert asked_words(column) == "Mean of rows where age >= 40"
