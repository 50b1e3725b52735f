"""Scripts are good Python, whatever the data are called; notebooks are notebooks."""

import ast
import contextlib
import dataclasses
import doctest
import json
import math
import subprocess
import sys
import warnings
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scripts import choose, example, found, of_file, python, run

from app.export.script import expressions, layout, names, script_of, to_notebook
from app.export.script.expressions import written
from app.export.script.layout import laid_out, quoted
from app.export.script.names import imports
from app.model.audit_choice import AuditChoice
from app.model.comparison_choice import ComparisonChoice
from app.model.kinds.categories import CategoryAnswers, CategoryChoice
from app.model.release_record import ReleaseRecord
from app.model.selection import selection
from app.model.view_states import AuditViewState, BallViewState, HistogramViewState, ViewState
from app.pages.audit import tabs as audit_tabs
from app.pages.histogram import tabs as histogram_tabs
from app.pages.sensitivity.tabs import TABS
from engine import catalog
from engine.catalog import ASKED
from engine.data import read_table
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.noise import StudentT
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import reproducible

HOSTILE = (
    '"); import os #',
    "'); import os #",
    'it\'s "both" \'\'""',
    "back\\slash \\",
    "new\nline\r\ttab",
    '"""',
    "{braces} %s",
    "größe ☃ \u202e\u2028",
    "\x00\x7f\ud800",
    "",
)


@pytest.mark.parametrize("module", [layout, expressions, names])
def test_examples_in_docstrings(module):
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_strings_are_quoted_so_that_the_same_is_read(text):
    assert ast.literal_eval(quoted(text)) == text
    assert "\n" not in quoted(text)


@pytest.mark.parametrize(
    "value",
    [
        0.1,
        1e-6,
        -0.0,
        1e300,
        123456.789,
        1_000_000,
        5e-324,
        2.0**53 + 2,
        [1.5, [2, None]],
        (1,),
        (),
        {"a": [True, "x"], 3: 0.5},
    ],
)
def test_values_are_written_so_that_the_same_are_read(value):
    assert ast.literal_eval(written(value)) == value


def test_what_is_not_finite_and_arrays():
    assert written(math.inf) == 'float("inf")'
    assert written(np.array([1.0, 2.5])) == "[1.0, 2.5]"
    assert written(np.float64(3.0)) == "3.0"


def test_domains_and_components_are_written_as_they_are_made():
    assert (
        written(Box((Interval(0.0, 1.0), Interval(-2.0, 20000.0)))) == "Box.of([0.0, -2.0], [1.0, 20_000.0])"
    )
    assert written(Interval(0, 10, 0.5)) == "Interval(0, 10, resolution=0.5)"
    assert written(Privacy(1.0, 1e-6)) == "Privacy(epsilon=1.0, delta=1e-06)"
    smooth = catalog.mechanism("smooth", catalog.query("quantile", q=0.25), StudentT(nu=4.0), split=0.3)
    assert written(smooth) == "SmoothRelease(query=Quantile(q=0.25), noise=StudentT(nu=4.0), split=0.3)"


def test_what_cannot_be_written_is_no_silent_gap():
    with pytest.raises(TypeError, match="object cannot be written"):
        written(object())


def test_a_name_of_its_own_is_not_imported():
    assert imports("plan = planned(x)\nprint(plan, Privacy)") == (
        "from engine.mechanisms.planning import planned\nfrom engine.privacy import Privacy"
    )


def test_long_lines_of_all_kinds_are_broken():
    words = ", ".join(f"a_long_name_{number}" for number in range(9))
    for line in (
        f"x = f({words})",
        f"[{words}]",
        f"x = [g({words}) for y in z]",
        f"x = {{1: [{words}], 2: 3}}",
    ):
        assert max(map(len, laid_out(line).splitlines())) <= 88
        assert ast.dump(ast.parse(laid_out(line))) == ast.dump(ast.parse(line))


# Names that do harm.


@pytest.mark.parametrize("name", [text for text in HOSTILE if text.strip() and "\ud800" not in text])
def test_columns_and_files_with_hostile_names(name, tmp_path):
    safe = "".join(sign for sign in name if sign not in "/\x00")
    path = tmp_path / f"{safe}.csv"
    pa.csv.write_csv(pa.table({name: np.arange(20.0), "other": np.arange(20.0)}), path)
    [column, _] = read_table(path).columns  # names lose their outer blanks
    fields = {
        "column": column.name,
        "missing": "refuse",
        "lower": 0.0,
        "upper": 20.0,
        "bounds_source": "looked",
    }
    state = of_file("median", path, fields)
    left = run(state)
    assert left["data"].values.tolist() == list(range(20))
    assert "strictly, nothing that is released is private" in python(state)
    assert "import os" not in [ast.unparse(node) for node in ast.parse(python(state)).body]


