"""Tables that others wrote: how many open without an option, and whether pandas reads the same from them.

Install ``pydataset``, ``statsmodels`` and ``vega-datasets`` beside for this; nothing else needs them.
Run with ``python3 packaging/test.py -m benchmark -s tests/benchmarks/test_foreign_tables.py``.
"""

import importlib.util
import math
import random
import tarfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from engine.data import cells, read_table
from engine.errors import DataError

pytestmark = pytest.mark.benchmark

PACKAGES = ("statsmodels", "sklearn", "vega_datasets", "plotly", "bokeh")
SUFFIXES = (".csv", ".csv.gz", ".dta", ".tsv")
OTHERWISE = {
    "bmt_results.csv": "pandas takes numbers with a typographic minus for texts",
    "time_series_examples.dta": "dates are read as numbers by pandas here",
    "unemp.csv": "pandas does not count the blank lines above the names",
}
"""Tables that pandas reads otherwise, with the reason."""

SEED, SAMPLED = 47, 60


def folder_of(package):
    """Return the folder of an installed package, without importing it."""
    found = importlib.util.find_spec(package)
    if found is None:
        pytest.skip(f"not installed: {package}")
    return Path(found.submodule_search_locations[0])


@pytest.fixture(scope="module")
def tables_of_r(tmp_path_factory):
    folder = tmp_path_factory.mktemp("r")
    with tarfile.open(folder_of("pydataset") / "resources.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    files = (file for file in folder.rglob("csv/*/*.csv") if not file.name.startswith("._"))
    return sorted(files)


def opened(files):
    """Return the tables that open by file, and the messages of the others."""
    tables, refused = {}, {}
    for file in files:
        try:
            tables[file] = read_table(file)
        except DataError as error:
            refused[file] = str(error)
    for file, message in refused.items():
        print(f"{file.name}: {message}")
        assert "\n" not in message
    print(f"{len(tables)} of {len(files)} open")
    return tables, refused


def read_by_pandas(file, table):
    """Return the table as pandas reads it, with our delimiter and row of names."""
    if file.suffix == ".dta":
        return pd.read_stata(file, convert_categoricals=False, convert_dates=False)
    found = table.reading.values
    blanks = found["delimiter"] == "blanks"
    names = int(found["header"])
    peer = pd.read_csv(
        file,
        sep=r"\s+" if blanks else found["delimiter"],
        header=names - 1 if names else None,
        low_memory=False,
    )
    has_row_names = peer.shape[1] == table.data.num_columns - 1
    return peer.reset_index() if has_row_names else peer


def differences(file, table):
    """Yield how the rows, columns, types and sums of a table differ from those that pandas reads."""
    peer = read_by_pandas(file, table)
    if peer.shape != (table.n, table.data.num_columns):
        yield f"{table.n} × {table.data.num_columns}, but {peer.shape}"
        return
    for index, name in enumerate(peer.columns):
        column, other = table.data.column(index), peer.iloc[:, index]
        if other.isna().all() or column.null_count == len(column):
            continue
        is_number = pd.api.types.is_numeric_dtype(other) and other.dtype != bool
        if (cells.kind(column.type) == "number") is not is_number:
            yield f"{name}: {column.type}, but {other.dtype}"
        elif is_number:
            ours = math.fsum(value for value in column.cast(pa.float64()).to_pylist() if value is not None)
            if not math.isclose(ours, math.fsum(other.dropna()), rel_tol=1e-9, abs_tol=1e-9):
                yield f"{name}: the sum is {ours}, but {other.sum()}"


def differing(tables):
    """Return the differences by the names of files, of those that have any; prints them."""
    results = {file.name: list(differences(file, table)) for file, table in tables.items()}
    wrong = {name: found for name, found in results.items() if found}
    print(wrong)
    return wrong


def test_tables_of_r_open_without_an_option(tables_of_r):
    """Row names without a heading, R's missing values, quoted numbers: as `write.csv` writes them."""
    tables, refused = opened(tables_of_r)
    assert len(tables) >= 745
    assert len(refused) <= len(tables_of_r) - 745


def test_a_sample_of_the_tables_of_r_is_read_as_pandas_reads_it(tables_of_r):
    tables, _ = opened(random.Random(SEED).sample(tables_of_r, SAMPLED))
    assert differing(tables).keys() <= OTHERWISE.keys()


def test_files_of_other_packages_open_or_ask_about_their_first_row():
    """Of those with a header nearly all open; the others have none, and the message asks."""
    folders = [folder_of(name) for name in PACKAGES if importlib.util.find_spec(name)]
    files = [file for folder in folders for file in folder.rglob("*") if file.name.endswith(SUFFIXES)]
    tables, refused = opened(files)
    asked = [message for message in refused.values() if 'header="' in message]
    print(f"{len(asked)} asked about their first row")
    assert len(refused) - len(asked) <= len(files) / 30
    assert differing(tables).keys() <= OTHERWISE.keys()
