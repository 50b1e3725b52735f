"""Every mechanism keeps its promise on every built-in pair.

Each audit exceeds the promised epsilon with probability at most 1e-8 while the promise holds; of a
mechanism there are fewer than ten, so that a test fails without cause with probability below 1e-7.
"""

import dataclasses

import pytest
from every_mechanism import CHOSEN
from thinned import thinned

from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.audit import audit_run, worst_case_pairs
from engine.catalog import methods, sanitizers
from engine.data.categories import CategoryDomain
from engine.domain import Box, Interval
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.extras.frontier.log_scale_release import LogScaleRelease
from engine.extras.libraries.library import Peer
from engine.mechanisms import (
    BlockMechanism,
    GaussianRelease,
    InteriorPoint,
    NoisyHistogram,
    ProposeTestRelease,
    SampleAggregate,
    SmoothRelease,
)
from engine.mechanisms.aggregators import AGGREGATORS, OneClusterAggregator
from engine.noise import NOISES
from engine.parameters import plain_parameters
from engine.privacy import Privacy
from engine.queries import QUERIES, InterquartileRange

WEIGHTS, LINE, SQUARE = Interval(0.0, 10.0), Box.of([0], [1]), Box.of([0, 0], [1, 1])
COLOURS = CategoryDomain(["colour", "size"], [["red", "green", "blue"], ["s", "l"]])
PURE, LOOSE = Privacy(1.0), Privacy(1.0, 1e-3)
CONFIDENCE = 1 - 1e-8


def scalars():
    """Every method for every query that it can answer, and every noise for the median."""
    for query in (kind() for kind in QUERIES.values()):
        for kind in methods().values():
            if [one for one in kind(query=query).problems(LOOSE, WEIGHTS, 1000) if one.field == "method"]:
                continue
            if kind is LogScaleRelease and not isinstance(query, InterquartileRange):
                continue
            if kind is ProposeTestRelease:
                yield kind(query=query, bound=0.05 if query.name != "triangles" else 0.5), LOOSE
            else:
                yield kind(query=query), LOOSE if kind in (GaussianRelease, LogScaleRelease) else PURE
    for noise in (kind() for kind in NOISES.values()):
        yield SmoothRelease(noise=noise), LOOSE if noise.needs_delta else PURE


def vectors():
    """Every mechanism of its own name, and every aggregator and sampling."""
    for kind in sanitizers().values():
        mechanism = CHOSEN.get(kind) or kind()
        if mechanism.facts.is_private and kind is not SampleAggregate:
            yield (
                mechanism,
                PURE
                if not mechanism.guarantee.uses_delta or isinstance(mechanism, BlockMechanism)
                else LOOSE,
            )
    for kind in AGGREGATORS.values():
        blocks = {OneClusterAggregator: 400, FriendlyCore: 700}.get(kind, 39)
        privacy = PURE if blocks == 39 else LOOSE
        yield SampleAggregate(aggregator=kind(), sampling=Partition(blocks=blocks)), privacy
    yield SampleAggregate(sampling=IndependentSubsets(blocks=30)), PURE


def other_choices():
    """Every other choice of every parameter of a mechanism of its own name, one at a time.

    A Metropolis chain is left out: it is private only up to its distance from its law, and slow.
    """
    for kind in sanitizers().values():
        if not kind.facts.is_private or issubclass(kind, (Peer, SampleAggregate)):
            continue
        usual = CHOSEN.get(kind) or kind()
        for declared in plain_parameters(kind):
            for choice in set(declared.choices) - {declared.default}:
                mechanism = dataclasses.replace(usual, **{declared.name: choice})
                if not mechanism.inexact and not mechanism.problems(LOOSE, domain_of(mechanism), 1000):
                    yield mechanism, LOOSE if mechanism.guarantee.uses_delta else PURE
    yield NoisyHistogram(components="0.2,0.2; 0.8,0.8", post="none"), PURE


def domain_of(mechanism):
    reads = getattr(mechanism, "query", mechanism).reads
    if reads == "points":
        return LINE if isinstance(mechanism, (SampleAggregate, InteriorPoint)) else SQUARE
    return COLOURS_OF.get(mechanism.name, COLOURS) if reads == "categories" else WEIGHTS


COLOURS_OF = {"randomized-response": CategoryDomain(["colour"], [["red", "green", "blue"]])}
SCALARS, VECTORS = list(scalars()), list(vectors())
CHOICES = sorted(other_choices(), key=lambda case: repr(case[0]))
OURS = [case for case in SCALARS if not isinstance(case[0], Peer)]
PEERS = [case for case in SCALARS if isinstance(case[0], Peer)]


def consistent(mechanism, privacy, runs):
    pairs = worst_case_pairs(mechanism, domain_of(mechanism), 1000, privacy)
    for seed, pair in enumerate(pairs):
        found = audit_run(mechanism, pair, privacy, runs=runs, seed=seed, confidence=CONFIDENCE).audit
        assert found.verdict == "consistent", (pair.name, found)


def named(cases):
    return [pytest.param(*case, id=f"{case[0].name}-{place}") for place, case in enumerate(cases)]


def parts(case):
    """Return method and query, and the noise."""
    return (type(case[0]), case[0].query, getattr(case[0], "noise", None))


@pytest.mark.parametrize(("mechanism", "privacy"), thinned(OURS, parts, lambda case: case[0].name))
def test_releases_of_numbers(mechanism, privacy):
    consistent(mechanism, privacy, 10_000)


QUICK = [case for case in VECTORS if isinstance(case[0], SampleAggregate) or case[0].name == "noisy-average"]


@pytest.mark.parametrize(("mechanism", "privacy"), named(QUICK[:-2] + QUICK[-1:]))
def test_releases_of_aggregates(mechanism, privacy):
    consistent(mechanism, privacy, 4000)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "privacy"), named(PEERS))
def test_releases_of_other_libraries(mechanism, privacy):
    consistent(mechanism, privacy, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "privacy"), named(OURS))
def test_many_releases_of_numbers(mechanism, privacy):
    consistent(mechanism, privacy, 400_000)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "privacy"), named(VECTORS))
def test_many_releases_of_vectors(mechanism, privacy):
    """At least 2,000, and 100,000 where they are drawn many at a time."""
    consistent(mechanism, privacy, 100_000 if mechanism in [case[0] for case in QUICK[:-2]] else 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "privacy"), named(CHOICES))
def test_many_releases_by_other_choices(mechanism, privacy):
    consistent(mechanism, privacy, 2000)
