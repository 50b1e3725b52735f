"""Readers are imported when the first file of their kind is opened."""

import subprocess
import sys

import pytest

READERS = {
    "arff",
    "csvy",
    "edge_list",
    "graph_files",
    "json_lines",
    "r_files",
    "statistics_files",
    "workbook",
}
SCRIPT = """
import sys
from engine import read_table
from engine.data.large_files import large_table
large_table(sys.argv[1])
read_table(sys.argv[1])
print(*sorted(name for name in sys.modules if name.startswith("engine.extras.")))
"""


def imported_for(path):
    command = [sys.executable, "-P", "-c", SCRIPT, str(path)]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return {name.removeprefix("engine.extras.formats.") for name in names} & (
        READERS | {"engine.extras.stored.table"}
    )


@pytest.mark.parametrize(
    ("name", "text", "readers"),
    [
        ("pay.csv", "pay,group\n10,c\n20,p\n", set()),
        ("pay.tsv", "# pay\n10\t3\n20\t4\n", {"edge_list"}),
        ("pay.json", '[{"pay": 10}, {"pay": 20}]', {"json_lines"}),
        ("pay.arff", "@relation pay\n@attribute pay numeric\n@data\n10\n20\n", {"arff"}),
    ],
)
def test_a_reader_is_imported_for_files_of_its_kind(tmp_path, name, text, readers):
    path = tmp_path / name
    path.write_text(text)
    assert imported_for(path) == readers
