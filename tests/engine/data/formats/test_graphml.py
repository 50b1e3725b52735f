"""GraphML: what is read of it."""

import numpy as np
import pytest
from graphml import EDGES, HEAD, NET, NODES, WEIGHT, document, graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.data import EdgeColumns, guess_columns, load_example, read_edges, read_table
from engine.data.edges import UndecidedEdges
from engine.domain import Interval
from engine.errors import DataError, SensiscopeError
from engine.progress import Cancelled


def test_edges_are_the_records(read_graphml):
    table = read_graphml(NET)
    assert table.data.to_pydict() == {"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.0]}
    assert (table.source, table.first_row, table.format) == ("net.graphml", 1, "GraphML, undirected")
    assert [column.type for column in table.columns] == ["text", "text", "number"]
    assert guess_columns(table) == EdgeColumns()
    edges = read_edges(table)
    assert (edges.labels, list(edges.rows)) == (("a", "b", "c"), [1, 2])
    assert list(edges.weighted(Interval(0, 5)).weights) == [1.5, 2]


@pytest.mark.parametrize("name", ["net.xml", "net", "net.csv", "net.json"])
def test_the_content_decides_whatever_the_suffix(read_graphml, name):
    assert read_graphml(NET, name=name).n == 2


@pytest.mark.parametrize(
    "head",
    [
        "<graphml>\n",
        '\n <graphml xmlns="http://graphml.graphdrawing.org/xmlns/graphml">',
        '<?xml version="1.0"?><!-- by <hand> --><!DOCTYPE graphml SYSTEM "graphml.dtd"><graphml>',
        '<?xml version="1.0"?>\n<?style none?>\n<graphml\nxmlns="http://graphml.graphdrawing.org/xmlns">',
        "<!-- no declaration --><graphml>",
    ],
)
def test_however_it_begins(read_graphml, head):
    assert read_graphml(document(WEIGHT, graph(NODES + EDGES), head=head)).numbers("weight").values[0] == 1.5


def test_a_prefix_for_the_name_space(read_graphml):
    text = (
        '<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns="http://elsewhere">'
        '<g:graph><g:node id="a"/><g:node id="b"/><g:edge source="a" target="b"/>'
        '<edge source="x" target="y"/></g:graph></g:graphml>'
    )
    assert read_graphml(text).data.to_pydict() == {"source": ["a"], "target": ["b"]}


def test_directed_edges_are_read_as_undirected_and_that_is_said(read_graphml):
    said = "GraphML, directed edges read as undirected"
    edge = '<edge source="a" target="b"{}/>'
    assert read_graphml(document(graph(NODES + edge.format(""), "directed"))).format == said
    assert read_graphml(document(graph(NODES + edge.format(' directed="true"')))).format == said
    assert read_graphml(document(graph(NODES + edge.format(' directed="false"'), "directed"))).format != said
    both = '<edge source="a" target="b"/><edge source="b" target="a"/>'
    table = read_graphml(document(graph(NODES + both, "directed")))
    with pytest.raises(UndecidedEdges, match="row 2: it repeats the edge of row 1"):
        read_edges(table, EdgeColumns(weight=None))
    assert read_edges(table, EdgeColumns(weight=None), duplicates="lightest").merged == 1


def test_isolated_nodes_are_vertices(read_graphml):
    edges = read_edges(read_graphml(document(WEIGHT, graph(NODES + EDGES + '<node id="far"/>'))))
    assert (edges.n, edges.labels[-1], edges.pieces) == (4, "far", 2)
    assert edges.simple().n == 4
    with pytest.raises(DataError, match="is not connected"):
        edges.weighted(Interval(0, 5))


def test_types_and_defaults_of_the_data(read_graphml):
    keys = (
        '<key id="n" for="node" attr.name="colour" attr.type="string"><default>red</default></key>'
        '<key id="i" for="edge" attr.name="lanes" attr.type="int"><default>2</default></key>'
        '<key id="b" for="all" attr.name="open" attr.type="boolean"/>'
        '<key id="s" attr.name="road &amp; &lt;street&gt;" attr.type="string"/>'
        '<key id="x" for="all" attr.name="never" attr.type="string"/>'
        '<key id="anonymous" for="edge"/>'
    )
    edges = (
        '<edge source="a" target="b"><data key="i"> 4 </data><data key="s">A &#38; B</data></edge>'
        '<edge source="b" target="c"><data key="b">true</data><data key="anonymous"><![CDATA[<x>]]></data>'
        '<data key="n">blue</data><data key="unknown">1</data></edge>'
        '<edge source="a" target="c"><data key="i"/><data key="s"></data></edge>'
    )
    nodes = NODES.replace('"a"/>', '"a"><data key="n">red</data><data key="b">true</data></node>')
    assert read_graphml(document(keys, graph(nodes + edges))).data.to_pydict() == {
        "source": ["a", "b", "a"],
        "target": ["b", "c", "c"],
        "lanes": [4, 2, None],
        "open": [None, True, None],
        "road & <street>": ["A & B", None, None],
        "anonymous": [None, "<x>", None],
    }


def test_whole_numbers_of_any_size_and_fractions_among_them(read_graphml):
    key = '<key id="d0" for="edge" attr.name="weight" attr.type="long"/>'
    assert read_graphml(document(key, graph(NODES + EDGES))).numbers("weight").values[0] == 1.5
    large = EDGES.replace("1.5", "9007199254740993")
    assert read_graphml(document(key, graph(NODES + large))).data.column("weight")[0].as_py() == 2**53 + 1


def test_data_called_like_the_ends_get_the_name_of_their_key(read_graphml):
    keys = '<key id="d0" for="edge" attr.name="source" attr.type="double"/>'
    assert read_graphml(document(keys, graph(NODES + EDGES))).data.column_names == [
        "source",
        "target",
        "source (d0)",
    ]


def test_nested_graphs_are_read_and_their_nodes_keep_their_data(read_graphml):
    inner = (
        '<node id="group"><graph edgedefault="undirected"><node id="x"/><node id="y"/>'
        '<edge source="x" target="y"><data key="d0">3</data></edge></graph></node>'
        '<edge source="a" target="x"><graph><node id="z"><data key="d0">9</data></node></graph>'
        '<data key="d0">4</data></edge>'
    )
    keys = WEIGHT.replace('for="edge"', 'for="all"')
    table = read_graphml(document(keys, graph(NODES + inner + EDGES)))
    assert list(table.numbers("weight").values) == [3, 4, 1.5, 2]
    assert set(table.vertices) == {"a", "b", "c", "group", "x", "y", "z"}


def test_ports_and_foreign_elements_are_passed_over(read_graphml):
    foreign = (
        '<key id="d1" for="edge" yfiles.type="edgegraphics"/>'
        + WEIGHT
        + graph(
            '<node id="a"><port name="p"><data key="d0">7</data></port></node><node id="b"/>'
            '<edge source="a" target="b" sourceport="p"><data key="d0">1</data>'
            '<data key="d1"><y:PolyLineEdge xmlns:y="http://www.yworks.com/xml/graphml">'
            "<y:edge/><y:data>5</y:data></y:PolyLineEdge></data></edge>"
        )
    )
    table = read_graphml(document(foreign))
    assert (table.n, table.numbers("weight").values[0]) == (1, 1)


def test_only_the_wanted_columns(read_graphml, fault_of_graphml):
    table = read_graphml(NET, columns=["target", "source"])
    assert table.data.column_names == ["target", "source"]
    assert table.vertices == ("a", "b", "c")
    assert fault_of_graphml(NET, columns=["wieght"]) == "net.graphml: there is no column 'wieght'; try weight"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1", "windows-1252"])
def test_encodings(read_graphml, encoding):
    text = NET.replace('"a"', '"é"')
    declared = text.replace("UTF-8", encoding.removesuffix("-sig"))
    assert read_graphml(declared.encode(encoding)).data.column("source")[0].as_py() == "é"
    if not encoding.startswith("utf"):  # what the user states counts more than the declaration
        assert read_graphml(text.encode(encoding), encoding=encoding).data.column("source")[0].as_py() == "é"


def test_progress_and_cancelling(read_graphml):
    nodes = "".join(f'<node id="n{i}"/>\n' for i in range(20_000))
    edges = "".join(f'<edge source="n{i}" target="n{i + 1}"/>\n' for i in range(19_999)) * 2
    content = document(graph(nodes + edges))
    seen = []
    table = read_graphml(content, progress=lambda fraction, message="": seen.append((fraction, message)))
    assert (table.n, len(table.vertices)) == (39_998, 20_000)
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1], len(fractions)) == (0, 1, len(content) // (1 << 20) + 2)
    assert {message for _, message in seen} == {"reading net.graphml"}

    def stop(fraction, message=""):
        if fraction > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_graphml(content, progress=stop)


def test_an_example_survives_the_way_through_graphml(read_graphml):
    example = read_edges(load_example("karate"))
    nodes = "".join(f'<node id="{label}"/>' for label in example.labels)
    edges = "".join(
        f'<edge source="{example.labels[one]}" target="{example.labels[other]}">'
        f'<data key="d0">{weight}</data></edge>'
        for (one, other), weight in zip(example.ends, example.weights, strict=True)
    )
    again = read_edges(read_graphml(document(WEIGHT, graph(nodes + edges))))
    assert again.labels == example.labels
    np.testing.assert_array_equal(again.ends, example.ends)
    np.testing.assert_array_equal(again.weights, example.weights)


def test_wrong_weights_are_named_where_they_are_used(read_graphml):
    table = read_graphml(NET.replace(">2<", ">two<"))
    with pytest.raises(
        DataError, match=r"net.graphml, row 2, column 'weight': the value is not a number; write"
    ):
        read_edges(table)
    for text, says in (("-2", "the weight is negative"), ("NaN", "the value is not a finite number")):
        with pytest.raises(DataError, match=f"net.graphml, row 2, column 'weight': {says}"):
            read_edges(read_graphml(NET.replace(">2<", f">{text}<")))
    with pytest.raises(DataError, match="row 2, column 'weight': the value is missing"):
        read_edges(read_graphml(NET.replace(">2<", "><")))
    with pytest.raises(DataError, match=r"row 2: the edge joins a vertex to itself"):
        read_edges(read_graphml(NET.replace('source="b"', 'source="c"')))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (document(graph(NODES)), "there are no edges; at least one is needed"),
        (document(), "there are no edges; at least one is needed"),
        (
            document(graph(EDGES)),
            "row 1, column 'source': there is no such node; correct the edge, or add the",
        ),
        (
            NET.replace('target="c"', 'target="d"'),
            "row 2, column 'target': there is no such node; correct the",
        ),
        (NET.replace(' target="b"', ""), "line 6: the edge has no target; add target="),
        (NET.replace('<node id="b"/>', "<node/>"), "line 5: the node has no id; add id="),
        (NET.replace('id="d0" ', ""), "line 3: the key has no id; add id="),
        (
            NET.replace("<edge", "<hyperedge").replace("/edge", "/hyperedge"),
            "line 6: a hyperedge may join more",
        ),
        (
            document(graph(NODES + EDGES), graph(NODES)),
            "line 8: a second graph begins; keep one graph in a file",
        ),
        (NET.replace("</edge>", "", 1), "line 8: it is not well-formed XML (mismatched tag); write the file"),
        (NET + "<more/>", "line 10: it is not well-formed XML (junk after document element); write"),
        (
            NET.replace("1.5", "&nbsp;"),
            "line 6: it is not well-formed XML (undefined entity); write the file",
        ),
        (NET.replace("UTF-8", "klingon"), "line 1: it is not well-formed XML; write the file"),
        (NET.replace('"a"', '"é"').encode("latin-1"), "line 5: it is not well-formed XML (not well-formed"),
        (
            '<?xml version="1.0"?>\n<svg/>',
            "line 2: it is XML that begins with <svg>, not GraphML; save the",
        ),
        ("<!DOCTYPE html>\n<html><p>", "line 2: it is XML that begins with <html>, not GraphML; save the"),
        ("<html>", "line 1: it is XML that begins with <html>, not GraphML"),
        ('<?xml version="1.0"?>\n', "line 2: the file is truncated; get the whole file again"),
    ],
)
def test_what_is_wrong_is_one_line(fault_of_graphml, content, says):
    separator = ", " if says.startswith("row") else ": "
    assert fault_of_graphml(content).startswith(f"net.graphml{separator}{says}")


