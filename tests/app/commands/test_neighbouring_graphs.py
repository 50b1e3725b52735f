"""Releases of graphs that differ in one edge, or in one vertex's: nothing but the value tells them apart."""

import itertools

import pytest

import engine.randomness

EDGES = ["ann,bob", "bob,cy", "cy,ann", "ann,dee"]
"""Without its last row a vertex has no edge any more."""
METHODS = ("smooth", "laplace", "gaussian", "ladder", "lipschitz-extension")


@pytest.fixture
def fake_noise(monkeypatch):
    """Let the system's entropy be the same for every release from now on."""

    def begin():
        counter = itertools.count()
        monkeypatch.setattr(
            engine.randomness.os,
            "urandom",
            lambda size: bytes((next(counter) * 151 + 77) % 256 for _ in range(size)),
        )

    return begin


@pytest.fixture
def released(cli, tmp_path, fake_noise):
    """Release a count of triangles of some edges; return all that is said but the value."""

    def call(rows, folder, *words):
        (tmp_path / folder).mkdir()
        path, ledger = tmp_path / folder / "edges.csv", tmp_path / folder / "ledger.sqlite"
        path.write_text("\n".join(["source,target", *rows]) + "\n")
        where = ("run", "triangles", "--data", path, "--ledger", ledger, "--epsilon", 1, "--delta", 1e-6)
        said = []
        for form in ((), ("--json",)):
            fake_noise()
            outcome = cli(*where, *words, *form)
            assert outcome.status == 0, outcome
            value = '"value":' if form else "released triangles"
            lines = [line for line in outcome.out.splitlines() if not line.strip().startswith(value)]
            assert len(lines) == len(outcome.out.splitlines()) - 1
            said += [lines, outcome.err, outcome.spent]
        return said

    return call


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("by", ["number", "list"])
def test_an_edge_less_changes_the_value_alone(released, tmp_path, method, by):
    names = tmp_path / "names.txt"
    names.write_text("ann\nbob\ncy\ndee\neve\nfay\n")
    words = ("--method", method, "--vertices", 6 if by == "number" else names)
    first = released(EDGES, "one", *words)
    assert released(EDGES[:-1], "two", *words) == first
    if method == "lipschitz-extension":  # all edges of a vertex may differ
        assert released(["ann,bob", "dee,eve"], "three", *words) == first
    assert not [name for name in ("ann", "bob", "dee", "eve", "fay") if name in str(first)]


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_released_where_the_vertices_are_counted(cli, refused, edges, tmp_path, method):
    """Whatever the edges are, the same line says so, before anything is written to a ledger."""
    said = set()
    ledger = tmp_path / "ledger.sqlite"
    for rows in (EDGES, EDGES[:-1]):
        path = edges(rows, header="source,target")
        words = ("--data", path, "--epsilon", 1, "--delta", 1e-6, "--method", method)
        said.add(refused("run", "triangles", *words, "--ledger", ledger))
        assert cli("run", "triangles", *words, "--seed", 1).status == 0
    (line,) = said
    assert "the vertices are counted from the edges" in line
    assert "--vertices" in line
    assert not ledger.exists()


def test_vertices_beyond_the_number_or_the_list_are_refused_without_saying_which(refused, edges, tmp_path):
    path = edges(["a,b", "b,marked", "c,a"], header="source,target")
    names = tmp_path / "names.txt"
    names.write_text("a\nb\nc\n")
    where = ("run", "triangles", "--data", path, "--epsilon", 1, "--vertices")
    assert refused(*where, 3) == "--vertices: 3 are too few; the file has more"
    assert refused(*where, names) == (
        "edges.csv, row 3, column 'target': it names a vertex that is not on the public list; add it there "
        "if it is public, or leave the row out"
    )
    names.write_text("a\nb\na\n")
    assert refused(*where, names).startswith("--vertices: names.txt, row 3: it repeats the vertex of row 1")
    assert refused(*where, tmp_path / "none.txt").startswith("--vertices: ")


def test_nodes_of_graphml_are_public_only_if_that_is_stated(cli, refused, tmp_path):
    path = tmp_path / "net.graphml"
    path.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        '<node id="x"/><node id="y"/><node id="z"/><edge source="x" target="y"/></graph></graphml>'
    )
    where = ("run", "triangles", "--data", path, "--epsilon", 1)
    assert "the vertices are counted from the edges" in refused(*where)
    assert cli(*where, "--vertices", path, "--json").json["parameters"]["vertices"] == 3


def test_an_example_has_the_number_on_its_card(cli):
    for name in ("karate", "roads", "k3", "k60"):
        assert cli("run", "triangles", "--example", name, "--epsilon", 1).status == 0
