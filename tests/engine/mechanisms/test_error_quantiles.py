"""How far releases fall from the true value, without drawing any."""

import numpy as np
import pytest

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import LaplaceRelease
from engine.privacy import Privacy
from engine.queries import Mean


def test_quantiles_of_laplace_errors_are_those_of_an_exponential():
    data = Sample(np.arange(101.0), Interval(0, 100))
    ready = LaplaceRelease(query=Mean()).prepare(data, Privacy(0.5))
    scale = 100 / 101 / 0.5
    found = ready.error_quantiles([0.5, 0.95])
    # from 9,999 quantiles: off by at most 1e-4 of probability at 0.95, whose slope is scale / 0.05
    assert found == pytest.approx(scale * np.log([2, 20]), rel=2e-3)
