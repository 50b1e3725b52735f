"""Lists of edges are read from tables, and their vertices named and listed."""

import dataclasses
import datetime
import decimal
import itertools

import numpy as np
import pyarrow as pa
import pytest
from edge_tables import edges_of, fault, named, table
from hypothesis import given
from hypothesis import strategies as st
from table_files import write

from engine import TriangleCount
from engine.data import EdgeColumns, Table, guess_columns, read_edges, read_table
from engine.data.edges import UndecidedEdges, read_vertices
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.mechanisms import MECHANISMS
from engine.randomness import reproducible

UNIT = Interval(0.0, 10.0)


NET = table(source=["a", "b", "c", "a"], target=["b", "c", "a", "d"], weight=[1.0, 2.0, 30.0, 4.0])
TWICE = table(source=["a", "b", "c", "b"], target=["b", "c", "a", "a"], weight=[4.0, 2.0, 30.0, 1.0])


class TestReading:
    def test_names_ends_weights_and_rows(self):
        edges = read_edges(dataclasses.replace(NET, units={"weight": "min"}))
        assert (edges.labels, edges.n, edges.pieces) == (("a", "b", "c", "d"), 4, 1)
        np.testing.assert_array_equal(edges.ends, [[0, 1], [1, 2], [2, 0], [0, 3]])
        np.testing.assert_array_equal(edges.weights, [1, 2, 30, 4])
        assert [edges.row_of(edge) for edge in range(4)] == [2, 3, 4, 5]
        assert (edges.source, edges.dropped, edges.unit) == ("net", 0, "min")
        assert edges.columns == EdgeColumns()
        assert (edges.merged, edges.loops) == (0, 0)

    def test_columns_of_other_names(self):
        net = table(km=[5], end=["y"], begin=["x"])
        edges = read_edges(net, EdgeColumns("begin", "end", "km"))
        assert (named(edges), list(edges.weights)) == ([("x", "y")], [5])

    def test_weights_need_not_be_read(self):
        edges = read_edges(NET, EdgeColumns(weight=None))
        assert (edges.weights, edges.unit) == (None, "")

    def test_nothing_in_it_changes(self):
        edges = read_edges(NET)
        for array in (edges.ends, edges.weights, edges.rows):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    def test_records_without_a_value_are_dropped_only_if_somebody_chooses(self):
        source, target = ["a", None, "c", "d", "e"], ["b", "c", None, "a", "a"]
        net = table(source=source, target=target, weight=[1.0, 2.0, 3.0, None, 5.0])
        with pytest.raises(DataError) as caught:
            read_edges(net)
        assert str(caught.value) == (
            "net, row 3, column 'source': the value is missing; "
            "fill it in, or choose to fill or drop missing values"
        )
        edges = read_edges(net, missing="drop")
        assert (named(edges), list(edges.weights)) == ([("a", "b"), ("e", "a")], [1, 5])
        assert (list(edges.rows), edges.dropped) == ([2, 6], 3)
        # a vertex that only dropped records name does not exist
        assert set(edges.labels) == {"a", "b", "e"}
        assert read_edges(net, EdgeColumns(weight=None), missing="drop").dropped == 2

    def test_there_is_no_third_choice(self):
        with pytest.raises(ParameterError, match="missing: 'guess' is not possible"):
            read_edges(NET, missing="guess")

    def test_declared_vertices_count_without_an_edge(self):
        edges = read_edges(dataclasses.replace(NET, vertices=("c", "z", "a", "b")))
        assert (edges.labels, edges.pieces) == (("a", "b", "c", "d", "z"), 2)
        assert edges.simple(absent=[3]).n == 5

    @pytest.mark.parametrize("chunk", [1, 2, 100])
    def test_chunks_do_not_matter(self, chunk):
        column = pa.chunked_array([["a", "b", "c", "d"][i : i + chunk] for i in range(0, 4, chunk)])
        assert named(edges_of(column, ["x"] * 4)) == [(name, "x") for name in "abcd"]

    @pytest.mark.slow
    @given(
        st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(lambda e: e[0] != e[1]), min_size=1)
    )
    def test_every_edge_keeps_its_names(self, pairs):
        sources, targets = (list(column) for column in zip(*pairs, strict=True))
        expected = [(str(one), str(other)) for one, other in pairs]
        for edges in (
            edges_of(sources, targets),
            edges_of([str(name) for name in sources], targets),
            edges_of([float(name) for name in sources], targets),
            edges_of(sources, [str(name) for name in targets]),
        ):
            assert named(edges) == expected
            assert sorted(edges.labels) == sorted({name for pair in expected for name in pair})


