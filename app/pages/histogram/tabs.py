"""The pictures of the page about histograms: what their tabs say, and where they are drawn."""

from __future__ import annotations

from app.model.picture_spec import TabTitle
from app.pages.audit import tabs as audit_tabs

PICTURES = {
    "cells": "app.plots.histogram.map:HistogramMap",
    "levels": "app.plots.histogram.levels:LevelTable",
    "tree": "app.plots.histogram.tree:HistogramTree",
    "isolation": "app.plots.histogram.isolation:IsolationMap",
    "attacks": "app.plots.histogram.rates:IsolationRates",
    "compare": "app.plots.histogram.errors:HistogramErrorRows",
    "radii": "app.plots.histogram.diameters:DiameterBound",
    "matrix": "app.plots.histogram.matrix:MatrixMap",
    "points": "app.plots.clustering.point_cloud:PointCloud",
    "table": "app.plots.histogram.contingency:ContingencyMap",
    "bars": "app.plots.histogram.category_bars:CategoryBars",
}
"""References to the pictures."""

TITLES = {
    "cells": TabTitle(
        "Cells",
        "Cells",
        "The cells, and how many points each holds",
        "Cells are cut while they hold many points; how many each holds is what is released.",
    ),
    "levels": TabTitle(
        "Levels",
        "Levels",
        "How many cells there are on each level, and how large they are",
        "Each level halves the sides of cells; in many dimensions it is all that is left to see.",
    ),
    "tree": TabTitle(
        "Tree",
        "Tree",
        "The spanning tree or facilities on the cells, and the true ones",
        "Distances between cells are a guide to those between points: what is built on cells costs at most "
        "so much more.",
    ),
    "isolation": TabTitle(
        "Isolation",
        "Isolation",
        "A query point, and whether it isolates somebody",
        "A guess q isolates a record at distance δ if fewer than t records lie within c δ of q.",
    ),
    "attacks": TabTitle(
        "Attacks",
        "Attacks",
        "How often attacks isolate somebody",
        "What a histogram gives away is how much more often than a blind guess its attackers succeed.",
    ),
    "compare": TabTitle(
        "Compare",
        "Compare",
        "Errors of counts and trees of all kinds of histograms",
        "Each dot stands for repeated runs on the same data; smaller is better.",
    ),
    "radii": TabTitle(
        "Radii",
        "Radii",
        "Diameters of cells against how near the neighbours are",
        "Where points are dense, cells are small: the diameter of the cell of a point is bounded by the "
        "radius within which 2t points lie.",
    ),
    "matrix": TabTitle(
        "Matrix",
        "Matrix",
        "The matrix, and the true one",
        "How columns vary together; noise is added to all entries, and then the nearest possible matrix is "
        "taken.",
    ),
    "points": TabTitle(
        "Points",
        "Points",
        "The data, and the points that stand for them",
        "A few points on a grid that answer public questions about as the data do.",
    ),
    "table": TabTitle(
        "Table",
        "Table",
        "How many records have each pair of categories",
        "Counts of two columns, added up over all others; the true ones stand beside.",
    ),
    "bars": TabTitle(
        "Categories",
        "Categories",
        "How often each category occurs",
        "What is released of each category, and how often it truly occurs.",
    ),
    audit_tabs.TAB: audit_tabs.TITLE,
}
OF_HISTOGRAMS = ("cells", "levels", "tree", "isolation", "attacks", "compare")
OF_SHIFTED = (*OF_HISTOGRAMS, "radii")
OF_OTHERS = {"covariance": ("matrix",), "synthetic": ("points",)}
"""Tabs of mechanisms that release no histogram."""
OF_CATEGORIES = ("table", "bars")
"""Tabs of mechanisms on categories: one of them."""
PUBLIC = ("cells", "levels", "tree", "isolation", "matrix", "points", *OF_CATEGORIES)
"""Tabs that show nothing but what was released, in the release view."""
DRAWN = ("cells", "levels", "tree", "isolation", "attacks", "matrix", "points", *OF_CATEGORIES)
"""Tabs that show one release, simulated or real."""
SEEDED = (*DRAWN, "compare", "radii")
"""Tabs that are drawn anew with another seed."""
FIXED = ("cells", "levels")
"""Tabs in which nothing is random where the cells are not."""
IN_SPACE = ("cells", "tree", "isolation", "points")
"""Tabs in the space of the data."""
ATTACKED = ("isolation", "attacks")
"""Tabs about attacks."""
CLOSE = ("cells",)
"""Tabs that can be looked at closely."""
ALONG = (*IN_SPACE, "table")
"""Tabs along two directions."""
BESIDE = (*IN_SPACE, "matrix", *OF_CATEGORIES)
"""Tabs that show what is private beside what is released; it can be left out."""
