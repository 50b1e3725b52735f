"""Public lists of vertices, from files of any kind; and what nobody may learn of those that edges name."""

import itertools

import numpy as np
import pyarrow as pa
import pytest
from table_files import write

from engine import TriangleCount
from engine.data import EdgeColumns, Table, read_edges
from engine.data.edges import read_vertices
from engine.errors import DataError, ParameterError
from engine.mechanisms import MECHANISMS
from engine.randomness import reproducible

GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="x"/><node id="y"/><node id="alone"/><edge source="x" target="y"/></graph></graphml>"""


def test_a_name_in_each_line(tmp_path):
    assert read_vertices(write(tmp_path, "\ufeffAda \n\n Alan\n7\n")) == ("Ada", "Alan", "7")


def test_a_column_of_a_table(tmp_path):
    path = write(tmp_path, "id;name\n1;Ada\n2;\n3;Alan\n")
    assert read_vertices(path, "name") == ("Ada", "Alan")
    assert read_vertices(path, "id") == ("1", "2", "3")
    with pytest.raises(DataError, match="there is no column 'nam'; try name"):
        read_vertices(path, "nam")


def test_the_nodes_of_graphml_where_they_are_stated_as_public(tmp_path):
    assert read_vertices(write(tmp_path, GRAPHML, "net.graphml")) == ("x", "y", "alone")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no name of a vertex in it"),
        ("\n \n", "no name of a vertex in it"),
        ("marked\nb\nmarked\n", "people.csv, row 3: the vertex of row 1 stands there again"),
        (b"\xff\xfe\xff", "is not UTF-8"),
    ],
)
def test_what_is_no_list(tmp_path, text, problem):
    with pytest.raises(DataError, match=problem) as caught:
        read_vertices(write(tmp_path, text))
    assert "marked" not in str(caught.value)
    with pytest.raises(DataError, match="cannot be read"):
        read_vertices(tmp_path / "nowhere.txt")


PAIRS = list(itertools.combinations("abcd", 2))


def graph_of(pairs, **stated):
    source, target = zip(*pairs, strict=True)
    edges = read_edges(Table("net", pa.table({"source": source, "target": target})), EdgeColumns(weight=None))
    names = stated.get("names")
    return (edges.listed(names) if names else edges), stated.get("n")


def test_size_and_names_never_depend_on_the_edges():
    """All graphs on four vertices: with the number alone n is that, with the list the labels are, too."""
    sizes = set()
    for joined in itertools.product([False, True], repeat=len(PAIRS)):
        pairs = list(itertools.compress(PAIRS, joined))
        if not pairs:
            continue
        edges, n = graph_of(pairs, n=4)
        by_number = edges.simple(n)
        listed, _ = graph_of(pairs, names="dcba")
        by_list = listed.simple()
        sizes |= {(one.n, str(one.facts), one.records, one.release_problem) for one in (by_number, by_list)}
        assert listed.labels == tuple("dcba")
        assert edges.simple().release_problem
        assert len(by_number.ends) == len(by_list.ends) == len(pairs)
        expected = sorted(sorted("dcba".index(end) for end in pair) for pair in pairs)
        np.testing.assert_array_equal(sorted(by_list.ends.tolist()), expected)
        if len(edges.labels) == 4:
            with pytest.raises(ParameterError, match=r"^vertices: 3 are too few; more are named$"):
                edges.simple(3)
    assert len(sizes) == 1


@pytest.mark.parametrize("method", ["smooth", "laplace", "ladder", "lipschitz-extension"])
def test_nothing_is_released_of_vertices_that_were_counted(method):
    mechanism = MECHANISMS[method](query=TriangleCount())
    edges, n = graph_of(PAIRS[:4], n=6)
    with pytest.raises(DataError, match="the vertices are counted from the edges"):
        mechanism.run(edges.simple(), 1.0)
    assert mechanism.run(edges.simple(), 1.0, reproducible(1)).simulated
    for stated in (edges.simple(n), edges.listed("abcdef").simple()):
        assert not mechanism.run(stated, 1.0).simulated