class TestFaults:
    def test_a_missing_column_is_answered_with_the_nearest_names(self):
        assert fault(sorce=["a"], target=["b"]) == "net: there is no column 'source'; try sorce"
        with pytest.raises(DataError, match="net: there is no column 'weight'; try wieght"):
            read_edges(table(source=["a"], target=["b"], wieght=[1]))

    def test_one_column_cannot_be_two_things(self):
        for columns in (EdgeColumns("source", "source"), EdgeColumns(weight="target")):
            with pytest.raises(
                DataError, match="the column is chosen twice; source, target and weight must be"
            ):
                read_edges(NET, columns)

    @pytest.mark.parametrize(
        ("weights", "where", "what"),
        [
            ([1, -2.5, -3], "row 3", "the weight is negative; it must be at least 0"),
            ([1, 2, float("nan")], "row 4", "the value is not a finite number; write one"),
            ([float("inf"), 2, 3], "row 2", "the value is not a finite number"),
            (["1", "2", "three"], "row 4", "the value is not a number; write it as digits"),
            ([1, None, 3], "row 3", "the value is missing; fill it in"),
        ],
    )
    def test_weights(self, weights, where, what):
        message = fault(source=["a", "b", "c"], target=["b", "c", "a"], weight=weights)
        assert message.startswith(f"net, {where}, column 'weight': {what}")

    @pytest.mark.parametrize(
        ("weights", "what"),
        [
            ([True, False], "it holds true or false"),
            ([None, None], "every value is missing"),
            ([[1], [2]], "it holds lists, objects or bytes instead of single numbers"),
        ],
    )
    def test_columns_that_are_no_weights(self, weights, what):
        assert fault(source=["a", "b"], target=["b", "c"], weight=weights).startswith(
            f"net, column 'weight': {what}"
        )

    def test_negative_zero_is_a_weight(self):
        assert read_edges(table(source=["a"], target=["b"], weight=[-0.0])).weights[0] == 0

    def test_an_edge_from_a_vertex_to_itself(self):
        assert fault(source=["a", "b", "c"], target=["b", "b", "c"]) == (
            'net, row 3: the edge joins a vertex to itself; leave such edges out, or state loops="drop"'
        )
        assert "row 2: the edge joins a vertex to itself" in fault(source=[1], target=["1"])

    def test_one_vertex_only(self, tmp_path):
        path = tmp_path / "one.csv"
        path.write_text("source,target,weight\na,a,1\n")
        with pytest.raises(DataError, match=r"one.csv, row 2: the edge joins a vertex to itself; leave"):
            read_edges(read_table(path))

    def test_no_edges(self, tmp_path):
        path = tmp_path / "none.csv"
        path.write_text("source,target,weight\n")
        with pytest.raises(DataError, match=r"none.csv: there are column names but no records"):
            read_edges(read_table(path))
        with pytest.raises(DataError, match="net, column 'source, target': every record lacks a value"):
            edges_of(["a", None], [None, "b"], missing="drop")

    def test_long_names_are_shortened(self):
        message = fault(source=["x" * 1000], target=["x" * 1000])
        assert len(message) < 150


