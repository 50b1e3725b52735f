"""Results to draw: an ordinary dataset and the awkward ones."""

from __future__ import annotations

import itertools
import types
from typing import Any

import graph_pictures
import numpy as np
import pytest
from pictured_comparisons import audit, budget, compared, comparison, low_bits
from pictured_histograms import (
    attacks,
    bars,
    contingency,
    diameters,
    histogram,
    histogram_errors,
    isolation,
    levels,
    matrix,
    trees,
)
from pictured_points import balls, blocks, choice, cloud, errors, quality, radius
from pictured_samples import CASES, Case, curves, path, profile, release, strip, sweep

from app.extras.frontier.choice import ChoicePicture
from app.model.figure_style import FONTS, WIDTHS, WORDS_AROUND, FigureStyle
from app.plots.audit.low_bits import AuditLowBits
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.squares import AuditPosterior, AuditTradeOff
from app.plots.budget import BudgetSpent
from app.plots.clustering.agreement import Agreement
from app.plots.clustering.bound_against_blocks import BoundAgainstBlocks
from app.plots.clustering.point_cloud import PointCloud
from app.plots.clustering.radius_curves import RadiusCurves
from app.plots.clustering.release_errors import ReleaseErrors
from app.plots.clustering.separation import Separation
from app.plots.compare.contender_rows import ComparisonAudits, ComparisonNeeded, ComparisonTime
from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.figure_panel import FigurePanel
from app.plots.histogram.category_bars import CategoryBars
from app.plots.histogram.diameters import DiameterBound
from app.plots.histogram.errors import HistogramErrorRows
from app.plots.histogram.isolation import IsolationMap
from app.plots.histogram.levels import LevelTable
from app.plots.histogram.map import HistogramMap
from app.plots.histogram.matrix import ContingencyMap, MatrixMap
from app.plots.histogram.rates import IsolationRates
from app.plots.histogram.tree import HistogramTree
from app.plots.one_cluster.first_attempts import AxisByAxisPicture, BoxesOfAllDimensions
from app.plots.one_cluster.map import BallMap
from app.plots.one_cluster.quality import BallQuality
from app.plots.one_cluster.radius_choice import RadiusChoice
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.against_size import AgainstSize, DensityRate
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.dot_strip import DotStrip
from app.plots.sensitivity.graph_picture import GraphPicture
from app.plots.sensitivity.noise_densities import NoiseDensities
from app.plots.sensitivity.release_distribution import ReleaseDistribution
from engine.analysis.cluster_separation import ClusterSeparation
from engine.analysis.expected_error import SIZES, ErrorAgainstSize
from engine.analysis.first_attempts import attempt_all_dimensions, attempt_axis_by_axis
from engine.analysis.output_agreement import OutputAgreement
from engine.comparison import ComparedMechanism, Needed, NeededEpsilons
from engine.comparison.audited import AuditedContenders
from engine.extras.frontier.weighed_choices import WeighedChoices
from engine.mechanisms import LaplaceRelease, SmoothRelease
from engine.privacy import Privacy

