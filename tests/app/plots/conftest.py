"""Results to draw: an ordinary dataset and the awkward ones."""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any

import numpy as np
import pytest

from app.model.budget_curves import BudgetCurves
from app.plots.audit.low_bits import AuditLowBits, LowBitsView
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.posterior import AuditPosterior
from app.plots.audit.trade_off import AuditTradeOff
from app.plots.audit.view import AuditView
from app.plots.budget.spent import BudgetSpent
from app.plots.clustering.bound_against_blocks import BlocksSweep, BoundAgainstBlocks
from app.plots.clustering.cloud_view import CloudView, Direction, Records, regions
from app.plots.clustering.point_cloud import PointCloud
from app.plots.clustering.radius_curves import RadiusCurves, RadiusView
from app.plots.clustering.release_errors import ErrorSample, ErrorsView, ReleaseErrors
from app.plots.compare.errors import ComparisonErrors
from app.plots.compare.frontier import ComparisonFrontier
from app.plots.compare.time import ComparisonTime
from app.plots.compare.view import ComparisonView
from app.plots.histogram.category_bars import CategoryBars, CategoryBarsView
from app.plots.histogram.chart_view import (
    AttackRates,
    DiameterView,
    HistogramErrorSample,
    HistogramErrorsView,
    IsolationRatesView,
    LevelsView,
    MatrixView,
)
from app.plots.histogram.contingency import ContingencyMap, ContingencyView
from app.plots.histogram.diameters import DiameterBound
from app.plots.histogram.errors import HistogramErrors
from app.plots.histogram.isolation import IsolationMap
from app.plots.histogram.isolation_view import IsolationResult, IsolationView
from app.plots.histogram.levels import LevelTable
from app.plots.histogram.map import HistogramMap
from app.plots.histogram.matrix import MatrixMap
from app.plots.histogram.rates import IsolationRates
from app.plots.histogram.tree import HistogramTree
from app.plots.histogram.tree_view import DrawnTree, TreeView
from app.plots.histogram.view import (
    Cells,
    HistogramView,
    Shift,
    some_records,
)
from app.plots.one_cluster.axis_by_axis import AxisByAxisPicture, AxisByAxisView
from app.plots.one_cluster.boxes_of_all_dimensions import BoxesOfAllDimensions, BoxesView
from app.plots.one_cluster.map import BallMap
from app.plots.one_cluster.quality import BallQuality, BallQualityView
from app.plots.one_cluster.radius_choice import RadiusChoice, RadiusChoiceView
from app.plots.one_cluster.view import BallView, Boxes, Disc
from app.plots.sensitivity.against_epsilon import AgainstEpsilon, EpsilonSweep
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.dot_strip import DotStrip, StripView
from app.plots.sensitivity.noise_densities import NoiseCurve, NoiseDensities
from app.plots.sensitivity.release_distribution import ReleaseDistribution
from app.plots.sensitivity.release_view import ReleaseView
from engine.aggregation.center_of_attention import Radii
from engine.audit import LowBits, LowBitsRun
from engine.audit.bounding import audited
from engine.comparison.results import Comparison, Contender, Outcome, Sweep, Trial
from engine.comparison.verdict import verdict
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import MECHANISMS
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.queries import Median
from engine.queries.profile import sensitivity_path, sensitivity_profile, sensitivity_sweep
from engine.simulation import simulate

BETA = 0.1
MEDIAN = Median()


@dataclasses.dataclass(frozen=True)
class Case:
    """Data with their bounds and unit."""

    values: np.ndarray
    domain: Interval
    unit: str = ""

    @property
    def sample(self) -> Sample:
        return Sample(self.values, self.domain)


def salaries(n: int) -> np.ndarray:
    return np.random.default_rng(1).lognormal(np.log(40_000), 0.5, n)