class TestGraphs:
    def test_weighted(self):
        edges = read_edges(NET)
        graph = edges.weighted(UNIT)
        assert (graph.n, graph.records, graph.outside, graph.domain) == (4, 4, 1, UNIT)
        np.testing.assert_array_equal(graph.weights, [1, 2, 10, 4])
        np.testing.assert_array_equal(graph.ends, edges.ends)

    def test_edits_replace_weights_in_the_graph_only(self):
        edges = read_edges(NET)
        np.testing.assert_array_equal(edges.weighted(UNIT, {2: 5.0, 0: 0.0}).weights, [0, 2, 5, 4])
        np.testing.assert_array_equal(edges.weights, [1, 2, 30, 4])
        with pytest.raises(DataError, match="the weight of edge 1 must be"):
            edges.weighted(UNIT, {0: -1.0})

    def test_no_weights(self):
        with pytest.raises(
            DataError, match="net: no column of weights is chosen, and a spanning tree needs one"
        ):
            edges_of(["a"], ["b"]).weighted(UNIT)

    def test_disconnected(self):
        net = table(source=["a", "c", "b", "e"], target=["b", "d", "a", "f"], weight=[1, 2, 3, 4])
        edges = read_edges(net, duplicates="sum")
        assert edges.pieces == 3
        with pytest.raises(DataError) as caught:
            edges.weighted(UNIT)
        assert str(caught.value) == (
            "net: the graph is not connected, "
            "and a spanning tree needs a connected graph; add the missing edges, or count triangles instead"
        )
        assert caught.value.confidential == "3 components; no path joins 'a' and 'c'"
        assert edges.simple(absent=[2]).n == 6
        assert list(edges.rows) == [2, 3, 5]

    def test_simple(self):
        edges = edges_of(["a", "b", "c"], ["b", "c", "a"])
        graph = edges.simple()
        assert (graph.n, graph.facts) == (3, {"resolution": None, "vertices": 3})
        np.testing.assert_array_equal(graph.ends, [[0, 1], [1, 2], [0, 2]])
        declared = edges.simple(10, 0.5)
        assert declared.facts == {"resolution": 0.5, "vertices": 10}
        assert "counted from the edges" in graph.release_problem
        assert graph.replaced(0, 0.0).release_problem == graph.release_problem
        assert graph.far_end("empty").release_problem == graph.release_problem
        assert not declared.release_problem

    def test_a_public_list_says_which_vertices_there_are(self):
        names = ["d", "c", "b", "a", "e"]
        edges = edges_of(["a", "b", "c"], ["b", "c", "a"]).listed(names)
        assert (edges.labels, edges.n, edges.is_listed) == (tuple(names), 5, True)
        graph = edges.simple()
        assert (graph.n, graph.release_problem) == (5, "")
        np.testing.assert_array_equal(graph.ends, [[2, 3], [1, 2], [1, 3]])
        assert edges.simple(5).n == 5
        with pytest.raises(ParameterError, match="vertices: 6 does not match the list"):
            edges.simple(6)
        by_name = read_edges(table(source=["a"], target=["b"]), EdgeColumns(weight=None), vertices=names)
        assert by_name.labels == tuple(names)

    def test_numbers_are_found_on_a_list_however_they_are_spelled(self):
        edges = edges_of([1, 2], [2, 3]).listed(["03", "2.0", "1"])
        np.testing.assert_array_equal(edges.ends, [[2, 1], [1, 0]])
        texts = edges_of(["1", "x"], ["01", "1"]).listed(["01", "1", "x"])
        np.testing.assert_array_equal(texts.ends, [[1, 0], [2, 1]])

    def test_what_is_not_on_the_list_is_refused_by_its_row_alone(self):
        edges = edges_of(["a", "b", "marked"], ["b", "c", "a"])
        with pytest.raises(DataError) as caught:
            edges.listed(["a", "b", "c"])
        assert str(caught.value) == (
            "net, row 4, column 'source': it names a vertex that is not on the public list; add it there if "
            "it is public, or leave the row out"
        )
        assert "marked" not in repr(edges)
        with pytest.raises(ParameterError, match="it repeats a vertex"):
            edges.listed(["a", "a"])
        with pytest.raises(ParameterError, match="two vertices of the file have the same name on the list"):
            edges_of(["1"], ["1.0"]).listed(["1.0"])

    def test_edges_can_be_left_out(self):
        edges = edges_of(["a", "b", "c"], ["b", "c", "a"])
        np.testing.assert_array_equal(edges.simple(absent=[1]).ends, [[0, 1], [0, 2]])
        nothing = edges.simple(absent=[0, 1, 2])
        assert (nothing.n, len(nothing.ends)) == (3, 0)

    def test_too_few_vertices_declared(self):
        with pytest.raises(ParameterError, match=r"^vertices: 2 are too few; the file has more$"):
            edges_of(["a", "b"], ["b", "c"]).simple(2)

    def test_repeated_edges_are_refused_with_both_rows(self):
        net = table(source=["a", "b", None, "b", "b"], target=["b", "c", "x", "a", "a"])
        with pytest.raises(UndecidedEdges) as caught:
            read_edges(net, EdgeColumns(weight=None), missing="drop")
        assert str(caught.value) == (
            "net, row 5: it repeats the edge of row 2, in the same or the other direction; "
            'state duplicates="lightest"'
        )
        assert (caught.value.confidential, caught.value.option) == ("'b' and 'a'", "duplicates")
        edges = read_edges(net, EdgeColumns(weight=None), missing="drop", duplicates="lightest")
        assert (named(edges), edges.merged, edges.dropped) == ([("a", "b"), ("b", "c")], 2, 1)
        assert (len(edges.simple().ends), len(edges.simple(absent=[0]).ends)) == (2, 1)

    def test_weights_of_repeated_edges_are_merged(self):
        with pytest.raises(UndecidedEdges, match='state duplicates="lightest" or duplicates="sum"'):
            read_edges(TWICE)
        for how, first in (("lightest", 1.0), ("sum", 5.0)):
            edges = read_edges(TWICE, duplicates=how)
            assert (list(edges.weights), list(edges.rows), edges.merged) == ([first, 2.0, 30.0], [2, 3, 4], 1)
        # a sum above the public bound is clamped like any weight
        assert list(edges.weighted(Interval(0.0, 4.0)).weights) == [4.0, 2.0, 4.0]

    @given(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 9)), min_size=1, max_size=12),
        st.sampled_from(["lightest", "sum"]),
        st.data(),
    )
    def test_a_row_changes_the_weight_of_at_most_one_edge(self, rows, how, data):
        index = data.draw(st.integers(0, len(rows) - 1))
        changed = [*rows]
        changed[index] = (*rows[index][:2], data.draw(st.integers(0, 9)))

        def merged(rows):
            source, target, weight = zip(*rows, strict=True)
            read = read_edges(
                table(source=source, target=target, weight=weight), duplicates=how, loops="drop"
            )
            expected = {}
            for a, b, w in rows:
                if a != b:
                    expected.setdefault(frozenset((str(a), str(b))), []).append(w)
            values = {pair: (min if how == "lightest" else sum)(all_) for pair, all_ in expected.items()}
            assert dict(zip(map(frozenset, named(read)), read.weights, strict=True)) == values
            assert read.merged + read.loops + len(read.ends) == len(rows)
            return read.weights

        assert np.count_nonzero(merged(rows) != merged(changed)) <= 1

    def test_loops_are_left_out_and_their_vertices_stay(self):
        net = table(source=["a", "b", "c"], target=["a", "a", "c"])
        with pytest.raises(UndecidedEdges) as caught:
            read_edges(net, EdgeColumns(weight=None))
        assert caught.value.option == "loops"
        edges = read_edges(net, EdgeColumns(weight=None), loops="drop")
        assert (named(edges), edges.labels, edges.loops) == ([("b", "a")], ("a", "b", "c"), 2)
        assert list(edges.rows) == [3]

    @pytest.mark.parametrize(("option", "choices"), [("duplicates", "lightest, sum"), ("loops", "drop")])
    def test_other_treatments_are_refused(self, option, choices):
        with pytest.raises(ParameterError, match=f"{option}: 'keep' is not possible; .* refuse, {choices}$"):
            read_edges(NET, **{option: "keep"})

    @pytest.mark.parametrize("n", [2, 3, 50])
    def test_pieces_of_many(self, n):
        edges = edges_of([f"a{i}" for i in range(n)], [f"b{i}" for i in range(n)])
        assert (edges.n, edges.pieces) == (2 * n, n)


