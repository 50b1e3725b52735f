"""Data, contenders and privacy to compare with."""

import numpy as np

from engine.comparison import Sweep, alternatives, contenders_from
from engine.data.categories import Categories, CategoryDomain
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms import (
    SmoothRelease,
)
from engine.privacy import Privacy

PRIVACY = Privacy(1.0, 1e-6)
ONE = Sweep("epsilon", (1.0,))
COLUMN = Sample(np.random.default_rng(5).normal(50, 10, 301), Interval(0, 100))
METHODS = contenders_from(alternatives(SmoothRelease(), PRIVACY, COLUMN.domain, COLUMN.n))
CLOUD = Points(np.random.default_rng(6).normal([[0.3, 0.6]], 0.05, (400, 2)), Box.of([0, 0], [1, 1]))
ANSWERS = Categories(
    np.random.default_rng(7).integers(0, 3, (200, 1)), CategoryDomain(["colour"], [["red", "green", "blue"]])
)