CASES = {
    "salaries": Case(salaries(2001), Interval(0, 200_000), "$"),
    "all equal": Case(np.full(101, 40_000.0), Interval(0, 200_000), "$"),
    "one record": Case(np.array([-3.0]), Interval(-5, 5), "°C"),
    "two records": Case(np.array([0.0, 1000.0]), Interval(0, 1000)),
    "outside": Case(np.array([-30.0, -20, 40, 50, 60]), Interval(-5, 5), "°C"),
    "smooth is global": Case(np.repeat([0.0, 1000.0], [5, 6]), Interval(0, 1000)),
    "huge": Case(salaries(301) * 2e7, Interval(0, 1e13), "$"),
    "tiny": Case(salaries(301) * 1e-14, Interval(-1e-9, 3e-9), "mol"),
    "negative": Case(np.linspace(-50, -10, 51), Interval(-60, -5), "dB"),
    "two dollars": Case(salaries(11), Interval(0, 200_000), "$/$"),
}


def profile(case: Case, beta: float = BETA, k_max: int | None = None) -> Any:
    return sensitivity_profile(MEDIAN, case.sample, beta, k_max)


def sweep(case: Case, current: float = 1.0) -> EpsilonSweep:
    epsilons = np.geomspace(0.01, 10, 31)
    return EpsilonSweep(epsilons, sensitivity_sweep(MEDIAN, case.sample, epsilons / 8), current)


def path(case: Case) -> Any:
    end = np.full(case.values.size, case.domain.upper)
    return sensitivity_path(MEDIAN, case.sample, Sample(end, case.domain), BETA, steps=41)


def curves(case: Case) -> list[NoiseCurve]:
    privacy = Privacy(1.0, 1e-6)
    made = []
    for name, family in NOISES.items():
        noise = family()
        pair = noise.admissible(privacy)
        scale = MEDIAN.smooth_sensitivity(case.sample, pair.beta).value / pair.alpha
        made.append(NoiseCurve(noise.label, "smooth" if name == "lcp" else "", scale, noise))
    return made


def release(case: Case, method: str = "smooth", runs: int = 200, **parameters: Any) -> ReleaseView:
    mechanism = MECHANISMS[method](query=MEDIAN, **parameters)
    delta = 1e-6 if method == "propose-test-release" else 0.0
    simulation = simulate(mechanism, case.sample, Privacy(1.0, delta), runs, seed=3)
    return ReleaseView(
        simulation.prepared,
        simulation.values,
        runs,
        simulation.true_value,
        float(np.nanmax(simulation.values)),
    )


def strip(case: Case) -> StripView:
    return StripView.of(
        case.values, case.domain, MEDIAN.value(case.sample), "median", dragged=0, changed=(0,)
    )


def outputs(case: Case, m: int) -> np.ndarray:
    """What m blocks might have given: records of the case."""
    return np.resize(case.domain.clamp(case.values), m)


def radii(case: Case, m: int) -> Radii:
    z = outputs(case, m)
    return Radii.of(np.abs(z[:, None] - z), case.domain.width, 1)


def radius(case: Case) -> RadiusView:
    return RadiusView.of(radii(case, min(max(case.values.size, 5), 240)), BETA)


def blocks(case: Case) -> BlocksSweep:
    ms = np.array([3, 10, 31, 100, 200])
    some = [radii(case, m) for m in ms]
    smooth = np.array([each.smooth_bound(BETA).value for each in some])
    away = np.array(
        [
            abs(outputs(case, m)[each.center] - outputs(case, m).mean())
            for m, each in zip(ms, some, strict=True)
        ]
    )
    published = np.array([each.published_bound(BETA) for each in some])
    return BlocksSweep(2001, ms, smooth, published, away, 4 * smooth, case.domain.width, 50)


def errors(case: Case) -> ErrorsView:
    rng, width = np.random.default_rng(4), case.domain.width
    noise = np.minimum(np.abs(rng.laplace(0, width / 10, 300)), width)
    samples = (
        ErrorSample("Clusters", noise, chosen=True),
        ErrorSample("Noisy Lloyd", np.where(rng.random(300) < 0.1, np.nan, noise * 1e-3)),
        ErrorSample("Winsorized mean", np.empty(0), problem="it needs more blocks"),
    )
    return ErrorsView(samples, width)


