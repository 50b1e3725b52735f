"""The declared pictures of the histogram page."""

from __future__ import annotations

import dataclasses
from typing import Any

import engine
from app.model import lazy
from app.model.kinds.histogram import CATEGORIES, POINTS, HistogramChoice, HistogramData
from app.model.page_spec import PageSpec
from app.model.pages.histogram_options import (
    Beside,
    CellCloseUp,
    CellOptions,
    Columns,
    DensityOption,
    IsolationOptions,
    LevelOptions,
    QueryCloseUp,
    QueryOptions,
    SweepOptions,
    TreeOptions,
)
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded, TabTitle
from app.model.references import Analysis, Function
from engine import analysis as scenes

MAKES_OTHER = "The mechanism has no result for this picture."


@dataclasses.dataclass(frozen=True)
class HistogramPicture(PictureSpec):
    """A picture for some mechanisms of the page."""

    # required result: one or several shapes of released values; "shifted" for shifted cubes only, "grid" for
    # noisy counts of a grid, "bars" for categories other than a table of several columns
    of: str | tuple[str, ...] = "cells"
    settled: bool = False  # whether only the histogram in it is random
    alone: TabTitle | None = None  # its title where there is one column
    makes_offers: bool = True

    def titled(self, nouns: Any, selection: Any) -> TabTitle:
        if self.alone is not None and selection is not None and len(selection.source.columns) == 1:
            return self.alone
        return super().titled(nouns, selection)

    def is_offered(self, selection: Any) -> bool:
        mechanism = selection.mechanism
        if self.of == "shifted":
            return bool(mechanism.facts.is_shifted)
        if self.of == "grid":
            return isinstance(mechanism, engine.NoisyHistogram) and mechanism.is_grid
        if mechanism.reads == "categories":
            is_table = mechanism.facts.shape == "table" and len(selection.source.columns) > 1
            return self.of == ("table" if is_table else "bars")
        return mechanism.facts.shape in ((self.of,) if isinstance(self.of, str) else self.of)

    def why_absent(self, selection: Any) -> str:
        return super().why_absent(selection) if self.is_offered(selection) else MAKES_OTHER

    def uses(self, group: type[OptionGroup], selection: Any) -> bool:
        if group is DensityOption and selection is not None and _has_equal_bins(selection):
            return False
        fixed = self.settled and selection is not None and not selection.mechanism.facts.is_random
        return super().uses(group, selection) and not (fixed and group is Seeded)


def _has_equal_bins(selection: Any) -> bool:
    """Return whether all cells are bins of one width, so that their counts show the density."""
    mechanism = selection.mechanism
    is_grid = isinstance(mechanism, engine.NoisyHistogram) and mechanism.is_grid and not mechanism.edges
    return is_grid and len(selection.source.columns) == 1


def _estimates(name: str, of: str, title: TabTitle) -> HistogramPicture:
    """Return a picture of released numbers as bars, beside the true ones."""
    return HistogramPicture(
        name,
        title,
        drawn_by=lambda: lazy.CategoryBars,
        analysis=Analysis(lambda: scenes.category_estimates),
        options=(Beside, Seeded),
        is_public=True,
        of=of,
    )


