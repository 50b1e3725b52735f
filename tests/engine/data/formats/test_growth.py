"""Small files that stand for much more than they hold are refused before memory is taken, and can be left."""

import contextlib
import gzip
import os
import re
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import duckdb
import mutated_files
import numpy as np
import psutil
import pyarrow as pa
import pytest
from pyarrow import feather, orc, parquet

from engine.data import read_table
from engine.data.formats import apart
from engine.data.large_files import large_table
from engine.errors import DataError
from engine.extras.stored.opening import stored_table

COUNT = "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s{end}) "


@pytest.fixture(autouse=True)
def _room(monkeypatch):
    """Let the content of small files take 48 MB, and a second: what is refused is made sooner."""
    monkeypatch.setattr("engine.free_memory.ROOM", 48 << 20)
    monkeypatch.setattr(apart, "SECONDS", 0.3)
    apart.end_waiting()
    yield
    apart.end_waiting()


def database(path, query):
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute(f"CREATE VIEW v AS {query}")
        made.commit()
    return path


def workbook(path, cells, strings=()):
    """Write a workbook with such XML in its sheet, and such shared texts."""
    sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    packages = "http://schemas.openxmlformats.org/package/2006"
    types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    texts = "".join(f"<si><t>{text}</t></si>" for text in strings)
    members = {
        "[Content_Types].xml": f'<Types xmlns="{packages}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r1" '
        f'Type="{types}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{sheets}" xmlns:r="{types}"><sheets>'
        '<sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packages}/relationships">'
        f'<Relationship Id="r1" Type="{types}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{types}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{sheets}"><sheetData>{cells}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{sheets}">{texts}</sst>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def refusal(path, **options):
    """Return the line that refuses a file, which takes little memory and time."""
    process = psutil.Process()
    before, began = process.memory_info().rss, time.process_time()
    with pytest.raises(DataError) as caught:
        read_table(path, **options)
    assert process.memory_info().rss - before < 200e6
    assert time.process_time() - began < 5
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(path.name)
    return caught.value.problem


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            COUNT.format(end="") + "SELECT i AS x FROM s",
            "it takes more than",
        ),
        (COUNT.format(end="") + "SELECT count(*) AS x FROM s", "reading it takes more than"),
        (
            COUNT.format(end=" WHERE i < 9") + "SELECT hex(zeroblob(100000000)) AS x FROM s",
            "16,777,216 bytes",
        ),
        (
            COUNT.format(end=" WHERE i < 10000") + "SELECT printf('%.*c', 1000000, 'a') AS x FROM s",
            "it takes more than [0-9]+ MB of memory",
        ),
    ],
)
def test_a_view_that_does_not_end_or_grows(tmp_path, monkeypatch, query, words):
    if "memory" in words:  # and not the time, on a machine that is busy
        monkeypatch.setattr(apart, "SECONDS", 5.0)
    assert re.search(words, refusal(database(tmp_path / "v.sqlite", query)))
    with pytest.raises(DataError, match="more than"):
        stored_table(tmp_path / "v.sqlite")


def test_a_view_of_duckdb_that_does_not_end_or_grows(tmp_path):
    for name, query in {
        "long": "SELECT repeat('a', 1000000) AS x FROM range(1000000)",
        "many": "SELECT range AS x FROM range(1000000000000)",
    }.items():
        file = tmp_path / f"{name}.duckdb"
        with duckdb.connect(str(file)) as made:
            made.execute(f"CREATE VIEW v AS {query}")
        assert "more than" in refusal(file)


def test_cells_that_refer_to_few_texts(tmp_path, monkeypatch):
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 20_001))
    monkeypatch.setattr(apart, "SECONDS", 5.0)
    file = workbook(tmp_path / "shared.xlsx", rows, ["x" * 30_000])
    assert re.search("takes more than [0-9]+ MB of memory", refusal(file))
    few = workbook(tmp_path / "few.xlsx", rows, ["x" * 30])
    assert read_table(few, header="0").n == 20_000


def test_one_far_cell(tmp_path):
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    assert "MB of memory" in refusal(workbook(tmp_path / "far.xlsx", cells))


