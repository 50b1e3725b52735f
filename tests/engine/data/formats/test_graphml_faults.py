"""GraphML that cannot be read: one line says what is wrong, and where."""

import pytest
from graphml import EDGES, HEAD, NET, NODES, document, graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.data import read_edges, read_table
from engine.domain import Interval
from engine.errors import DataError, SensiscopeError


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
            '<?xml version="1.0"?>\n<gexf/>',
            "line 2: it is XML that begins with <gexf>, not GraphML; save the",
        ),
        ("<!DOCTYPE html>\n<html><p>", "line 2: it is XML that begins with <html>, not GraphML; save the"),
        ("<html>", "line 1: it is XML that begins with <html>, not GraphML"),
        ('<?xml version="1.0"?>\n', "line 2: the file is cut in the middle; get the whole file again"),
    ],
)
def test_what_is_wrong_is_one_line(fault_of_graphml, content, says):
    separator = ", " if says.startswith("row") else ": "
    assert fault_of_graphml(content).startswith(f"net.graphml{separator}{says}")


def test_a_file_cut_anywhere_says_so(fault_of_graphml):
    end = NET.index("</graphml>")
    for length in range(len(HEAD), end + len("</graphml>")):
        message = fault_of_graphml(NET[:length])
        assert "the file is cut in the middle; get the whole file again" in message, (length, message)


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
