"""Sweeps: what can be varied, between which values, and what is no sweep."""

import math

import numpy as np
import pytest

from engine import Lloyd, PrivTree
from engine.aggregation.blocks import Partition
from engine.comparison import contenders_from, default_sweep, size, sweep_between, sweepable, vary
from engine.components import stands_alone
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS, Clusters, LaplaceRelease, NoisyHistogram, OneCluster, SmoothRelease
from engine.noise import StudentT
from engine.privacy import Privacy
from engine.queries import Quantile

PRIVACY = Privacy(1.0, 1e-6)


def names(*mechanisms):
    return [declared.name for declared in sweepable(mechanisms)]


def test_numbers_of_mechanisms_and_their_parts_can_be_varied():
    assert names(SmoothRelease(query=Quantile(), noise=StudentT())) == [
        "split",
        "error_share",
        "farthest",
        "q",
        "nu",
    ]
    assert names(Clusters(), Lloyd()) == ["k", "blocks", "g", "rounds"]
    assert names(LaplaceRelease()) == []


def test_a_value_reaches_the_part_that_has_the_parameter():
    assert vary(SmoothRelease(noise=StudentT()), "nu", 7.0).noise.nu == 7.0
    assert vary(Clusters(), "blocks", 250.0).sampling == Partition(blocks=250)
    made = vary(Clusters(), "blocks", 250.0).sampling.blocks
    assert isinstance(made, int)


def test_a_mechanism_without_the_parameter_stays_as_it_is():
    assert vary(LaplaceRelease(), "nu", 7.0) == LaplaceRelease()
    assert vary(NoisyHistogram(), "noise", 7.0) == NoisyHistogram()


@pytest.mark.parametrize(("name", "value"), [("split", 1.5), ("nu", 0.0)])
def test_values_out_of_bounds_are_refused(name, value):
    with pytest.raises(ParameterError, match=name):
        vary(SmoothRelease(noise=StudentT()), name, value)


def test_epsilon_grows_by_factors_and_keeps_its_ends():
    sweep = sweep_between("epsilon", 0.07, 7.0, 5, integer=False)
    assert sweep.values[0] == 0.07
    assert sweep.values[-1] == 7.0
    assert np.diff(np.log(sweep.values)) == pytest.approx(math.log(100) / 4, rel=0.01)


def test_shares_grow_by_steps():
    assert sweep_between("split", 0.1, 0.9, 5, integer=False).values == pytest.approx(
        [0.1, 0.3, 0.5, 0.7, 0.9]
    )


def test_whole_numbers_are_distinct():
    assert sweep_between("k", 1, 4, 10, integer=True).values == (1, 2, 3, 4)
    assert sweep_between("n", 10, 12, 10, integer=False).values == (10, 11, 12)


def test_one_step_is_the_start():
    assert sweep_between("epsilon", 0.5, 8, 1, integer=False).values == (0.5,)


@pytest.mark.parametrize(
    ("name", "start", "stop", "steps"),
    [
        ("epsilon", 1, 2, 0),
        ("epsilon", 2, 1, 3),
        ("epsilon", 0, 1, 3),
        ("epsilon", 1, 1000, 3),
        ("n", 0, 10, 3),
        ("t", math.nan, 10, 3),
        ("t", 1, math.inf, 3),
    ],
)
def test_what_is_no_sweep_is_refused_in_one_line(name, start, stop, steps):
    with pytest.raises(ParameterError) as caught:
        sweep_between(name, start, stop, steps, integer=False)
    assert caught.value.field == "sweep"
    assert "\n" not in str(caught.value)


def test_defaults_are_around_what_is_set():
    mechanisms = [OneCluster(t=80)]
    assert default_sweep("epsilon", mechanisms, PRIVACY, 1000, 3).values == (0.1, 1.0, 10.0)
    assert default_sweep("t", mechanisms, PRIVACY, 1000, 3).values == (20, 80, 320)
    assert default_sweep("n", mechanisms, PRIVACY, 100_000, 3).values == (1000, 10_000, 100_000)
    assert default_sweep("n", mechanisms, PRIVACY, 5, 3).values == (5,)
    assert default_sweep("share", [PrivTree()], PRIVACY, 1000, 3).values == pytest.approx([0.1, 0.5, 0.9])
    assert default_sweep("threshold", [PrivTree()], PRIVACY, 1000, 3).values == (0, 5, 10)


def test_every_default_sweep_is_possible_for_its_mechanism():
    usual = (kind() for kind in MECHANISMS.values() if stands_alone(kind))  # also with words, or nothing set
    for mechanism in (SmoothRelease(noise=StudentT()), *usual):
        for declared in sweepable([mechanism]):
            sweep = default_sweep(declared.name, [mechanism], PRIVACY, 1000, 4)
            assert {type(vary(mechanism, sweep.name, value)) for value in sweep.values} == {type(mechanism)}


def test_what_cannot_be_varied_is_named_with_what_can():
    with pytest.raises(ParameterError, match="choose one of epsilon, n, split, error_share, farthest, nu"):
        default_sweep("gamma", [SmoothRelease(noise=StudentT())], PRIVACY, 1000, 4)


def test_a_million_trials_are_counted_before_they_are_made():
    sweep = sweep_between("epsilon", 0.01, 100, 10**6, integer=False)
    assert size(contenders_from([LaplaceRelease(), SmoothRelease()]), sweep) == 2 * len(sweep.values) > 1000
