"""Whatever is wrong with a graph: one line that says what, where and what would be right."""

import pytest

GOOD = ("a,b,1", "b,c,2", "c,a,3")
MST = ("mst", "--upper", 10)
TRIANGLES = ("triangles", "--vertices", 9)


@pytest.fixture
def from_file(refused):
    """Refuse a file for a release, and for its sensitivity with what is confidential about it."""

    def call(query, path, *words):
        where = (*query, "--data", path, *words)
        message = refused("run", *where, "--epsilon", 1)
        assert "edges.csv" in message or path.name in message
        more = refused("sensitivity", *where, "--beta", 1, "--json").removeprefix(message)
        assert not more or more.startswith(" (confidential: "), (message, more)
        return message + more

    return call


@pytest.mark.parametrize(
    ("query", "header", "words", "said"),
    [
        (MST, "from,to,cost", (), ["no column 'source'", "--source", "from, to, cost"]),
        (MST, "source,target,cost", (), ["no column 'weight'", "--weight", "cost"]),
        (MST, "source,target,cost", ("--weight", "costs"), ["no column 'costs'", "try cost"]),
        (TRIANGLES, "source,to,cost", (), ["no column 'target'", "--target", "to"]),
        (TRIANGLES, "source,to,cost", ("--target", "too"), ["no column 'too'", "try to"]),
        (MST, "source,target,weight", ("--target", "source"), ["column 'source'", "twice"]),
    ],
)
def test_columns_that_are_not_there(from_file, edges, query, header, words, said):
    message = from_file(query, edges(GOOD, header), *words)
    assert all(part in message for part in said), message


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a,d,-1", ["negative", "at least 0", "(confidential: -1)"]),
        ("a,d,nan", ["finite", "(confidential: nan)"]),
        ("a,d,inf", ["finite", "(confidential: inf)"]),
        ("a,d,heavy", ["not a number", "(confidential: 'heavy'; "]),
        ("a,d,", ["missing"]),
        (",d,1", ["missing"]),
        ("d,d,1", ["'d'", "to itself"]),
    ],
)
def test_a_row_that_is_no_edge_with_a_weight_is_named(from_file, edges, row, said):
    message = from_file(MST, edges((*GOOD, row, "c,d,4")))
    assert "row 5" in message
    assert all(part in message for part in said), message


def test_triangles_need_no_weights_but_names_and_no_edge_twice(from_file, cli, edges):
    path = edges((*GOOD, "a,d,heavy", "d,a,-3"))
    message = from_file(TRIANGLES, path)
    assert "row 6" in message
    assert "row 5" in message
    assert "to itself" in from_file(TRIANGLES, edges(("a,a,1",)))
    path = edges((*GOOD, "a,d,heavy"))
    assert cli("run", "triangles", "--data", path, "--vertices", 4, "--epsilon", 1, "--json").json


@pytest.mark.parametrize(
    "labels", [[["a"], ["b"]], [{"x": 1}, {"x": 2}], [b"a", b"b"]], ids=["lists", "objects", "bytes"]
)
@pytest.mark.parametrize("query", [MST, TRIANGLES], ids=["mst", "triangles"])
def test_labels_of_unknown_types(from_file, tmp_path, query, labels):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "edges.parquet"
    pq.write_table(pa.table({"source": labels, "target": ["c", "d"], "weight": [1.0, 2.0]}), path)
    message = from_file(query, path)
    assert "column 'source'" in message
    assert "text or whole numbers" in message


@pytest.mark.parametrize("query", [MST, TRIANGLES], ids=["mst", "triangles"])
def test_no_edges(from_file, edges, tmp_path, query):
    assert "record" in from_file(query, edges(()))
    path = tmp_path / "edges.graphml"
    path.write_text('<graphml><graph edgedefault="undirected"><node id="a"/></graph></graphml>')
    assert "edge" in from_file(query, path)


def test_a_graph_in_pieces_has_no_spanning_tree_but_triangles(from_file, cli, edges):
    path = edges((*GOOD, "d,e,1"))
    message = from_file(MST, path)
    assert "2 components" in message
    assert "connected" in message
    assert "triangles" in message
    found = cli("sensitivity", "triangles", "--data", path, "--vertices", 5, "--beta", 1, "--json")
    assert found.json["value"] == 1


