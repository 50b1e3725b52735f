"""Files that others have made: each opens with its own meaning, or is refused in one line."""

import contextlib
import copy
import json
import os
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.documents.document import FORMAT
from app.documents.json_text import MAX_BYTES
from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.schema import DocumentError
from app.documents.writing import replace_file
from app.model.selection import problems
from engine.errors import SensiscopeError


def refusal(path, ledger):
    """Return the one line with which a file is refused."""
    with pytest.raises(DocumentError) as caught:
        read_session(path, ledger)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 400
    assert line.startswith(path.name)
    return line


@pytest.fixture(scope="module")
def plain(work, ledger, tmp_path_factory):
    """Return what a good file says."""
    from app.documents.writing import save

    path = save(work, tmp_path_factory.mktemp("good") / "good.sensiscope", ledger)
    return json.loads(path.read_text("utf-8"))


@pytest.fixture
def changed(plain, tmp_path):
    """Return a writer of the good file with something else at a place, such as "pages.median.desk.lower"."""

    def write(where, value):
        content = copy.deepcopy(plain)
        *way, last = (int(step) if step.isdigit() else step for step in where.split("."))
        node = content
        for step in way:
            node = node[step]
        node[last] = value
        path = tmp_path / "work.sensiscope"
        path.write_text(json.dumps(content), "utf-8")
        return path

    return write


