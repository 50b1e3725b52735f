"""Linear regression on a block."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from engine.aggregation.function import EACH, SENSIBLE
from engine.aggregation.functions.mean import means
from engine.aggregation.functions.vector import VectorFunction
from engine.array_types import Floats, Ints
from engine.domain import Box, Interval
from engine.parameters import parameter
from engine.sampling.exactness import APART


@dataclasses.dataclass(frozen=True)
class LinearRegression(VectorFunction):
    """Least squares of the last column on the others: their slopes, and the intercept.

    Slopes have no natural bounds, so public ones must be declared.  Their unit is the slope that takes the
    response from one bound to the other while the predictor does the same.

    A constant predictor within a block has slope 0.  Collinear predictors share their slope: of all
    solutions, the one with the smallest standardised slopes is used.

    Examples
    --------
    The last column is three times the first.

    >>> import numpy as np
    >>> block = np.array([[[0.0, 0.0], [1.0, 3.0], [2.0, 6.0]]])
    >>> function = LinearRegression(bound=4.0)
    >>> function.apply(block, np.array([0])).round(6)
    array([[3.]])
    """

    name: ClassVar[str] = "regression"
    label: ClassVar[str] = "Linear regression"
    summary: ClassVar[str] = "slopes of the last column on the others, by least squares"
    exact_because: ClassVar[str] = APART
    noun: ClassVar[str] = "coefficient"

    bound: float = parameter(
        default=2.0,
        lower=0,
        lower_open=True,
        upper=1e6,
        label="Largest slope",
        help="Public bound on every slope: widths of the response per width of the predictor.",
    )
    intercept: str = parameter(
        default="left out",
        choices=("left out", "included"),
        label="Intercept",
        help="It is always fitted. If included, it is one more coordinate, and often the least certain.",
    )

    def range(self, box: Box) -> Box:
        """Return the range of each slope; that of the intercept follows from them."""
        *predictors, response = box.sides
        steepest = [self.bound * response.width / side.width for side in predictors]
        sides = [Interval(-slope, slope) for slope in steepest]
        if self.intercept == "included":
            reach = sum(
                slope * max(abs(side.lower), abs(side.upper))
                for slope, side in zip(steepest, predictors, strict=True)
            )
            sides.append(Interval(response.lower - reach, response.upper + reach))
        return Box(tuple(sides))

    def coordinates(self, columns: Sequence[str], box: Box) -> tuple[str, ...]:
        slopes = tuple(f"slope of {name}" for name in columns[:-1])
        return (*slopes, "intercept") if self.intercept == "included" else slopes

    def smallest_block(self, box: Box) -> int:
        return box.dimension

    def sensible_block(self, box: Box) -> int:
        return max(SENSIBLE, EACH * box.dimension)

    def problem(self, box: Box) -> tuple[str, str] | None:
        if box.dimension < 2:
            return (
                "columns",
                "a regression needs at least two columns; the last one is the response",
            )
        return None

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the slopes, and the intercept if it is included; shape (B, d - 1) or (B, d)."""
        middles = means(blocks)
        centred = blocks - middles[:, None]
        predictors, response = centred[:, :, :-1], centred[:, :, -1]
        lengths = np.sqrt(means(predictors**2))
        # rounding can make a constant column's mean differ from it
        lengths[lengths <= 1e-14 * np.abs(blocks[:, :, :-1]).max(axis=1)] = np.inf
        standardised = predictors / lengths[:, None]
        slopes = np.stack(
            [
                np.linalg.lstsq(table, column, rcond=None)[0]
                for table, column in zip(standardised, response, strict=True)
            ]
        )
        slopes /= lengths
        if self.intercept == "left out":
            return slopes
        intercepts = middles[:, -1] - (slopes * middles[:, :-1]).sum(axis=1)
        return np.column_stack([slopes, intercepts])

    def predict(self, coefficients: Floats, predictors: Floats, middle: Floats) -> Floats:
        """Return the responses, shape (m,), for predictors, shape (m, d - 1).

        An intercept that is left out is that of the plane through the mean of all records, shape (d,).
        """
        slopes = coefficients[: predictors.shape[1]]
        if self.intercept == "included":
            return np.asarray(predictors @ slopes + coefficients[-1])
        return np.asarray((predictors - middle[:-1]) @ slopes + middle[-1])