def cloud(case: Case) -> CloudView:
    sides = (Direction("first", case.unit, case.domain), Direction("second", case.unit, case.domain))
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    z = np.resize(values, (30, 2, 2))
    noise = np.random.default_rng(5).laplace(0, case.domain.width / 20, (500, 2, 2))
    return CloudView(
        directions=sides,
        records=Records.of(values, [case.domain] * 2),
        outputs=z,
        center=z[7],
        radius=case.domain.width / 9,
        majority=16,
        released=case.domain.clamp(z[7] + noise[0]),
        regions=regions(noise),
        baseline=z[3],
        truth=z.mean(axis=0),
    )


def balls(case: Case) -> BallView:
    directions, width = cloud(case).directions, case.domain.width
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    middle, low = values.mean(axis=0), values[:20] - width / 20
    runs = np.column_stack([values[:9], np.full(min(9, len(values)), width / 7)])
    runs[0] = np.nan
    return BallView(
        directions=directions,
        window=(case.domain,) * 2,
        records=Records.of(values, [case.domain] * 2),
        balls=(Disc(middle, width / 6, 400),),
        truth=(Disc(values[0], width / 8),),
        runs=runs,
        mean=middle + width / 50,
        true_mean=middle,
        boxes=Boxes(low, low + width / 10, np.arange(len(low)) + 1, len(low) - 1, "cells"),
        n=len(values),
        simulated=True,
        target=400,
    )


def choice(case: Case) -> RadiusChoiceView:
    radii = np.append(case.domain.width / 2.0 ** np.arange(17), 0.0)
    counts = np.array([(case.domain.clamp(case.values) <= case.domain.lower + r).sum() for r in radii])
    t = max(1, case.values.size // 3)
    return RadiusChoiceView(radii, counts, 0.8 * t, t, 6, "points", case.unit, 0.2 * t, radii[5] * 0.9)


def quality(case: Case) -> BallQualityView:
    away = np.abs(case.domain.clamp(case.values) - case.domain.lower) / case.domain.width
    held = np.where(away > 0.5, np.nan, 1.5 - away)
    return BallQualityView(held, 3 * away, 0.2, int(np.isnan(held).sum()), 500)


def pairs(case: Case) -> np.ndarray:
    return case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))


def cells(case: Case) -> Cells:
    """A grid of five by five cells and what they hold."""
    values, domain = pairs(case), case.domain
    low = domain.lower + np.stack(np.meshgrid(*[np.arange(5)] * 2), -1).reshape(-1, 2) * domain.width / 5
    place = np.minimum((values - domain.lower) * (5 / domain.width), 4).astype(int)
    counts = np.bincount(place[:, 1] * 5 + place[:, 0], minlength=25)
    return Cells(low, low + domain.width / 5, counts.astype(float), "cubes of level 4")


def histogram(case: Case) -> HistogramView:
    width, middle = case.domain.width, np.full(2, case.domain.lower + 0.37 * case.domain.width)
    planes = middle[0] + np.arange(-2, 5) * width / 8
    shift = Shift(middle - width, middle + width, middle, (planes[1:-1],) * 2, (planes[[0, -1]],) * 2)
    made = HistogramView(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        records=some_records(pairs(case), [case.domain] * 2),
        shift=shift,
        chosen=9,
    )
    return dataclasses.replace(made, window=made.around())


def trees(case: Case) -> TreeView:
    values, middles = pairs(case), cells(case).centers
    return TreeView(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        tree=DrawnTree(middles[:-1], middles[1:], 12 * case.domain.width),
        resampled=5 * case.domain.width,
        truth=DrawnTree(values[:-1], values[1:], 4 * case.domain.width),
        records=some_records(values, [case.domain] * 2),
        unit=case.unit,
    )


def isolation(case: Case) -> IsolationView:
    query = np.full(2, case.domain.lower + case.domain.width / 3)
    return IsolationView(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        query=query,
        c=2.0,
        t=10,
        records=some_records(pairs(case), [case.domain] * 2),
        verdict=IsolationResult(query + 0.03 * case.domain.width, 0.05 * case.domain.width, 3, True),
    )


def attacks(case: Case) -> IsolationRatesView:
    c = np.array([1.5, 2, 3, 4])
    made = []
    for place, name in enumerate(("uniform guess", "center of an occupied cell", "weighted random point")):
        rates = np.append((0.4 + 0.2 * place) / c[:-1], np.nan if place == 1 else 0.1)
        made.append(AttackRates(name, rates, 0.9 * rates, 1.1 * rates, baseline=not place))
    return IsolationRatesView("c", c, tuple(made), chosen=2.0)


