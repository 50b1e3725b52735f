"""Texts below pictures of histograms, or in their place."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from app.model.selection import Selection
from app.model.wording.numbers import number, quantity, within
from app.model.wording.releases import ExpectedWords, SwitchOffer
from engine.analysis.histogram_accuracy import (
    MAX_WITH_TREES,
    CountError,
    HistogramErrors,
    estimate_count_error,
)
from engine.analysis.histogram_diameters import MAX_RADII
from engine.analysis.histogram_maps import CellMap, TreeMap
from engine.analysis.histogram_structures import (
    MAX_TRUE_RECORDS,
    FacilitiesAlong,
    MatchingAlong,
)
from engine.domain import Box
from engine.histograms.matching import MAX_MATCHED
from engine.mechanisms import MECHANISMS
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.numbers import CrossTable
from engine.mechanisms.histograms.counting import CountingQueries
from engine.privacy import Privacy
from engine.progress import Progress, silent

EXACT = SwitchOffer("Show exact cells (Not DP)", {"query": "histogram-shifted"})
PRIVATE = SwitchOffer("Back to private cells (PrivTree)", {"query": "privtree"})
RIVALS = {"privtree": "histogram-noisy", "histogram-noisy": "privtree"}
"""Private cells to compare: adaptive with uniform ones."""
CLEARLY, MAX_TIMES = 1.25, 1000.0
"""An alternative is offered from the first factor; above the second, the factor is not shown."""


def cell_note(setup: Selection, result: CellMap) -> str:
    """Say how many cells there are, and whether noise hides their counts."""
    if result.half_width is None:
        return ""
    cells, [first, *others] = result.cells, result.directions
    m, size = len(cells.counts), cells.sizes[:1]
    equal = not others and np.allclose(cells.sizes, size)
    of = f" of {quantity(float(size[0]), first.unit)}" if equal else ""
    below = f"counts under {number(result.half_width)} are mostly noise"
    if result.half_width * m > setup.source.n:  # more than the average count
        below = "this hides most counts; fewer cells or a larger ε would help"
    some, each = number(m), "cell" if others else "bin"
    return f"{some} {each}{'s' * (m != 1)}{of}{', each' * (m != 1)} {_within(result.half_width)}: {below}."


def table_note(setup: Selection, result: CrossTable) -> str:
    """Say how many counts are added up in each cell, and how much noise the sums have."""
    domain, mechanism = setup.source.domain, setup.mechanism
    if not result.summed or mechanism.margins != "full":
        return ""
    each, many = mechanism.added(domain, setup.privacy).half_width, domain.size // result.counts.size
    together = f" Together: {_within(result.half_width)}." if result.half_width else ""
    return (
        f"Each cell adds up {number(many)} released counts, each with noise {_within(each)} (95 %).{together}"
    )


def error_note(setup: Selection, errors: HistogramErrors) -> str:
    """Say why there are no trees."""
    most = number(MAX_WITH_TREES)
    text = f"Trees are compared for up to {most} points; of more, only the counts of ranges are."
    return text if setup.source.n > MAX_WITH_TREES and len(setup.source.columns) > 1 else ""


def tree_note(setup: Selection, result: TreeMap) -> str:
    """Say why there is no true tree, or matching."""
    tree, n = result.trees.tree, setup.source.n
    if result.records is None or isinstance(tree, FacilitiesAlong):
        return ""
    if isinstance(tree, MatchingAlong):
        text = f"The true matching is shown for up to {number(MAX_MATCHED)} records: work grows cubically."
        return text if n > MAX_MATCHED else ""
    most = number(MAX_TRUE_RECORDS)
    text = f"The true tree of {number(n)} points would take minutes. It is shown for up to {most}."
    return text if n > MAX_TRUE_RECORDS else ""


def radii_problem(setup: Selection) -> str:
    """Say why there is no picture of diameters; "" if there is one."""
    n, t = setup.source.n, setup.mechanism.t
    if n > MAX_RADII:
        return (
            f"Finding neighbors among {number(n)} points would take minutes. The picture is for up to "
            f"{number(MAX_RADII)}."
        )
    if n < 2 * t:
        return f"Fewer than 2t = {number(2 * t)} points: n = {number(n)}."
    return ""


@dataclasses.dataclass(frozen=True)
class CellsWorth:
    """The typical error of counts of boxes (private)."""

    error: CountError
    rival: Any  # the mechanism of other private cells, if any
    other: CountError | None  # its error, if known
    expected: ExpectedWords


def public_noise(mechanism: Any, domain: Any, privacy: Privacy) -> ExpectedWords | None:
    """Return the public noise of each count; None without any."""
    each, width, more = "count", None, ""
    if mechanism.facts.shape == "cells":
        each, width = _cell(domain), mechanism.half_width(domain, privacy)
    elif isinstance(mechanism, CountingQueries | ContingencyTable):
        width = mechanism.added(domain, privacy).half_width
        if isinstance(mechanism, ContingencyTable) and mechanism.margins == "full":
            more = f"\n({number(domain.size)} counts, one for each combination)" * (len(domain.columns) > 1)
    if width is None:
        return None
    return ExpectedWords(f"Noise ± {number(width)} per {each} (95 %){more}", private=False)


def estimate_cells(
    mechanism: Any, data: Any, privacy: Privacy, progress: Progress = silent
) -> CellsWorth | ExpectedWords | None:
    """Return the typical error of counts of boxes (private); without cells, the public noise, or None."""
    noise = public_noise(mechanism, data.domain, privacy)
    if mechanism.facts.shape != "cells":
        return noise
    error = estimate_count_error(mechanism, data, privacy, progress=progress)
    if error is None:
        return None
    rival: Any = MECHANISMS[RIVALS[mechanism.name]]() if mechanism.name in RIVALS else None
    other = rival and estimate_count_error(rival, data, rival.cost(privacy), progress=progress)
    typical, regions = _within(error.typical, 2), f"a random region across {_cell(data.domain)}s"
    text = f"Typical error {typical}\n(of {regions})"
    if noise is not None:
        text = f"{noise.text}\n({regions}: about {typical})"
    return CellsWorth(error, rival, other, ExpectedWords(text))


def _cell(domain: Box) -> str:
    return "bin" if domain.dimension == 1 else "cell"


def offer_cells(setup: Selection, worth: CellsWorth | None) -> SwitchOffer | None:
    """Offer clearly better private cells, else exact cells, and the way back from those."""
    mechanism = setup.mechanism
    if mechanism.facts.shape != "cells":
        return None
    if not mechanism.facts.is_private:
        return PRIVATE
    if worth is not None and worth.other is not None:
        times = worth.error.typical / max(worth.other.typical, math.ulp(0.0))
        if CLEARLY < times < MAX_TIMES:
            text = f"Try {within(worth.rival.label)}: {number(times, 2)}× smaller error for regions"
            return SwitchOffer(text, {"query": worth.rival.name})
    return EXACT


def expect_cells(worth: CellsWorth | ExpectedWords, unit: str) -> ExpectedWords:
    """Return the noise of each count and the typical error of counts as text."""
    return worth.expected if isinstance(worth, CellsWorth) else worth


def _within(error: float, digits: int = 3) -> str:
    return f"± {number(error, digits)} record{'s' * (error != 1)}"