class TestGuess:
    @pytest.mark.parametrize(
        ("names", "found"),
        [
            (["source", "target", "weight"], ("source", "target", "weight")),
            (["Weight", "TARGET", "Source", "x"], ("Source", "TARGET", "Weight")),
            (["from", "to", "cost"], ("from", "to", "cost")),
            (["u", "v"], ("u", "v", None)),
            (["Node1", "Node2", "w"], ("Node1", "Node2", "w")),
            (["a", "b", "length"], ("a", "b", "length")),
            (["a", "b", "source", "target"], ("source", "target", None)),
            (["source", "SOURCE", "target"], ("source", "target", None)),
        ],
    )
    def test_columns_are_known_by_what_they_are_called(self, names, found):
        net = Table("net", pa.table([[1]] * len(names), names=names))
        assert guess_columns(net) == EdgeColumns(*found)

    @pytest.mark.parametrize("names", [["x", "y", "weight"], ["source", "to"], ["source"]])
    def test_other_tables_are_no_edge_lists(self, names):
        assert guess_columns(Table("net", pa.table([[1]] * len(names), names=names))) is None


def test_a_missing_weight_is_filled_and_a_missing_vertex_refused():
    net = table(source=["a", "b"], target=["b", "c"], weight=[None, 2.0])
    edges = read_edges(net, missing="fill", fill=0.5)
    np.testing.assert_array_equal(edges.weights, [0.5, 2.0])
    assert (edges.dropped, edges.filled, edges.n) == (0, 1, 3)
    with pytest.raises(ParameterError, match="need a weight of at least 0"):
        read_edges(net, missing="fill", fill=-1)
    with pytest.raises(DataError, match="row 2, column 'target': the value is missing"):
        read_edges(table(source=["a", "b"], target=[None, "c"], weight=[1.0, 2.0]), missing="fill", fill=1)