def test_too_few_vertices(refused, edges):
    where = ("--data", edges(), "--beta", 1)
    few = refused("run", "triangles", "--data", edges(), "--vertices", 3, "--epsilon", 1)
    assert few == "--vertices: 3 are too few; the file has more"
    looked = refused("sensitivity", "triangles", *where, "--vertices", 3)
    assert looked == f"{few} (confidential: the file has 4)"
    for number in ("-1", "1.5", "x", "1e30", "inf"):
        assert "--vertices" in refused("sensitivity", "triangles", *where, "--vertices", number)
    pair = ("--data", edges(("a,b,1",)), "--vertices", 2)
    for verb in (("sensitivity", "--beta"), ("run", "--epsilon")):
        assert "at least 3" in refused(verb[0], "triangles", *pair, verb[1], 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--upper: a public upper bound is needed"),
        (("--lower", 0), "--upper: a public upper bound is needed"),
        (("--upper", 5, "--lower", 1), "--lower: weights are counted from 0"),
        (("--upper", 5, "--lower", "0,0"), "--lower: weights are counted from 0"),
        (("--upper", 0), "--upper: 0 is not above lower = 0"),
        (("--upper", -1), "--upper: -1 is not above lower = 0"),
        (("--upper", "nan"), "--upper: nan is not a bound"),
        (("--upper", "inf"), "--upper: inf is not a bound"),
        (("--upper", "1,000"), "--upper: 2 bounds"),
    ],
)
def test_impossible_bounds(refused, edges, words, said):
    message = refused("run", "mst", "--data", edges(), "--epsilon", 1, *words)
    assert message.startswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mst", "--column", "x"), "--column: mst reads a graph with weights; this option belongs to median"),
        (("triangles", "--column", "x"), "--column: triangles reads a graph without weights"),
        (
            ("mst", "--vertices", 4),
            "--vertices: mst reads a graph with weights; this option belongs to triang",
        ),
        (
            ("median", "--source", "x"),
            "--source: median reads a column of numbers; this option belongs to mst",
        ),
        (("mean", "--target", "x"), "this option belongs to mst, triangles"),
        (("median", "--weight", "x"), "this option belongs to mst "),
        (("median", "--vertices", 4), "this option belongs to triangles "),
    ],
)
def test_options_of_other_data_are_refused_before_a_file_is_read(refused, words, said):
    for verb in (("run", "--epsilon"), ("sensitivity", "--beta")):
        message = refused(verb[0], *words, "--data", "nowhere.csv", verb[1], 1)
        assert message.startswith(said) or said in message


@pytest.mark.parametrize(
    ("query", "example", "fitting", "other"),
    [
        ("median", "karate", "salaries", "roads"),
        ("mst", "salaries", "karate, roads, k60, k3", "penguins"),
        ("triangles", "penguins", "karate, roads, k60, k3", "engel"),
        ("mst", "karat", "karate", "salaries"),
    ],
)
def test_an_example_of_the_wrong_kind_is_answered_with_those_that_fit(
    refused, query, example, fitting, other
):
    offered = refused("run", query, "--example", example, "--epsilon", 1).partition("try ")[2]
    assert fitting in offered
    assert other not in offered


def test_nothing_is_remarked_beside_an_error(refused, edges):
    path = edges(("a,b,1", "b,a,1"))
    refused("run", "triangles", "--data", path, "--upper", 5, "--weight", "w", "--epsilon", 1)


def test_other_mistakes_are_those_of_every_query(refused):
    karate = ("--example", "karate")
    assert "no such parameter" in refused("run", "mst", *karate, "--epsilon", 1, "--even", "average")
    assert "delta above 0" in refused("run", "mst", *karate, "--epsilon", 1, "--method", "gaussian")
    assert "there is no query 'tringles'; try triangles" in refused(
        "sensitivity", "tringles", *karate, "--beta", 1
    )
    too_large = ("--delta", 1e-6, "--method", "propose-test-release", "--bound", 8)
    assert "not below the global sensitivity 8" in refused("run", "mst", *karate, "--epsilon", 1, *too_large)
    assert "--encoding" in refused("run", "mst", *karate, "--epsilon", 1, "--encoding", "latin-1")