PICTURES = {
    BudgetSpent: budget,
    ComparisonErrors: comparison,
    ComparisonFrontier: comparison,
    ComparisonTime: comparison,
    AuditOutcomes: audit,
    AuditPosterior: audit,
    AuditTradeOff: audit,
    AuditLowBits: low_bits,
    ContingencyMap: contingency,
    CategoryBars: bars,
    HistogramMap: histogram,
    HistogramTree: trees,
    IsolationMap: isolation,
    IsolationRates: attacks,
    HistogramErrorRows: histogram_errors,
    DiameterBound: diameters,
    MatrixMap: matrix,
    LevelTable: levels,
    BallMap: balls,
    RadiusChoice: choice,
    BallQuality: quality,
    AxisByAxisPicture: lambda case: attempt_axis_by_axis(),
    BoxesOfAllDimensions: lambda case: attempt_all_dimensions(),
    PointCloud: cloud,
    RadiusCurves: radius,
    BoundAgainstBlocks: blocks,
    ReleaseErrors: errors,
    AgainstK: profile,
    AgainstEpsilon: sweep,
    AlongPath: path,
    NoiseDensities: curves,
    ReleaseDistribution: release,
    DotStrip: strip,
}
SMOOTH, LAPLACE = (ComparedMechanism(one, one.label) for one in (SmoothRelease(), LaplaceRelease()))
MORE = {
    GraphPicture: graph_pictures.view(),
    Agreement: OutputAgreement(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.0, 0.1, 0.2, 0.8]), 1.0),
    Separation: ClusterSeparation(
        np.array([2, 3, 4]), np.array([0.5, 0.04, 0.9]), np.array([0.05, 0.002, 0.0018]), 3, 2000, 9000
    ),
    AgainstSize: ErrorAgainstSize(SIZES, 10.0 / SIZES, SIZES ** (-0.5), 500),
    DensityRate: ErrorAgainstSize(SIZES, 10.0 / SIZES, SIZES ** (-1 / 3), int(SIZES[-1])),
    ComparisonNeeded: NeededEpsilons(
        (None, Needed(LAPLACE, 2.0, 1.5, 2.5, 0.95)), (SMOOTH, LAPLACE), 10.0, 0.95, 100
    ),
    ComparisonAudits: AuditedContenders((SMOOTH, LAPLACE), Privacy(1.0), (), 1000, 0.999),
    ChoicePicture: WeighedChoices(
        np.array([60.0, 40.0, 3.0, 1.0]), 27.2, 20.0, np.array([7, 1, 0, 0]), 10, False, truth=0
    ),
}
"""Results of the other pictures, which tests of their own look at in a window."""
PUBLIC = (
    BudgetSpent,
    ComparisonErrors,
    ComparisonFrontier,
    ComparisonTime,
    AuditOutcomes,
    AuditPosterior,
    AuditTradeOff,
    AuditLowBits,
    AxisByAxisPicture,
    BoxesOfAllDimensions,
    ContingencyMap,
    CategoryBars,
    IsolationRates,
    HistogramErrorRows,
    MatrixMap,
    LevelTable,
)
"""Pictures that show the same whatever the dataset."""
SCALED = (HistogramMap, HistogramTree, IsolationMap, DiameterBound)
"""Pictures to which only the size of the numbers, and whether there are any, makes a difference."""


def cases_of(picture: Any) -> list[str]:
    """Return the datasets of which a picture is drawn."""
    if picture in PUBLIC:
        return ["salaries"]
    return ["salaries", "one record", "tiny"] if picture in SCALED else list(CASES)


LOOKS = list(itertools.product(WIDTHS, WORDS_AROUND))
"""Widths and words around saved figures."""
LARGE = ("huge", "negative")
"""Datasets whose labels are long, looked at where type is large: every second picture of one."""
SMALL = ("salaries", "one record", "tiny", "two dollars")
"""The usual one, and datasets with few or odd labels, looked at in a window only: each picture of one."""


SCALES = {"window": 1.0, "projector": 1.5}
"""How large type is."""


def waits(picture: Any, name: str, scale: float) -> bool:
    """Whether a picture of a dataset waits for the slow run; for a projector every second picture does."""
    names, number = cases_of(picture), [*PICTURES].index(picture)
    if scale != 1:
        turn, second = divmod(number, 2)
        return bool(second) or name != (LARGE[turn % 2] if set(LARGE) <= set(names) else names[0])
    odd = [small for small in SMALL[1:] if small in names]
    return bool(odd) and name not in (names[0], odd[number % len(odd)])


