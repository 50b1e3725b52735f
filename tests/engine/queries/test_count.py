"""Counts and sums: what they refuse, what they read, and which conditions can hold together."""

import dataclasses

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.components import automatic_value
from engine.data.conditions import read_condition, truth_table
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import GaussianRelease, LaplaceRelease, SmoothRelease
from engine.mechanisms.planted import HalvedScale
from engine.mechanisms.planted.bounds import LocalNoise
from engine.privacy import Privacy
from engine.queries import Count, Distance, Mean, Sum

BOUNDS = Interval(-1.0, 9.0)


@pytest.mark.parametrize("where", ["", "> 3", "<= 3", "0..4 or > 8", "!= 9", "= -1", "> 1 and < 2"])
def test_the_truth_table_has_what_occurs_and_nothing_else(where):
    conditions = [Count(where=where).condition(BOUNDS), read_condition("> 2.5", number=True)]
    dense = np.concatenate([np.linspace(-1, 9, 4001), [2.5, 3, 4, 8]])
    seen = {tuple(row) for row in np.stack([one.holds(dense) for one in conditions], axis=1).tolist()}
    assert {tuple(row) for row in truth_table(conditions, BOUNDS).tolist()} == seen


@pytest.mark.parametrize(
    ("where", "words"),
    [("> 9", "no value"), (">= -1", "every value"), ("empty", "no value"), ("> 20 or < -5", "no value")],
)
def test_a_condition_that_tells_nothing_is_refused(where, words):
    mechanism = LaplaceRelease(query=Count(where=where))
    with pytest.raises(ParameterError, match=words):
        mechanism.run(Sample([1.0], BOUNDS), Privacy(1.0))


@pytest.mark.parametrize("where", ["> ", "many", "3..", "1 2"])
def test_words_that_are_no_condition_are_refused_at_once(where):
    with pytest.raises(ParameterError, match=r"^where: "):
        Count(where=where)


def test_what_is_outside_of_the_bounds_counts_as_the_bound():
    data = Sample([-50.0, 3.0, 70.0, 8.0], BOUNDS)
    assert Count(where=">= 9").value(data) == 1
    assert Count(where="< 0", give="share").value(data) == 0.25


def test_a_sum_is_n_times_the_mean_and_its_grid_lies_within_n_bounds():
    data = Sample([0.1, 0.2, 7.0], BOUNDS)
    assert Sum().exact_value(data) == 3 * Mean().exact_value(data)
    release = LaplaceRelease(query=Sum()).run(data, Privacy(0.01))
    assert -3 <= release.value <= 27
    words = r"^upper: .*use a larger unit"
    with pytest.raises(ParameterError, match=words):
        LaplaceRelease(query=Sum()).run(Sample([1.0] * 11, Interval(0, 1e200)), Privacy(1.0))


QUERIES = (Sum(), Count(where="2..3"), Count(where="2..3", give="share"))


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_half_of_the_noise_is_found(query):
    planted = HalvedScale.planted(LaplaceRelease(query=query))
    pair = next(
        one for one in worst_case_pairs(planted, BOUNDS, 20, Privacy(1.0)) if one.name == "zeros-and-tops"
    )
    assert audit_run(planted, pair, Privacy(1.0), runs=20_000, seed=1).audit.violated


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_noise_that_follows_the_data_is_no_mistake_where_it_is_constant(query):
    assert not LocalNoise.applies_to(SmoothRelease(query=query))
    assert GaussianRelease(query=query).problems(Privacy(1.0, 1e-6), BOUNDS, 5) == ()


@pytest.mark.parametrize(
    ("query", "chosen"),
    [(Count(), {"where": automatic_value(Count(), "where", BOUNDS)}), (Distance(), {"threshold": 4.0})],
)
def test_what_is_meant_by_nothing_can_be_named(query, chosen):
    data = Sample([-50.0, 3.0, 4.5, 70.0, 8.0], BOUNDS)
    ((name, value),) = chosen.items()
    assert automatic_value(query, name, BOUNDS) == value
    assert dataclasses.replace(query, **chosen).value(data) == query.value(data)