class TestLabels:
    def test_numbers_and_texts_mix(self):
        assert named(edges_of([1, 2], ["2", "x"])) == [("1", "2"), ("2", "x")]
        assert named(edges_of([1.0, 2.5], ["2.5", " 3 "])) == [("1", "2.5"), ("2.5", "3")]

    def test_text_that_spells_a_number_is_that_number_only_beside_numbers(self):
        texts = ["007", "1.50", "1e3", "00", "12345678901234567890", "1.2.3", "-"]
        numbers = ["7", "1.5", "1000", "0", "12345678901234567890", "1.2.3", "-"]
        assert [pair[0] for pair in named(edges_of(texts, [99] * 7))] == numbers
        assert [pair[0] for pair in named(edges_of(texts, ["99"] * 7))] == texts

    def test_leading_zeros_that_one_column_of_a_file_has_lost(self, tmp_path):
        path = tmp_path / "net.csv"
        path.write_text("source,target,weight\n007,008,1\nx,007,2\n008,010,3\n")
        assert named(read_edges(read_table(path))) == [("7", "8"), ("x", "7"), ("8", "10")]
        path.write_text("source,target,weight\n007,x,1\nx,008,2\n")
        assert named(read_edges(read_table(path))) == [("007", "x"), ("x", "008")]

    @pytest.mark.parametrize(
        ("cells", "names"),
        [
            ([True, False], ["true", "false"]),
            ([datetime.date(2024, 2, 29), datetime.date(2025, 1, 1)], ["2024-02-29", "2025-01-01"]),
            ([decimal.Decimal("1.50"), decimal.Decimal("20.00")], ["1.5", "20"]),
            ([decimal.Decimal(10**30), decimal.Decimal(10**30 + 1)], [f"1{'0' * 30}", f"1{'0' * 29}1"]),
            ([2**63 - 1, -(2**63)], ["9223372036854775807", "-9223372036854775808"]),
            ([-0.0, 1e300], ["0", "1e+300"]),
            (pa.array([0.1, 2], pa.float32()), ["0.1", "2"]),
            (pa.array(["é", " b c "], pa.large_string()), ["é", "b c"]),
        ],
    )
    def test_whatever_reads_as_a_word_is_a_name(self, cells, names):
        assert [pair[0] for pair in named(edges_of(cells, ["x", "x"]))] == names

    def test_times_of_a_zone(self):
        moments = pa.array([0, 1], pa.timestamp("s", tz="Europe/Berlin"))
        assert len(set(edges_of(moments, ["x", "x"]).labels)) == 3

    @pytest.mark.parametrize(
        ("cells", "what"),
        [
            ([["a"], ["b"]], "it holds lists or objects, which cannot name vertices"),
            ([{"id": 1}, {"id": 2}], "it holds lists or objects, which cannot name vertices"),
            ([b"a", b"b"], "it holds bytes, which cannot name vertices"),
            (
                pa.array(["a", "b"], pa.string_view()),
                "it holds string_view values, which cannot name vertices",
            ),
        ],
    )
    @pytest.mark.parametrize("column", ["source", "target"])
    def test_types_that_are_no_names(self, cells, what, column):
        columns = {"source": ["x", "y"], "target": ["y", "z"], column: cells}
        assert (
            fault(**columns) == f"net, column '{column}': {what}; name the vertices by text or whole numbers"
        )

    def test_times_of_an_unknown_zone(self):
        moments = pa.array([0, 1], pa.timestamp("s", tz="Nowhere/City"))
        said = fault(source=moments, target=["x", "x"])
        assert said.startswith("net, column 'source': its values cannot be read as text;")

    @pytest.mark.parametrize(
        ("cell", "what"),
        [(float("inf"), "inf"), (float("-inf"), "-inf"), ("  ", "a blank")],
    )
    def test_cells_that_are_no_names(self, cell, what):
        good = "x" if isinstance(cell, str) else 1.5
        assert fault(source=["a", "b", "c"], target=[good, cell, cell]) == (
            "net, row 3, column 'target': the cell is no name of a vertex; "
            "name the vertices by text or whole numbers"
        )

    def test_the_row_of_a_wrong_name_counts_the_dropped_ones(self):
        net = table(source=["a", None, "c"], target=["b", "b", " "])
        with pytest.raises(DataError, match="net, row 4, column 'target': the cell is no name"):
            read_edges(net, EdgeColumns(weight=None), missing="drop")


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
        ("", "it contains no vertices"),
        ("\n \n", "it contains no vertices"),
        ("marked\nb\nmarked\n", "people.csv, row 3: it repeats the vertex of row 1"),
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
            with pytest.raises(ParameterError, match=r"^vertices: 3 are too few; the file has more$"):
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
