"""Notebooks are notebooks, and do what scripts do."""

import json
import subprocess
import sys
import warnings

import pytest
from all_scripts import BALL, CELLS, GRAPH, MEDIAN, POINTS, released
from scripts import found, python, run

from app.export.script import script_of, to_notebook
from app.model.view_states import ViewState


def test_notebooks_are_valid_and_hold_no_outputs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the packages that nbformat needs
        import nbformat
    for state, look in (
        (MEDIAN, ViewState(tab="k")),
        (POINTS, ViewState(tab="release")),
        (released(CELLS.replaced({"query": "privtree"})), ViewState()),
    ):
        notebook = nbformat.reads(to_notebook(script_of(state, look)), as_version=4)
        nbformat.validate(notebook)
        assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
        assert notebook.metadata.kernelspec.name == "python3"
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
        assert notebook.cells[0].source.startswith("# ")
        assert any("$" in cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert sum("plt." in cell.source or "export_picture(" in cell.source for cell in code) == 1


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


@pytest.mark.slow
def test_a_notebook_runs_in_a_fresh_kernel(tmp_path):
    look = ViewState(tab="k")
    assert executed(to_notebook(script_of(MEDIAN, look)), tmp_path) == run(MEDIAN, look)["printed"]


@pytest.mark.slow
@pytest.mark.parametrize("state", [GRAPH, POINTS, BALL, CELLS])
def test_notebooks_of_other_pages_run_in_fresh_kernels(state, tmp_path):
    script = script_of(state, ViewState())
    (tmp_path / "script.py").write_text(python(state, ViewState()), encoding="utf-8")
    # in a process of its own, too: tests let some mechanisms look at fewer records
    out = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert executed(to_notebook(script), tmp_path) == out.stdout