def test_a_file_cut_anywhere_says_so(fault_of_graphml):
    end = NET.index("</graphml>")
    for length in range(len(HEAD), end + len("</graphml>")):
        message = fault_of_graphml(NET[:length])
        assert "the file is truncated; get the whole file again" in message, (length, message)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://localhost/evil.dtd"> %a;',
    ],
)
def test_entities_are_refused_before_they_are_used(fault_of_graphml, declaration):
    head = f'<?xml version="1.0"?>\n<!DOCTYPE graphml [{declaration}]>\n<graphml>'
    message = fault_of_graphml(document(graph(NODES + EDGES.replace("1.5", "&a;")), head=head))
    assert message == (
        "net.graphml: line 2: it declares an entity, which could grow without limit; "
        "write its text out instead"
    )


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
@pytest.mark.slow
def test_whatever_is_damaged_is_an_error_of_one_line_or_a_graph(tmp_path, data):
    content = bytearray(NET.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place, length = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 20))
        start = data.draw(st.integers(0, len(content) - 1))
        instead = data.draw(
            st.sampled_from([b"", bytes(content[start : start + length])]) | st.binary(max_size=2)
        )
        content[place : place + data.draw(st.integers(0, length))] = instead
    path = tmp_path / "net.graphml"
    path.write_bytes(content or b"<")
    message = ""
    try:
        edges = read_edges(read_table(path))
        assert edges.weighted(Interval(0, 5)).n == edges.n
    except SensiscopeError as error:
        message = str(error)
    assert "\n" not in message
