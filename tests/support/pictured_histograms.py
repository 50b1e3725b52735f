"""What pictures of histograms and categories show of a sample."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import numpy as np
from pictured_points import cloud
from pictured_samples import Case

from engine import PrivTree
from engine.analysis.category_answers import ReleasedMatrix
from engine.analysis.histogram_accuracy import HistogramErrors, HistogramErrorSample
from engine.analysis.histogram_contents import CellsAlong, HistogramLevels
from engine.analysis.histogram_diameters import DiametersByRadius
from engine.analysis.histogram_maps import CellMap, QueryMap, ShiftPlanes, TreeMap
from engine.analysis.histogram_structures import HistogramTrees, TreeAlong
from engine.analysis.isolation_attacks import AttackRates, AttackSweep, IsolationTest
from engine.analysis.shared.shown_histograms import some_records
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable
from engine.mechanisms.facts import Facts


def pairs(case: Case) -> np.ndarray:
    return case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))


def cells(case: Case) -> CellsAlong:
    """A grid of five by five cells and what they hold."""
    values, domain = pairs(case), case.domain
    low = domain.lower + np.stack(np.meshgrid(*[np.arange(5)] * 2), -1).reshape(-1, 2) * domain.width / 5
    place = np.minimum((values - domain.lower) * (5 / domain.width), 4).astype(int)
    counts = np.bincount(place[:, 1] * 5 + place[:, 0], minlength=25)
    return CellsAlong(low, low + domain.width / 5, counts.astype(float))


def histogram(case: Case) -> CellMap:
    width, middle = case.domain.width, np.full(2, case.domain.lower + 0.37 * case.domain.width)
    planes = middle[0] + np.arange(-2, 5) * width / 8
    shift = ShiftPlanes(middle - width, middle + width, middle, (planes[1:-1],) * 2, (planes[[0, -1]],) * 2)
    made = CellMap(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        records=some_records(pairs(case), [case.domain] * 2),
        shift=shift,
        before=True,
        chosen=9,
    )
    return dataclasses.replace(made, window=made.around())


def trees(case: Case) -> TreeMap:
    values, middles = pairs(case), cells(case).centers
    return TreeMap(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        trees=HistogramTrees(
            tree=TreeAlong(middles[:-1], middles[1:], 12 * case.domain.width),
            resampled=TreeAlong(values[:-1][::-1], values[1:][::-1], 5 * case.domain.width),
            truth=TreeAlong(values[:-1], values[1:], 4 * case.domain.width),
        ),
        records=some_records(values, [case.domain] * 2),
    )


def isolation(case: Case) -> QueryMap:
    query = np.full(2, case.domain.lower + case.domain.width / 3)
    near = query + 0.03 * case.domain.width
    return QueryMap(
        directions=cloud(case).directions,
        window=(case.domain,) * 2,
        cells=cells(case),
        query=query,
        c=2.0,
        t=10,
        records=some_records(pairs(case), [case.domain] * 2),
        verdict=IsolationTest(2.0, 10, near, 0.05 * case.domain.width, near[None], True),
    )


def attacks(case: Case) -> AttackSweep:
    c = np.array([1.5, 2, 3, 4])
    made = []
    for place, name in enumerate(("uniform", "occupied", "weighted")):
        rates = np.append((0.4 + 0.2 * place) / c[:-1], np.nan if place == 1 else 0.1)
        made.append(AttackRates(name, rates, 0.9 * rates, 1.1 * rates))
    return AttackSweep(PrivTree(), "c", c, tuple(made), chosen=2.0)


def histogram_errors(case: Case) -> HistogramErrors:
    rng = np.random.default_rng(6)
    some = [rng.lognormal(size=50) for _ in range(4)]

    def sample(
        label: str, counts: np.ndarray, tree: np.ndarray, is_private: bool, problem: str = ""
    ) -> HistogramErrorSample:
        summary, facts = "cells where points are dense, by noise", Facts(is_private=is_private)
        kind: Any = types.SimpleNamespace(name=label, label=label, summary=summary, facts=facts)
        return HistogramErrorSample(kind, counts, tree, problem)

    samples = (
        sample("recursive", some[0], 3 * some[1], is_private=False),
        sample("shifted", 2 * some[1], some[2], is_private=False),
        sample("noisy histogram", 9 * some[2], 8 * some[3], is_private=True),
        sample("PrivTree", 5 * some[3], np.zeros(50), is_private=True),
        sample("synthetic data", np.empty(0), np.empty(0), True, problem="too many cells"),
    )
    return HistogramErrors(samples[1].mechanism, samples, case.values.size)


def diameters(case: Case) -> DiametersByRadius:
    radii = np.abs(case.domain.clamp(case.values) - case.domain.lower)
    curve = np.geomspace(1e-4, 2, 30) * case.domain.width
    bound = np.minimum(4 * curve, 1.5 * case.domain.width)
    found = np.append(np.full(radii.size - 1, 0.3 * case.domain.width), 3 * case.domain.width)
    return DiametersByRadius(ShiftedHistogram(t=15), radii, found, curve, bound, 20)


def contingency(case: Case) -> CrossTable:
    counts = np.random.default_rng(8).gamma(1.0, 300.0, (7, 3))
    degrees = ("no degree at all", "bachelor", "master or doctor")
    ages = tuple(f"{age} to {age + 9} years of age" for age in range(20, 90, 10))
    return CrossTable(("age", "degree"), (ages, degrees), counts, np.round(counts) + 3, simulated=True)


def bars(case: Case) -> CategoryNumbers:
    shares = np.array([0.42, 0.31, 0.29, -0.02])
    labels = ("bachelor", "master", "no degree, or one of another country", "doctor")
    return CategoryNumbers("degree", labels, shares, "share of the records", shares / 9, abs(shares))


def matrix(case: Case) -> ReleasedMatrix:
    rows = np.random.default_rng(7).normal(size=(5, 5))
    truth = rows @ rows.T * case.domain.width**2
    names = ("height", "weight", "age", "income", "children at home")
    return ReleasedMatrix(names, truth + truth.T * 0.1 + 0.2 * case.domain.width**2, truth, simulated=True)


def levels(case: Case) -> HistogramLevels:
    level = np.arange(1, 21)
    points = np.linspace(0, case.values.size, 20)
    return HistogramLevels(None, level, 2 * level, level, points, case.domain.width / 2.0**level)