ASKED = "pages.median.desk.mechanism.settings.query"
FUNCTION = "pages.clustering.desk.mechanism.settings.block_function"


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        ("format", FORMAT + 1, "saved by a newer Sensiscope"),
        ("format", "1", "format: '1' is not a version"),
        ("format", FORMAT - 1, "is not a version"),
        ("format", -1, "is not a version"),
        ("surprise", 1, "surprise: is unknown"),
        ("program", 3, "program: 3 is not text"),
        ("page", "mode", "page: 'mode' is not known"),
        ("page", ["median"], "page: a list is not known"),
        ("room", "kitchen", "room: 'kitchen' is not known"),
        ("shared.epsilon", -1, "shared: epsilon: -1 is not possible"),
        ("shared.epsilon", "1", "shared.epsilon: '1' is not a number"),
        ("shared.epsilon", True, "shared.epsilon: true is not a number"),
        ("shared.delta", 1.5, "delta: 1.5 is not possible"),
        ("shared.chosen.names.noise", "white", "shared.chosen.names.noise: 'white' is not known"),
        ("shared.trusted", [], "shared.trusted: is unknown"),
        ("shared.chosen.parameters", {"query/quantile": {"q": 3}}, "parameters.'query/quantile'.q: 3"),
        ("shared.chosen.parameters", {"os/system": {}}, "no component has this name"),
        ("pages.median.desk.lower", [], "pages.median.desk.lower: a list is not a number"),
        ("pages.median.desk.column", "", "must name a column"),
        ("pages.median.desk.column", "a\0b", "text cannot contain"),
        ("shared.chosen.names", {"spice": "pepper"}, "no component has this name"),
        (f"{ASKED}.name", "nothing", "'nothing' is not known"),
        (f"{ASKED}.name", "mst", "asks a question that the data of this page cannot answer"),
        ("pages.median.desk.mechanism.name", "clusters", "no such parameter of clusters"),
        (
            "pages.median.desk.mechanism.settings.clamp",
            "ceiling",
            "settings.clamp: 'ceiling' is not possible",
        ),
        ("pages.median.desk.edits", {"-1": 2.0}, "is not a position"),
        ("pages.median.desk.edits", {"1": None}, "null is not a number"),
        ("pages.spanning-tree.desk.absent", [1.5], "absent[0]: 1.5 is not possible"),
        ("pages.median.desk.numbers", [1, 2], "numbers: is unknown"),
        ("pages.median.data.example", "nowhere", "'nowhere' is not known"),
        ("pages.median.data.path", "people.csv", "either a file or an example"),
        ("pages.median.desk.comparison.steps", 0, "comparison.steps: 0 is not possible"),
        ("pages.median.desk.comparison.mechanisms", [], "there are 0; at least 1"),
        ("pages.median.desk.comparison.mechanisms.0.name", "planted", "'planted' is not known"),
        ("pages.median.desk.comparison.mechanisms.0.settings.noise", None, "null is not an object"),
        (
            "pages.median.desk.comparison.mechanisms",
            [{"name": "one-cluster", "settings": {}}],
            "this page lacks data for them",
        ),
        ("pages.median.look.tab", "kitchen", "pages.median.look.tab: 'kitchen' is not known"),
        ("pages.clustering.look.options", {"seed": -1}, "look.options.seed: -1 is not possible"),
        ("pages.median.look.options", {"sed": 1}, "look.options.sed: is unknown"),
        ("pages.histogram.look.options.attack", "zero-day", "options.attack: 'zero-day' is not possible"),
        ("pages.clustering.desk.columns", ["x", "x"], "names a column twice"),
        *(
            (
                FUNCTION,
                {"name": "black-box", "settings": settings},
                f"{FUNCTION}: 'black-box' needs more settings",
            )
            for settings in ({}, {"seconds": 5})
        ),
        (FUNCTION, {"settings": {}}, f"{FUNCTION}.name: is missing"),
        ("shared.chosen.names.function", "black-box", "names.function: 'black-box' needs more settings"),
        ("pages.kitchen", {}, "pages.kitchen: is unknown"),
        ("rooms.lessons", {}, "rooms.lessons: is unknown"),
        ("releases", {}, "releases: an object is not a list"),
        ("releases.0.when", "2026-01-31T12:00:00", "is not a time"),
        ("releases.0.release.query", "secret", "'secret' is not known"),
        ("releases.0.release.value", {"a": "b"}, "cannot be a release of this mechanism"),
        ("releases.0.release.value", "48 000", "cannot be a release of this mechanism"),
        ("releases.0.release.value", [[1, 2], [3]], "cannot be a release of this mechanism"),
        ("pages.median.desk.resolution", "fine", "resolution: 'fine' is not a number"),
        ("releases.0.release.step", -1, "step: -1 is not possible; it must be above 0"),
        ("releases.0.release.step", [1, 0], "step[1]: 0 is not possible"),
        ("releases.0.release.step", [], "step: there are 0; at least 1 are allowed"),
        ("releases.0.release.exact", 1, "exact: 1 is not possible; it must be true or false"),
        ("releases.0.inexact", None, "inexact: null is not text"),
        ("releases.0.release.simulated", True, "simulated: is unknown"),
        ("releases.0.release.diagnostics", {"true_value": 1}, "diagnostics: is unknown"),
        ("releases.0.release.privacy", {"epsilon": 0, "delta": 0}, "epsilon: 0 is not possible"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(changed, ledger, where, value, words):
    assert words in refusal(changed(where, value), ledger)


@pytest.mark.parametrize(
    "where", ["page", "shared.epsilon", "pages.median.desk.mechanism", "releases.0.when"]
)
def test_what_is_missing_is_named(plain, tmp_path, ledger, where):
    content = copy.deepcopy(plain)
    *way, last = (int(step) if step.isdigit() else step for step in where.split("."))
    node = content
    for step in way:
        node = node[step]
    del node[last]
    path = tmp_path / "work.sensiscope"
    path.write_text(json.dumps(content), "utf-8")
    assert f"{last}: is missing" in refusal(path, ledger)


def test_a_page_that_is_open_must_be_there(plain, tmp_path, ledger):
    path = tmp_path / "work.sensiscope"
    path.write_text(json.dumps({**plain, "pages": {}}), "utf-8")
    assert "its data are missing" in refusal(path, ledger)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is not a session file, or is cut short"),
        (b"name,age\nann,3\n", "line 1, column 1: is not a session file"),
        (b"[1, 2]", "is not a session file"),
        (b"{}", "is not a session file"),
        (b"\x00\x01\xff\xfe", "it is not text"),
        (b'{"format": 1, "format": 1}', "'format' appears twice"),
        (b'{"format": NaN}', "NaN is not a finite number"),
        (b'{"format": -Infinity}', "-Infinity is not a finite number"),
        (b'{"format": 1e999}', "is too large"),
        (b'{"format": ' + b"9" * 5000 + b"}", "is too large"),
        (b'{"format": [' + b"[]," * (1 << 20) + b"1]}", "holds more than 1,048,576 lists and objects"),
        (b'{"format": ' + b"[" * 100_000 + b"}", "is nested too deeply"),
        (b'{"format": ' + b'{"a":' * 100_000 + b"}", "is nested too deeply"),
    ],
)
def test_what_is_no_session_is_refused(tmp_path, ledger, text, words):
    path = tmp_path / "work.sensiscope"
    path.write_bytes(text)
    assert words in refusal(path, ledger)