def test_hostile_categories():
    labels = tuple(text.strip() for text in HOSTILE if text.strip() and "\ud800" not in text)
    state = example("histogram", "admissions", query="contingency-table")
    answers = CategoryAnswers.read(state.dataset.table, ("gender",), "refuse", silent)
    choice = CategoryChoice(columns=("gender",), lists={"gender": labels}, unseen="other", answers=answers)
    state = state.replaced({"categories": choice, "view": "release"})
    assert run(state, ViewState(tab="bars"))["bounds"] == state.builder().domain


# All of them at once.

MEDIAN = example("median", "one-to-ten")
GRAPH = example("spanning-tree", "k3")
POINTS = example("clustering", "four-heaps")
BALL = choose(
    example("one-cluster", "around-the-middle", delta=1e-6, epsilon=50.0),
    **{f"mechanism__{name}": {"t": 120} for name in ("one_cluster", "k_balls", "screened_mean")},
)
CELLS = example("histogram", "around-the-middle")


@pytest.mark.parametrize(
    "look",
    [
        ViewState(tab="distribution", seed="1); import os #"),
        ViewState(tab="audit", audit=AuditViewState(choice=AuditChoice(seed="1); import os #"))),
        ViewState(tab="path", target="lower'); import os #"),
        ViewState(
            tab="attacks",
            histogram=HistogramViewState(sweep='"); import os #', attack=("uniform", "1); import os #")),
        ),
        ViewState(
            tab="isolation", histogram=HistogramViewState(attack=('"); import os #', "1); import os #"))
        ),
        ViewState(tab="isolation", histogram=HistogramViewState(moved={"0]; import os #": 1.0})),
    ],
)
def test_a_look_with_hostile_words_writes_no_code_of_its_own(look):
    for state in (MEDIAN, CELLS):
        with contextlib.suppress(TypeError):  # what is no number is refused
            nodes = ast.walk(ast.parse(python(state, look)))
            modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
            assert modules <= {"numpy"}


def released(state):
    """Return the state after a release of its own (with a seed, which the test keeps to itself)."""
    setup = selection(state)
    release = setup.mechanism.run(setup.source.build(), setup.privacy, reproducible(3))
    release = dataclasses.replace(release, simulated=False)
    record = dataclasses.replace(ReleaseRecord.of(release, state), when=datetime(2026, 5, 1, tzinfo=UTC))
    return dataclasses.replace(state, releases=(record,))


def looks(*tabs, **more):
    return [ViewState(tab=tab, **more) for tab in tabs]


def every():
    """Yield states and looks: all that is in the catalog, all tabs, both views, rooms."""
    audit = AuditViewState(choice=AuditChoice(runs=1000, bug=""))
    for target in ("lower", "upper", "halves", "complete"):
        yield MEDIAN, ViewState(tab="path", target=target)
    for look in looks(*TABS, audit_tabs.TAB, audit=audit, target="empty"):
        yield from ((state, look) for state in (MEDIAN, GRAPH, dataclasses.replace(GRAPH, query="triangles")))
    for name in ASKED:
        page = {"": MEDIAN, "clusters": POINTS, "balls": BALL}.get(getattr(ASKED[name], "topic", ""), CELLS)
        if ASKED[name].reads in ("points", "column"):
            yield dataclasses.replace(page, query=name), ViewState()
    for method in catalog.MECHANISMS:
        state = dataclasses.replace(MEDIAN, method=method, delta=1e-3)
        yield choose(state, method__propose_test_release={"bound": 0.5}), ViewState()
    for noise in catalog.NOISES:
        yield (
            MEDIAN.replaced({"noise": noise, "delta": 1e-3, "modified_values": {2: 3.5}}),
            ViewState(tab="noise"),
        )
    for look in looks(
        "data", "blocks", "outputs", "aggregate", "noise", "release", audit_tabs.TAB, audit=audit
    ):
        yield POINTS, look
    for look in looks("ball", "radius", "boxes", "runs", "axes", ball=BallViewState(step="last", tried=0)):
        yield BALL, look
    for look in looks(*histogram_tabs.OF_SHIFTED):
        yield dataclasses.replace(CELLS, query="histogram-shifted"), look
    for sweep in ("t", "d"):
        yield CELLS, ViewState(tab="attacks", histogram=HistogramViewState(sweep=sweep))
    yield CELLS, ViewState(tab="tree", histogram=HistogramViewState(price=2.0))
    for state in (MEDIAN, GRAPH, POINTS, CELLS):
        room = dataclasses.replace(state, room="compare", comparison=ComparisonChoice(runs=10, within=1.0))
        yield from ((room, look) for look in looks("errors", "needed"))
        yield released(state), ViewState()


