"""Names of choices for attacks and maps; forms need no more of them."""

ATTACKS = ("occupied", "singleton", "weighted")
"""Center of a random cell with points; center of one with a single point; random point, by counts."""

BASELINE = "uniform"
"""A random point of the public box, which needs no release."""

SWEPT = ("c", "t", "d", "known", "predicates")
"""Swept settings: radius factor c, crowd t, dimension d of uniform points, known columns, and d for boxes of
one record.
"""

GRIDS = ("cells", "after", "before")
"""For shifted cubes: the cells only, with the remaining planes, or with the dropped ones."""
