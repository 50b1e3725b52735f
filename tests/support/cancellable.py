"""All work that can be cancelled: every mechanism, and every public function that takes `progress`."""

import dataclasses
import inspect
import itertools
import time
import typing

import numpy as np

import engine
from engine.aggregation.blocks import Partition
from engine.aggregation.spaces import Wasserstein
from engine.catalog import methods, sanitizers
from engine.data.categories import Categories, CategoryDomain
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.extras.libraries.library import Peer
from engine.mechanisms import Mechanism, ScalarMechanism, SmoothRelease
from engine.mechanisms.aggregators import AGGREGATORS
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled
from engine.queries import QUERIES, Median

ASKED = Privacy(1.0, 1e-6)
BOUNDS = Interval(0.0, 10.0)
BLOCKS = 700, 100
"""As many as every aggregator can do with, and as few records leave."""
MORE = 4
"""So many times as many records suffice for what looks for small balls."""


class Impatient:
    """Progress of a user who has had enough after so many calls, or so much work of this thread.

    It remembers the longest silence, in seconds of this thread's own time, so that others on the
    same machine do not count, and how often it was called.
    """

    def __init__(self, calls=None, seconds=float("inf")):
        self.calls, self.seconds = calls, seconds
        self.called, self.silence = 0, 0.0
        self.began = self.last = time.thread_time()

    def __call__(self, fraction, message=""):
        assert 0 <= fraction <= 1
        self.heard()
        self.called += 1
        if self.called == self.calls or self.last - self.began > self.seconds:
            raise Cancelled

    def heard(self):
        """Count the time since the last report as silence; also to be called when the work has ended."""
        now = time.thread_time()
        self.silence, self.last = max(self.silence, now - self.last), now


