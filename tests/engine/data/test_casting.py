"""Columns of stated types: the same dates, times and codes from all formats."""

import datetime
import json
import sqlite3
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import parquet

from engine.data import read_table
from engine.data.reading_options import DATES, DETECTED_DATES
from engine.data.times import microseconds_of_dates, microseconds_of_hours
from engine.errors import DataError
from engine.extras.formats.value_labels import ValueLabels

FOREIGN = Path(__file__).parent / "foreign"
STAMPS = ["2020-01-01 10:00:00", "2020-01-02 12:00:00", "2020-01-03 10:00:00"]
DAYS = [18262 + 10 / 24, 18263.5, 18264 + 10 / 24]


def text_file(tmp_path, cells, name="a.csv"):
    (tmp_path / name).write_text("\n".join(["x", *(f'"{cell}"' for cell in cells)]) + "\n", "utf-8")
    return tmp_path / name


def column(path, type_name, **options):
    return read_table(path, types={"x": type_name}, **options).data.column("x").to_pylist()


def write_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x TEXT)")
        database.executemany("INSERT INTO t VALUES (?)", [(stamp,) for stamp in STAMPS])
    database.close()


def write_workbook(path):
    book = openpyxl.Workbook()
    book.active.append(["x"])
    for stamp in STAMPS:
        book.active.append([datetime.datetime.fromisoformat(stamp)])
    book.save(path)


def moments(zone=None):
    return pa.table({"x": pa.array(STAMPS).cast(pa.timestamp("us")).cast(pa.timestamp("us", zone))})


