"""The numbers that lessons tell, computed anew: what is told must stand in the words of its lesson."""

import dataclasses
import math
from functools import cache

import numpy as np
import pytest

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from app.lessons.reading import lessons
from engine import (
    Box,
    Clusters,
    Interval,
    KMeans,
    LaplacePareto,
    MeanFunction,
    Partition,
    Points,
    SampleAggregate,
)
from engine.data.graph import WeightedGraph
from engine.mechanisms import SmoothRelease
from engine.mechanisms.categories.randomized_response import answer_probabilities
from engine.mechanisms.planning import plan_blocks
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import MstCost

LESSONS = {lesson.name: lesson for lesson in lessons()[0]}
SQUARE = Box.of([0, 0], [1, 1])
BELL = 0.67448975  # half of the draws of the standard bell curve are within


@cache
def values(example, column=""):
    """Return the sorted values of a bundled column, as lessons load them."""
    scene = Scene("median", query="mean", example=example, columns=(column,) if column else ())
    return np.sort(load_scene(scene, silent).data["numbers"].values)


@cache
def admitted():
    """Return the share of the applicants that were admitted, and their number."""
    scene = Scene("histogram", query="contingency-table", example="admissions", columns=("admitted",))
    column = load_scene(scene, silent).data["dataset"].table.data["admitted"].to_pylist()
    return column.count("admitted") / len(column), len(column)


def odds(epsilon, prior=0.5):
    """Return the largest belief after a release."""
    after = prior / (1 - prior) * math.exp(epsilon)
    return after / (1 + after)


@cache
def graph(example, upper):
    """Return what is ready to draw the cost of a spanning tree, and A of the first four distances."""
    scene = Scene("spanning-tree", query="mst", example=example)
    edges = load_scene(scene, silent).data["edges"]
    data = WeightedGraph(edges.ends, edges.weights, Interval(0, upper), n=edges.n)
    ready = SmoothRelease(query=MstCost(), noise=LaplacePareto(), clamp="none").prepare(data, Privacy(1.0))
    return ready, MstCost().sensitivity_at_distance(data, 3)


def aggregated(example, columns, box, function, blocks):
    """Return what is known of the center of attention of the results of so many blocks."""
    scene = Scene("clustering", query="sample-aggregate", example=example, columns=columns)
    table = load_scene(scene, silent).data["dataset"].table.data
    data = Points(np.column_stack([table[name].to_numpy() for name in columns]), box)
    mechanism = SampleAggregate(block_function=function, sampling=Partition(blocks=blocks))
    return mechanism.prepare(data, Privacy(1.0)).diagnostics


def told():
    """Yield (lesson, words, number, words of the number) of what is told."""
    yield "local-model", "38.8", 100 * admitted()[0]
    yield "local-model", "4,526", admitted()[1]
    yes = answer_probabilities(1, 2)[0] * admitted()[0] + answer_probabilities(1, 2)[1] * (1 - admitted()[0])
    yield "local-model", "44.8", 100 * yes
    yield "local-model", "73.1", 100 * answer_probabilities(1, 2)[0]
    yield "local-model", "52.5", 100 * answer_probabilities(0.1, 2)[0]
    yield "local-model", "95", 100 * answer_probabilities(3, 2)[0]
    yield "local-model", "15", 100 * deviation(0.1)
    yield "local-model", "1.4", 100 * deviation(1)
    yield "local-model", "0.35", 100 * deviation(3)
    yield "local-model", "0.03", 100 * math.log(2) * 2 / admitted()[1]
    yield "local-model", "1 percentage point", 100 * BELL * deviation(1)
    yield "local-model", "22 of 30", 30 * answer_probabilities(1, 2)[0]
    yield "local-model", "8.", 30 * answer_probabilities(1, 2)[1]
    yield "membership-inference", "13.6", 100 * math.e * 0.05
    yield "membership-inference", "46", 100 * math.tanh(0.5)
    yield "membership-inference", "76", 100 * math.tanh(1)
    yield "membership-inference", "5 %", 100 * math.tanh(0.05)
    yield "membership-inference", "2.7", 100 * odds(1, 0.01)
    yield "membership-inference", "23", 100 * odds(1, 0.1)
    yield "membership-inference", "9.9", 1000 / 101
    three, two = (plan_blocks(Clusters(k=k), SQUARE, 100_000, Privacy(1.0)) for k in (3, 2))
    yield "sample-and-aggregate", "272", three.blocks
    yield "sample-and-aggregate", "367", three.block_size
    yield "sample-and-aggregate", "137", three.blocks // 2 + 1
    yield "two-clusters", "520", two.block_size
    four = plan_blocks(Clusters(k=2), SQUARE, 101, Privacy(1.0))
    yield "two-clusters", "8 blocks", four.blocks

    lesson = "spanning-tree"
    (sixty, far), (roads, _) = graph("k60", 1000.0), graph("roads", 10.0)
    yield lesson, "1,417", sixty.diagnostics["true_value"]
    yield lesson, "78 and", far[0]
    yield lesson, "162", far[3]
    yield lesson, "111", sixty.diagnostics["smooth"]
    yield lesson, "155", sixty.error_quantiles([0.5]).item()
    yield lesson, "693", math.log(2) * 1000
    yield lesson, "9.2", roads.diagnostics["smooth"]
    yield lesson, "12.8", roads.error_quantiles([0.5]).item()
    yield lesson, "6.9", math.log(2) * 10
    middle = aggregated("geyser", ("waiting",), Box.of([30], [120]), MeanFunction(), 57)
    corners = aggregated("four-heaps", ("x", "y"), SQUARE, KMeans(k=2), 8)
    yield "center-of-attention", "67.2 minutes", middle["center"].item()
    yield "center-of-attention", "3.7 minutes", middle["radius"]
    yield "center-of-attention", "30 results", middle["majority"]
    yield "center-of-attention", "7.6 here", middle["smooth"]
    yield "two-clusters", "1.42", corners["smooth"]
    yield "two-clusters", "2. Noise", corners["global"]
    yield "two-clusters", "0.2,", corners["radius"]


def deviation(epsilon):
    """Return the standard error of a share of two categories, from randomized answers."""
    p, q = answer_probabilities(epsilon, 2)
    return math.sqrt(p * q / admitted()[1]) / (p - q)


NUMBERS = {"twelve billion": 12.0, "ten trillion": 10.0}


@pytest.mark.parametrize(("name", "words", "number"), list(told()))
def test_a_number_is_told_and_true(name, words, number):
    assert any(words in str(step) for step in map(dataclasses.asdict, LESSONS[name].steps))
    digits = words.replace(",", "").split(" ")[0].rstrip(".")
    claimed = NUMBERS.get(words) or float(digits)
    decimals = len(digits.split(".")[1]) if "." in digits else 0
    assert number == pytest.approx(claimed, abs=0.501 * 10**-decimals if words not in NUMBERS else 0.7)
