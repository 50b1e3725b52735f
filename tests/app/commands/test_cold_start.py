"""A command imports what it runs, and no library that it does not need."""

import subprocess
import sys

import pytest

RUN = "run median --data three.csv --epsilon 1 --lower 0 --upper 100 --ledger ledger.sqlite"

UNUSED = {
    "PySide6",
    "dask",
    "duckdb",
    "importlib.metadata",
    "matplotlib",
    "networkx",
    "openpyxl",
    "pandas",
    "platformdirs",
    "pyarrow.compute",
    "scipy",
    "sklearn",
    "sqlglot",
    "app.lessons",
    "app.model.report_document",
    "app.plots",
    "app.window",
    "app.releases.balls",
    "app.releases.cells",
    "app.releases.points",
    "engine.audit",
    "engine.comparison",
    "engine.histograms",
    "engine.simulation",
    "engine.aggregation.blocks",
    "engine.aggregation.sandbox",
    "engine.mechanisms.aggregators.base",
    "engine.mechanisms.categories",
    "engine.mechanisms.histograms",
    "engine.mechanisms.one_cluster",
    "engine.extras.points.k_means",
    "engine.mechanisms.peers",
    "engine.mechanisms.planted.base",
    "engine.mechanisms.sample_aggregate",
}

PROGRAM = """
import sys
from app.commands.main import main
status = main(sys.argv[1:])
print(*sorted(sys.modules), sep="\\n", file=open("modules.txt", "w"))
sys.exit(status)
"""


def imported(folder, command):
    """Return the modules that a command has imported at its end."""
    subprocess.run(
        [sys.executable, "-c", PROGRAM, *command.split()], cwd=folder, check=True, capture_output=True
    )
    return set((folder / "modules.txt").read_text().split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cold")
    (folder / "three.csv").write_text("salary\n10\n20\n30\n")
    return folder


def test_a_release_by_the_default_method_imports_only_what_it_needs(folder):
    modules = imported(folder, RUN)
    assert {"numpy", "pyarrow.csv", "flint", "engine.mechanisms.smooth"} <= modules
    assert modules.isdisjoint(UNUSED), sorted(modules.intersection(UNUSED))


@pytest.mark.parametrize("command", ["run --help", "catalog", "budget --help"])
def test_texts_need_no_library_that_reads_or_computes(folder, command):
    assert imported(folder, command).isdisjoint({"pandas", "pyarrow.csv", "scipy", "flint", "matplotlib"})


@pytest.mark.parametrize("question", ["mst --example roads", "mode --example blood-types"])
def test_tables_are_read_without_pandas_where_it_is_installed(folder, question):
    assert "pandas" not in imported(folder, f"run {question} --epsilon 1 --seed 1")


def test_an_option_of_a_component_imports_those_that_are_named_alone(folder):
    modules = imported(folder, f"{RUN} --g 3 --noise power-laplace --error-share 0.1")
    assert modules.isdisjoint(UNUSED - {"scipy"}), sorted(modules.intersection(UNUSED))
