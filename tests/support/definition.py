"""Sensitivities straight from their definitions, by enumeration of all databases.

Every query here is symmetric in the records, so a database is a multiset, held as a
sorted tuple; replacing one record gives its neighbours.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Database = tuple[float, ...]


def databases(values: tuple[float, ...], n: int) -> list[Database]:
    return list(itertools.combinations_with_replacement(sorted(values), n))


def neighbours(x: Database, values: tuple[float, ...]) -> set[Database]:
    return {tuple(sorted((*x[:i], v, *x[i + 1 :]))) for i in range(len(x)) for v in values}


def at_distance(
    f: Callable[[Database], float], values: tuple[float, ...], n: int
) -> dict[Database, list[float]]:
    """Return A^(0), ..., A^(n) of every database: the largest LS within distance k."""
    everything = databases(values, n)
    near = _near(values, n)
    f_of = np.array([f(x) for x in everything])
    levels = [np.abs(f_of[:, None] - f_of[near]).max(axis=1)]
    for _ in range(n):
        levels.append(levels[-1][near].max(axis=1))
    return dict(zip(everything, np.transpose(levels).tolist(), strict=True))


@functools.cache
def _near(values: tuple[float, ...], n: int) -> NDArray[np.int64]:
    """Return the places of each database's neighbours, one row each: the same for every function."""
    place = {x: i for i, x in enumerate(databases(values, n))}
    rows = [[place[y] for y in neighbours(x, values)] for x in place]
    most = max(map(len, rows))
    return np.array([row + row[:1] * (most - len(row)) for row in rows])  # the first again says nothing new


def smooth(levels: list[float], beta: float) -> float:
    return max(math.exp(-beta * k) * level for k, level in enumerate(levels))