WRITERS = {
    "a.csv": lambda path: text_file(path.parent, STAMPS),
    "a.sqlite": write_sqlite,
    "a.xlsx": write_workbook,
    "a.parquet": lambda path: parquet.write_table(moments(), path),
    "zone.parquet": lambda path: parquet.write_table(moments("Europe/Berlin"), path),
    "a.jsonl": lambda path: path.write_text("\n".join(json.dumps({"x": stamp}) for stamp in STAMPS)),
    "a.json": lambda path: path.write_text(json.dumps([{"x": stamp} for stamp in STAMPS])),
    "a.sav": lambda path: pyreadstat.write_sav(pd.DataFrame({"x": pd.to_datetime(STAMPS)}), path),
    "a.dta": lambda path: pyreadstat.write_dta(pd.DataFrame({"x": pd.to_datetime(STAMPS)}), path),
    "a.xpt": lambda path: pyreadstat.write_xport(pd.DataFrame({"x": pd.to_datetime(STAMPS)}), path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_time_stamps_are_the_same_days_from_each_format(tmp_path, name):
    WRITERS[name](tmp_path / name)
    assert column(tmp_path / name, "days") == pytest.approx(DAYS, abs=1e-9)


def test_offsets_count(tmp_path):
    path = text_file(
        tmp_path,
        ["2020-01-01T10:00:00Z", "2020-01-02T10:00:00+02:00", "", "2020-01-03 10:00 -0500", "2020-01-04"],
    )
    ten = [18262 + 10 / 24, 18263 + 8 / 24, None, 18264 + 15 / 24, 18265.0]
    assert column(path, "days") == pytest.approx(ten)


@pytest.mark.parametrize(
    ("text", "date_format", "day"),
    [
        ("3 Jan 2020", "D-Mon-Y", 18264),
        ("03-JAN-2020", "D-Mon-Y", 18264),
        ("03JAN2020", "D-Mon-Y", 18264),
        ("3rd of January, 2020", "D-Mon-Y", 18264),
        ("Fri, 03 Jan 2020 12:00:00 +0000", "D-Mon-Y", 18264.5),
        ("03JAN2020:12:00:00", "D-Mon-Y", 18264.5),
        ("Jan 3, 2020", "Mon-D-Y", 18264),
        ("Fri Jan  3 12:00:00 2020", "Mon-D-Y", 18264.5),
        ("Fri Jan 03 12:00:00 +0000 2020", "Mon-D-Y", 18264.5),
        ("Fri Jan 03 2020 12:00:00 GMT+0100 (CET)", "Mon-D-Y", 18264 + 11 / 24),
        ("2020-Jan-03", "Y-Mon-D", 18264),
        ("3. 1. 2020 6:00 PM", "D.M.Y", 18264.75),
        ("1/3/2020 12:00 AM", "M/D/Y", 18264),
        ("2020-01-03 24:00", "Y-M-D", 18265),
        ("2020-01-03T12:00:00.000001234Z", "Y-M-D", 18264.5),
        ("20200103T120000Z", "YMD", 18264.5),
        ("1/2/99", "D/M/YY", 10623),
        ("3-Jan-68", "D-Mon-YY", 35796),
        ("69-01-03", "YY-M-D", -363),
    ],
)
def test_spellings_of_dates(text, date_format, day):
    values, valid = microseconds_of_dates(pa.array([text, None, "x"]), date_format)
    assert valid.tolist() == [True, False, False]
    assert values[0] / 86400e6 == pytest.approx(day, abs=1e-10)


@pytest.mark.parametrize(
    "text",
    ["2020-02-30", "2020-13-01", "2020-01-01 24:01", "2020-01-01 10:60", "2020-01-01 13 PM"],
)
def test_dates_that_do_not_exist(text):
    assert not microseconds_of_dates(pa.array([text]), "Y-M-D")[1].any()


def test_each_format_reads_its_own_example_and_no_detected_one_reads_another():
    for name, example in DATES.items():
        assert microseconds_of_dates(pa.array([example]), name)[0].tolist() == [18627 * 86400 * 10**6]
        fitting = [one for one in DETECTED_DATES if microseconds_of_dates(pa.array([example]), one)[1].all()]
        assert fitting == ([name] if name in DETECTED_DATES else [])


def test_years_of_two_digits_must_be_stated(tmp_path):
    path = text_file(tmp_path, ["1/2/99", "13/2/99", "25/3/98"])
    with pytest.raises(DataError, match=r"state the format of its dates \(such as D/M/YY"):
        column(path, "days")
    assert column(path, "days", dates="D/M/YY") == [10623.0, 10635.0, 10310.0]


def test_one_record_may_not_decide_the_order_of_day_and_month_for_a_release(tmp_path):
    path = text_file(tmp_path, ["01/02/2020 10:00", "13/02/2020 12:00"])
    table = read_table(path, types={"x": "days"})
    assert "one record may decide how all others are read; state the format" in table.release_problem
    assert not read_table(path, types={"x": "days"}, dates="D/M/Y").release_problem
    for cells in (["01.02.2020"], ["2020/02/01"], ["Feb 1, 2020"]):
        assert not read_table(text_file(tmp_path, cells), types={"x": "days"}).release_problem


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("8:30", 8.5),
        ("08:30:00.0", 8.5),
        ("8:30 PM", 20.5),
        ("12 AM", 0),
        ("27:15:00", 27.25),
        ("-0:30", -0.5),
        ("0 days 01:30:00", 1.5),
        ("0 days 01:30:00.900000", 1.50025),
        ("1 day, 3:00:00", 27),
        ("-1 days +22:30:00", -1.5),
        ("2 days", 48),
        ("PT1H30M", 1.5),
        ("P1DT2H", 26),
        ("1h 30m", 1.5),
        ("90 min", 1.5),
    ],
)
def test_spellings_of_times(text, hours):
    values, valid = microseconds_of_hours(pa.array([text, None, "8:75", "8.5", "P"]))
    assert valid.tolist() == [True, False, False, False, False]
    assert values[0] / 3600e6 == hours


