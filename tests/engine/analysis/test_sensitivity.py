"""S* at the chosen epsilon is the one that a release uses, on every page that shows it."""

import numpy as np
import pytest

from engine import Interval, Median, Privacy, Sample, SmoothRelease
from engine.analysis.sensitivity import pair_of, sensitivity_against_epsilon, sensitivity_against_k

DATA = Sample(np.random.default_rng(20).lognormal(3.0, 1.0, 301), Interval(0, 1000))


@pytest.mark.parametrize("epsilon", [0.004, 0.01, 0.37, 1.0, 2.0, 7.3, 31.0])
def test_the_sweep_is_exact_at_the_chosen_epsilon(epsilon):
    mechanism, privacy = SmoothRelease(), Privacy(epsilon)
    found = sensitivity_against_epsilon(mechanism, DATA, privacy)
    beta = pair_of(mechanism, privacy).beta
    assert found.current_smooth == Median().smooth_sensitivity(DATA, beta).value
    assert found.current_smooth == sensitivity_against_k(mechanism, DATA, privacy).smooth
    assert np.all(np.diff(found.epsilons) > 0)
    assert found.epsilons.size == found.sweep.betas.size == found.sweep.smooth.size
    assert found.sweep.betas[found.epsilons == epsilon] == beta


def test_another_epsilon_does_not_move_the_rest_of_the_sweep():
    one, other = (sensitivity_against_epsilon(SmoothRelease(), DATA, Privacy(e)) for e in (1.0, 2.0))
    rest = other.epsilons != 2.0
    np.testing.assert_array_equal(other.sweep.smooth[rest], one.sweep.smooth)
    assert len(list(other.findings())) == len(list(one.findings())) + 1