def texts():
    """Return the scripts of all of them, in both views."""
    made = {}
    for state, look in every():
        for view in ("curator", "release"):
            with contextlib.suppress(ParameterError):  # such as more points in a ball than there are
                made[python(dataclasses.replace(state, view=view), look)] = None
    return list(made)


def test_all_scripts_are_as_formatters_and_linters_want_them(tmp_path):
    scripts = texts()
    assert len(scripts) > 100
    # of every page and kind there is one that makes sense
    for word in ("deciding_cuts", "deciding_pair", "with_blocks", "records_in", "found.tries", "every[0]"):
        assert any(word in text for text in scripts), word
    for number, text in enumerate(scripts):
        (tmp_path / f"script_{number}.py").write_text(text, encoding="utf-8")
    for command in (
        ["format", "--check", "--isolated"],
        ["check", "--isolated", "--select", "E,F,I,W,B,UP,N,SIM,C4"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", str(tmp_path)],
            cwd=tmp_path,  # where the engine is a package that is installed
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]


def test_scripts_import_the_engine_alone_and_hold_no_data():
    for text in texts():
        modules = {
            (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).partition(".")[0]
            for node in ast.parse(text).body
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert modules <= {"engine", "numpy", "dataclasses"}


def test_scripts_of_the_release_view_compute_nothing_private():
    for state, look in every():
        state = dataclasses.replace(state, view="release")
        try:
            text = python(state, look)
        except ParameterError:
            continue
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert not used & {"read_table", "load_example", "data", "table", "ready", "simulate"}, text
        assert "(private)" not in text


def test_releases_stand_in_a_list_that_everybody_may_see():
    for view in ("curator", "release"):
        state = dataclasses.replace(released(MEDIAN), view=view)
        [record] = run(state)["releases"]
        assert record["value"] == state.releases[0].release.value
        assert record["epsilon"] == 1.0
        assert record["when"].startswith("2026-05-01")
        assert "cannot be drawn again" in python(state)


def test_many_numbers_are_left_out_of_a_script():
    state = released(dataclasses.replace(CELLS, query="histogram-noisy", view="release"))
    assert len(str(state.releases[0].release.value)) > 10_000
    assert len(python(state)) < 3000


def test_what_lessons_have_simulated_stays_out():
    state = released(MEDIAN)
    lesson = dataclasses.replace(state.releases[0].release, simulated=True)
    simulated = dataclasses.replace(state.releases[0], release=lesson)
    assert "releases" not in run(dataclasses.replace(state, releases=(simulated,)))


# Notebooks.


def test_notebooks_are_valid_and_hold_no_outputs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the packages that nbformat needs
        import nbformat
    for state, look in (
        (MEDIAN, ViewState(tab="k")),
        (POINTS, ViewState(tab="release")),
        (released(CELLS), ViewState()),
    ):
        notebook = nbformat.reads(to_notebook(script_of(state, look)), as_version=4)
        nbformat.validate(notebook)
        assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
        assert notebook.metadata.kernelspec.name == "python3"
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
        assert notebook.cells[0].source.startswith("# ")
        assert any("$" in cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert sum("plt." in cell.source for cell in code) == 1


def test_a_notebook_does_what_the_script_does():
    state, look = MEDIAN.replaced({"modified_values": {0: 2.0}}), ViewState(tab="distribution")
    cells = json.loads(to_notebook(script_of(state, look)))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert found("\n".join(code))["printed"] == run(state, look)["printed"]
    import matplotlib.pyplot as plt

    plt.close("all")


def executed(text, folder):
    """Run a notebook in a fresh kernel; return what its cells printed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the packages that these need
        import nbformat
        from nbclient import NotebookClient

        notebook = nbformat.reads(text, as_version=4)
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [one for cell in notebook.cells for one in cell.get("outputs", [])]
    assert not [one for one in outputs if one.output_type == "error"]
    return "".join(one.text for one in outputs if one.output_type == "stream" and one.name == "stdout")


def test_a_notebook_runs_in_a_fresh_kernel(tmp_path):
    look = ViewState(tab="k")
    assert executed(to_notebook(script_of(MEDIAN, look)), tmp_path) == run(MEDIAN, look)["printed"]


@pytest.mark.slow
@pytest.mark.parametrize("state", [GRAPH, POINTS, BALL, CELLS])
def test_notebooks_of_other_pages_run_in_fresh_kernels(state, tmp_path):
    assert executed(to_notebook(script_of(state, ViewState())), tmp_path) == run(state)["printed"]
