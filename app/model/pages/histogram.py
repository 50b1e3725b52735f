"""The pictures of the page about histograms, declared."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.model.kinds.histogram import CATEGORIES, POINTS, HistogramChoice, HistogramData
from app.model.page_spec import PageSpec
from app.model.pages.histogram_options import (
    Beside,
    CellCloseUp,
    CellOptions,
    Columns,
    IsolationOptions,
    LevelOptions,
    QueryCloseUp,
    QueryOptions,
    SweepOptions,
    TreeOptions,
)
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded, TabTitle
from engine.mechanisms import NoisyHistogram

MAKES_OTHER = "The mechanism makes nothing of which there is such a picture."


@dataclasses.dataclass(frozen=True)
class HistogramPicture(PictureSpec):
    """A picture of what mechanisms of the page make.

    Attributes
    ----------
    of : str
        What is made: the shape of what the mechanism releases, or several; "shifted" for shifted cubes alone,
        "grid" for noisy counts of a grid, "bars" for categories that are no table of several columns.
    settled : bool
        Whether nothing in it is random but the histogram.
    """

    of: str | tuple[str, ...] = "cells"
    settled: bool = False

    def is_offered(self, selection: Any) -> bool:
        mechanism = selection.mechanism
        if self.of == "shifted":
            return bool(getattr(mechanism, "is_shifted", False))
        if self.of == "grid":
            return isinstance(mechanism, NoisyHistogram) and mechanism.is_grid
        if mechanism.reads == "categories":
            is_table = mechanism.shape == "table" and len(selection.source.columns) > 1
            return self.of == ("table" if is_table else "bars")
        return mechanism.shape in ((self.of,) if isinstance(self.of, str) else self.of)

    def why_absent(self, selection: Any) -> str:
        return super().why_absent(selection) if self.is_offered(selection) else MAKES_OTHER

    def uses(self, group: type[OptionGroup], selection: Any) -> bool:
        fixed = self.settled and selection is not None and not getattr(selection.mechanism, "is_random", True)
        return super().uses(group, selection) and not (fixed and group is Seeded)


PICTURES = (
    HistogramPicture(
        "cells",
        TabTitle(
            "Cells",
            "The cells, and how many points each holds",
            "Cells are cut while they hold many points; how many each holds is what is released.",
        ),
        drawn_by="app.plots.histogram.map:HistogramMap",
        analysis="engine.analysis:map_cells",
        options=(Columns, Beside, LevelOptions, CellOptions, CellCloseUp, Seeded),
        public_analysis="engine.analysis:map_cells",
        settled=True,
    ),
    HistogramPicture(
        "levels",
        TabTitle(
            "Levels",
            "How many cells there are on each level, and how large they are",
            "Each level halves the sides of cells; in many dimensions it is all that is left to see.",
        ),
        drawn_by="app.plots.histogram.levels:LevelTable",
        analysis="engine.analysis:histogram_levels",
        options=(Seeded,),
        public_analysis="engine.analysis:histogram_levels",
        settled=True,
    ),
    HistogramPicture(
        "tree",
        TabTitle(
            "Tree",
            "The spanning tree or facilities on the cells, and the true ones",
            "Distances between cells are a guide to those between points: what is built on cells costs at "
            "most so much more.",
        ),
        drawn_by="app.plots.histogram.tree:HistogramTree",
        analysis="engine.analysis:map_trees",
        options=(Columns, Beside, TreeOptions, Seeded),
        public_analysis="engine.analysis:map_trees",
        advice="app.pages.histogram.advice:tree_note",
    ),
    HistogramPicture(
        "isolation",
        TabTitle(
            "Isolation",
            "A query point, and whether it isolates a record",
            "A guess q isolates a record at distance δ if fewer than t records lie within c δ of q.",
        ),
        drawn_by="app.plots.histogram.isolation:IsolationMap",
        analysis="engine.analysis:map_query",
        options=(Columns, Beside, QueryOptions, IsolationOptions, QueryCloseUp, Seeded),
        public_analysis="engine.analysis:map_query",
    ),
    HistogramPicture(
        "points",
        TabTitle(
            "Points",
            "The data, and the points that stand for them",
            "A few points on a grid that answer public questions about as the data do; or all points, moved.",
        ),
        drawn_by="app.plots.clustering.point_cloud:PointCloud",
        analysis="engine.analysis:synthetic_scene",
        options=(Columns, Beside, Seeded),
        public_analysis="engine.analysis:synthetic_scene",
        of=("synthetic-points", "perturbed-points"),
    ),
    HistogramPicture(
        "attacks",
        TabTitle(
            "Attacks",
            "How often attacks isolate a record",
            "What a histogram gives away is how much more often than a blind guess its attackers succeed.",
        ),
        drawn_by="app.plots.histogram.rates:IsolationRates",
        analysis="engine.analysis:attack_sweep",
        is_slow=True,
        options=(SweepOptions, IsolationOptions, Seeded),
        advice="app.pages.histogram.advice:attack_note",
        of=("cells", "perturbed-points"),
    ),
    HistogramPicture(
        "compare",
        TabTitle(
            "Compare",
            "Errors of counts and trees of all kinds of histograms",
            "Each dot stands for repeated runs on the same data; smaller is better.",
        ),
        drawn_by="app.plots.histogram.errors:HistogramErrorRows",
        analysis="engine.analysis:histogram_errors",
        is_slow=True,
        options=(Seeded,),
        arguments="app.pages.histogram.mechanisms:all_kinds",
        advice="app.pages.histogram.advice:error_note",
        of=("cells", "perturbed-points"),
    ),
    HistogramPicture(
        "radii",
        TabTitle(
            "Radii",
            "Diameters of cells against how near the neighbours are",
            "Where points are dense, cells are small: the diameter of the cell of a point is bounded by the "
            "radius within which 2t points lie.",
        ),
        drawn_by="app.plots.histogram.diameters:DiameterBound",
        analysis="engine.analysis:diameters_by_radius",
        options=(Seeded,),
        absent="app.pages.histogram.advice:radii_problem",
        is_slow=True,
        of="shifted",
    ),
    HistogramPicture(
        "rate",
        TabTitle(
            "Against n",
            "When noise does not matter: the error of a histogram falls like n to the power of −1/3",
            "Synthetic records of a smooth law: cells smear it, samples miss it, noise adds ever less.",
        ),
        drawn_by="app.plots.sensitivity.against_size:DensityRate",
        analysis="engine.analysis:density_rate",
        public_analysis="engine.analysis:density_rate",
        of="grid",
    ),
    HistogramPicture(
        "matrix",
        TabTitle(
            "Matrix",
            "The matrix, and the true one",
            "How columns vary together; noise is added to all entries, and then the nearest possible matrix "
            "is taken.",
        ),
        drawn_by="app.plots.histogram.matrix:MatrixMap",
        analysis="engine.analysis:show_matrix",
        options=(Beside, Seeded),
        public_analysis="engine.analysis:show_matrix",
        of="matrix",
    ),
    HistogramPicture(
        "table",
        TabTitle(
            "Table",
            "How many records have each pair of categories",
            "Counts of two columns, added up over all others; the true ones stand beside.",
        ),
        drawn_by="app.plots.histogram.matrix:ContingencyMap",
        analysis="engine.analysis:cross_table",
        options=(Columns, Beside, Seeded),
        public_analysis="engine.analysis:cross_table",
        of="table",
    ),
    HistogramPicture(
        "quantiles",
        TabTitle(
            "Quantiles",
            "What was released of each quantile",
            "The middle one is looked for first, and cuts the data in two; the true ones stand beside.",
        ),
        drawn_by="app.plots.histogram.category_bars:CategoryBars",
        analysis="engine.analysis:category_estimates",
        options=(Beside, Seeded),
        public_analysis="engine.analysis:category_estimates",
        of="quantiles",
    ),
    HistogramPicture(
        "bars",
        TabTitle(
            "Categories",
            "How often each category occurs",
            "What is released of each category, and how often it truly occurs.",
        ),
        drawn_by="app.plots.histogram.category_bars:CategoryBars",
        analysis="engine.analysis:category_estimates",
        options=(Beside, Seeded),
        public_analysis="engine.analysis:category_estimates",
        of="bars",
    ),
    HistogramPicture(
        "conditions",
        TabTitle(
            "Conditions",
            "How many records satisfy each condition",
            "What is released for each condition, and how many records truly satisfy it.",
        ),
        drawn_by="app.plots.histogram.category_bars:CategoryBars",
        analysis="engine.analysis:category_estimates",
        options=(Beside, Seeded),
        public_analysis="engine.analysis:category_estimates",
        of="conditions",
    ),
    HistogramPicture(
        "scores",
        TabTitle(
            "Scores",
            "Which candidate is chosen, and the scores of all",
            "A candidate is chosen with a probability that grows with its score; the best ones stand out.",
        ),
        drawn_by="app.plots.histogram.category_bars:CategoryBars",
        analysis="engine.analysis:category_estimates",
        options=(Beside, Seeded),
        public_analysis="engine.analysis:category_estimates",
        of="candidate",
    ),
)


def told(selection: Any) -> tuple[str, ...]:
    """Return the analyses that a script tells whichever picture is open."""
    return ("engine:estimate_count_error",) if selection.mechanism.shape == "cells" else ()


HISTOGRAM = PageSpec(
    "histogram",
    "Histogram",
    "Histograms",
    HistogramData(
        {POINTS: "privtree", CATEGORIES: "contingency-table"},
        "outliers",
        "histograms",
        own_choice=HistogramChoice,
    ),
    PICTURES,
    widget="app.pages.histogram.page:HistogramPage",
    estimate="app.pages.histogram.advice:estimate",
    offer="app.pages.histogram.advice:offer",
    expected="app.pages.histogram.advice:expected",
    told="app.model.pages.histogram:told",
)
