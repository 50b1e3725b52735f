"""No error of a release shows what a record holds: a marked value is planted wherever one can stand."""

import itertools
import pickle
import sys
import traceback
import warnings
import zipfile

import pytest
from written_tables import WRITERS, written

import app.commands.main as command_line
from app.__main__ import main
from engine.data import large_files
from engine.errors import SensiscopeError
from engine.queries import Median

TEXT, NUMBER = "Zyxwarg", "7731"
"""What no message, name or bound holds by itself."""

ROWS = 24
PLACES = (0, ROWS // 2, ROWS - 1)
NUMBERS = [round(1.0 + 0.5 * index, 2) for index in range(ROWS)]
WORDS = ["red", "blue"] * (ROWS // 2)
BOUNDS = ("--lower", 0, "--upper", 20)

WRONG_NUMBERS = (TEXT, "77,31.44,09", "2077-31-77Zyxwarg", "-7731e4400", "7731 Zyxwarg", "0x7731")
"""No numbers, and none of them a number that is too large."""

TABLES = {
    "column": ({"name": WORDS, "x": NUMBERS}, ("x",), (*WRONG_NUMBERS, -7731.4409)),
    "points": ({"x": NUMBERS, "y": NUMBERS[::-1]}, ("x", "y"), (*WRONG_NUMBERS[:2], -7731.4409)),
    "categories": ({"c": WORDS, "x": NUMBERS}, ("c",), (TEXT, "-7731.4409", f"{TEXT}\u2028red")),
    "weights": (
        {
            "source": [f"v{index}" for index in range(ROWS)],
            "target": [f"v{index + 1}" for index in range(ROWS)],
            "weight": NUMBERS,
        },
        ("weight", "source", "target"),
        (*WRONG_NUMBERS[:2], -7731.4409),
    ),
    "edges": (
        {
            "source": [f"v{index}" for index in range(ROWS)],
            "target": [f"v{index + 1}" for index in range(ROWS)],
        },
        ("source", "target"),
        (TEXT, -7731.4409),
    ),
}
"""By the kind of data: a table without a fault, the columns to mark, and the marks."""

COMMANDS = {
    "column": [
        ("median", "--column", "x", *BOUNDS),
        ("mean", "--method", "laplace", "--column", "x", *BOUNDS),
        ("sample-aggregate", "--function", "mean", "--column", "x", *BOUNDS, "--blocks", 4),
        ("quantiles", "--column", "x", *BOUNDS),
    ],
    "points": [
        ("histogram-tree", "--column", "x", "--column", "y", *BOUNDS),
        ("one-cluster", "--column", "x", "--column", "y", *BOUNDS, "--t", 12, "--delta", 1e-6),
    ],
    "categories": [
        ("contingency-table", "--column", "c", "--categories", "red,blue"),
        ("mode", "--column", "c", "--categories", "red,blue", "--unseen", "refuse"),
    ],
    "weights": [("mst", "--upper", 20)],
    "edges": [("triangles", "--vertices", ROWS + 1)],
}
"""By the kind of data, releases."""

LOOKED_AT = {
    "column": ("sensitivity", "median", "--column", "x", *BOUNDS, "--beta", 1),
    "weights": ("sensitivity", "mst", "--upper", 20, "--beta", 1),
    "edges": ("sensitivity", "triangles", "--vertices", ROWS + 9, "--beta", 1),
}
"""By the kind of data, a command that may show what a record holds."""


def marked(kind, column, row, mark):
    """Return the columns of a table with a mark in one cell."""
    columns = {name: list(cells) for name, cells in TABLES[kind][0].items()}
    columns[column][row] = mark
    return columns


def cells(kind):
    """Yield where marks stand: column, row, mark."""
    _, names, marks = TABLES[kind]
    yield from itertools.product(names, PLACES, marks)


def self_loop(row):
    """Return edges, one of which joins a marked vertex to itself."""
    columns = marked("weights", "source", row, TEXT)
    columns["target"][row] = TEXT
    return columns


def twice(row):
    """Return edges, two of which join the same two vertices, one of them marked."""
    columns = {name: [*cells, cells[row]] for name, cells in self_loop(row).items()}
    columns["target"][row] = columns["target"][-1] = "v0"
    return columns


GRAPHS = {"a loop": self_loop, "a pair twice": twice}
"""Edges that make no graph."""


@pytest.fixture
def errors(monkeypatch):
    """Return a list of the exceptions that end commands."""
    caught, dispatch = [], command_line._dispatch

    def recorded(argv):
        try:
            return dispatch(argv)
        except Exception as error:
            caught.append(error)
            raise

    monkeypatch.setattr(command_line, "_dispatch", recorded)
    yield caught
    caught.clear()


@pytest.fixture
def call(capfd, tmp_path):
    """Call the command line; return its exit status, and all that it writes."""

    def call(*words):
        capfd.readouterr()
        status = command_line.main([str(word) for word in words])
        return status, "".join(capfd.readouterr())

    return call


@pytest.fixture
def release(call, errors, tmp_path):
    """Release from a file; return the exit status after a look for marks in all that can be read."""

    def released(words, path, *more):
        errors.clear()
        status, output = call(
            "run", *words, "--data", path, "--epsilon", 1, *more, "--ledger", tmp_path / "ledger"
        )
        texts = [output]
        for error in errors:
            assert isinstance(error, SensiscopeError), traceback.format_exception(error)
            texts += [str(error), repr(error), *getattr(error, "__notes__", ())]
            texts += traceback.format_exception(error)
            again = pickle.loads(pickle.dumps(error))
            assert (str(again), again.curator_text) == (str(error), error.curator_text)
        for text, mark in itertools.product(texts, (TEXT, NUMBER)):
            assert mark not in text.replace(",", "").replace(path.name, ""), (words, text)
        assert status == (2 if errors else 0)
        return status

    return released


def looked_at(call, kind, path):
    """Return what is said of a file where it may be looked at."""
    verb, *words = LOOKED_AT[kind]
    return call(verb, *words, "--data", path)


SUFFIXES = tuple(WRITERS)


@pytest.mark.parametrize("kind", TABLES)
def test_no_release_shows_a_mark(kind, release, tmp_path):
    """Each mark stands in each position once, in one format or another."""
    statuses = set()
    here = list(cells(kind))[:: 4 if kind in ("column", "weights") else 3]
    for turn, (column, row, mark) in enumerate(here):
        path = written(marked(kind, column, row, mark), tmp_path, SUFFIXES[turn % len(SUFFIXES)])
        statuses.add(release(COMMANDS[kind][turn % len(COMMANDS[kind])], path))
    assert 2 in statuses or kind == "edges"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", TABLES)
def test_no_release_shows_a_mark_of_any_format(kind, suffix, release, tmp_path):
    for turn, (column, row, mark) in enumerate(cells(kind)):
        path = written(marked(kind, column, row, mark), tmp_path, suffix, f"data{turn}")
        for words, missing in itertools.product(COMMANDS[kind], ("refuse", "drop")):
            release(words, path, "--missing", missing)


@pytest.mark.parametrize("fault", GRAPHS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_no_release_from_edges_that_make_no_graph_shows_a_vertex(fault, suffix, call, release, tmp_path):
    for row in PLACES[1:]:
        path = written(GRAPHS[fault](row), tmp_path, suffix)
        assert release(("triangles", "--vertices", ROWS + 9), path) == 2
        assert TEXT in looked_at(call, "edges", path)[1]
        if fault == "a loop":
            assert release(("mst", "--upper", 20), path) == 2


def test_no_release_counts_the_vertices_or_names_those_that_no_path_joins(call, release, tmp_path):
    columns = marked("weights", "source", ROWS // 2, TEXT)
    path = written(columns, tmp_path, ".csv")
    assert release(("mst", "--upper", 20), path) == 2
    assert TEXT in looked_at(call, "weights", path)[1]
    status, output = call("run", "triangles", "--vertices", 3, "--data", path, "--epsilon", 1)
    assert status == 2
    assert str(ROWS + 2) not in output.replace(str(tmp_path), "")


TEXTS = {
    "ragged": (".csv", "x,y\n1,2\n{mark},2,3\n4,5\n"),
    "ragged at the end": (".csv", "x,y\n" + "1,2\n" * 50 + "{mark}\n"),
    "not closed": (".csv", 'x,y\n1,2\n"{mark},2\n4,5\n'),
    "closed twice": (".csv", 'x,y\n1,2\n"{mark}"a",2\n4,5\n'),
    "not UTF-8": (".csv", "x,y\n1,2\n{mark}\udcff,2\n4,5\n"),
    "a null character": (".csv", "x,y\n1,2\n{mark}\0,2\n4,5\n"),
    "bad JSON lines": (".jsonl", '{{"x": 1}}\n{{"x": {mark}}}\n{{"x": 2}}\n'),
    "cut JSON lines": (".jsonl", '{{"x": 1}}\n{{"x": "{mark}'),
    "JSON lines of another kind": (".jsonl", '{{"x": 1}}\n{{"x": "{mark}"}}\n'),
    "a list in JSON lines": (".jsonl", '{{"x": 1}}\n["{mark}"]\n'),
    "nested JSON lines": (".jsonl", '{{"x": 1}}\n{{"x": {{"y": "{mark}"}}}}\n'),
    "JSON lines not UTF-8": (".jsonl", '{{"x": 1}}\n{{"x": "{mark}\udcff"}}\n'),
    "a bad JSON array": (".json", '[{{"x": 1}}, {{"x": {mark}}}]'),
    "a long number in a JSON array": (".json", '[{{"x": 1}}, {{"x": 7731' + "7731" * 1200 + "}}]"),
    "a word in a JSON array": (".json", '[{{"x": 1}}, "{mark}"]'),
    "nested JSON": (".json", '[{{"x": 1}}, {{"x": ["{mark}"]}}]'),
    "unknown node": (
        ".graphml",
        '<graphml><graph edgedefault="undirected"><node id="a"/><edge source="a" target="{mark}"/>'
        "</graph></graphml>",
    ),
    "bad weights": (
        ".graphml",
        '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>'
        '<graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b">'
        '<data key="w">{mark}</data></edge></graph></graphml>',
    ),
    "broken XML": (
        ".graphml",
        '<graphml><graph edgedefault="undirected"><node id="{mark}"/><edge source="{mark}" &></graph>',
    ),
}
"""Texts with a fault, by its name."""


@pytest.mark.parametrize("fault", TEXTS)
def test_no_fault_of_a_text_shows_a_mark(fault, release, tmp_path):
    suffix, text = TEXTS[fault]
    path = tmp_path / f"data{suffix}"
    for mark in (TEXT, "-7731.4409"):
        path.write_bytes(text.format(mark=mark).encode("utf-8", "surrogateescape"))
        words = ("mst", "--upper", 20) if suffix == ".graphml" else ("median", "--column", "x", *BOUNDS)
        release(words, path)


@pytest.mark.parametrize("mark", [TEXT, *WRONG_NUMBERS[2:], "-7731.4409"])
def test_no_release_from_a_stored_file_shows_a_mark(mark, release, tmp_path, monkeypatch):
    """Files that are too large to be read as a whole have readers of their own."""
    monkeypatch.setattr(large_files, "LARGE", 5)
    for suffix in (".csv", ".parquet", ".sqlite"):
        path = written(marked("column", "x", ROWS // 2, mark), tmp_path, suffix)
        release(("median", "--column", "x", *BOUNDS, "--method", "laplace"), path)
    path.with_suffix(".csv").write_text("x,y\n" + "1,2\n" * 9 + f"{mark},3,4\n")
    release(("median", "--column", "x", *BOUNDS), path.with_suffix(".csv"))


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".xlsx"])
def test_a_sensitivity_shows_the_cell(suffix, call, tmp_path):
    path = written(marked("column", "x", 5, TEXT), tmp_path, suffix)
    status, output = looked_at(call, "column", path)
    assert status == 2
    assert f"(confidential: '{TEXT}" in output
    words = ("median", "--data", path, "--column", "x", *BOUNDS, "--epsilon", 1, "--seed", 1)
    assert f"(confidential: '{TEXT}" in call("run", *words, "--show-private")[1]
    assert TEXT not in call("run", *words)[1]


def test_warnings_of_libraries_are_not_shown(capsys, monkeypatch):
    """Whether there is one may depend on the records, and its text as well."""

    def run(_):
        warnings.warn(TEXT, RuntimeWarning, stacklevel=1)
        return 0

    monkeypatch.setattr(sys, "warnoptions", [])
    monkeypatch.setattr(command_line, "main", run)
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err == ""


def test_an_error_that_nobody_thought_of_is_named_by_its_type_alone(call, tmp_path, monkeypatch):
    monkeypatch.delenv("SENSISCOPE_DEBUG", raising=False)
    monkeypatch.setattr(Median, "smooth_sensitivity", lambda *_: float(TEXT))
    path = written(TABLES["column"][0], tmp_path, ".csv")
    words = ("median", "--data", path, "--column", "x", *BOUNDS)
    status, output = call("run", *words, "--epsilon", 1, "--ledger", tmp_path / "ledger")
    assert (status, TEXT in output, "ValueError" in output) == (1, False, True)
    assert TEXT in call("sensitivity", *words, "--beta", 1)[1]


QUERIES = {
    ".duckdb": "select cast(name as double) as x from data",
    ".sqlite": "select json_extract('{}', name) as x from data",
}
"""Of each row a number, which the database cannot make of a mark."""


@pytest.mark.parametrize("suffix", QUERIES)
@pytest.mark.parametrize("large", [5, 1_000_000])
def test_no_word_of_a_database_shows_a_mark(suffix, large, release, tmp_path, monkeypatch):
    monkeypatch.setattr(large_files, "LARGE", large)
    path = written(marked("column", "name", 5, TEXT), tmp_path, suffix)
    assert release(("median", "--column", "x", *BOUNDS, "--sql", QUERIES[suffix]), path) == 2


def test_what_is_wrong_with_the_text_of_a_query_is_said(call, tmp_path):
    for suffix in QUERIES:
        path = written(TABLES["column"][0], tmp_path, suffix)
        words = ("median", "--data", path, "--column", "x", *BOUNDS, "--epsilon", 1)
        assert "nowhere" in call("run", *words, "--sql", "select x from nowhere")[1]


def test_a_cell_that_a_workbook_calls_a_number_is_not_shown(release, tmp_path):
    path = written(TABLES["column"][0], tmp_path, ".xlsx")
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content.replace(b"<v>5.5</v>", f"<v>{TEXT}</v>".encode()))
    release(("median", "--column", "x", *BOUNDS), path)


@pytest.mark.parametrize("suffix", [name for name in SUFFIXES if name not in (".csv", ".tsv", ".jsonl")])
def test_no_file_that_is_cut_shows_a_mark(suffix, release, tmp_path):
    whole = written(marked("column", "name", 5, TEXT), tmp_path, suffix).read_bytes()
    path = tmp_path / f"cut{suffix}"
    for share in (0.3, 0.6, 0.95):
        path.write_bytes(whole[: int(share * len(whole))])
        release(("median", "--column", "x", *BOUNDS), path)
