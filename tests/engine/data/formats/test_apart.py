"""Reading in a process apart: it can be left, takes one file after the other, and gives plain values."""

import contextlib
import os
import pickle
import select
import sqlite3
import subprocess
import sys
import threading
import time

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import psutil
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import orc

from engine.data import read_table
from engine.data.formats import apart, apart_process
from engine.errors import DataError
from engine.progress import Cancelled


@pytest.fixture(autouse=True)
def _none_waiting():
    apart.end_waiting()
    yield
    apart.end_waiting()


def workbook(path):
    book = openpyxl.Workbook()
    for row in (["x"], [1], [2]):
        book.active.append(row)
    book.save(path)
    return path


def endless(file):
    with contextlib.closing(sqlite3.connect(file)) as made:
        made.execute(
            "CREATE VIEW v AS WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s) "
            "SELECT count(*) AS x FROM s"
        )
        made.commit()
    return file


def test_reading_apart_can_be_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 60.0)
    file = endless(tmp_path / "v.sqlite")
    before = {child.pid for child in psutil.Process().children()}
    calls = []

    def stop(fraction, message=""):
        calls.append(time.monotonic())
        if len(calls) > 10:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(file, progress=stop)
    assert max(np.diff(calls)) < 2  # usually 50 ms
    assert {child.pid for child in psutil.Process().children()} <= before
    assert not [thread for thread in threading.enumerate() if "_listen" in thread.name]


def ended(processes, patience):
    return not psutil.wait_procs(processes, timeout=patience)[1]


@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system has no poll")
def test_a_process_apart_ends_when_its_asker_is_killed(tmp_path):
    file = endless(tmp_path / "v.sqlite")
    asked = f"from engine.data import read_table; read_table({str(file)!r})"
    with subprocess.Popen([sys.executable, "-c", asked], stderr=subprocess.DEVNULL) as asker:
        readers, end = [], time.monotonic() + 30
        while not readers and time.monotonic() < end:
            readers = psutil.Process(asker.pid).children()
        while readers[0].cpu_times().user < 0.3 and time.monotonic() < end:
            time.sleep(0.02)  # until it reads
        asker.kill()
    assert ended(readers, 3)


@pytest.mark.skipif(os.name == "nt", reason="the system has no such limit")
def test_a_process_apart_ends_where_nobody_watches_it(tmp_path, monkeypatch):
    faster = f"import {apart_process.__name__} as process; process.SPARE_SECONDS = 0"
    monkeypatch.setattr(apart, "BEGIN", apart.BEGIN.replace("main(*", f"{faster}\nmain(*"))
    file = endless(tmp_path / "v.sqlite")
    process = apart._Process("sqlite3")
    arguments = str(file), f"{file.as_uri()}?mode=ro", "SELECT * FROM v", 1 << 20, 10
    process.ask(f"{apart.READERS}:sqlite_columns", 1 << 28, 0.5, arguments)
    assert ended([psutil.Process(process._process.pid)], 10)
    process.end()


@pytest.mark.parametrize("kind", ["orc", "sav", "xlsx"])
def test_progress_goes_forwards(tmp_path, kind):
    frame = pd.DataFrame({"x": range(20_000)})
    file = tmp_path / f"a.{kind}"
    if kind == "orc":
        orc.write_table(pa.Table.from_pandas(frame), file)
    elif kind == "sav":
        pyreadstat.write_sav(frame, str(file))
    else:
        frame.to_excel(file, index=False)
    seen = []
    read_table(file, progress=lambda fraction, message: seen.append((fraction, message)))
    assert seen == sorted(seen)
    assert seen[0] == (0.0, f"reading {file.name}")
    assert seen[-1][0] == 1.0


def test_a_process_reads_one_file_after_the_other_and_ends_when_one_is_damaged(tmp_path):
    read_table(workbook(tmp_path / "a.xlsx"))
    [process] = apart._waiting.values()
    read_table(workbook(tmp_path / "b.xlsx"))
    assert [process] == list(apart._waiting.values())
    (tmp_path / "c.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000))
    with pytest.raises(DataError, match="it is damaged or cut"):
        read_table(tmp_path / "c.xls")
    assert not apart._waiting
    assert process.ended


def test_a_library_that_cannot_be_loaded_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "BEGIN", f"import sys; sys.modules['python_calamine'] = None{apart.BEGIN}")
    with pytest.raises(DataError, match="python_calamine is needed to read it"):
        read_table(workbook(tmp_path / "a.xlsx"))


def test_what_comes_back_is_plain():
    with pytest.raises(pickle.UnpicklingError, match="is no plain value"):
        apart._Unpickler(pickle.dumps(os.system)).load()


@pytest.mark.parametrize("room", [400, 548, 617])
def test_a_limit_of_addresses_ends_no_library_that_reads_little(tmp_path, monkeypatch, room):
    monkeypatch.setattr("engine.free_memory.ROOM", room * 10**6)
    file = tmp_path / "a.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE TABLE t AS SELECT range AS x FROM range(10000)")
    assert read_table(file).n == 10_000
