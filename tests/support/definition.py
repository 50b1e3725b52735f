"""Sensitivities straight from their definitions, by enumeration of all databases.

Every query here is symmetric in the records, so a database is a multiset, held as a
sorted tuple; replacing one record gives its neighbours.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

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
    near = {x: neighbours(x, values) for x in everything}
    f_of = {x: f(x) for x in everything}
    level = {x: max(abs(f_of[x] - f_of[y]) for y in near[x]) for x in everything}
    table = {x: [level[x]] for x in everything}
    for _ in range(n):
        level = {x: max(level[y] for y in near[x]) for x in everything}
        for x in everything:
            table[x].append(level[x])
    return table


def smooth(levels: list[float], beta: float) -> float:
    return max(math.exp(-beta * k) * level for k, level in enumerate(levels))
