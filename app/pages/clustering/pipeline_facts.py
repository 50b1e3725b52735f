"""What is said about each stage from the data to the release: public numbers, and private ones."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from app.model.page_spec import PageSpec
from app.model.pages.clustering import AGGREGATE, AGREEMENT, SEPARATION, is_stage
from app.model.selection import Selection
from app.model.wording.formatting import format_count
from app.model.wording.neighbours import NeighbourWords
from app.model.wording.numbers import number, quantity, superscript
from app.widgets.pipeline import Fact
from engine.analysis.expected_error import ErrorEstimate
from engine.mechanisms import KMeansOnCells, NoisyHistogram

LINE = 14
"""Letters of a line."""

Facts = dict[str, tuple[Fact, ...]]


def stages(page: PageSpec, neighbour_words: NeighbourWords) -> dict[str, tuple[str, str]]:
    """Return the name of each stage, and what happens there."""
    titles = {spec.name: spec.title.about(neighbour_words) for spec in page.pictures}
    return {name: (title.name, title.why) for name, title in titles.items()}


def stages_of(page: PageSpec, setup: Selection) -> tuple[str, ...]:
    """Return the stages of a mechanism."""
    return tuple(spec.name for spec in page.pictures if is_stage(spec, setup))


def public_facts(setup: Selection) -> Facts:
    """Return what is public."""
    source, mechanism = setup.source, setup.mechanism
    d = len(source.columns)
    facts: Facts = {"data": (Fact(f"n = {format_count(source.n)}"), Fact(f"{d} column{'s' * (d > 1)}"))}
    dimension = mechanism.space(source.domain).dimension
    k = dimension // d if mechanism.unordered else 1
    facts["release"] = (
        Fact(
            f"{k} center{'s' * (k > 1)}"
            if mechanism.unordered
            else f"{dimension} number{'s' * (dimension > 1)}"
        ),
    )
    facts[SEPARATION] = (Fact("only looked at"),)
    if isinstance(mechanism, KMeansOnCells):
        made = mechanism.histogram(source.domain, source.n, setup.privacy)
        bins = f"{made.bins}{superscript(d)} cells" if isinstance(made, NoisyHistogram) else ""
        facts["cells"] = (Fact("grid"), Fact(bins)) if bins else (Fact(made.label),)
    if not mechanism.part("sampling"):
        facts["noise"] = _lines(mechanism.hides)
        return facts
    sampling, family = mechanism.sampling, getattr(mechanism.aggregator, "noise", None)
    s, _ = sampling.overlap(source.n)
    facts["blocks"] = (
        Fact(f"{format_count(sampling.blocks)} × {format_count(sampling.block_size(source.n))}"),
        Fact(f"s = {s}"),
    )
    facts["outputs"] = (
        Fact(f"{format_count(sampling.blocks)} of {k} × {d}" if mechanism.unordered else f"D = {dimension}"),
    )
    facts[_aggregating(mechanism)] = _lines(mechanism.aggregator.label)
    facts["noise"] = _lines(family.label if family else mechanism.aggregator.hides)
    return facts


def private_facts(setup: Selection, results: Mapping[str, Any], estimate: ErrorEstimate | None) -> Facts:
    """Return what only the curator may know, with what is public."""
    facts, unit = public_facts(setup), setup.unit
    if "fell_back" in results:
        fell_back = results["fell_back"]
        facts["outputs"] += (Fact(f"{format_count(fell_back)} fell back", True),)
    noise = getattr(getattr(setup.mechanism, "aggregator", None), "noise", None)
    if "smooth" in results and noise is not None:
        bound = Fact(f"S = {quantity(results['smooth'], unit)}", True)
        radius = (Fact(f"r = {quantity(results['radius'], unit)}", True),) if "radius" in results else ()
        stage = _aggregating(setup.mechanism)
        facts[stage] = (*(radius or facts[stage][:1]), bound)
        facts["noise"] = (Fact(noise.name), Fact(f"scale {number(results['scale'])}", True))
    elif "scale" in results:
        facts["noise"] += (Fact(f"scale {number(_largest(results['scale']))}"),)
    if estimate is not None:
        facts["release"] += (Fact(f"error {quantity(estimate.errors.typical, unit)}", True),)
    return facts


def _aggregating(mechanism: Any) -> str:
    """Return the stage at which one output is made of all."""
    return AGGREGATE if mechanism.aggregator.by_radii else AGREEMENT


def _lines(text: str) -> tuple[Fact, ...]:
    """Break a label into lines that fit a box."""
    return tuple(map(Fact, textwrap.wrap(text, LINE)[:2]))


def _largest(scale: Any) -> float:
    return float(max(scale)) if hasattr(scale, "__len__") else float(scale)
