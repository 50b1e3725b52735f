"""Epsilon for a record that is left empty: all databases of all sizes, one record of each left out."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.special import ndtr

from engine.audit import audit_run, worst_case_pairs
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.frontier.metric_median import MetricMedian
from engine.ledger import Cost
from engine.mechanisms import (
    MECHANISMS,
    PLANTED,
    ContingencyTable,
    CountingQueries,
    Mode,
    NoisyHistogram,
    SortedHistogram,
)
from engine.mechanisms.base import ledger_cost
from engine.primitives.accounting import Concentrated
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy

PRIVACY = Privacy(0.7, 1e-6)
SQUARE = Box.of([0, 0], [1, 1])
LISTS = CategoryDomain(["a", "b"], [["x", "y"], ["x", "y"]])
CORNERS = list(itertools.product([0.0, 1.0], repeat=2))
COUNTED = [
    NoisyHistogram(bins=2, relation=ZERO_OUT),
    CountingQueries(where="> 0.5; < 0.5; 2: > 0.5", relation=ZERO_OUT),
    CountingQueries(where="> 0.2; > 0.5; 2: > 0.5", relation=ZERO_OUT),
    ContingencyTable(relation=ZERO_OUT),
    ContingencyTable(margins="singles", relation=ZERO_OUT),
    SortedHistogram(relation=ZERO_OUT),
]


def name(mechanism):
    return "-".join(map(str, (mechanism.name, *list(mechanism.settings().values())[:1])))


SOME = [some for n in range(1, 4) for some in itertools.combinations_with_replacement(CORNERS, n)]
"""All databases of 1 to 3 records, as sorted tuples of records."""


def made(mechanism, some):
    """Return a database as the mechanism reads it."""
    if mechanism.reads == "points":
        return Points(some, SQUARE)
    return Categories(np.array(some, dtype=int), LISTS)


LEFT_OUT = [(x, x[:place] + x[place + 1 :]) for x in SOME for place in range(len(x)) if len(x) > 1]
"""Each database with each of those in which a record of it is left empty."""

REPLACED = [
    (x, y)
    for x, y in itertools.combinations(SOME, 2)
    if len(x) == len(y) and (Counter(x) - Counter(y)).total() == 1
]
"""All pairs of databases of which one record is another."""


def changes(mechanism, pairs):
    """Return by how much all counts change, and the scale of the noise."""
    make = mechanism._sanitizer if isinstance(mechanism, NoisyHistogram) else mechanism.prepare
    ready = {some: make(made(mechanism, some), PRIVACY) for some in SOME}
    (scale,) = {each.noise["scale"] for each in ready.values()}
    return [np.abs(ready[x].counts - ready[y].counts) for x, y in pairs], scale


@pytest.mark.parametrize("mechanism", COUNTED, ids=name)
def test_laplace_noise_is_for_the_worst_record_that_is_left_empty(mechanism):
    found, scale = changes(mechanism, LEFT_OUT)
    assert max(each.sum() for each in found) / scale == pytest.approx(PRIVACY.epsilon, rel=1e-12)
    both, _ = changes(mechanism, REPLACED)
    cost, rho = ledger_cost(mechanism, PRIVACY)
    assert (
        PRIVACY.epsilon <= max(each.sum() for each in both) / scale * (1 + 1e-12) <= cost.epsilon * (1 + 1e-9)
    )
    assert rho.rho == pytest.approx(cost.epsilon**2 / 2)
    assert cost == Privacy(2 * PRIVACY.epsilon)


@pytest.mark.parametrize("mechanism", COUNTED, ids=name)
def test_gaussian_noise_keeps_its_exact_condition(mechanism):
    mechanism = type(mechanism)(**mechanism.settings() | {"noise": "gaussian"})
    found, sigma = changes(mechanism, LEFT_OUT)
    mu, epsilon = math.sqrt(max((each**2).sum() for each in found)) / sigma, PRIVACY.epsilon
    delta = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    assert delta == pytest.approx(PRIVACY.delta, rel=1e-6)
    both, _ = changes(mechanism, REPLACED)
    _, rho = ledger_cost(mechanism, PRIVACY)
    assert max((each**2).sum() for each in both) / sigma**2 / 2 <= rho.rho
    # what is sent to group privacy is what one record costs
    assert rho.rho == pytest.approx(4 * mu**2 / 2)


CHOICES = [
    Mode(relation=ZERO_OUT),
    Mode(choice="permute-and-flip", relation=ZERO_OUT),
    *(MetricMedian(norm=norm, parts=2, relation=ZERO_OUT) for norm in ("L2", "L1", "L-infinity")),
    MetricMedian(among="0,0; 0.3,0.2; 1,1", relation=ZERO_OUT),
]


@pytest.mark.parametrize("mechanism", CHOICES, ids=name)
def test_a_choice_keeps_epsilon_where_a_record_is_left_empty(mechanism):
    """Exact probabilities of every choice, of all databases of up to 3 records."""
    logs = {some: np.log(mechanism.prepare(made(mechanism, some), PRIVACY).probabilities) for some in SOME}

    def worst(pairs):
        return max(np.abs(logs[x] - logs[y]).max() for x, y in pairs)

    assert 0.5 * PRIVACY.epsilon < worst(LEFT_OUT) <= PRIVACY.epsilon * (1 + 1e-12)
    assert PRIVACY.epsilon < worst(REPLACED) <= 2 * PRIVACY.epsilon * (1 + 1e-12)


@pytest.mark.parametrize(
    "mechanism", [CountingQueries(where="> 0.5", relation=ZERO_OUT), COUNTED[3]], ids=name
)
def test_half_of_the_noise_is_found_and_the_right_noise_is_not(mechanism):
    """The lower bound holds with probability 1 - 1e-6, so that a false alarm is as improbable."""
    domain = SQUARE if mechanism.reads == "points" else LISTS
    assert not PLANTED["histogram-scale-one"].applies_to(mechanism)
    mistaken = PLANTED["halved-scale"].planted(mechanism)
    for audited, violated in ((mechanism, False), (mistaken, True)):
        pair = worst_case_pairs(audited, domain, 20, Privacy(1.0))[0]
        assert (pair.data.n, pair.neighbour.n) == (20, 19)
        found = audit_run(audited, pair, Privacy(1.0), runs=10_000, seed=1, confidence=1 - 1e-6).audit
        assert found.violated == violated, found


def test_a_release_states_its_neighbours_and_the_ledger_counts_two_steps():
    mechanism = Mode(relation=ZERO_OUT)
    data = made(mechanism, SOME[-1])
    release = mechanism.run(data, Privacy(1.0))
    assert (release.neighbours, release.privacy) == (ZERO_OUT, Privacy(1.0))
    cost = Cost.of(mechanism, Privacy(1.0))
    assert (cost.neighbours, cost.privacy) == (ZERO_OUT, Privacy(1.0))
    assert (cost.row.neighbours, cost.row.privacy) == (NEIGHBOURS, Privacy(2.0))
    assert cost.row.concentrated == Concentrated(0.5)
    assert cost.row.concentrated == Cost.of(Mode(), Privacy(2.0)).concentrated


def test_the_switch_is_declared_once_and_where_counts_alone_depend_on_the_data():
    having = {
        each.name for each in MECHANISMS.values() if any(p.name == "relation" for p in each.parameters())
    }
    assert having == {
        *("histogram-noisy", "privtree", "counts", "contingency-table", "sorted-histogram", "mode"),
        *("lloyd", "metric-median", "interior-point", "stable-cell"),
    }
    declared = [next(p for p in MECHANISMS[each].parameters() if p.name == "relation") for each in having]
    assert len({(p.label, p.help, p.choices) for p in declared}) == 1
    with pytest.raises(ParameterError, match="relation"):
        Mode(relation="add")


def test_groups_cost_the_square_of_their_size_in_concentrated_privacy():
    """Gaussian noise attains it: g records move the mean g times as far."""
    assert Concentrated(0.25).for_group(3) == Concentrated(9 * 0.25)
    assert Concentrated(0.25, 1e-9).for_group(1) == Concentrated(0.25, 1e-9)
    for wrong, size in ((Concentrated(0.25), 0), (Concentrated(0.25, 1e-9), 2)):
        with pytest.raises(ParameterError, match="group"):
            wrong.for_group(size)
