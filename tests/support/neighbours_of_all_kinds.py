"""Pairs of neighbouring databases of every kind, in files, and the mechanisms that read them."""

import random

from engine.catalog import methods, questions, sanitizers
from engine.mechanisms import MECHANISMS

N = 400
ROW = 17
"""The record that is replaced."""

_random = random.Random(5)
_XS, _YS = ([round(_random.uniform(5, 95), 2) for _ in range(N)] for _ in "xy")
_WORDS = [_random.choice(("red", "blue")) for _ in range(N)]
PEOPLE = {"name": [f"p{index}" for index in range(N)], "c": _WORDS, "x": _XS, "y": _YS}

_PAIRS = sorted({tuple(sorted(_random.sample(range(14), 2))) for _ in range(40)})
EDGES = {"source": [f"v{a}" for a, _ in _PAIRS], "target": [f"v{b}" for _, b in _PAIRS]}
WEIGHTS = {**EDGES, "weight": [round(_random.uniform(0.5, 9), 2) for _ in _PAIRS]}


def but(columns, row=ROW, **cells):
    """Return columns with other cells in one row."""
    made = {name: list(column) for name, column in columns.items()}
    for name, cell in cells.items():
        made[name][row] = cell
    return made


def without(columns, row):
    """Return columns without a row."""
    return {name: column[:row] + column[row + 1 :] for name, column in columns.items()}


def _all(cell):
    return {**PEOPLE, "x": [cell] * N, "y": [cell] * N}


_SORTED = {**PEOPLE, "x": sorted(_XS), "y": sorted(_YS)}
_WHOLE = {**PEOPLE, "x": [float(round(cell)) for cell in _XS], "y": [float(round(cell)) for cell in _YS]}
_FAR = {"x": -7731.25, "y": 99999.5}
_HOLE = but(PEOPLE, 3, x=None, y=None, c=None)
_FILLED = ("--missing", "fill")


def _records(fill):
    """Return files of people that differ in one, with what stands for missing values."""
    filled = (*_FILLED, "--fill", fill)
    return {
        "another person": (PEOPLE, but(PEOPLE, name="Zyxwarg the longest name of all", c="blue", **_FAR), ()),
        "letters beyond ASCII": (PEOPLE, but(PEOPLE, name="Zoë", x=50.0, y=50.0), ()),
        "all alike": (_all(50.0), but(_all(50.0), **_FAR), ()),
        "the end of a sorted file": (_SORTED, but(_SORTED, N - 1, x=5.0, y=5.0), ()),
        "whole numbers": (_WHOLE, but(_WHOLE, x=50.125, y=7.5), ()),
        "a cell left empty and filled": (PEOPLE, but(PEOPLE, x=None, y=None, c=None), filled),
        "no cell left empty any more": (_HOLE, but(_HOLE, 3, x=1e9, y=-1e9, c="red"), filled),
        "beside records that are dropped": (_HOLE, but(_HOLE, **_FAR), ("--missing", "drop")),
    }


RECORDS = _records("0")
"""By what differs: two files of people, and what must be said of them."""

CATEGORIES = {
    **{name: pair for name, pair in _records("red").items() if name not in ("all alike", "whole numbers")},
    "not on the list": (PEOPLE, but(PEOPLE, c="Zyxwarg"), ("--unseen", "other")),
    "as all are": ({**PEOPLE, "c": ["red"] * N}, but({**PEOPLE, "c": ["red"] * N}, c="blue"), ()),
}

PAIRS = {
    "column": RECORDS,
    "points": _records("0,0"),
    "categories": CATEGORIES,
    "weighted-graph": {
        "a weight beyond the bound": (WEIGHTS, but(WEIGHTS, weight=9999.75), ()),
        "a weight of 0": (WEIGHTS, but(WEIGHTS, weight=0), ()),
        "a weight left empty and filled": (WEIGHTS, but(WEIGHTS, weight=None), (*_FILLED, "--fill", 5)),
    },
    "simple-graph": {
        "an edge removed": (EDGES, without(EDGES, ROW), ()),
        "the last edge of a vertex": (
            {name: [*column, end] for (name, column), end in zip(EDGES.items(), ("v3", "far"), strict=True)},
            EDGES,
            (),
        ),
    },
}
"""By the kind of data: pairs of neighbours."""

READ = {
    "column": ("--column", "x", "--lower", 0, "--upper", 100),
    "points": ("--column", "x", "--column", "y", "--lower", 0, "--upper", 100),
    "categories": ("--column", "c", "--categories", "red,blue"),
    "weighted-graph": ("--upper", 10),
    "simple-graph": ("--vertices", 20),
}
"""By the kind of data: what is public about them."""

MORE = {
    **dict.fromkeys(("one-cluster", "k-balls", "screened-mean"), ("--t", 300, "--epsilon", 4)),
    "perceptron": ("--epsilon", 2),
    "propose-test-release": ("--bound", 0.5),
}
"""What some need beside epsilon = 1 and delta = 1e-6."""


def mechanisms():
    """Yield all mechanisms with a promise: a name, the kind of data that it reads, and its words."""
    for name, question in questions().items():
        if name not in sanitizers():
            for method in methods():
                words = (name, "--method", method, *READ[question.reads])
                yield f"{name}-{method}", question.reads, words + _budget(MORE.get(method, ()))
        elif MECHANISMS[name]().facts.is_private:
            reads = "column" if name in ("interior-point", "quantiles") else question.reads
            yield name, question.reads, (name, *READ[reads], *_budget(MORE.get(name, ())))


def _budget(more):
    return (*(() if "--epsilon" in more else ("--epsilon", 1)), "--delta", 1e-6, *more)