@pytest.mark.parametrize("kind", ["parquet", "feather", "orc", "arrows"])
def test_many_zeros(tmp_path, kind):
    table = pa.table({"x": np.zeros(10_000_000)})
    file = tmp_path / f"zeros.{kind}"
    if kind == "parquet":
        parquet.write_table(table, file, row_group_size=10_000_000)
    elif kind == "feather":
        feather.write_feather(table, file, compression="zstd", chunksize=10_000_000)
    elif kind == "orc":
        orc.write_table(table, file, compression="zstd")
    else:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with (
            pa.OSFile(str(file), "wb") as raw,
            pa.ipc.new_stream(raw, table.schema, options=options) as writer,
        ):
            writer.write_table(table)
    del table
    line = refusal(file)
    assert "MB of memory" in line
    if kind in ("parquet", "feather"):
        assert line.startswith(
            "it unpacks to 10,000,000 records: it needs about 80 MB of memory, and a file of"
        )
        with pytest.raises(DataError, match="it unpacks to 10,000,000 records"):
            stored_table(file).load(0, ["x"])


def test_zeros_in_small_pieces_stay_in_their_file(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.data.large_files.LARGE", 1 << 20)
    file = tmp_path / "zeros.parquet"
    parquet.write_table(pa.table({"x": np.zeros(10_000_000)}), file, row_group_size=1_000_000)
    table = large_table(file)
    assert table.n == 10_000_000
    assert table.load(9, ["x"]).num_rows == 1_000_000


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_references_to_one_long_text(tmp_path, kind):
    texts = pa.DictionaryArray.from_arrays(np.zeros(70_000, np.int32), ["a" * 1_000_000])
    data = pa.table({"x": np.zeros(70_000), "t": texts})
    file = tmp_path / f"t.{kind}"
    (parquet.write_table if kind == "parquet" else feather.write_feather)(data, file, compression="zstd")
    assert "of memory, and a file of" in refusal(file)
    assert read_table(file, columns=["x"]).n == 70_000


def test_texts_that_repeat_their_beginning(tmp_path):
    texts = ["a" * (50_000 + number) for number in range(3000)]
    file = tmp_path / "t.parquet"
    parquet.write_table(
        pa.table({"t": texts}),
        file,
        compression="zstd",
        use_dictionary=False,
        column_encoding={"t": "DELTA_BYTE_ARRAY"},
    )
    assert file.stat().st_size < 50_000
    assert "more than" in refusal(file)


def test_a_packed_file_that_grows(tmp_path):
    file = tmp_path / "zeros.csv.gz"
    with gzip.open(file, "wb") as stream:
        stream.write(b"x\n")
        for _ in range(100):
            stream.write(b"0\n" * 500_000)
    assert refusal(file).startswith("it unpacks to more than 60 MB, the limit for a file of 97 kB")
    inner = tmp_path / "zeros.parquet"
    parquet.write_table(pa.table({"x": np.zeros(8_000_000)}), inner)
    with zipfile.ZipFile(tmp_path / "inner.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "inner.parquet")
    with pytest.raises(DataError, match=r"^inner.parquet: it unpacks to 8,000,000 records"):
        read_table(tmp_path / "inner.zip")  # judged by the size of the file that was chosen


@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_AS"), reason="only Linux has this limit")
def test_the_limits_of_a_process_are_kept(tmp_path):
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    workbook(tmp_path / "far.xlsx", cells)
    database(
        tmp_path / "v.sqlite",
        COUNT.format(end=" WHERE i < 99999") + "SELECT printf('%.*c', 999999, 'a') FROM s",
    )
    code = (
        "import resource, sys; from engine.data import read_table; from engine.errors import DataError\n"
        "import mutated_files, pyarrow\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        read_table(path)\n"
        "    except DataError as error:\n"
        "        print(error)\n"
        "print(mutated_files.peak())"
    )
    files = [str(tmp_path / name) for name in ("far.xlsx", "v.sqlite")]
    command = [sys.executable, "-P", "-c", code, *files]
    folders = os.pathsep.join([str(Path(mutated_files.__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": folders}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    *lines, peak = done.stdout.splitlines()
    assert len(lines) == 2
    assert not done.stderr
    assert int(peak) < 1e9
