"""Noisy margins of one table, made to agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.numerals import short

Axes = tuple[int, ...]


def consistent_margins(
    margins: Mapping[Axes, ArrayLike], variances: Mapping[Axes, float]
) -> dict[Axes, Floats]:
    """Return the margins of the table that fits noisy margins best, by weighted least squares.

    Minimizes the sum of ``|margin of the table - noisy margin|^2/variance`` over all tables of
    real numbers.  The true margins belong to a table, so the result is at most as far
    from them as the noisy ones, in that norm.

    A table is the sum of one effect for each set of axes, as in an analysis of variance: arrays
    on those axes whose sums along any of them are 0.  Effects are orthogonal, in every margin, so
    that the least squares problem separates: each effect is an average over the margins that
    contain it.  The table itself, which can be huge, is never built.

    Source: Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar 2007 make margins consistent through
    their Fourier coefficients and a linear program.  Least squares in the same coordinates is derived
    here, for any number of categories.

    The keys of both arguments are the axes of the table that a margin keeps, rising; ``()`` is the total.
    `variances` are those of the noise in a cell; 0 marks a known margin.  The results have the same axes
    and shapes, and any two of them have equal sums over the axes that they share.
    """
    arrays = {axes: np.asarray(counts, dtype=np.float64) for axes, counts in margins.items()}
    _check(arrays, variances)
    effects: dict[Axes, Floats] = {}
    for axes in sorted(set(itertools.chain.from_iterable(map(_subsets, arrays)))):
        holding = [of for of in arrays if set(axes) <= set(of)]
        known = [of for of in holding if variances[of] == 0]
        precision = dict.fromkeys(known, 1.0) or {of: 1.0 / variances[of] for of in holding}
        total = sum(weight * _effect(arrays[of], of, axes) for of, weight in precision.items())
        effects[axes] = np.asarray(total) / sum(weight / arrays[of].size for of, weight in precision.items())
    return {
        of: np.asarray(sum(_along(effects[axes], axes, of) for axes in _subsets(of))) / array.size
        for of, array in arrays.items()
    }


def _subsets(axes: Axes) -> list[Axes]:
    return [some for size in range(len(axes) + 1) for some in itertools.combinations(axes, size)]


def _effect(margin: Floats, of: Axes, axes: Axes) -> Floats:
    """Return the part of a margin that is the effect of some of its axes."""
    part = margin.mean(axis=tuple(position for position, axis in enumerate(of) if axis not in axes))
    for position in range(len(axes)):
        part = part - part.mean(axis=position, keepdims=True)
    return np.asarray(part)


def _along(effect: Floats, axes: Axes, of: Axes) -> Floats:
    """Return an effect with length 1 along the other axes of a margin."""
    others = tuple(position for position, axis in enumerate(of) if axis not in axes)
    return np.expand_dims(effect, others)


def _check(arrays: Mapping[Axes, Floats], variances: Mapping[Axes, float]) -> None:
    lengths: dict[int, int] = {}
    for axes, array in arrays.items():
        if list(axes) != sorted(set(axes)) or array.ndim != len(axes) or not array.size:
            raise ParameterError(
                "margins", f"an array of shape {array.shape} does not fit the axes {axes}, which must rise"
            )
        for axis, length in zip(axes, array.shape, strict=True):
            if lengths.setdefault(axis, length) != length:
                raise ParameterError(
                    "margins", f"axis {axis} is {lengths[axis]} long in one margin and {length} in another"
                )
        variance = variances.get(axes, math.nan)
        if not (math.isfinite(variance) and variance >= 0):
            raise ParameterError(
                "variances", f"margin {axes} has {short(variance)}; a finite number of at least 0 is needed"
            )
