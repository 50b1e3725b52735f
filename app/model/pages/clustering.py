"""The page about clusters, declared: from the data over blocks to a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import engine
from app.model import lazy
from app.model.kinds.histogram import POINTS
from app.model.kinds.page_data import PageData
from app.model.page_spec import PageSpec
from app.model.pages.histogram_options import Beside, CellCloseUp, Columns, LevelOptions
from app.model.pages.points import Directions, position
from app.model.picture_spec import Offered, OptionGroup, PictureSpec, Seeded, TabTitle, options
from app.model.references import Analysis
from engine import analysis as scenes
from engine.components import part_of
from engine.parameters import parameter


@options
class BlocksOptions(OptionGroup):
    """Options of the picture of the bound."""

    published: bool = parameter(
        default=False,
        label="Show the &published bound (Not DP)",
        help="The bound that is in print gives no DP: it can be smaller than what one person moves, and "
        "its logarithm changes by more than β. It is drawn for comparison only, and never used for a "
        "release.",
    )


@options
class CellRecords(Beside):
    """Whether records are drawn, too: of a cluster, most lie in cells that are too small for them."""

    records: bool = parameter(
        default=False, label="Show da&ta", help="Records in cells that are large enough to show them"
    )


@options
class EnlargeOptions(OptionGroup):
    """Options of pictures whose distances may be too small to see in the whole."""

    listed: ClassVar[tuple[str, ...]] = ("zoom",)

    zoom: int | None = position(
        label="Enlar&ge",
        spoken="Point that is shown enlarged",
        help="Show one center enlarged: outputs, or a release and the truth, often lie close together",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        from engine.analysis.cluster_scenes import coordinates

        if public:  # without a truth, nothing is near a release
            return {}
        mechanism, source = selection.mechanism, selection.source
        k = mechanism.vectors.space(source.domain).dimension // len(coordinates(mechanism, source))
        noun, of_all = mechanism.vectors.noun, f" of {k}" * (k > 1)
        centers = {index: f"{noun} {index + 1}{of_all}" for index in range(k)}
        return {"zoom": {None: "auto", **centers, k: "nothing"}}

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        from engine.analysis.clouds import Cloud

        if not isinstance(result, Cloud) or result.truth is None:
            return {}
        return {"zoom": len(result.truth) if result.enlarged is None else result.enlarged}


def without_blocks(selection: Any) -> str:
    """Return a note that a mechanism has no blocks; "" if it has some."""
    mechanism = selection.mechanism
    return "" if part_of(mechanism, "sampling") else f"“{mechanism.label}” reads all records at once."


def without_radii(selection: Any) -> str:
    """Return a note that no balls around outputs decide; "" if they do."""
    text = without_blocks(selection)
    if text or selection.mechanism.aggregator.by_radii:
        return text
    return f"“{selection.mechanism.aggregator.label}” needs no radii around outputs."


def without_agreement(selection: Any) -> str:
    """Return a note that balls around outputs decide, and show how they agree; "" if they do not."""
    text = without_blocks(selection)
    if text or not selection.mechanism.aggregator.by_radii:
        return text
    return f"For “{selection.mechanism.aggregator.label}”, “Aggregate” shows how outputs agree."


def without_separation(selection: Any) -> str:
    """Return a note that no set of several centers is released; "" if one is."""
    mechanism = selection.mechanism
    several = mechanism.vectors.unordered and mechanism.vectors.space(selection.source.domain).k > 1
    return "" if several else f"“{mechanism.label}” releases no set of several centers."


def without_cells(selection: Any) -> str:
    """Return why a mechanism has no cells; "" if it has some."""
    mechanism = selection.mechanism
    return "" if hasattr(mechanism, "histogram") else f"“{mechanism.label}” uses records, not cells."


PICTURES = (
    PictureSpec(
        "data",
        TabTitle(
            "Data",
            "The data, and what all of them give together",
            "The records, each a point between the public bounds of its columns",
        ),
        drawn_by=lambda: lazy.PointCloud,
        analysis=Analysis(lambda: scenes.data_scene),
        options=(Directions,),
    ),
    PictureSpec(
        "cells",
        TabTitle(
            "Cells",
            "The cells that find the centers, with noisy counts",
            "The mechanism counts records in cells, with noise; all later steps use only these counts.",
        ),
        drawn_by=lambda: lazy.HistogramMap,
        analysis=Analysis(lambda: scenes.map_cluster_cells),
        options=(Columns, CellCloseUp, LevelOptions, CellRecords, Seeded),
        absent=lambda: without_cells,
        note=lambda: lazy.cell_note,
        runs=True,
    ),
    PictureSpec(
        "blocks",
        TabTitle(
            "Blocks",
            "Bound and errors against the number of blocks",
            "The records are dealt out to blocks, blind to their values: how many are best?",
        ),
        drawn_by=lambda: lazy.BoundAgainstBlocks,
        analysis=Analysis(lambda: scenes.sweep_blocks),
        options=(BlocksOptions,),
        absent=lambda: without_blocks,
        note=lambda: lazy.blocks_note,
        runs=True,
    ),
    PictureSpec(
        "outputs",
        TabTitle(
            "Outputs",
            "The outputs of the blocks, and their center",
            "The function runs on each block; one person can change only few of the outputs",
        ),
        drawn_by=lambda: lazy.PointCloud,
        analysis=Analysis(lambda: scenes.outputs_scene),
        options=(Directions, EnlargeOptions),
        absent=lambda: without_blocks,
        note=lambda: lazy.points_note,
        runs=True,
    ),
    PictureSpec(
        "agreement",
        TabTitle(
            "Agreement",
            "How many outputs lie within a distance of the truth",
            "Blocks are accurate within r if three of four outputs are; is the aggregate as near to them?",
        ),
        drawn_by=lambda: lazy.Agreement,
        analysis=Analysis(lambda: scenes.agree_outputs),
        absent=lambda: without_agreement,
        runs=True,
    ),
    PictureSpec(
        "aggregate",
        TabTitle(
            "Aggregate",
            "How far from each output t others are",
            "One output is made of all, with a bound S on how far one record can move it",
        ),
        drawn_by=lambda: lazy.RadiusCurves,
        analysis=Analysis(lambda: scenes.profile_radii),
        absent=lambda: without_radii,
        runs=True,
    ),
    PictureSpec(
        "compare",
        TabTitle(
            "Compare",
            "Errors of this mechanism and of others",
            "Noise in proportion to S hides each person; how far do releases fall from the truth?",
        ),
        drawn_by=lambda: lazy.ReleaseErrors,
        analysis=Analysis(lambda: scenes.compare_errors),
        options=(Seeded,),
        runs=True,
    ),
    PictureSpec(
        "release",
        TabTitle(
            "Result",
            "A release, and the truth",
            "The released value can be shared; how far is it from the truth?",
        ),
        drawn_by=lambda: lazy.PointCloud,
        analysis=Analysis(lambda: scenes.release_scene),
        is_public=True,
        options=(Directions, EnlargeOptions, Seeded),
        note=lambda: lazy.points_note,
        runs=True,
        makes_offers=True,
    ),
    PictureSpec(
        "separation",
        TabTitle(
            "Separation",
            "How far the squared distance falls with each further cluster",
            "Where one more cluster changes little, centers of blocks disagree",
        ),
        drawn_by=lambda: lazy.Separation,
        analysis=Analysis(lambda: scenes.separate_clusters),
        absent=lambda: without_separation,
        note=lambda: lazy.separation_note,
    ),
)

CLUSTERING: PageSpec = PageSpec(
    "clustering",
    "Clustering",
    "Clusters",
    PageData({POINTS: "k-means-on-cells"}, "three-clusters", "clusters", least_columns=2),
    PICTURES,
    widget=lambda: lazy.ClusteringPage,
    opened="release",
    estimate=Analysis(lambda: engine.estimate_points_error),
    script_analyses=lambda: lambda selection: (engine.estimate_points_error,),
)
