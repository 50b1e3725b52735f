"""`sensitivity` and `run` on graphs: the weights of edges are private, or the edges themselves."""

import itertools
import re

import numpy as np
import pytest
from grids import without_grid
from json_keys import RUN_OF_A_NUMBER

from engine.data import EXAMPLES, load_example

GRAPHS = [name for name, card in EXAMPLES.items() if card.kind == "graph"]
SENSITIVITY = ["value", "beta", "local", "smooth", "global", "argmax_k", "at_distance", "version"]
PTR = ("--delta", 1e-6, "--method", "propose-test-release", "--bound")
METHODS = {
    "smooth": (),
    "laplace": ("--method", "laplace"),
    "gaussian": ("--method", "gaussian", "--delta", 1e-6),
    "propose-test-release": (*PTR, 0.9),
}
SQUARE = ["a,b,1", "b,c,2", "c,d,3", "d,a,4"]
"""The edges of the fixture `edges`."""


def bundled(name):
    table = load_example(name)
    names = [table.data.column(name).to_pylist() for name in ("source", "target")]
    _, ends = np.unique(np.column_stack(names), return_inverse=True)
    return ends.reshape(-1, 2), table.numbers("weight").values


@pytest.mark.parametrize("name", GRAPHS)
def test_json_of_the_cost_of_a_spanning_tree(cli, name):
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    found = cli("sensitivity", "mst", "--example", name, "--beta", 0.3, "--json")
    assert found.status == 0
    assert found.err == ""
    content, card = found.json, EXAMPLES[name]
    assert list(content) == ["query", "n", "column", "edges", *SENSITIVITY]
    assert (content["query"], content["n"], content["edges"]) == ("mst", card.vertices, card.n)
    ends, weights = bundled(name)
    matrix = csr_array((weights, ends.T), shape=(ends.max() + 1,) * 2)
    assert content["value"] == pytest.approx(minimum_spanning_tree(matrix).sum())
    assert content["global"] == card.upper
    assert 0 < content["local"] <= content["smooth"] <= content["global"]
    discounted = np.array(content["at_distance"]) * np.exp(-0.3 * np.arange(len(content["at_distance"])))
    assert discounted.max() == pytest.approx(content["smooth"], rel=1e-12)
    assert int(discounted.argmax()) == content["argmax_k"]


@pytest.mark.parametrize("name", GRAPHS)
def test_json_of_the_triangle_count(cli, name):
    found = cli("sensitivity", "triangles", "--example", name, "--beta", 0.3, "--json")
    assert found.status == 0
    assert found.err == ""
    content, n = found.json, EXAMPLES[name].vertices
    assert list(content) == ["query", "n", "column", *SENSITIVITY]  # how many edges there are is private
    ends, _ = bundled(name)
    joined = np.zeros((n, n), dtype=np.int64)
    joined[tuple(ends.T)] = joined[tuple(ends.T[::-1])] = 1
    assert content["n"] == n
    assert content["value"] == np.trace(joined @ joined @ joined) / 6
    common = joined @ joined
    assert content["local"] == (common - np.diag(np.diag(common))).max()
    assert content["global"] == n - 2


def test_worked_examples(cli):
    triangle = cli("sensitivity", "mst", "--example", "k3", "--beta", 0.01, "--json").json
    assert [triangle[name] for name in ("value", "local", "smooth", "global")] == [2000, 1000, 1000, 1000]
    complete = cli("sensitivity", "triangles", "--example", "k60", "--beta", 1, "--json").json
    assert [complete[name] for name in ("value", "local", "global")] == [60 * 59 * 58 / 6, 58, 58]


@pytest.mark.parametrize("query", ["mst", "triangles"])
@pytest.mark.parametrize("k_max", [0, 5, 300])
def test_k_max_gives_exactly_one_more(cli, query, k_max):
    where = ("sensitivity", query, "--example", "karate", "--beta", 1, "--k-max", k_max, "--json")
    at_distance = cli(*where).json["at_distance"]
    assert len(at_distance) == k_max + 1
    assert at_distance == sorted(at_distance)


