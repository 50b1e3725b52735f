"""Every sanitization of every bundled example, simulated: ``every_sanitization.py FILE``.

It writes one JSON object for each; `golden.py` keeps them, and tests look at a few runs of each.
"""

import dataclasses
import functools
import itertools
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app.commands import run
from app.commands.run import sanitization_of
from app.commands.support.console import finite
from app.commands.support.data import add_data_options, load
from app.commands.support.options import Parser
from app.model.kinds.registry import KINDS
from app.model.loaded import LoadedRecords
from app.releases.run import Run
from engine import catalog
from engine.components import release_parameters
from engine.data import EXAMPLES, Example
from engine.histograms.histogram import Histogram
from engine.mechanisms import MECHANISMS, Mechanism, Prepared, ScalarMechanism, SmoothRelease
from engine.mechanisms.histograms import HistogramPrepared
from engine.noise import PowerLaplace, noises_of_numbers
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import silent
from engine.queries import QUERIES, Query
from engine.randomness import reproducible
from engine.simulation import Simulation, simulate, simulate_prepared

RUNS, MIN_RUNS = 1000, 10
"""How many runs; of what takes longer, fewer: as many as are drawn at once, but at least a few."""

EPSILON, DELTA = 1.0, 1e-6

PROPOSED = {"column": 0.01, "weighted-graph": 0.75, "simple-graph": 0.75}
"""The bound that is proposed for propose-test-release, as a share of the worst case."""

COMMANDS = {
    "three-clusters": (
        "clusters",
        "clusters --aggregator median",
        "clusters --aggregator exponential-median",
        "clusters --aggregator average",
        "clusters --aggregator winsorized-mean",
        "clusters --aggregator one-cluster --delta 1e-6",
        "sample-aggregate",
        "sample-aggregate --column x --aggregator shortest-interval",
        "sample-aggregate --aggregator smallest-ball --blocks 40",
        "noisy-average",
        "k-means-on-cells",
        "cluster-cost",
        "coinpress",
        "metric-median",
    ),
    "mixture-5d": (
        "mixture --k 4",
        "mixture --k 4 --aggregator median",
        "mixture --k 4 --aggregator friendly-core --delta 1e-6",
        "k-means-on-cells --k 4",
    ),
    "four-heaps": ("clusters --k 2", "lloyd --k 2"),
    "four-heaps-neighbour": ("clusters --k 2", "lloyd --k 2"),
    "geyser": (
        "clusters --k 2",
        "lloyd --k 2",
        "sample-aggregate --function regression",
        "perceptron",
        "interior-point --column waiting",
        "quantiles --column waiting --multiples 1",
    ),
    "planted-disc": (
        "one-cluster --t 600 --delta 1e-6",
        "growing-box --way rec-concave --delta 1e-6",
        "stable-cell --delta 1e-6",
    ),
    "two-minorities": ("k-balls --t 1500 --delta 1e-6", "noisy-average"),
    "airports": ("one-cluster --t 300 --delta 1e-6",),
    "outliers": ("screened-mean --t 4000 --delta 1e-6", "noisy-average"),
}
"""What is run on each example of points."""

HISTOGRAMS = {
    "airports": (
        "histogram-recursive --t 20",
        "histogram-shifted --t 20",
        "histogram-noisy",
        "histogram-tree",
        "privtree",
        "covariance",
        "counts",
        "scored-choice",
    ),
    "around-the-middle": (
        "histogram-recursive",
        "histogram-shifted",
        "histogram-voronoi-net --t 60",
        "histogram-voronoi-random --t 60 --centers 20",
        "histogram-embedded",
        "perturbed-points",
        "synthetic",
    ),
}
"""The histograms of points, and what else is released of the same examples."""