def test_a_file_that_was_cut_is_refused_wherever_that_was(plain, tmp_path, ledger):
    text = json.dumps(plain).encode()
    path = tmp_path / "work.sensiscope"
    for end in range(1, len(text), len(text) // 60):
        path.write_bytes(text[:end])
        assert refusal(path, ledger)


def test_a_released_value_that_is_nested_too_deeply_is_refused(changed, ledger):
    value = 1.0
    for _ in range(200):
        value = [value]
    assert "nested more than 12 levels deep" in refusal(changed("releases.0.release.value", value), ledger)


def test_folders_devices_pipes_and_large_files_are_refused(tmp_path, ledger):
    assert "is a folder" in refusal(tmp_path, ledger) or os.name == "nt"
    assert "cannot be read" in refusal(tmp_path / "nothing.sensiscope", ledger)
    large = tmp_path / "large.sensiscope"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "is larger than" in refusal(large, ledger)
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe.sensiscope"
        os.mkfifo(pipe)
        assert "not an ordinary file" in refusal(pipe, ledger)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path, saved):
    path = saved()
    before = path.read_bytes()
    with pytest.raises(FileNotFoundError):
        replace_file(tmp_path / "no" / "such" / "folder.sensiscope", b"x")
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]  # and no parts


def nodes(plain, way=()):
    """Yield the ways to all values within JSON."""
    yield way
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for name, value in items:
        yield from nodes(value, (*way, name))


STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(["median", "one-cluster", "/etc/passwd", "../x.csv", "\ud800", "<b>x</b>", "1e999"]),
    st.lists(st.integers(0, 3), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(0, 3), max_size=2),
)


@pytest.mark.parametrize("examples", [10, pytest.param(500, marks=pytest.mark.slow)])
def test_any_value_may_be_another_one(plain, tmp_path, ledger, examples):
    """A changed file is refused in one line, or means what it says: written again, it says the same."""
    from app.documents.document import document_of

    ways = st.sampled_from(sorted(nodes(plain), key=str))
    path = tmp_path / "work.sensiscope"

    @settings(max_examples=examples, deadline=None, derandomize=True)
    @given(way=ways, value=STRANGE)
    def check(way, value):
        content = {"": copy.deepcopy(plain)}
        node = content
        *steps, last = "", *way
        for step in steps:
            node = node[step]
        node[last] = value
        path.write_text(json.dumps(content[""]), "utf-8")
        try:
            kept, line = read_session(path, ledger), ""
        except DocumentError as error:
            kept, line = None, str(error)
        if kept is None:
            assert re.fullmatch(r"work\.sensiscope[:,] [^\n]{5,350}", line)
            return
        again = document_of(str(tmp_path)).plain(kept.document)
        assert document_of(str(tmp_path)).read(again, "") == kept.document
        with contextlib.suppress(SensiscopeError):  # which is one line, too
            state = load_session(kept, {}, ledger).work.state
            for page in kept.document.pages:
                problems(state.at(page))  # which are explained beside their fields

    check()


def test_a_function_in_a_file_is_a_name_and_never_imported(changed, ledger, tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')\n", "utf-8")
    ends = {"lower": [0.0], "upper": [1.0]}
    box = {"path": "evil.py", "function_name": "run", **ends, "seconds": 1.0, "memory_mb": 100}
    kept = read_session(changed(FUNCTION, {"file": box}), ledger)
    found = kept.document.pages["clustering"].fields["mechanism"].part("block_function").build()
    assert (found.path, found.function_name) == (str(tmp_path / "evil.py"), "run")
    assert "evil" not in sys.modules


def test_whole_numbers_of_any_size_are_numbers_of_a_table(changed, ledger):
    kept = read_session(changed("pages.median.desk.upper", 10**20), ledger)
    upper = kept.document.pages["median"].fields["upper"]
    assert (upper, type(upper)) == (1e20, float)
