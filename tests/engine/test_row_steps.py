"""How many steps between neighbours one row of a file is worth, by enumeration of tiny files."""

import itertools

import pytest

from engine.components import asked_of
from engine.mechanisms import MECHANISMS, LaplaceRelease
from engine.mechanisms.parts import EachPart
from engine.privacy import (
    EDGE,
    EDGE_WEIGHT,
    NEIGHBOURS,
    NODE,
    OF_PERSONS,
    PERSON,
    PERSON_SAME_GROUP,
    ROW_STEPS,
    SAME_GROUP,
    ZERO_OUT,
    neighbours_of,
)
from engine.queries import QUERIES


def distances(states, near):
    """Return the least number of steps from every state to all that are reached from it."""
    steps = {state: [other for other in states if near(state, other)] for state in states}
    found = {}
    for start in states:
        known, border = {start: 0}, [start]
        while border:
            border = [other for state in border for other in steps[state] if known.setdefault(other, -1) < 0]
            border = list(dict.fromkeys(border))
            reached = max(known.values()) + 1
            known |= dict.fromkeys(border, reached)
        found[start] = known
    return found


def differ(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def of_values(near, values, n):
    """Tables of n rows; what a row says is the record."""
    tables = list(itertools.product(values, repeat=n))
    found = distances(tables, near)
    # a row of a file holds a value; an empty one is what zero-out neighbours are about
    filled = [table for table in tables if None not in table]
    return [found[x].get(y) for x in filled for y in filled if differ(x, y) == 1]


def left_empty(x, y):
    return differ(x, y) == 1 and any(None in (a, b) for a, b in zip(x, y, strict=True) if a != b)


PAIRS = list(itertools.combinations(range(5), 2))


def graphs(near, vertices=4):
    """Files of edges; a row that changes adds an edge, removes one, or both (repeated rows are one edge)."""
    pairs = [pair for pair in PAIRS if max(pair) < vertices]
    every = [
        frozenset(some) for size in range(len(pairs) + 1) for some in itertools.combinations(pairs, size)
    ]
    found = distances(every, near)
    return [found[x].get(y) for x in every for y in every if x != y and len(x - y) <= 1 >= len(y - x)]


def by_an_edge(x, y):
    return len(x ^ y) == 1


def by_a_vertex(x, y):
    return x != y and bool(set.intersection(*(set(pair) for pair in x ^ y)))


def of_persons(rows):
    """Files of at most `rows` rows, each of person a or b with a value 0 or 1; both persons have rows."""
    owned = [
        values for size in range(1, rows) for values in itertools.combinations_with_replacement((0, 1), size)
    ]
    states = [(a, b) for a in owned for b in owned if len(a) + len(b) <= rows]
    found = distances(states, lambda x, y: differ(x, y) == 1)  # all rows of one person may change
    every = [(who, value) for who in (0, 1) for value in (0, 1)]
    files = [file for file in itertools.product(every, repeat=rows) if {who for who, _ in file} == {0, 1}]

    def state(file):
        return tuple(tuple(sorted(value for who, value in file if who == one)) for one in (0, 1))

    return [found[state(x)].get(state(y)) for x in files for y in files if differ(x, y) == 1]


WAYS = {
    NEIGHBOURS: lambda: of_values(lambda x, y: differ(x, y) == 1, (0, 1, 2), 3),
    # the ends of all edges are public: the rows of two files that may be neighbours differ in weights
    EDGE_WEIGHT: lambda: of_values(lambda x, y: differ(x, y) == 1, (0.0, 0.5, 1.0), 3),
    # the group of each row is public: the rows of two files that may be neighbours differ in the rest
    SAME_GROUP: lambda: of_values(lambda x, y: differ(x, y) == 1, (0, 1, 2), 3),
    PERSON: lambda: of_persons(3),
    # the groups of both persons are public
    PERSON_SAME_GROUP: lambda: of_persons(3),
    ZERO_OUT: lambda: of_values(left_empty, (None, 0, 1), 3),
    EDGE: lambda: graphs(by_an_edge),
    NODE: lambda: graphs(by_a_vertex),
}


def test_every_relation_of_the_catalog_is_here():
    stated = {each.neighbours for each in QUERIES.values()}
    made = [each() for each in MECHANISMS.values()]
    stated |= {each.relation for each in made} | {neighbours_of(asked_of(each)) for each in made}
    choices = {
        choice
        for each in MECHANISMS.values()
        for declared in each.parameters()
        if declared.name == "relation"
        for choice in declared.choices
    }
    stated |= {EachPart(LaplaceRelease()).relation, *OF_PERSONS.values()}
    assert stated | choices == set(ROW_STEPS) == set(WAYS)


@pytest.mark.parametrize("relation", WAYS)
def test_one_row_is_at_most_so_many_steps_and_no_fewer_are_enough(relation):
    found = WAYS[relation]()
    assert None not in found
    assert len(found) > 10
    assert max(found) == ROW_STEPS[relation]


def test_a_row_whose_new_edge_shares_a_vertex_is_one_step_between_vertices():
    pairs = [pair for pair in PAIRS if max(pair) < 4]
    for old, new in itertools.permutations(pairs, 2):
        assert by_a_vertex(frozenset([old]), frozenset([new])) == bool(set(old) & set(new))