def database(reads, n, seed=1, columns=2):
    """Return about n records of what is read: a million and more are large enough for every loop."""
    rng = np.random.default_rng(seed)
    if reads == "column":
        return Sample(rng.gamma(2.0, 1.0, n), BOUNDS)
    if reads == "points":
        values = rng.normal(0.4, 0.1, (n, columns)) + 0.3 * rng.integers(0, 2, (n, 1))
        return Points(values, Box.of([0] * columns, [1] * columns))
    if reads == "categories":
        lists = [[str(i) for i in range(10)], ["x", "y", "z"]][:columns]
        codes = np.column_stack([rng.integers(0, 10, n), rng.integers(0, 3, n)])[:, :columns]
        return Categories(codes, CategoryDomain(["a", "b"][:columns], lists))
    vertices = max(4, n // 5)
    pairs = np.sort(rng.integers(0, vertices, (n, 2)), axis=1)
    ends = pairs[pairs[:, 0] < pairs[:, 1]]
    if reads == "weighted-graph":
        path = np.column_stack([np.arange(vertices - 1), np.arange(1, vertices)])
        ends = np.concatenate([path, ends])
        return WeightedGraph(ends, rng.uniform(0, 10, len(ends)), BOUNDS)
    _, once = np.unique(ends[:, 0] * vertices + ends[:, 1], return_index=True)
    return SimpleGraph(ends[once], n=vertices)


def mechanisms():
    """Return all mechanisms by name; those that release the answer to a query, with each query."""
    asking = {
        f"{name} {query}": kind(query=asked())
        for name, kind in methods().items()
        if not issubclass(kind, Peer)  # some take no seed, and draw something else each time
        for query, asked in QUERIES.items()
    }
    alone = {name: kind() for name, kind in sanitizers().items() if not issubclass(kind, Peer)}
    return asking | alone


def records_for(mechanism, n):
    """Return (records, columns) that a mechanism runs with: n of two columns, else of one, else more."""
    for many, columns in ((n, 2), (n, 1), (MORE * n, 2)):
        data = database(mechanism.reads, 10, columns=columns)
        known = many // 5 if mechanism.reads.endswith("graph") else many
        if not mechanism.problems(budget(mechanism), data.domain, known):
            return many, columns
    return None


def data_for(mechanism, n):
    """Return about n records, of as many columns as a mechanism takes, or more where it asks for more."""
    many, columns = records_for(mechanism, n)
    return database(mechanism.reads, many, columns=columns)


def runs(n):
    """Return all mechanisms that can be run with about n records, by name."""
    return {name: one for name, one in mechanisms().items() if records_for(one, n)}


def runs_by_aggregator(n):
    """Return a mechanism with blocks for each aggregator, that can be run with about n records."""
    asked = {}
    for name, kind in AGGREGATORS.items():
        for title, blocks in itertools.product(("clusters", "sample-aggregate"), BLOCKS):
            parts = {"aggregator": kind(), "sampling": Partition(blocks=blocks)}
            one = dataclasses.replace(sanitizers()[title](), **parts)
            if records_for(one, n):
                asked.setdefault(name, one)
    return {f"{one.name} {name}": one for name, one in asked.items()}


def analyses(n):
    """Return (analysis, mechanism) for all public functions that take a mechanism and report, by name."""
    found, about = {}, {name: one for name, one in runs(n).items() if _tells_more(one)}
    for name in engine.__all__:
        analysis = getattr(engine, name)
        if name not in ELSEWHERE and inspect.isfunction(analysis) and _fitting(analysis):
            for title, mechanism in about.items():
                if fits(name, analysis, mechanism):
                    found[f"{name}, {title}"] = analysis, mechanism
    return found


GIVEN = {
    "data": lambda mechanism, data: data,
    "neighbour": lambda mechanism, data: data,
    "privacy": lambda mechanism, data: budget(mechanism),
    "alternatives": lambda mechanism, data: [mechanism],
    "runs": lambda mechanism, data: 1000,
    "seed": lambda mechanism, data: 1,
}
"""What analyses need beside a mechanism."""

SHAPES = {
    "show_matrix": {"matrix"},
    "data_scene": {"points"},
    "release_scene": {"points"},
    "synthetic_scene": {"synthetic-points"},
}
"""Which released values an analysis is about, where its types do not say it."""

ASKS = {
    "error_against_size": lambda mechanism: mechanism.reads == "column",
    "show_numbers": lambda mechanism: hasattr(mechanism, "numbers"),
    "separate_clusters": lambda mechanism: isinstance(mechanism.vectors.space(Box.of([0], [1])), Wasserstein),
}
"""What an analysis asks of a mechanism, where its types do not say it."""

ELSEWHERE = {
    "audit_mechanism",
    "attack_low_bits",
    "certify_noise",
    "pivotal_records",
}
"""Not about every mechanism that their types allow; audits have a loop of their own."""


def budget(mechanism):
    """Return what to ask for."""
    return ASKED if mechanism.facts.is_private else NO_PROMISE


def fits(name, analysis, mechanism):
    """Tell whether an analysis is about such a mechanism."""
    hint = typing.get_type_hints(analysis)["mechanism"]
    hint = next((one for one in typing.get_args(hint) if _is_mechanism(one)), hint)  # of a union
    kind, read = typing.get_origin(hint) or hint, typing.get_args(hint)
    return (
        isinstance(mechanism, kind)
        and (Points not in read or mechanism.reads == "points")
        and mechanism.facts.shape in SHAPES.get(name, {mechanism.facts.shape})
        and ASKS.get(name, bool)(mechanism)
    )


def _is_mechanism(hint):
    kind = typing.get_origin(hint) or hint
    return inspect.isclass(kind) and issubclass(kind, Mechanism)


def work_of(analysis, mechanism, data):
    """Return a function of a progress."""
    given = {name: GIVEN[name](mechanism, data) for name in _needed(analysis) & GIVEN.keys()}
    return lambda progress: analysis(mechanism=mechanism, **given, progress=progress)


def _tells_more(mechanism):
    """Leave out what is the same for all queries but the median: all methods but the smooth one."""
    queries = {Median()} if not isinstance(mechanism, SmoothRelease) else {mechanism.query}
    return not isinstance(mechanism, ScalarMechanism) or mechanism.query in queries


def _needed(analysis):
    parameters = inspect.signature(analysis).parameters.values()
    return {one.name for one in parameters if one.default is one.empty}


def _fitting(analysis):
    reports = "progress" in inspect.signature(analysis).parameters
    return reports and "mechanism" in (needed := _needed(analysis)) and needed <= {"mechanism", *GIVEN}
