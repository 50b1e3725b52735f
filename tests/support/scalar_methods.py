"""One mechanism for every method by which a number is released, and a column to release it of."""

import numpy as np

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier.inverse_sensitivity import InverseSensitivity, PiecewiseLaplace
from engine.mechanisms import (
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.queries import (
    Mean,
    TrimmedMean,
)

PRIVACY = Privacy(1.0, 1e-4)
DATA = Sample(np.random.default_rng(5).gamma(2.0, 2.0, 501), Interval(0.0, 20.0))
METHODS = (
    *(SmoothRelease(noise=family(), clamp="none") for family in NOISES.values()),
    LaplaceRelease(query=Mean(), clamp="none"),
    GaussianRelease(query=TrimmedMean(), clamp="none"),
    ExponentialRelease(clamp="none"),
    InverseSensitivity(query=TrimmedMean(), clamp="none"),
    PiecewiseLaplace(query=Mean(), clamp="none"),
    ProposeTestRelease(bound=3.0, clamp="none"),
)