@pytest.mark.parametrize(("query", "neighbours"), [("mst", "edge-weight"), ("triangles", "edge")])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_releases_both(cli, query, neighbours, method):
    words = ("run", query, "--example", "karate", "--epsilon", 1, *METHODS[method], "--json")
    found = cli(*words)
    assert found.status == 0, found.err
    content = found.json
    assert list(content) == [*RUN_OF_A_NUMBER, "spent"]
    assert content["mechanism"] == query
    assert content["privacy"]["neighbours"] == neighbours
    assert content["parameters"]["method"] == method
    assert content["parameters"]["vertices"] == 34
    assert content["parameters"].get("edges") == (78 if query == "mst" else None)
    assert content["simulated"] is False
    assert (content["value"] is None) <= (method == "propose-test-release")
    seeded = [cli(*words, "--seed", 3, "--show-private").json for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert seeded[0]["simulated"] is True
    assert list(seeded[0]) == [*RUN_OF_A_NUMBER, "diagnostics"]
    assert seeded[0]["diagnostics"]["true_value"] == (68 if query == "mst" else 45)


def test_a_proposed_bound_that_holds_is_answered(cli):
    found = cli("run", "triangles", "--example", "roads", "--epsilon", 1, *PTR, 150, "--json")
    assert isinstance(found.json["value"], float)
    refused = cli("run", "triangles", "--example", "k3", "--epsilon", 1, *PTR, 0.5, "--json")
    assert refused.json["value"] is None
    assert "refused to answer" in refused.err


@pytest.mark.parametrize("query", ["mst", "triangles"])
def test_the_exponential_mechanism_is_refused_in_words(refused, query):
    message = refused("run", query, "--example", "karate", "--epsilon", 1, "--method", "exponential")
    assert "has no rank" in message
    assert "median" in message


def test_text_says_what_a_record_is(cli):
    weights = cli("run", "mst", "--example", "roads", "--epsilon", 1).out
    assert "between graphs with one edge weight changed, edges public" in weights
    assert "200 vertices, 296 edges" in weights
    assert "0 to 10 min for each edge weight" in weights
    edges = cli("run", "triangles", "--example", "roads", "--epsilon", 1, "--seed", 1).out
    assert "between graphs with one edge added or removed, vertices public" in edges
    assert "200 vertices" in edges
    assert "296" not in edges
    assert "bounds" not in edges
    private = cli("sensitivity", "mst", "--example", "roads", "--epsilon", 1)
    assert private.err == ""
    assert "0 edge weights" in private.out
    assert private.out.count("one edge weight changed, edges public") == 2
    assert "clamped" not in cli("sensitivity", "triangles", "--example", "roads", "--beta", 1).out


@pytest.mark.parametrize(("query", "more"), [("mst", ("--upper", 9)), ("triangles", ("--vertices", 8))])
def test_nothing_computed_from_raw_data_is_printed_but_the_release(cli, edges, query, more):
    rows = [*SQUARE, "a,c,7.25", "b,d,64.5"]
    where = ("run", query, "--data", edges(rows), *more, "--epsilon", 0.5, "--seed", 5)
    full = cli(*where, "--show-private", "--json").json
    private = full.pop("diagnostics")
    assert private["clamped"] == (query == "mst")
    outcome = cli(*where, "--json")
    assert outcome.json == full
    assert outcome.err == ""
    out = cli(*where).out
    assert full["step"] == {"mst": 2.0**-37, "triangles": 2.0**-38}[query]  # known without the data
    out = without_grid(out, full["step"])
    printed = {float(word.replace(",", "")) for word in re.findall(r"(?<![\w.])-?\d[\d,]*\.?\d*", out)}
    public = {0, 0.5, 4, 5, full["noise"]["alpha"], full["noise"]["beta"], float(f"{full['value']:.8g}")}
    public |= {full["noise"]["g"], full["parameters"]["split"], full["parameters"]["farthest"]}
    public |= {4, 6, 9} if query == "mst" else {8}
    assert {value for value in printed if not any(np.isclose(value, known) for known in public)} == set()


def test_the_same_edges_in_other_files(cli, edges, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [row.split(",") for row in SQUARE]
    table = {"from": [row[0] for row in rows], "to": [row[1] for row in rows]}
    pq.write_table(pa.table(table | {"km": [float(row[2]) for row in rows]}), tmp_path / "edges.parquet")
    (tmp_path / "edges.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="w" for="edge" attr.name="weight" attr.type="double"/><graph edgedefault="undirected">'
        + "".join(f'<node id="{vertex}"/>' for vertex in "abcd")
        + "".join(f'<edge source="{a}" target="{b}"><data key="w">{w}</data></edge>' for a, b, w in rows)
        + "</graph></graphml>"
    )
    numbered = ["1;2;1", "2;3;2", "3;4;3", "4;1;4"]
    names = ("--source", "from", "--target", "to", "--weight", "km")
    contents = [
        cli("sensitivity", "mst", "--data", path, *more, "--upper", 5, "--beta", 1, "--json").json
        for path, more in (
            (edges(), ()),
            (tmp_path / "edges.parquet", names),
            (tmp_path / "edges.graphml", ("--lower", 0)),
            (edges(numbered, header="from;to;km", name="numbered.csv"), names),
        )
    ]
    assert contents[0]["value"] == 6
    assert all(content == contents[0] for content in contents)


def test_weights_are_clamped_and_counted(cli, edges):
    where = ("--data", edges(), "--upper", 2.5, "--beta", 1)
    content = cli("sensitivity", "mst", *where, "--json").json
    assert content["value"] == 1 + 2 + 2.5
    assert content["global"] == 2.5
    assert "2 edge weights" in cli("sensitivity", "mst", *where).out


def test_repeated_edges_are_refused_or_merged(cli, refused, edges):
    path = edges([*SQUARE, "c,b,0.5"])
    tree = ("sensitivity", "mst", "--data", path, "--upper", 5, "--beta", 1)
    assert "row 6: it repeats the edge of row 3" in refused(*tree)
    assert refused(*tree).endswith(
        "state --duplicates lightest or --duplicates sum (confidential: 'c' and 'b')"
    )
    assert cli(*tree, "--duplicates", "lightest", "--json").json["value"] == 4.5
    assert cli(*tree, "--duplicates", "sum", "--json").json["value"] == 6.5
    triangles = ("sensitivity", "triangles", "--data", path, "--beta", 1)
    assert "state --duplicates lightest" in refused(*triangles)
    assert cli(*triangles, "--duplicates", "lightest", "--json").json["value"] == 0


def test_loops_are_refused_or_left_out(cli, refused, edges):
    path = edges([*SQUARE, "c,c,0.5"])
    tree = ("sensitivity", "mst", "--data", path, "--upper", 5, "--beta", 1)
    assert "row 6: the edge joins a vertex to itself; leave such edges out, or state --loops drop" in refused(
        *tree
    )
    assert cli(*tree, "--loops", "drop", "--json").json["value"] == 6


def test_vertices_without_edges_exist_if_they_are_declared(cli, edges):
    rows = ["a,b", "b,c", "c,a"]
    where = ("sensitivity", "triangles", "--data", edges(rows, header="source,target"), "--beta", 1, "--json")
    named = cli(*where)
    assert (named.json["n"], named.json["global"]) == (3, 1)
    assert named.err.startswith("sensiscope: note: the vertices are counted from the edges: their number is")
    assert named.err.count("\n") == 1
    declared = cli(*where, "--vertices", 10)
    assert (declared.json["n"], declared.json["global"], declared.json["value"]) == (10, 8, 1)
    assert declared.err == ""


def test_what_triangles_do_not_need_is_mentioned_and_not_used(cli):
    where = ("run", "triangles", "--example", "karate", "--epsilon", 1, "--seed", 1, "--json")
    plain, more = cli(*where), cli(*where, "--lower", -3, "--upper", 5, "--weight", "kilos")
    assert plain.json == more.json
    assert plain.err == ""
    lines = more.err.splitlines()
    assert len(lines) == 3
    for line, option in zip(lines, ("lower", "upper", "weight"), strict=True):
        assert line == (
            f"sensiscope: note: --{option} is not used: triangles reads a graph without weights"
        ), line


def test_rows_with_gaps_are_refused_or_dropped(cli, refused, edges):
    path = edges([*SQUARE, "a,c,", ",d,1"])
    for query, bound, row, note in (
        ("mst", ("--upper", 5), 6, "nothing is promised between graphs in which they differ"),
        ("triangles", ("--vertices", 4), 7, "as if there were no such edge"),
    ):
        where = ("run", query, "--data", path, *bound, "--epsilon", 1)
        assert f"row {row}" in refused(*where)
        stated = ("--complete", 4) if query == "mst" else ()
        found = cli(*where, "--missing", "drop", *stated, "--show-private", "--json")
        assert found.json["diagnostics"]["dropped"] == (2 if query == "mst" else 1)
        assert note in found.err
    dropped = cli("sensitivity", "mst", "--data", path, "--upper", 5, "--missing", "drop", "--beta", 1).out
    assert "2 rows" in dropped


def test_noise_that_is_wider_than_all_results_is_said(cli, edges):
    where = ("--data", edges(), "--upper", 5, "--method", "laplace", "--epsilon")
    assert "wider than the range of possible results (15)" in cli("run", "mst", *where, 0.9).err
    # wider than one weight, which says nothing about a sum of three
    assert cli("run", "mst", *where, 1.5).err == ""


def test_resolution_rounds_the_release(cli):
    for query, step in (("mst", 0.25), ("triangles", 1)):
        found = cli("run", query, "--example", "karate", "--epsilon", 1, "--resolution", step, "--json")
        assert found.json["value"] % step == 0
        assert found.json["parameters"]["resolution"] == step


@pytest.mark.parametrize("query", ["mst", "triangles"])
def test_figures_say_what_a_record_is(cli, drawn, tmp_path, query):
    where = (query, "--example", "karate", "--epsilon", 1)
    record, change = {
        "mst": ("edge weight", "one edge weight changed, edges public"),
        "triangles": ("edge", "one edge added or removed, vertices public"),
    }[query]
    assert cli("sensitivity", *where, "--plot", tmp_path / "x.png").status == 0
    assert f"how far one {record} can move the answer" in drawn[0]
    assert f"the number of other {record}s that may change" in drawn[0]
    assert "Confidential" in drawn[0]
    assert cli("run", *where, "--plot", tmp_path / "x.png").status == 0
    assert change in drawn[1]
    assert "possible results" in drawn[1]
    assert not re.search("Confidential|truth|record", drawn[1])
    assert cli("run", *where, "--show-private", "--plot", tmp_path / "x.png").status == 0
    assert "truth" in drawn[2]


def test_every_value_is_a_release_of_its_own(cli):
    where = ("run", "mst", "--example", "k60", "--epsilon", 1, "--json")
    values = [cli(*where).json["value"] for _ in range(3)]
    assert all(first != second for first, second in itertools.combinations(values, 2))


EDGE_LISTS = {
    "snap.txt": "# FromNodeId\tToNodeId\n0\t1\n1\t2\n2\t0\n2\t3\n",
    "plain.txt": "0 1\n1 2\n2 0\n2 3\n",
    "comma.csv": "0,2\n1,2\n1,0\n2,3\n",
    "g.net": "*Vertices 4\n*Edges\n1 2\n2 3\n1 3\n3 4\n",
}


@pytest.mark.parametrize("name", EDGE_LISTS)
def test_lists_of_edges_need_no_options(cli, tmp_path, name):
    path = tmp_path / name
    path.write_text(EDGE_LISTS[name])
    outcome = cli("sensitivity", "triangles", "--data", path, "--beta", 1, "--vertices", 4, "--json")
    assert (outcome.json["value"], outcome.json["n"], outcome.err) == (1, 4, "")


def test_releases_from_a_list_of_numbers_have_one_account(cli, tmp_path):
    path, ledger = tmp_path / "plain.csv", tmp_path / "ledger.json"
    path.write_text(EDGE_LISTS["comma.csv"])
    where = ("--data", path, "--epsilon", 1, "--ledger", ledger)
    assert "1 release" in cli("run", "triangles", *where, "--vertices", 4).spent
    column = ("--column", "column 1", "--lower", 0, "--upper", 9, "--header", 0)
    assert "2 releases" in cli("run", "median", *where, *column).spent
