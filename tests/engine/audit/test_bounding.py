"""The most that so many draws can show."""

import math

import numpy as np

from engine.audit.bounding import audit_draws
from engine.privacy import Privacy


def test_the_largest_bound_is_that_of_an_event_that_tells_all_draws_apart():
    run = audit_draws(np.zeros(1000), np.ones(1000), Privacy(1.0))
    # Clopper and Pearson, n of n and 0 of n: eta/2 = p^n and (1 - q)^n
    least = 0.0005 ** (1 / 500)
    assert math.isclose(run.largest_bound, math.log(least / (1 - least)), rel_tol=1e-9)
    assert math.isclose(run.audit.epsilon_lower_bound, run.largest_bound)
    assert run.could_refute
    assert not audit_draws(np.zeros(1000), np.ones(1000), Privacy(10.0)).could_refute
