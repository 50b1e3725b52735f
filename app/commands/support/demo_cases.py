"""Simulated sanitizations of bundled examples, and how well they went."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from engine.components import release_parameters
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data import Example
    from engine.histograms.histogram import Histogram
    from engine.mechanisms import Mechanism, Prepared, ScalarMechanism
    from engine.privacy import Privacy
    from engine.simulation import Simulation

RUNS, MIN_RUNS = 1000, 10
"""How many runs; of what takes longer, fewer: as many as are drawn at once, but at least a few."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One sanitization of one example, and how it went in so many runs.

    Of a query the method says how it was released, of a mechanism on blocks the aggregator.  There
    is no epsilon where nothing is promised.  Errors of histograms are those of counts of public
    ranges, and their values say how many cells one has, and what these hold.
    """

    example: str
    n: int
    unit: str
    query: str
    neighbours: str
    method: str | None
    noise: str | None
    parameters: dict[str, Any]
    epsilon: float | None
    delta: float | None
    seed: int
    runs: int
    true_value: Any
    value: Any
    median_error: float | None
    p95_error: float | None
    refused: float


def query_case(
    card: Example, data: LoadedRecords[Any], mechanism: ScalarMechanism, privacy: Privacy, seed: int
) -> Case:
    """Simulate the release of a query many times; the first value stands for the release."""
    import numpy as np

    from engine.simulation import simulate

    mechanism = mechanism.resolve(privacy)
    simulation = simulate(mechanism, data.database, privacy, runs=RUNS, seed=seed)
    first, noise = float(simulation.values[0]), getattr(mechanism, "noise", None)
    return Case(
        query=mechanism.query.name,
        neighbours=mechanism.query.neighbours,
        method=mechanism.name,
        noise=noise.name if noise is not None else None,
        parameters={**mechanism.query.settings(), **mechanism.settings()}
        | (noise.settings() if noise is not None else {}),
        true_value=simulation.true_value,
        value=None if np.isnan(first) else first,
        **_facts(card, data, privacy, simulation),
    )


def sanitizer_case(
    card: Example,
    data: LoadedRecords[Any],
    mechanism: Mechanism[Any],
    privacy: Privacy,
    prepared: Prepared,
    seed: int,
) -> Case:
    """Simulate a mechanism of its own many times; the first value stands for the release."""
    from engine.mechanisms.histograms import HistogramPrepared
    from engine.randomness import reproducible
    from engine.simulation import simulate_prepared

    runs = min(RUNS, max(MIN_RUNS, prepared.batch_size))
    simulation = simulate_prepared(mechanism, prepared, data.database, runs=runs, seed=seed)
    aggregator = getattr(mechanism, "aggregator", None)
    if isinstance(prepared, HistogramPrepared):
        true, first = None, _cells(prepared.histogram(reproducible(seed)))
    else:
        domain = data.database.domain
        true = mechanism.output.true_answer(simulation.true_value, domain)
        first = mechanism.output.released(simulation.values[0], domain)
    return Case(
        query=mechanism.name,
        neighbours=mechanism.relation,
        method=aggregator.name if aggregator is not None else None,
        noise=prepared.noise.get("family"),
        parameters=release_parameters(mechanism),
        true_value=true,
        value=first,
        **_facts(card, data, privacy, simulation),
    )


def _cells(histogram: Histogram) -> dict[str, float]:
    counts = histogram.counts
    return {"cells": histogram.size, "fewest points": float(counts.min()), "most": float(counts.max())}


def _facts(
    card: Example, data: LoadedRecords[Any], privacy: Privacy, simulation: Simulation
) -> dict[str, Any]:
    import numpy as np

    errors = simulation.errors
    return {
        "example": card.name,
        "n": data.database.n,
        "unit": data.unit,
        "epsilon": None if privacy == NO_PROMISE else privacy.epsilon,
        "delta": None if privacy == NO_PROMISE else privacy.delta,
        "seed": simulation.seed,
        "runs": len(simulation.values),
        "median_error": float(np.median(errors)) if errors.size else None,
        "p95_error": float(np.quantile(errors, 0.95)) if errors.size else None,
        "refused": simulation.refused / len(simulation.values),
    }
