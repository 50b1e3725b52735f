"""Whatever epsilon and delta are, one line says what is wrong: in the window and on the command line."""

import math

import pytest
from scripts import example

from app.model.selection import problems, selection
from engine import Lloyd
from engine.catalog import methods, offered, questions
from engine.domain import Box
from engine.extras.frontier.coinpress import CoinPress
from engine.mechanisms import Clusters
from engine.mechanisms.aggregators import AGGREGATORS, WinsorizedAggregator
from engine.mechanisms.base import ledger_cost
from engine.noise.base import EPSILONS, MIN_DELTA
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])
EXTREME = [
    *((epsilon, delta) for epsilon in (5e-324, 1e-300, 1e308) for delta in (0.0, 5e-324, 1e-300)),
    (1.0, 5e-324),
    (EPSILONS[0], MIN_DELTA),
]


def states():
    """Yield all that can be asked for, by name: queries, methods, mechanisms, aggregators and noises."""
    column, points = example("median", "one-to-ten"), example("clustering", "four-heaps")
    graph, words = example("spanning-tree", "k3"), example("histogram", "admissions")
    of = {"column": column, "points": points, "categories": words}
    for name, asked in questions().items():
        yield name, of.get(asked.reads, graph).replaced({"query": name})
    for name in methods():
        yield name, column.replaced({"query": "mean", "method": name})
    for name in AGGREGATORS:
        yield name, points.replaced({"query": "sample-aggregate", "aggregator": name})
    for name in offered("noise"):
        yield name, column.replaced({"noise": name})


@pytest.fixture(scope="module")
def all_states():
    return dict(states())


def test_no_budget_is_an_error_of_the_program(all_states):
    """What makes no sense is a problem beside a field, in words; nothing is raised."""
    said = []
    for state in all_states.values():
        for epsilon, delta in EXTREME:
            extreme = state.replaced({"epsilon": epsilon, "delta": delta})
            found = problems(extreme)
            said += [(problem.field, problem.message) for problem in found]
            if not found:
                ledger_cost(selection(extreme).mechanism, Privacy(epsilon, delta))
    assert len(all_states) > 60
    assert not [words for _, words in said if "\n" in words or "0 is not possible; it must be a" in words]


@pytest.mark.parametrize(
    ("problems_at", "parts"),
    [
        (lambda privacy: Lloyd(rounds=3).problems(privacy, SQUARE, 100), 6),
        (lambda privacy: CoinPress(rounds=1).problems(privacy, SQUARE, 100), 2),
        (
            lambda privacy: WinsorizedAggregator().problems(
                Clusters(k=2).vectors.space(SQUARE), 100, 1, privacy
            ),
            16,
        ),
    ],
)
def test_the_least_epsilon_is_told_of_the_whole_and_not_of_a_step(problems_at, parts):
    least = EPSILONS[0] * parts
    [found] = problems_at(Privacy(math.nextafter(least, 0)))
    assert found.field == "epsilon"
    assert f"at least {least:g}" in found.message
    assert problems_at(Privacy(math.nextafter(least, 1))) == ()
