"""The answers of a release: one for each group, with interval, or with its width in ranks."""

import pytest
from released_answers import record

from app.releases.answers import answers

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
