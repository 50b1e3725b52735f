"""Graphs in the files of other programs: edges, weights, vertices without edges, and what is refused."""

import json

import pytest

from engine import MstCost, TriangleCount
from engine.data import EdgeColumns, guess_columns, read_edges, read_table
from engine.data.edges import read_vertices
from engine.data.identity import file_identity
from engine.data.reading import read_file
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.domain import Interval
from engine.errors import DataError, NamesInDoubt

GML = """# made by hand
Author x.y
Creator "a program"
Version 1
graph [
 directed 0
 node [ id 1 label "A" graphics [ x 1.5 fill "#fff" ] ]
 node [ id 2 label "B" ]
 # a comment
 node [ id 3 label "C &amp; D" ]
 node [ id 4 label "alone" ]
 edge [ source 1 target 2 weight 2.5 ]
 edge [ source 2 target 3 weight 1.5 label "x" ]
 edge [ source 1 target 3 weight 3 label "y" ]
]
"""
PAJEK = """*Vertices 4
1 "A"  0.1 0.2 ic Red
2 "B"
3 "C"
*Edges
1 2 2.5
2 3 1.5
1 3 3
"""
DIMACS = "c demo\np sp 4 3\na 1 2 2.5\na 2 3 1.5\na 1 3 3\n"
GEXF = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="undirected">
<attributes class="edge"><attribute id="0" title="years" type="integer"/></attributes>
<nodes><node id="0" label="A"/><node id="1" label="B"/>
<node id="2" label="C"/><node id="3" label="D"/></nodes>
<edges><edge id="0" source="0" target="1" weight="2.5"/>
<edge id="1" source="1" target="2" weight="1.5">
<attvalues><attvalue for="0" value="7"/></attvalues></edge>
<edge id="2" source="0" target="2" weight="3"/></edges></graph></gexf>
"""
MATRIX = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n4 4 3\n2 1 2.5\n3 2 1.5\n3 1 3\n"
LINKS = [{"source": 0, "target": 1, "weight": 2.5}, {"source": 1, "target": 2, "weight": 1.5}]
LINKS += [{"source": 0, "target": 2, "weight": 3}]
NODES = [{"id": number} for number in range(4)]
NETWORKX = {"directed": False, "multigraph": False, "graph": {}, "nodes": NODES, "links": LINKS}
D3 = {"nodes": [{"name": name} for name in "ABCD"], "links": LINKS}
CYTOSCAPE = {
    "elements": {"nodes": [{"data": one} for one in NODES], "edges": [{"data": one} for one in LINKS]}
}
JGF = {"graph": {"nodes": {str(number): {} for number in range(4)}, "edges": LINKS}}

WITH_ALL_VERTICES = {
    "g.gml": GML,
    "g.net": PAJEK,
    "g.gr": DIMACS,
    "g.gexf": GEXF,
    "g.mtx": MATRIX,
    "nl.json": json.dumps(NETWORKX),
    "d3.json": json.dumps(D3, indent=1),
    "cytoscape.json": json.dumps(CYTOSCAPE),
    "jgf.json": json.dumps(JGF),
    "g.lgl": "# a\nb 2.5\nc 3\n# b\nc 1.5\n# d\n",
}
EDGE_LISTS = {
    "blanks.edges": "a b 2.5\nb  c\t1.5\na c 3\n",
    "g.ncol": "a b 2.5\nb c 1.5\na c 3",
    "tabs.edges": "Anna Maria\tBob\t2.5\nBob\tC\t1.5\nAnna Maria\tC\t3\n",
    "quotes.edges": '"Anna Maria" Bob 2.5\nBob C 1.5\n"Anna Maria" C 3\n',
    "networkx.txt": "a b {'weight': 2.5}\nb c {'weight': 1.5}\na c {'weight': 3}\n",
    "networkx.edgelist": "0 1 {'weight': 2.5}\n1 2 {'weight': 1.5, 'kind': 'x y'}\n0 2 {'weight': 3}\n",
    "commas.edges": "% a comment\n1,2,2.5\n2,3,1.5\n1,3,3\n",
    "snap.txt": "# Undirected graph\n# FromNodeId\tToNodeId\n0\t1\t2.5\r\n1\t2\t1.5\r\n2\t0\t3\r\n",
    "out.konect": "% sym weighted\n% 3 3 3\n1 2\t2.5 \n2 3\t1.5 \n1 3\t3 \n",
}


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


@pytest.mark.parametrize("name", WITH_ALL_VERTICES)
def test_edges_weights_and_all_vertices_are_read(file, name):
    table = read_table(file(name, WITH_ALL_VERTICES[name]))
    assert guess_columns(table) == EdgeColumns()
    edges = read_edges(table)
    assert (edges.n, list(edges.weights)) == (4, [2.5, 1.5, 3] if name != "g.lgl" else [2.5, 3, 1.5])
    assert TriangleCount().value(edges.simple()) == 1
    assert table.release_problem == ""


@pytest.mark.parametrize("name", EDGE_LISTS)
def test_lists_of_edges_need_no_header(file, name):
    edges = read_edges(read_table(file(name, EDGE_LISTS[name])))
    assert (edges.n, list(edges.weights)) == (3, [2.5, 1.5, 3])
    assert MstCost().value(edges.weighted(Interval(0, 10))) == 4


def test_rows_count_the_lines_of_the_file(file):
    path = file("twice.txt", "# a graph\n\n0 1\n1 2\n# another\n1 0\n")
    with pytest.raises(DataError, match=r"twice.txt, row 5: it repeats the edge of row 3"):
        read_edges(read_table(path), EdgeColumns(weight=None))
    path = file("wide.edges", "# a comment\n0 1\n1 2 5\n")
    with pytest.raises(
        DataError, match=r"wide.edges, row 3: it must have 2 fields like the first row"
    ) as caught:
        read_table(path)
    assert caught.value.confidential == "3 fields"


def test_vertices_stay_as_they_are_written(file):
    edges = read_edges(read_table(file("a.edges", "007 7\n7 1e3\n")), EdgeColumns(weight=None))
    assert edges.labels == ("007", "7", "1e3")
    sides = read_edges(read_table(file("out.bip", "% bip\n1 1\n1 2\n")), EdgeColumns(weight=None))
    assert sides.labels == ("left 1", "right 1", "right 2")


def test_more_columns_have_names(file):
    table = read_table(
        file("out.x", "% asym\n1 2 3 1000 5\n2 3 4 1001 6\n".replace(" 5", "").replace(" 6", ""))
    )
    assert table.data.column_names == ["source", "target", "weight", "time"]
    assert table.data.column("weight").to_pylist() == [3, 4]


def test_numbers_without_a_header_are_edges_only_where_edges_are_asked_for(file):
    for name, text in (("plain.txt", "0 1\n1 2\n2 0\n"), ("plain.csv", "5,1\n1,2\n2,5\n")):
        path = file(name, text)
        with pytest.raises(NamesInDoubt):
            read_file(path, ReadingOptions(delimiter=text[1]))
        table = read_file(path, DETECTED, edges=True)
        assert (table.data.column_names, table.n) == (["source", "target"], 3)
        # the ledger knows the same dataset, however it is read
        plain = read_file(path, ReadingOptions(delimiter=text[1], header="0"))
        stated = ReadingOptions(delimiter=text[1], header="0")
        known = file_identity(plain, path, reading=stated)
        assert file_identity(table, path).digest == known.digest


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("savetxt.txt", "# x y\n1.5 2.5\n3.5 4.5\n"),
        ("counts.txt", "# x y\n1 2\n3 4\n"),
        ("wide.txt", "# a graph\n1 2 3 4 5\n6 7 8 9 10\n"),
        ("named.edges", "source,target\na,b\nb,c\n"),
        ("snap.edges", "FromNodeId ToNodeId\n1 2\n2 3\n"),
        ("pandas.csv", "0,1\n1,2\n2,3\n"),
        ("people.csv", "source,target,weight\n1,2,3\n2,3,4\n"),
    ],
)
def test_other_tables_stay_tables(file, name, text):
    try:
        table = read_file(file(name, text), DETECTED, edges="a graph" not in text and "#" not in text)
    except DataError:
        return
    assert table.reading.format != "edge-list"


def test_a_stated_option_of_tables_reads_a_table(file):
    path = file("numbers.txt", "# edges\n1\t2\n3\t4\n")
    assert read_table(path).reading.format == "edge-list"
    table = read_table(path, comment="#", delimiter="\t", header="0")
    assert table.data.column_names == ["column 1", "column 2"]
    assert table.numbers("column 1").values.tolist() == [1, 3]
    with pytest.raises(DataError, match="it is read as GML, which has no header to be stated; leave it out"):
        read_table(file("g.gml", GML), header="1")


def test_both_directions_of_a_matrix_are_two_records(file):
    general = "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 1\n2 3\n3 3\n"
    edges = read_edges(
        read_table(file("g.mtx", general)), EdgeColumns(weight=None), duplicates="lightest", loops="drop"
    )
    assert (edges.n, edges.merged, edges.loops, len(edges.ends)) == (3, 1, 1, 2)
    # an entry that is stored is an edge, whatever its weight
    zero = MATRIX.replace("2.5", "0")
    assert read_table(file("z.mtx", zero)).data.column("weight").to_pylist() == [0, 1.5, 3]


def test_directed_edges_are_read_as_undirected_and_that_is_said(file):
    for name, text in (
        ("g.gml", GML.replace("directed 0", "directed 1")),
        ("g.net", PAJEK.replace("*Edges", "*Arcs")),
        ("g.gexf", GEXF.replace("undirected", "directed")),
        ("nl.json", json.dumps(NETWORKX | {"directed": True})),
    ):
        assert "directed edges read as undirected" in read_table(file(name, text)).format


def test_pajek_lists_and_vertices_without_lines(file):
    text = '% c\n*Network n\n*Vertices 5\n1 A\n*Arcslist :1 "r"\n1 2 3\n*Edges\n4 5\n'
    table = read_table(file("g.net", text))
    assert table.data.to_pydict() == {"source": ["1", "1", "4"], "target": ["2", "3", "5"]}
    assert table.vertices == ("1", "2", "3", "4", "5")
    assert read_table(file("t.net", text.replace("*Vertices 5", "*vertices\t5"))).vertices == table.vertices


def test_equal_labels_give_way_to_identifiers(file):
    table = read_table(file("g.gml", GML.replace('"B"', '"A"')))
    assert table.vertices == ("1", "2", "3", "4")


FAULTS = {
    "open.gml": ("graph [ node [ id 1 ]", "the file is truncated"),
    "closed.gml": ("graph [\n]\n]", "line 3: a bracket closes no list"),
    "key.gml": ('graph [\n"x" ]', "line 2: a text has no key"),
    "deep.gml": ("graph " + "[ a " * 100, "line 1: lists are too deep"),
    "two.gml": ("graph [ ] graph [ ]", "it must hold one graph"),
    "none.gml": ("graph [ ]", "there are no edges"),
    "node.gml": ("graph [ node [ id 1 ] edge [ source 1 target 5 ] ]", "there is no such node"),
    "many.net": ("*Vertices 99999999\n", "it declares too many vertices; at most 10,000,000 are possible"),
    "count.net": ("*Vertices\n", "line 1: it must state the number of vertices"),
    "far.net": ("*Vertices 1\n2 x\n", "line 2: it must begin with the number of a vertex"),
    "again.net": (PAJEK + PAJEK, "line 9: a second network begins"),
    "matrix.net": ("*Vertices 2\n*Matrix\n0 1\n1 0\n", "line 2: a matrix is not read"),
    "short.net": ("*Vertices 2\n*Edges\n1\n", "line 3: an edge needs two vertices"),
    "far.gr": ("p sp 2 1\na 1 3 1\n", "row 1, column 'target': there is no such node"),
    "short.gr": ("p sp 2 1\na 1\n", "line 2: an edge needs two vertices"),
    "entity.gexf": ('<?xml version="1.0"?><!DOCTYPE gexf [<!ENTITY a "b">]><gexf/>', "it declares an entity"),
    "cut.gexf": (GEXF[:200], "it is not well-formed XML"),
    "empty.gexf": ("<gexf/>", "it holds no graph"),
    "dense.mtx": ("%%MatrixMarket matrix array real general\n1 1\n0\n", "its matrix is dense"),
    "wide.mtx": ("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n", "of 2 × 3 is not square"),
    "long.mtx": ("%%MatrixMarket matrix coordinate pattern general\n2 2 999\n1 2\n", "the file is truncated"),
    "bad.mtx": ("%%MatrixMarket matrix coordinate\n2 2 9\n1 2\n", "it is not a valid MatrixMarket file"),
    "z.mtx": ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n", "are complex numbers"),
    "cut.json": (json.dumps(NETWORKX)[:-2], "it is not valid JSON"),
    "kind.json": ('{"nodes": [1], "links": []}', "it must hold a list of nodes and a list of links"),
    "x.edgelist": ("0 1 {'weight': 3}\n0 {'weight'", "line 2: it must hold two vertices and a dictionary"),
    "g.dot": (
        "/* a */\n// b\nstrict digraph G {\n a -> b;\n}\n",
        "in the format Graphviz DOT, which is not read",
    ),
    "h.dot": ("graph {\n a -- b;\n}\n", "in the format Graphviz DOT"),
    "g.g6": (">>graph6<<A_\n", "in the format graph6 or sparse6"),
    "g.gdf": ("nodedef>name VARCHAR\na\nedgedef>node1,node2\na,a\n", "in the format GDF"),
    "g.dl": ("dl n=2 format=edgelist1\ndata:\n1 2\n", "in the format UCINET DL"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_one_public_line(file, name):
    text, says = FAULTS[name]
    with pytest.raises(DataError) as caught:
        read_table(file(name, text))
    message = str(caught.value)
    assert says in message
    assert message.startswith(name)
    assert "\n" not in message


def test_a_public_list_of_vertices_may_be_a_graph(file):
    assert read_vertices(file("g.net", PAJEK)) == ("1", "2", "3", "4")


def test_stated_missing_values_are_no_weights_and_no_vertices(file):
    for name, text in (
        ("w.edges", "NA b ?\nb c -9\nNA c 3\n"),
        ("w.net", '*Vertices 3\n1 "NA"\n2 b\n3 c\n*Edges\n1 2 ?\n2 3 -9\n1 3 3\n'),
    ):
        table = read_table(file(name, text), missing_values="weight=?,-9;source=;target=")
        assert table.data.column("weight").to_pylist() == [None, None, 3]
        edges = read_edges(table, missing="drop")
        assert (edges.labels[:1], list(edges.weights), edges.dropped) == (("NA",), [3], 2)
    with pytest.raises(DataError, match=r"w.edges, row 1, column 'source': the value is missing"):
        read_edges(read_table(file("w.edges", "NA b\nb c\n")), EdgeColumns(weight=None))