def histogram_errors(case: Case) -> HistogramErrorsView:
    rng = np.random.default_rng(6)
    some = [rng.lognormal(size=50) for _ in range(4)]
    return HistogramErrorsView(
        (
            HistogramErrorSample("recursive", some[0], 3 * some[1], is_private=False),
            HistogramErrorSample("shifted", 2 * some[1], some[2], is_private=False, chosen=True),
            HistogramErrorSample("noisy histogram", 9 * some[2], 8 * some[3], is_private=True),
            HistogramErrorSample("PrivTree", 5 * some[3], np.zeros(50), is_private=True),
            HistogramErrorSample("synthetic data", np.empty(0), np.empty(0), True, problem="too many cells"),
        ),
        case.values.size,
    )


def diameters(case: Case) -> DiameterView:
    radii = np.abs(case.domain.clamp(case.values) - case.domain.lower)
    curve = np.geomspace(1e-4, 2, 30) * case.domain.width
    bound = np.minimum(4 * curve, 1.5 * case.domain.width)
    found = np.append(np.full(radii.size - 1, 0.3 * case.domain.width), 3 * case.domain.width)
    return DiameterView(radii, found, curve, bound, 15, 20, case.unit)


def contingency(case: Case) -> ContingencyView:
    counts = np.random.default_rng(8).gamma(1.0, 300.0, (7, 3))
    degrees = ("no degree at all", "bachelor", "master or doctor")
    ages = tuple(f"{age} to {age + 9} years of age" for age in range(20, 90, 10))
    return ContingencyView(("age", "degree"), (ages, degrees), counts, np.round(counts) + 3, simulated=True)


def bars(case: Case) -> CategoryBarsView:
    shares = np.array([0.42, 0.31, 0.29, -0.02])
    labels = ("bachelor", "master", "no degree, or one of another country", "doctor")
    return CategoryBarsView("degree", labels, shares, "share of the records", shares / 9, abs(shares))


def matrix(case: Case) -> MatrixView:
    rows = np.random.default_rng(7).normal(size=(5, 5))
    truth = rows @ rows.T * case.domain.width**2
    names = ("height", "weight", "age", "income", "children at home")
    return MatrixView(names, truth + truth.T * 0.1 + 0.2 * case.domain.width**2, truth, simulated=True)


def levels(case: Case) -> LevelsView:
    level = np.arange(1, 21)
    points = np.linspace(0, case.values.size, 20)
    return LevelsView(level, 2 * level, level, points, case.domain.width / 2.0**level, case.unit)


CONTENDERS = (
    "Exponential mechanism",
    "Smooth sensitivity, Student's t noise, nu = 3",
    "Smooth sensitivity, Laplace noise",
    "Propose-test-release",
    "Global sensitivity, Laplace noise",
)


def compared(labels: Any = CONTENDERS, values: Any = (0.1, 0.3, 1.0, 3.0), runs: int = 200) -> Comparison:
    """Contenders of which the third one does not fit at first, and the fourth one often refuses."""
    rng, mechanism = np.random.default_rng(9), MECHANISMS["exponential"](query=MEDIAN)
    outcomes = []
    for place, value in enumerate(values):
        for index in range(len(labels)):
            errors = 5000 / value * 2.0**index * np.abs(rng.standard_normal(runs))
            if index == 3:
                errors[rng.random(runs) < 0.6 - 0.1 * place] = np.nan
            problem = "ε is too small for Laplace noise with δ = 0" if index == 2 and not place else ""
            trial = Trial(index, place, value, mechanism, Privacy(value), 2001)
            seconds = (0.0, 0.0) if problem else (0.01 * 3**index, 1e-6 * runs)
            drawn = np.empty(0) if problem else errors
            outcomes.append(Outcome(trial, runs, drawn, *seconds, problem))
    contenders = tuple(Contender(mechanism, label) for label in labels)
    return Comparison(contenders, Sweep("epsilon", tuple(values)), tuple(outcomes), runs, seed=1)