PICTURES = (
    HistogramPicture(
        "cells",
        TabTitle(
            "Cells",
            "The cells, and how many records each holds",
            "Cells divide the space; the release counts the records in each.",
        ),
        alone=TabTitle(
            "Bins",
            "The bins, and how many records each holds",
            "Bins divide the range; the release counts the records in each.",
        ),
        drawn_by=lambda: lazy.HistogramMap,
        analysis=Analysis(lambda: scenes.map_cells),
        options=(Columns, DensityOption, CellCloseUp, CellOptions, LevelOptions, Beside, Seeded),
        is_public=True,
        settled=True,
        advice=lambda: lazy.cell_note,
        beside_bins="compare",
    ),
    HistogramPicture(
        "levels",
        TabTitle(
            "Levels",
            "How many cells there are on each level, and how large they are",
            "Each level halves the sides of cells; in many dimensions it is all that is left to see.",
        ),
        drawn_by=lambda: lazy.LevelTable,
        analysis=Analysis(lambda: scenes.histogram_levels),
        options=(Seeded,),
        is_public=True,
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
        drawn_by=lambda: lazy.HistogramTree,
        analysis=Analysis(lambda: scenes.map_trees),
        options=(Columns, TreeOptions, Beside, Seeded),
        is_public=True,
        note=lambda: lazy.tree_note,
    ),
    HistogramPicture(
        "isolation",
        TabTitle(
            "Isolation",
            "An attacker's guess, and whether it isolates a record",
            "A guess isolates the nearest record if fewer than t records lie within c times its distance.",
        ),
        drawn_by=lambda: lazy.IsolationMap,
        analysis=Analysis(lambda: scenes.map_query),
        options=(Columns, QueryOptions, IsolationOptions, QueryCloseUp, Beside, Seeded),
        is_public=True,
    ),
    HistogramPicture(
        "points",
        TabTitle(
            "Points",
            "The data, and the points that stand for them",
            "A few points on a grid that answer public questions about as the data do; or all points, moved.",
        ),
        drawn_by=lambda: lazy.PointCloud,
        analysis=Analysis(lambda: scenes.synthetic_scene),
        options=(Columns, Beside, Seeded),
        is_public=True,
        of=("synthetic-points", "perturbed-points"),
    ),
    HistogramPicture(
        "attacks",
        TabTitle(
            "Attacks",
            "How often attacks isolate a record",
            "Cells give away as much as attackers who see them succeed more often than blind guesses.",
        ),
        drawn_by=lambda: lazy.IsolationRates,
        analysis=Analysis(lambda: scenes.attack_sweep),
        is_slow=True,
        options=(SweepOptions, IsolationOptions, Seeded),
        of=("cells", "perturbed-points"),
    ),
    HistogramPicture(
        "compare",
        TabTitle(
            "Compare",
            "Errors of counts in random ranges, and of trees on several columns, for all kinds of histograms",
            "The median error of repeated runs on the same data tells which histogram is better.",
        ),
        drawn_by=lambda: lazy.HistogramErrorRows,
        analysis=Analysis(lambda: scenes.histogram_errors),
        is_slow=True,
        options=(Seeded,),
        arguments=lambda: lazy.all_kinds,
        note=lambda: lazy.error_note,
        makes_offers=False,  # it shows all of them
        of=("cells", "perturbed-points"),
    ),
    HistogramPicture(
        "radii",
        TabTitle(
            "Radii",
            "Diameters of cells against how near the neighbors are",
            "Where points are dense, cells are small: the diameter of the cell of a point is bounded by the "
            "radius within which 2t points lie.",
        ),
        drawn_by=lambda: lazy.DiameterBound,
        analysis=Analysis(lambda: scenes.diameters_by_radius),
        options=(Seeded,),
        absent=lambda: lazy.radii_problem,
        is_slow=True,
        of="shifted",
    ),
    HistogramPicture(
        "rate",
        TabTitle(
            "By sample size",
            "When noise does not matter: the error of a histogram falls like n to the power of −1/3",
            "Synthetic records of a smooth law: cells smear it, samples miss it, noise adds ever less.",
        ),
        drawn_by=lambda: lazy.DensityRate,
        analysis=Analysis(lambda: scenes.density_rate),
        is_public=True,
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
        drawn_by=lambda: lazy.MatrixMap,
        analysis=Analysis(lambda: scenes.show_matrix),
        options=(Beside, Seeded),
        is_public=True,
        of="matrix",
    ),
    HistogramPicture(
        "table",
        TabTitle(
            "Table",
            "How many records have each pair of categories",
            "Counts of two columns, added up over all others; the true ones stand beside.",
        ),
        drawn_by=lambda: lazy.ContingencyMap,
        analysis=Analysis(lambda: scenes.cross_table),
        advice=lambda: lazy.table_note,
        options=(Columns, Beside, Seeded),
        is_public=True,
        of="table",
    ),
    _estimates(
        "quantiles",
        "quantiles",
        TabTitle(
            "Quantiles",
            "The released quantiles, and the true ones",
            "The middle quantile is released first and splits the data in two.",
        ),
    ),
    _estimates(
        "bars",
        "bars",
        TabTitle(
            "Categories",
            "How often each category occurs",
            "The released and the true count of each category.",
        ),
    ),
    _estimates(
        "conditions",
        "conditions",
        TabTitle(
            "Conditions",
            "How many records satisfy each condition",
            "The released and the true number of records that satisfy each condition.",
        ),
    ),
    _estimates(
        "scores",
        "candidate",
        TabTitle(
            "Scores",
            "Which candidate is chosen, and the scores of all",
            "A candidate is chosen with a probability that grows with its score; the best ones stand out.",
        ),
    ),
)


def script_analyses(selection: Any) -> tuple[Function, ...]:
    """Return the analyses of a script, whichever picture is open."""
    return (engine.estimate_count_error,) if selection.mechanism.facts.shape == "cells" else ()


HISTOGRAM: PageSpec = PageSpec(
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
    widget=lambda: lazy.HistogramPage,
    estimate=Analysis(lambda: lazy.estimate_cells),
    suggestion=lambda: lazy.offer_cells,
    error_words=lambda: lazy.expect_cells,
    public_error=lambda: lazy.public_noise,
    script_analyses=lambda: script_analyses,
)