@pytest.fixture(
    params=[
        pytest.param(
            (picture, name),
            id=f"{picture.__name__}-{name}",
            marks=pytest.mark.slow if all(waits(picture, name, scale) for scale in SCALES.values()) else [],
        )
        for picture in PICTURES
        for name in cases_of(picture)
    ],
)
def result(request: pytest.FixtureRequest) -> tuple[Any, Any, str]:
    """Each picture of each dataset in turn: its class, what it shows, and the unit."""
    picture_class, name = request.param
    return picture_class, kept(picture_class, CASES[name]), CASES[name].unit


@pytest.fixture(
    params=[
        pytest.param(
            (picture, name, scale),
            id=f"{picture.__name__}-{name}-{size}",
            marks=pytest.mark.slow if waits(picture, name, scale) else [],
        )
        for picture in PICTURES
        for name in cases_of(picture)
        for size, scale in SCALES.items()
    ]
)
def sized_result(request: pytest.FixtureRequest) -> tuple[Any, Any, str, float]:
    """Each picture of each dataset in a window and for a projector: as `result`, and the size of type."""
    picture_class, name, scale = request.param
    return picture_class, kept(picture_class, CASES[name]), CASES[name].unit, scale


@pytest.fixture(params=PICTURES, ids=lambda picture: picture.__name__)
def picture_class(request: pytest.FixtureRequest) -> Any:
    """Each picture in turn."""
    return request.param


def in_turn(place: int) -> list[Any]:
    """Return all pictures; every second one, from the first or the second on, waits for the slow run."""
    waiting = [pytest.mark.slow]
    return [
        pytest.param(picture, id=picture.__name__, marks=waiting * (number % 2 != place))
        for number, picture in enumerate(PICTURES)
    ]


@pytest.fixture(params=in_turn(0))
def painted_class(request: pytest.FixtureRequest) -> Any:
    """Each picture in turn, half of them in the slow run: those that are exported in the usual one."""
    return request.param


@pytest.fixture(params=in_turn(1))
def exported_class(request: pytest.FixtureRequest) -> Any:
    """Each picture in turn, half of them in the slow run: those that are painted in the usual one."""
    return request.param


@pytest.fixture(
    params=[
        pytest.param(
            (picture, *look),
            id="-".join([picture.__name__, *look]),
            # a quarter of the pictures, each in another width and format
            marks=pytest.mark.slow if number % 4 or look != LOOKS[number // 4 % len(LOOKS)] else [],
        )
        for number, picture in enumerate([*PICTURES, *MORE])
        for look in LOOKS
    ]
)
def saved(request: pytest.FixtureRequest) -> tuple[FigurePanel, FigureStyle]:
    """Each picture at each width, with each of the words around it, and in one of the fonts."""
    picture, width, words = request.param
    case = CASES["salaries"]
    result = MORE[picture] if picture in MORE else kept(picture, case)
    font = [*FONTS][LOOKS.index((width, words)) % len(FONTS)]
    return FigurePanel(picture.title, picture, result, case.unit), FigureStyle(width, font, words)


@pytest.fixture
def kept_result() -> Any:
    """What makes a picture's result for a case; made once and kept."""
    return kept


_KEPT: dict[Any, Any] = {}


def kept(picture_class: Any, case: Case) -> Any:
    """Return the picture's result for a case, the same one every time."""
    key = (picture_class, id(case))
    if key not in _KEPT:
        _KEPT[key] = PICTURES[picture_class](case)
    return _KEPT[key]


@pytest.fixture
def saved_classes() -> set[Any]:
    """The pictures that `saved` draws."""
    return {*PICTURES, *MORE}


@pytest.fixture
def cases() -> dict[str, Case]:
    """The datasets by name."""
    return CASES


@pytest.fixture
def make() -> Any:
    """The functions that make results, by name."""
    return types.SimpleNamespace(
        profile=profile,
        sweep=sweep,
        path=path,
        curves=curves,
        release=release,
        strip=strip,
        balls=balls,
        choice=choice,
        quality=quality,
        cloud=cloud,
        radius=radius,
        blocks=blocks,
        errors=errors,
        compared=compared,
        comparison=comparison,
        audit=audit,
        low_bits=low_bits,
    )
