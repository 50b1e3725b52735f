"""Mechanisms beside each other: over the number of blocks, and over ways to aggregate (private)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.pages.clustering.computations import PointsComputations
from engine.aggregation.functions.centers import CentersFunction
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, Lloyd, NoisyAverage, PointsMechanism
from engine.mechanisms.aggregators import AGGREGATORS, CenterOfAttention
from engine.mechanisms.planner import FEWEST
from engine.mechanisms.planning import with_blocks
from engine.progress import Progress, part
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.plots.clustering.bound_against_blocks import BlocksSweep
    from app.plots.clustering.release_errors import ErrorSample, ErrorsView

Floats = NDArray[np.float64]

STEPS = 13
"""Numbers of blocks in a sweep."""
MOST_BLOCKS = 3_000
"""All distances between outputs are looked at: m^2 of them."""
DRAWS = 300
RUNS = 400


def sweep(
    computations: PointsComputations,
    setup: Selection,
    points: Points,
    published: bool,
    progress: Progress,
) -> Iterator[BlocksSweep]:
    """Yield what is known of a sweep over the number of blocks after each of them; NaN for the rest."""
    from app.plots.clustering.bound_against_blocks import BlocksSweep

    chosen = setup.mechanism
    assert isinstance(chosen, BlockMechanism)
    truth = computations.truth(chosen, points, setup.privacy, part(progress, 0.0, 0.1))
    blocks = swept(chosen, points)
    found = np.full((4, blocks.size), np.nan)
    for step, place in enumerate(coarse_first(blocks.size)):
        mechanism = with_blocks(chosen, int(blocks[place]))
        if not mechanism.problems(setup.privacy, points.domain, points.n):
            share = part(progress, 0.1 + 0.9 * step / blocks.size, 0.1 + 0.9 * (step + 1) / blocks.size)
            found[:, place] = one_of_a_sweep(computations, mechanism, setup, points, truth, published, share)
        yield BlocksSweep(
            n=points.n,
            blocks=blocks,
            smooth=found[0].copy(),
            published=found[1].copy() if published else None,
            block_error=found[2].copy(),
            noise_error=found[3].copy(),
            diameter=chosen.space(points.domain).diameter,
            chosen=chosen.sampling.blocks,
        )


def one_of_a_sweep(
    computations: PointsComputations,
    mechanism: BlockMechanism,
    setup: Selection,
    points: Points,
    truth: Floats,
    published: bool,
    progress: Progress,
) -> tuple[float, float, float, float]:
    """Return S, the bound in print, the error of the aggregate, and the typical noise."""
    space = mechanism.space(points.domain)
    ready = computations.ready(mechanism, points, setup.privacy, progress)
    facts = ready.diagnostics
    in_print = np.nan
    if published and isinstance(mechanism.aggregator, CenterOfAttention):
        in_print = computations.radii(mechanism, points, progress).published_bound(ready.noise["beta"])
    center = facts["center"][None]
    noise = space.distances(ready.draw(reproducible(0), DRAWS), center)
    return (
        facts.get("smooth", np.nan),
        in_print,
        float(space.distances(center, np.atleast_2d(truth))[0, 0]),
        float(np.median(noise)),
    )


def swept(mechanism: BlockMechanism, points: Points) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the numbers of blocks to look at, the chosen one among them."""
    most = min(MOST_BLOCKS, points.n // mechanism.function.smallest_block(points.domain))
    steps = np.geomspace(FEWEST, max(most, FEWEST + 1), STEPS).round().astype(np.int64)
    return np.unique(np.append(steps, mechanism.sampling.blocks))


def coarse_first(size: int) -> list[int]:
    """Return 0, ..., size - 1 in an order in which any beginning is spread over all."""
    order: dict[int, None] = {}
    step = 1 << max(size - 1, 1).bit_length()
    while step:
        order |= dict.fromkeys(range(0, size, step))
        step //= 2
    return list(order)


def compared(
    computations: PointsComputations, setup: Selection, points: Points, seed: int, progress: Progress
) -> Iterator[ErrorsView]:
    """Yield the errors of the chosen mechanism, and then of its alternatives for the same task and budget."""
    from app.plots.clustering.release_errors import ErrorSample, ErrorsView

    chosen = setup.mechanism
    truth = computations.truth(chosen, points, setup.privacy, part(progress, 0.0, 0.2))
    diameter = chosen.space(points.domain).diameter
    samples: list[ErrorSample] = []
    mechanisms = alternatives(chosen)
    for step, (label, mechanism) in enumerate(mechanisms.items()):
        share = part(progress, 0.2 + 0.8 * step / len(mechanisms), 0.2 + 0.8 * (step + 1) / len(mechanisms))
        problems = mechanism.problems(setup.privacy, points.domain, points.n)
        errors = np.empty(0)
        if not problems:
            values = computations.drawn(mechanism, points, setup.privacy, RUNS, seed, share)
            errors = chosen.errors(values, truth, points.domain)
        words = problems[0].message if problems else ""
        samples.append(ErrorSample(label, errors, mechanism == chosen, words))
        yield ErrorsView(tuple(samples), diameter)


def alternatives(chosen: PointsMechanism) -> dict[str, PointsMechanism]:
    """Return the chosen mechanism and others for the same task, by what people call them."""
    found: dict[str, PointsMechanism] = {}
    if isinstance(chosen, BlockMechanism):
        found[chosen.aggregator.label] = chosen
        for name, aggregator in AGGREGATORS.items():
            if name not in (chosen.aggregator.name, "shortest-interval"):
                same = {"noise": chosen.aggregator.noise} if _takes_noise(chosen, aggregator) else {}  # type: ignore[attr-defined]
                found[aggregator.label] = dataclasses.replace(chosen, aggregator=aggregator(**same))
        if isinstance(chosen.function, CentersFunction):
            found[Lloyd.label] = Lloyd(k=chosen.function.k)
        elif chosen.function.name == "mean":
            found[NoisyAverage.label] = NoisyAverage()
    else:
        found[chosen.label] = chosen
    return found


def _takes_noise(chosen: BlockMechanism, aggregator: type) -> bool:
    takes = any(declared.kind == "noise" for declared in aggregator.parameters())  # type: ignore[attr-defined]
    return takes and hasattr(chosen.aggregator, "noise")