CATEGORIES = {
    "admissions": (
        "contingency-table --column department --column admitted",
        "sorted-histogram --column department",
        "mode --column department",
        "randomized-response --column department",
    ),
    "blood-types": ("contingency-table",),
    "penguins": ("contingency-table --missing drop --margins pairs",),
}
"""What is run on each example of categories."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One sanitization of one example, and how it went in so many runs.

    The method of a query says how it was released, that of a mechanism on blocks is its aggregator.
    epsilon is None where nothing is promised.  Errors of histograms are those of counts of public ranges,
    and their values say how many cells one has, and what these hold.
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


def simulate_all(seed: int, runs: int = RUNS, min_runs: int = MIN_RUNS) -> Iterator[Case]:
    """Simulate every method on every query of every example, every noise on the first, and all on points.

    Each case has a seed of its own: with one for all, their errors would be copies.
    """
    seeds = itertools.count(seed)
    for card in EXAMPLES.values():
        for query in queries(card):
            data = _read(card.name, query.reads)
            more = _noises(query) if query == queries(card)[0] else ()
            for mechanism, privacy in (*_methods(query, data), *more):
                yield _query_case(card, data, mechanism, privacy, next(seeds), runs)
        for made, prepared in sanitizations(card):
            most = min(runs, max(min_runs, prepared.batch_size))
            yield _mechanism_case(card, made.data, made.mechanism, made.privacy, prepared, next(seeds), most)


def queries(card: Example) -> tuple[Query[Any], ...]:
    """Return every query that an example is made for, with its default parameters."""
    return tuple(cls() for cls in QUERIES.values() if card.kind == KINDS[cls.reads].examples[0])


def sanitizations(card: Example) -> Iterator[tuple[Run, Prepared]]:
    """Yield everything else that is run on an example, with what each mechanism has prepared."""
    for commands in (COMMANDS, HISTOGRAMS, CATEGORIES):
        for command in commands.get(card.name, ()):
            yield prepare(card.name, command)


@functools.cache
def prepare(example: str, command: str) -> tuple[Run, Prepared]:
    """Prepare what a command names on an example, with epsilon 1 where it promises anything."""
    parser = Parser()
    run.configure(parser)
    arguments = shlex.split(command)
    budget = ["--epsilon", "1"] if MECHANISMS[arguments[0]].facts.is_private else []
    options = parser.parse([*arguments, "--example", example, *budget])
    subject = sanitization_of(options)
    made = subject.on(load(options, subject, silent))
    return made, made.mechanism.prepare(made.data.database, made.privacy)


@functools.cache
def _read(name: str, reads: str) -> LoadedRecords[Any]:
    """Return what is read of an example; records without a value are left out."""
    parser = Parser()
    add_data_options(parser)
    query = next(cls() for cls in QUERIES.values() if cls.reads == reads)
    return load(parser.parse(["--example", name, "--missing", "drop"]), query, silent)


def _methods(query: Query[Any], data: LoadedRecords[Any]) -> Iterator[tuple[ScalarMechanism, Privacy]]:
    """Yield every method that applies, with a delta only where it needs one."""
    domain, n = data.database.domain, data.database.n
    proposed = {"bound": PROPOSED[query.reads] * query.global_sensitivity(domain, n)}
    for cls in catalog.methods().values():
        if not cls.facts.is_offered(query, n):
            continue
        declared = {parameter.name for parameter in cls.parameters()}
        own: dict[str, Any] = {name: value for name, value in proposed.items() if name in declared}
        mechanism = cls(query, **own)
        for privacy in (Privacy(EPSILON), Privacy(EPSILON, DELTA)):
            if not mechanism.problems(privacy, domain, n):
                yield mechanism, privacy
                break


def _noises(query: Query[Any]) -> Iterator[tuple[SmoothRelease, Privacy]]:
    """Yield smooth release with every family of noise but the default one."""
    for cls in noises_of_numbers():
        if cls is not PowerLaplace:
            yield SmoothRelease(query, noise=cls()), Privacy(EPSILON, DELTA if cls.needs_delta else 0.0)


def _query_case(
    card: Example,
    data: LoadedRecords[Any],
    mechanism: ScalarMechanism,
    privacy: Privacy,
    seed: int,
    runs: int,
) -> Case:
    """Simulate the release of a query many times; the first value stands for the release."""
    mechanism = mechanism.resolve(privacy)
    simulation = simulate(mechanism, data.database, privacy, runs=runs, seed=seed)
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


def _mechanism_case(
    card: Example,
    data: LoadedRecords[Any],
    mechanism: Mechanism[Any],
    privacy: Privacy,
    prepared: Prepared,
    seed: int,
    runs: int,
) -> Case:
    """Simulate a mechanism of its own many times; the first value stands for the release."""
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


if __name__ == "__main__":
    cases = [dataclasses.asdict(case) for case in simulate_all(1)]
    Path(sys.argv[1]).write_text(json.dumps(finite({"simulated": True, "sanitizations": cases}), indent=2))
