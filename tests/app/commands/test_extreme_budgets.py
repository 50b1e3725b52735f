"""An epsilon and a delta near 0 are refused in one line, whatever is run."""

import pytest

from engine.catalog import questions
from engine.extras.libraries.library import Peer
from engine.mechanisms import MECHANISMS
from engine.mechanisms.aggregators import AGGREGATORS

EXAMPLES = {
    "column": "one-to-ten",
    "points": "four-heaps",
    "categories": "admissions",
    "weighted-graph": "k3",
    "simple-graph": "karate",
}
TINY = ("--epsilon", "5e-324", "--delta", "5e-324", "--seed", "1")


def commands():
    for name, asked in questions().items():
        # other libraries are looked up first, which takes seconds
        if name not in MECHANISMS or (
            MECHANISMS[name].facts.is_private and not issubclass(MECHANISMS[name], Peer)
        ):
            yield (name, "--example", EXAMPLES[asked.reads])
    for name in AGGREGATORS:
        yield ("sample-aggregate", "--aggregator", name, "--example", EXAMPLES["points"])


def test_a_budget_near_0_is_refused_in_one_line(refused):
    for words in commands():
        said = refused("run", *words, *TINY)
        assert "0 is not possible; it must be a finite number" not in said, (words, said)


@pytest.mark.parametrize(
    ("words", "least"), [(("lloyd", "--rounds", "3"), "6e-09"), (("perceptron", "--rounds", "7"), "7e-09")]
)
def test_the_least_epsilon_is_that_of_all_steps_together(refused, words, least):
    said = refused("run", *words, "--example", "geyser", "--epsilon", "1e-9")
    assert f"at least {least}" in said
