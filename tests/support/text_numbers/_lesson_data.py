"""Data of the lessons about points, graphs and attacks, as a lesson loads them."""

from functools import cache

import numpy as np

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from engine import Box, Points
from engine.progress import silent


@cache
def loaded(page, query, example, columns=()):
    """Return what a scene loads, by name."""
    return load_scene(Scene(page, query=query, example=example, columns=columns), silent).data


@cache
def points(page, query, example, lower=(0, 0), upper=(1, 1), columns=()):
    """Return the points of an example in a box."""
    table = loaded(page, query, example, columns)["dataset"].table.data
    names = columns or tuple(table.column_names)
    return Points(np.column_stack([table[name].to_numpy() for name in names]), Box.of(lower, upper))


@cache
def salaries():
    """Return the sorted salaries."""
    return np.sort(loaded("median", "mean", "salaries")["numbers"].values)
