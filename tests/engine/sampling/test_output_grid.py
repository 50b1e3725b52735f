"""Where released numbers lie."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from engine.noise import Gaussian, Laplace, StudentT
from engine.randomness import reproducible, secure
from engine.sampling.output_grid import OutputGrid, finest_step, outward


@pytest.mark.parametrize("sensitivity", [1e-200, 2.0**-60, 0.3, 1.0, 500_000.0, 1e200])
def test_the_finest_step_follows_from_the_sensitivity(sensitivity):
    step = finest_step(sensitivity, sensitivity)
    assert math.frexp(step)[0] == 0.5
    assert 2.0**-41 < step / sensitivity <= 2.0**-40


def test_the_step_is_coarser_where_doubles_are():
    """Every point between the bounds is a double."""
    step = finest_step(1e-9, 1e6)
    assert step == math.ulp(1e6)
    assert finest_step(1e-9, 1.0) < step


@pytest.mark.parametrize(
    ("resolution", "step", "declared"), [(None, 2.0**-40, False), (1e-13, 2.0**-40, False), (0.1, 0.1, True)]
)
def test_a_resolution_counts_only_where_it_is_coarser(resolution, step, declared):
    grid = OutputGrid.of(1.0, 0.0, 1.0, resolution)
    assert (grid.step, grid.declared) == (step, declared)


def test_points_are_whole_multiples_of_the_step_within_the_bounds():
    grid = OutputGrid.of(1.0, 0.25, 1.05, 0.1)
    assert grid.point(3) == float(3 * Fraction(0.1))
    assert grid.point(-70) == float(3 * Fraction(0.1))
    assert grid.point(10**9) == float(10 * Fraction(0.1))
    free = OutputGrid.of(1.0, 0.25, 1.05, 0.1, clamped=False)
    assert free.point(-70) == float(-70 * Fraction(0.1))


@pytest.mark.parametrize("bound", [1.0, 1e200])
def test_no_index_overflows(bound):
    grid = OutputGrid.of(bound, -bound, bound, clamped=False)
    assert grid.point(10**400) == np.finfo(float).max
    assert grid.point(-(10**400)) == -np.finfo(float).max


@pytest.mark.parametrize("law", [Laplace(), Gaussian(), StudentT(nu=0.1)], ids=repr)
@pytest.mark.parametrize("resolution", [None, 0.1, 7.0])
@pytest.mark.parametrize("clamped", [True, False])
def test_releases_lie_on_the_grid(law, resolution, clamped):
    grid = OutputGrid.of(3.0, -5.0, 25.0, resolution, clamped)
    values = grid.noisy(Fraction(31, 3), 4.0, law, secure(), 200)
    index = [round(Fraction(value) / Fraction(grid.step)) for value in values]
    assert values.tolist() == [grid.point(place) for place in index]
    if clamped:
        assert values.min() >= -5.0
        assert values.max() <= 25.0


def test_rounding_is_to_the_nearest_point():
    grid = OutputGrid(0.25)
    assert [grid.nearest(lambda x=x: arb(x)) for x in (0.12, 0.13, -0.12, -0.13)] == [0.0, 0.25, 0.0, -0.25]


def test_simulations_round_to_a_declared_resolution_alone():
    values = OutputGrid.of(1.0, 0.0, 8.0, 0.5).noisy(3, 2.0, Laplace(), reproducible(1), 1000)
    assert np.all(values * 2 == np.rint(values * 2))
    assert values.min() == 0.0
    assert values.max() == 8.0
    free = OutputGrid.of(1.0, 0.0, 8.0, clamped=False).noisy(3, 2.0, Laplace(), reproducible(1), 1000)
    assert np.array_equal(free, 3 + 2.0 * reproducible(1).laplace(size=1000))


@pytest.mark.parametrize("step", [0.1, 0.25])
def test_huge_simulated_values_lie_on_the_resolution_too(step):
    """Doubles beyond 2^53 steps are no multiples of a step that is no power of two."""
    grid = OutputGrid(step, declared=True)
    value = 2.0**60 * step * (1 + 2.0**-40)
    [rounded] = grid.round_values(np.array([value]))
    assert rounded == round(value / step) * step
    assert grid.round_values(np.array([1e308]))[0] == pytest.approx(1e308)


def test_constants_are_enlarged_outward():
    for number in (1e-300, 1 / 3, 7.0):
        assert number < outward(number) < number * (1 + 2.0**-40)
