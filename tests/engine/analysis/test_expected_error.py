"""The error of noise beside that of sampling: rates, crossing, and what grows with n."""

import numpy as np
import pytest

from engine.analysis.expected_error import ErrorAgainstSize, error_against_size, estimate_scalar_error
from engine.comparison import compare, contenders_from, sweep_between
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import GaussianRelease, LaplaceRelease, SmoothRelease
from engine.privacy import Privacy
from engine.queries import Mean, Median, Sum

DATA = Sample(np.random.default_rng(3).random(2001), Interval(0.0, 1.0))


def slope(found, errors):
    return np.polyfit(np.log(found.sizes), np.log(errors), 1)[0]


def test_noise_on_a_mean_falls_like_one_over_n_and_sampling_like_its_root():
    found = error_against_size(LaplaceRelease(query=Mean(), clamp="none"), DATA, Privacy(1.0))
    np.testing.assert_allclose(found.noise, np.log(2) / found.sizes, rtol=1e-3)
    assert slope(found, found.sampling) == pytest.approx(-0.5, abs=0.1)
    expected = 0.6745 * DATA.values.std() / np.sqrt(found.sizes)
    assert np.all((found.sampling > expected / 2.5) & (found.sampling < expected * 2.5))


def test_noise_for_the_median_falls_faster_than_sampling():
    found = error_against_size(SmoothRelease(query=Median()), DATA, Privacy(1.0))
    assert slope(found, found.noise) < slope(found, found.sampling)
    assert found.noise[-1] < found.sampling[-1]
    # one sample for each n gave slopes from -18 (ties, where n is above the number of data) to 3
    large = found.sizes >= 100
    slopes = np.diff(np.log(found.noise[large])) / np.diff(np.log(found.sizes[large]))
    assert np.all((slopes < 0) & (slopes > -3))


def test_a_sum_is_scaled_to_all_records():
    mean = error_against_size(LaplaceRelease(query=Mean(), clamp="none"), DATA, Privacy(1.0))
    total = error_against_size(LaplaceRelease(query=Sum(), clamp="none"), DATA, Privacy(1.0))
    np.testing.assert_allclose(total.noise, DATA.n * mean.noise, rtol=1e-3)
    np.testing.assert_allclose(total.sampling, DATA.n * mean.sampling, rtol=1e-9)


def test_the_crossing_is_the_first_n_that_is_never_left():
    sizes = np.array([10, 20, 40, 80])
    found = ErrorAgainstSize(sizes, np.array([9.0, 2.0, 4.0, 1.0]), np.array([3.0, 3.0, 3.0, 3.0]), 50)
    assert found.crossing == 80
    never = ErrorAgainstSize(sizes, np.full(4, np.nan), np.full(4, 1.0), 50)
    assert never.crossing is None
    assert next(one.value for one in never.findings()) == "none up to the largest n"


def test_where_a_mechanism_does_not_fit_there_is_no_curve_of_noise():
    found = error_against_size(GaussianRelease(query=Mean()), DATA, Privacy(1.0))
    assert np.isnan(found.noise).all()
    assert np.isfinite(found.sampling).all()
    assert np.isnan(found.present)


def test_form_comparison_and_sizes_agree_on_the_typical_error():
    mechanism, privacy = SmoothRelease(query=Median()), Privacy(2.0)
    typical = estimate_scalar_error(mechanism, DATA, privacy).errors.typical
    assert error_against_size(mechanism, DATA, privacy).present == typical
    once = sweep_between("epsilon", 2.0, 2.0, 1, integer=False)
    [outcome] = compare(contenders_from([mechanism]), DATA, privacy, once, runs=4_000, seed=1).outcomes
    # an interval for the median by ranks, with six standard deviations of their number: 1e-8
    ranks = (2_000 + 6 * np.sqrt(1_000) * np.array([-1, 1])).astype(int)
    low, high = np.sort(outcome.errors)[ranks]
    assert low <= typical <= high < 2 * low


HALVES = [0.0] * 6 + [5e5] * 5
TIES = [2e5] * 101


@pytest.mark.parametrize(
    ("mechanism", "values", "privacy", "clamped"),
    [
        (LaplaceRelease(query=Median()), HALVES, Privacy(1.0), True),
        (LaplaceRelease(query=Median()), [*HALVES[::-1][:10], 5e5], Privacy(1.0), True),
        (GaussianRelease(query=Median()), HALVES, Privacy(1.0, 1e-6), True),
        (SmoothRelease(query=Median()), HALVES, Privacy(1.0), True),
        (LaplaceRelease(query=Median()), TIES, Privacy(1.0), None),
        (LaplaceRelease(query=Median(), clamp="none"), HALVES, Privacy(1.0), None),
    ],
)
def test_releases_without_error_are_as_many_as_among_simulated_ones(mechanism, values, privacy, clamped):
    data, runs = Sample(values, Interval(0.0, 5e5)), 20_000
    found = estimate_scalar_error(mechanism, data, privacy)
    prepared = mechanism.prepare(data, privacy)
    errors = np.abs(prepared.draw(np.random.default_rng(7), runs) - np.median(values))
    assert found.clamped == bool(clamped)
    if clamped is None:
        assert found.exact is None
        assert np.median(errors) > 1000
    else:
        assert found.errors.typical == 0
        assert found.exact == pytest.approx(np.mean(errors == 0), abs=6 * 0.5 / np.sqrt(runs) + 1e-3)
        below = np.mean(errors <= found.errors.most)
        assert below >= 0.95 - 6 * np.sqrt(0.95 * 0.05 / runs)
    if clamped:  # beyond a bound, the noise alone would err as often
        noise = prepared.unclamped().draw(np.random.default_rng(7), runs) - np.median(values)
        assert np.mean(errors == 0) == np.mean(noise * (1 if np.median(values) else -1) >= 0)
