"""The automatic method: which one it chooses, and that the choice follows from public facts."""

import itertools

import numpy as np
import pytest

from engine import (
    AutoRelease,
    Count,
    ExponentialRelease,
    Interval,
    LaplaceRelease,
    Maximum,
    Mean,
    Median,
    MstCost,
    Privacy,
    Quantile,
    Sample,
    SmoothRelease,
    Sum,
    TrimmedMean,
    reproducible,
)
from engine.mechanisms.auto import resolve_method
from engine.simulation import simulate

AGES = Interval(0, 120, resolution=1)
SALARIES = Interval(0, 500_000)


def chosen(query, domain, n, *privacy):
    return AutoRelease(query=query).choose(domain, n, Privacy(*privacy)).name


@pytest.mark.parametrize("query", [Mean(), Sum(), Count()], ids=lambda query: query.name)
@pytest.mark.parametrize("privacy", [(0.1,), (1.0,), (1.0, 1e-6), (10.0, 1e-6)])
def test_means_sums_and_counts_get_laplace_noise(query, privacy):
    assert chosen(query, SALARIES, 4000, *privacy) == "laplace"


@pytest.mark.parametrize("query", [Median(), Quantile(q=0.9), Maximum()], ids=lambda query: query.name)
def test_quantiles_are_chosen_by_rank_until_gaps_are_wider_than_the_noise(query):
    names = [chosen(query, SALARIES, 4000, epsilon) for epsilon in (0.01, 0.5, 1, 2, 20)]
    assert names == ["exponential"] * 4 + ["smooth"]
    assert chosen(query, AGES, 3000, 0.5) == "exponential"


def test_the_median_of_many_ages_errs_by_less_than_a_tenth_of_smooth_noise():
    """One replaced record moves the median to the next age."""
    ages = np.rint(np.concatenate([np.linspace(20, 57, 1500), np.linspace(58, 94, 1500)]))
    data, privacy = Sample(ages, AGES), Privacy(0.5)
    errors = [
        np.quantile(simulate(method, data, privacy, runs=4000, seed=1).distances, 0.95)
        for method in (AutoRelease(query=Median()).choose(AGES, 3000, privacy), SmoothRelease())
    ]
    assert errors[0] <= 1 < 10 <= errors[1]


def test_graphs_get_smooth_sensitivity():
    auto = AutoRelease(query=MstCost())
    assert auto.choose(Interval(0, 8), 78, Privacy(1.0)).name == "smooth"


@pytest.mark.parametrize("n", [20, 150, 3000])
@pytest.mark.parametrize("domain", [AGES, Interval(0, 120), Interval(-3, 1, resolution=0.5)])
@pytest.mark.parametrize("query", [Median(), Quantile(q=0.9)], ids=lambda query: query.name)
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_the_expected_error_of_a_choice_is_that_of_evenly_spread_records(n, domain, query, epsilon):
    values = domain.lower + domain.width * (np.arange(n) + 0.5) / n
    if domain.resolution:
        values = domain.clamp(np.rint(values / domain.resolution) * domain.resolution)
    method = ExponentialRelease(query=query)
    errors = simulate(method, Sample(values, domain), Privacy(epsilon), runs=20_000, seed=3).distances
    expected = method.expected_error(domain, n, Privacy(epsilon))
    step = domain.resolution or domain.width / n
    assert abs(np.quantile(errors, 0.95) - expected) <= 0.03 * expected + 1.5 * step


@pytest.mark.parametrize("n", [200, 3000, 100_000])
@pytest.mark.parametrize("query", [Median(), TrimmedMean()], ids=lambda query: query.name)
def test_the_expected_error_of_smooth_noise_is_that_of_evenly_spread_records(n, query):
    values = 120 * (np.arange(n) + 0.5) / n
    data, privacy = Sample(values, Interval(0, 120)), Privacy(1.0)
    errors = simulate(SmoothRelease(query=query), data, privacy, runs=20_000, seed=3).distances
    expected = SmoothRelease(query=query).expected_error(data.domain, n, privacy)
    assert 0.9 <= np.quantile(errors, 0.95) / expected <= 1.1


def test_the_error_of_laplace_noise_is_its_public_interval():
    release = LaplaceRelease(query=Mean()).run(Sample([1, 2, 3], AGES), 2.0, reproducible(1))
    assert LaplaceRelease(query=Mean()).expected_error(AGES, 3, Privacy(2.0)) == release.error


def test_the_choice_and_its_law_depend_on_public_facts_alone():
    """On all databases of three records: one method, and log-ratios of its law of at most epsilon."""
    auto, privacy = AutoRelease(query=Median()), Privacy(0.7)
    edges = np.arange(-0.5, 5)
    domain = Interval(0, 4, resolution=1)
    laws = {}
    for values in itertools.combinations_with_replacement(range(5), 3):
        data = Sample(values, domain)
        own = resolve_method(auto, data.domain, data.n, privacy)
        assert own == ExponentialRelease(query=Median())
        ready, same = auto.prepare(data, privacy), own.prepare(data, privacy)
        assert np.array_equal(ready.probability, same.probability)
        below = np.concatenate([[0.0], np.cumsum(ready.probability)])
        laws[values] = np.diff(np.interp(edges, ready.near.places, below))
    for one, other in itertools.combinations(laws, 2):
        if sum((np.bincount(one, minlength=5) - np.bincount(other, minlength=5)).clip(0)) == 1:
            assert np.abs(np.log(laws[one] / laws[other])).max() <= 0.7 + 1e-9


def test_a_release_names_its_method_and_its_cost():
    release = AutoRelease(query=Median()).run(Sample(range(100), AGES), (1.0, 1e-6), reproducible(1))
    assert release.mechanism == "exponential"
    assert release.privacy == Privacy(1.0)


def test_it_is_no_method_to_compare_with_others():
    from engine import alternatives

    names = [one.name for one in alternatives(SmoothRelease(), Privacy(1.0), AGES, 500)]
    assert "auto" not in names


def test_problems_are_those_of_the_data():
    assert not AutoRelease(query=Median()).problems(Privacy(1.0), AGES, 10)
    assert AutoRelease(query=Median()).problems(Privacy(1.0), AGES, 0)[0].field == "n"
    assert AutoRelease(query=Median()).problems(Privacy(1e-310), AGES, 10)[0].field == "epsilon"