def comparison(case: Case, place: int = 2, **choices: Any) -> ComparisonView:
    found = compared()
    return ComparisonView(found, place, verdict(found.at(place)), largest=case.domain.width, **choices)


def audit(case: Case, scale: float = 0.5, refusing: float = 0.0, runs: int = 4000) -> AuditView:
    """Laplace noise on two middles that are 1 apart: private with 1/scale."""
    rng = np.random.default_rng(10)
    sides = [middle + rng.laplace(0, scale, runs) for middle in (0.0, 1.0)]
    sides[1][rng.random(runs) < refusing] = np.nan
    return AuditView(
        audited(*sides, Privacy(1.0)), ("all equal", "one record moved"), planted="half the noise"
    )


def low_bits(case: Case, share: float = 0.6, off: bool = True) -> LowBitsView:
    """Numbers anywhere between the points of a grid, a share of them impossible; or all on it."""
    rng = np.random.default_rng(11)
    positions = rng.uniform(-0.5, 0.5, (2, 2000)) if off else np.zeros((2, 2000))
    impossible = (rng.random((2, 2000)) < share) & off
    shares = (float(impossible[0].mean()), float(impossible[1].mean()))
    found = LowBits(Privacy(1.0), 2000, (2.0**-22,), True, float(off), shares, 0.9 * max(shares), 0.4)
    run = LowBitsRun(found, (positions[0], positions[1]), (impossible[0], impossible[1]))
    return LowBitsView(run, "noise in double precision" if off else "")


def budget(case: Case) -> BudgetCurves:
    """Forty releases, after which nothing is promised any more by one of the compositions."""
    releases = np.arange(41)
    spent = {"basic": 0.1 * releases, "advanced": 0.52 * releases**0.5, "zcdp": 0.47 * releases**0.5}
    spent["advanced"][-1] = np.nan
    return BudgetCurves(releases, spent, "zcdp", limit=3.2)


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
    HistogramErrors: histogram_errors,
    DiameterBound: diameters,
    MatrixMap: matrix,
    LevelTable: levels,
    BallMap: balls,
    RadiusChoice: choice,
    BallQuality: quality,
    AxisByAxisPicture: lambda case: AxisByAxisView.of(),
    BoxesOfAllDimensions: lambda case: BoxesView.of(),
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
    HistogramErrors,
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


@pytest.fixture(
    params=[(picture, name) for picture in PICTURES for name in cases_of(picture)],
    ids=lambda param: f"{param[0].__name__}-{param[1]}",
)
def result(request: pytest.FixtureRequest) -> tuple[Any, Any, str]:
    """Each picture of each dataset in turn: its class, what it shows, and the unit."""
    picture_class, name = request.param
    return picture_class, kept(picture_class, CASES[name]), CASES[name].unit


LONG = ("salaries", "huge", "negative")
"""Datasets whose labels are many or long, which matters most where type is large."""

ODD = ("one record", "tiny", "two dollars")
"""Datasets with few or odd labels, looked at in a window only; the others wait for the slow run."""


def waits(picture: Any, name: str, scale: float) -> bool:
    """Whether a picture of a dataset waits for the slow run; of those with one dataset none does."""
    return not (name in LONG or (name in ODD and scale == 1) or len(cases_of(picture)) == 1)


@pytest.fixture(
    params=[
        pytest.param(
            (picture, name, scale),
            id=f"{picture.__name__}-{name}-{size}",
            marks=pytest.mark.slow if waits(picture, name, scale) else [],
        )
        for picture in PICTURES
        for name in cases_of(picture)
        for size, scale in (("window", 1.0), ("projector", 1.5))
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


@pytest.fixture
def make_result(picture_class: Any) -> Any:
    """What makes a result for the picture out of a case; made once and kept."""
    return functools.partial(kept, picture_class)


_KEPT: dict[Any, Any] = {}


def kept(picture_class: Any, case: Case) -> Any:
    """Return the picture's result for a case, the same one every time."""
    key = (picture_class, id(case))
    if key not in _KEPT:
        _KEPT[key] = PICTURES[picture_class](case)
    return _KEPT[key]


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