def test_times_are_hours_from_each_format(tmp_path):
    assert column(text_file(tmp_path, ["1:23:45", "", "2:03:00"]), "hours") == [
        1.3958333333333333,
        None,
        2.05,
    ]
    table = read_table(FOREIGN / "times.xlsx", types={"t": "hours", "dur": "hours"})
    assert table.data.to_pydict() == {"t": [8.5, 9.5, 17.5], "dur": [24, 27, 51]}
    cells = {"t": pa.array([30_600], pa.time32("s")), "d": pa.array([5_400_000], pa.duration("ms"))}
    parquet.write_table(pa.table(cells), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet", types={"t": "hours", "d": "hours"})
    assert table.data.to_pylist() == [{"t": 8.5, "d": 1.5}]
    assert read_table(tmp_path / "a.parquet").preview() == [("08:30:00", "01:30:00")]


@pytest.mark.parametrize("name", ["a.sav", "a.por", "a.xpt"])
@pytest.mark.parametrize("kind", ["TIME8", "DTIME12"])
def test_durations_beyond_a_day_are_whole(tmp_path, name, kind):
    frame = pd.DataFrame({"X": [5_400.0, 97_200.0, -1_800.0]})
    write = getattr(pyreadstat, {"a.sav": "write_sav", "a.por": "write_por", "a.xpt": "write_xport"}[name])
    write(frame, tmp_path / name, variable_format={"X": "TIME" if name == "a.xpt" else kind})
    assert read_table(tmp_path / name, types={"X": "hours"}).data.to_pydict() == {"X": [1.5, 27, -0.5]}


@pytest.mark.parametrize(
    ("arrow", "type_name", "problem"),
    [
        (pa.array([1], pa.time64("us")), "days", "it holds times without a date; read it as hours"),
        (
            pa.array([1], pa.date32()),
            "hours",
            "it holds dates, not times of day or durations; read it as days",
        ),
        (pa.array([1.5]), "hours", "it holds numbers already"),
        (pa.array([1], pa.date32()), "number", "it holds dates; read it as days"),
        (pa.array(["8:99"]), "hours", "it is no time such as 8:30, 27:15:00 or PT1H30M; correct"),
    ],
    ids=str,
)
def test_the_message_names_the_right_type(tmp_path, arrow, type_name, problem):
    parquet.write_table(pa.table({"x": arrow}), tmp_path / "a.parquet")
    with pytest.raises(DataError) as caught:
        column(tmp_path / "a.parquet", type_name)
    assert problem in str(caught.value)


def test_numbers_and_dates_that_a_database_holds_as_text():
    table = read_table(FOREIGN / "texts.sqlite", types={"a": "number", "d": "days"})
    assert table.data.column("a").to_pylist() == [1.5, 2.5, 3.5]
    assert table.data.column("d").to_pylist() == [18262 + 10 / 24, 18263.5, 18264.0]
    with pytest.raises(DataError, match="its numbers are stored as text; read it as numbers, or choose"):
        read_table(FOREIGN / "texts.sqlite").numbers("a")


def test_a_labelled_scale_keeps_its_codes():
    labels = ["very low", "low", "mid", "high", "very high", "very high", "high"]
    assert read_table(FOREIGN / "scale.sav").data.column("sat").to_pylist() == labels
    table = read_table(FOREIGN / "scale.sav", types={"sat": "number"})
    assert sorted(table.numbers("sat").values)[3] == 4
    with pytest.raises(
        DataError, match="it holds the labels of its codes; read it as numbers to use the codes"
    ):
        read_table(FOREIGN / "scale.sav").numbers("sat")


def test_codes_that_share_a_label_stay_apart():
    texts = read_table(FOREIGN / "shared_labels.sav").data.column("sat").to_pylist()
    assert texts == ["yes", ". (2)", ". (3)", ". (4)", "no", "no", ". (4)"]


def test_labels_that_are_the_same_number_stay_apart(tmp_path):
    pyreadstat.write_sav(
        pd.DataFrame({"x": [1.0, 2.0]}), tmp_path / "a.sav", variable_value_labels={"x": {1: "007", 2: "7"}}
    )
    assert column(tmp_path / "a.sav", "category") == ["007", "7"]


@pytest.mark.parametrize(
    ("labels", "measure", "missing", "are_categories"),
    [
        ({1.0: "M", 2.0: "F"}, "", (), True),
        ({1.0: "M", 2.0: "F"}, "scale", (), False),
        ({101.0: "north", 102.0: "south", 999.0: "unknown"}, "", (), True),
        ({1.0: "low", 7.0: "high"}, "ordinal", (), False),
        ({1.0: "low", 7.0: "high"}, "nominal", (), True),
        ({98.0: "refused", 99.0: "unknown"}, "", (), False),
        ({-2.0: "refused", -1.0: "unknown"}, "", (), False),
        ({1.0: "refused", 2.0: "unknown"}, "nominal", [(1.0, 2.0)], False),
        ({".a": "refused", ".b": "unknown"}, "", (), False),
        ({"mm": "male", "ff": "female"}, "", (), True),
        ({}, "nominal", (), False),
    ],
)
def test_the_code_book_decides(labels, measure, missing, are_categories):
    assert ValueLabels(labels, measure, missing).are_categories == are_categories


def test_codes_without_a_label_are_their_own():
    labels = ValueLabels({1.0: "3", 2.0: " ", 4.0: "four"})
    assert labels.texts([1.0, 2.0, 3.0, 4.0, 5.5, None]) == ["3", "2", "3 (3)", "four", "5.5", None]
