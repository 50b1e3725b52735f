"""Every format is read as the library writes it with which people write it; damage is one line."""

import datetime
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import feather, orc, parquet

import engine
from engine.data import read_table
from engine.data.formats.registry import FORMATS, suffixes
from engine.errors import DataError

NAMES = ["Ann", "Bo", "José", "Di"]
PAY = [1.5, 2.25, 3.0, 1e6]
AGE = [31, 45, 27, 60]
SPACES = ("office", "table", "text")
FRAME = pd.DataFrame({"name": NAMES, "pay": PAY, "age": AGE})
CSVY = "---\nfields:\n  - name: name\n    type: string\n---\n"
ARFF = """@relation people
@attribute name string
@attribute pay numeric
@attribute age integer
@data
"""
ARROW = pa.table({"name": NAMES, "pay": PAY, "age": AGE})


def write_stream(path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, ARROW.schema) as writer:
        writer.write_table(ARROW)


def write_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE people (name TEXT, pay REAL, age INTEGER)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", zip(NAMES, PAY, AGE, strict=True))
        database.execute("CREATE TABLE other (x INTEGER)")
    database.close()


def write_duckdb(path):
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE people (name TEXT, pay DOUBLE, age INTEGER)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", list(zip(NAMES, PAY, AGE, strict=True)))


def write_xlsx(path, above=0):
    book = openpyxl.Workbook()
    empty, sheet = book.active, book.create_sheet("staff")
    empty.title = "notes"
    for _ in range(above):
        sheet.append(["Wages 2024"])
    for row in [("name", "pay", "age"), *zip(NAMES, PAY, AGE, strict=True)]:
        sheet.append(row)
    book.save(path)


def write_ods(path):
    """Write what office programs write, as far as it matters here."""
    rows = []
    for cells in [("name", "pay", "age"), *zip(NAMES, PAY, AGE, strict=True)]:
        texts = [
            '<table:table-cell office:value-type="string"><text:p>{0}</text:p></table:table-cell>'
            if isinstance(cell, str)
            else '<table:table-cell office:value-type="float" office:value="{0}"/>'
            for cell in cells
        ]
        found = "".join(text.format(cell) for text, cell in zip(texts, cells, strict=True))
        rows.append(f"<table:table-row>{found}</table:table-row>")
    spaces = "".join(f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in SPACES)
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        )
        archive.writestr(
            "content.xml",
            f"<office:document-content{spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="staff">{"".join(rows)}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )


def write_xls(path):
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("staff")
    for row, cells in enumerate([("name", "pay", "age"), *zip(NAMES, PAY, AGE, strict=True)]):
        for column, value in enumerate(cells):
            sheet.write(row, column, value)
    book.save(str(path))


WRITERS = {
    "delimited.csv": lambda path: FRAME.to_csv(path, index=False),
    "parquet.parquet": lambda path: parquet.write_table(ARROW, path),
    "feather.feather": lambda path: feather.write_feather(ARROW, path),
    "arrow-stream.arrows": write_stream,
    "orc.orc": lambda path: orc.write_table(ARROW, path),
    "workbook.xlsx": write_xlsx,
    "workbook.xls": write_xls,
    "workbook.ods": write_ods,
    "spss.sav": lambda path: pyreadstat.write_sav(FRAME, path),
    "spss.zsav": lambda path: pyreadstat.write_sav(FRAME, path, compress=True),
    "stata.dta": lambda path: pyreadstat.write_dta(FRAME, path),
    "sas-transport.xpt": lambda path: pyreadstat.write_xport(FRAME, path),
    "sqlite.sqlite": write_sqlite,
    "duckdb.duckdb": write_duckdb,
    "csvy.csvy": lambda path: path.write_text(CSVY + FRAME.to_csv(index=False), "utf-8"),
    "arff.arff": lambda path: path.write_text(ARFF + FRAME.to_csv(index=False, header=False), "utf-8"),
    "json-lines.jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "json-array.json": lambda path: FRAME.to_json(path, orient="records"),
}


TEXTS = (".csv", ".csvy", ".arff", ".jsonl", ".ods")
"""A part of such a file may be a table."""


@pytest.mark.parametrize("name", WRITERS)
def test_what_its_library_writes_is_read(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    table = read_table(path)
    assert table.data.column("name").to_pylist() == NAMES
    np.testing.assert_array_equal(table.points(["age", "pay"]).values, np.column_stack([AGE, PAY]))
    assert table.reading.format == name.rpartition(".")[0]
    assert table.source == name
    assert read_table(path, columns=["pay"]).data.column_names == ["pay"]
    with pytest.raises(DataError, match="there is no column 'salary'"):
        read_table(path, columns=["salary"])


def test_every_format_that_can_be_written_here_is_tested():
    tested = {name.rpartition(".")[0] for name in WRITERS}
    tables = {name for name, one in FORMATS.items() if not one.of_graphs}
    assert tables - tested == {
        "odbc",
        "postgresql",
        "sas",
        "r",  # its library does not write
        "spss-portable",  # below: its names have capital letters, and its texts no accents
    }  # elsewhere; nothing open writes sas7bdat
    ends = {f".{name.rpartition('.')[2]}" for name in WRITERS}
    assert ends <= set(suffixes(graphs=False))
    assert {".graphml", ".gml", ".net", ".edges"} <= set(suffixes(graphs=True))


@pytest.mark.parametrize("name", [name for name in WRITERS if not name.endswith(TEXTS)])
def test_a_file_cut_in_the_middle_is_one_line(tmp_path, name):
    whole, path = tmp_path / name, tmp_path / f"cut-{name}"
    WRITERS[name](whole)
    content = whole.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"cut-{name}")


def test_a_sheet_and_its_rows(tmp_path):
    write_xlsx(tmp_path / "staff.xlsx", above=3)
    table = read_table(tmp_path / "staff.xlsx")
    assert (table.first_row, table.format) == (5, "workbook, sheet staff")
    assert table.reading.values["header"] == "4"
    assert table.reading.offered == {"sheet": ("notes", "staff")}
    cut = read_table(tmp_path / "staff.xlsx", range="B4:C6")
    assert (cut.n, [column.name for column in cut.columns]) == (2, ["pay", "age"])
    with pytest.raises(DataError, match="there is no sheet 'people'; there are notes, staff"):
        read_table(tmp_path / "staff.xlsx", sheet="people")
    with pytest.raises(DataError, match="it has no cells with values; choose another sheet"):
        read_table(tmp_path / "staff.xlsx", sheet="notes")


def test_a_sheet_that_is_a_chart_or_a_picture(tmp_path):
    book = openpyxl.Workbook()
    sheet, chart = book.active, openpyxl.chart.BarChart()
    sheet.append(["pay"])
    sheet.append([2])
    chart.add_data(openpyxl.chart.Reference(sheet, min_col=1, min_row=1, max_row=2))
    book.create_chartsheet("bars", 0).add_chart(chart)
    book.save(tmp_path / "both.xlsx")
    table = read_table(tmp_path / "both.xlsx")
    assert (table.data.to_pydict(), table.reading.offered) == ({"pay": [2]}, {"sheet": ("Sheet",)})
    with pytest.raises(DataError, match=r"^both\.xlsx: the sheet 'bars' is a chart; there are Sheet$"):
        read_table(tmp_path / "both.xlsx", sheet="bars")
    book.active = 0
    book.remove(sheet)
    book.save(tmp_path / "bars.xlsx")
    with pytest.raises(DataError, match=r"^bars\.xlsx: there is no sheet with cells in it; save the table"):
        read_table(tmp_path / "bars.xlsx")
    drawn = openpyxl.Workbook()
    drawn.active.add_chart(openpyxl.chart.BarChart())  # as a picture, it lies above cells that are empty
    drawn.save(tmp_path / "drawn.xlsx")
    with pytest.raises(DataError, match=r"^drawn\.xlsx: it has no cells with values; choose"):
        read_table(tmp_path / "drawn.xlsx")


def test_a_workbook_with_a_password(tmp_path):
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1016) + "EncryptedPackage".encode("utf-16-le")
    (tmp_path / "staff.xlsx").write_bytes(content + bytes(2000))
    with pytest.raises(DataError, match=r"staff\.xlsx: it needs a password; save it without one"):
        read_table(tmp_path / "staff.xlsx")


def test_dates_and_gaps_in_a_sheet(tmp_path):
    book = openpyxl.Workbook()
    for row in [
        ("born", "pay"),
        (datetime.date(1970, 1, 3), "1,500"),
        (None, None),
        (datetime.date(1970, 1, 1), 2),
    ]:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    table = read_table(tmp_path / "a.xlsx", types={"born": "days"}, thousands=",")
    assert table.data.to_pydict() == {"born": [2.0, None, 0.0], "pay": [1500.0, None, 2.0]}


def test_the_code_book_decides_whether_labels_become_categories(tmp_path):
    frame = pd.DataFrame({"sex": [1, 2, 1], "region": [1, 2, 9], "gap": [1.0, None, 2.0]})
    labels = {"sex": {1: "male", 2: "female"}, "region": {1: "north", 2: "south"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels)
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=labels)
    for name in ("a.sav", "a.dta"):
        assert read_table(tmp_path / name).data.to_pydict() == {
            "sex": ["male", "female", "male"],
            "region": ["north", "south", "9"],  # 9 has no label, which changes no other record
            "gap": [1.0, None, 2.0],
        }


def test_a_portable_file_of_spss(tmp_path):
    path = tmp_path / "a.por"
    frame = pd.DataFrame({"NAME": ["Ann", "Bo"], "PAY": [1.5, None], "SEX": [1.0, 2.0]})
    pyreadstat.write_por(frame, path)
    table = read_table(path)
    assert table.data.to_pydict() == {"NAME": ["Ann", "Bo"], "PAY": [1.5, None], "SEX": [1, 2]}
    assert table.reading.format == "spss-portable"
    path.write_bytes(path.read_bytes().rstrip(b"\r\nZ"))
    with pytest.raises(DataError, match=r"a\.por: its end is missing; the file is truncated: get"):
        read_table(path)


def test_tables_and_queries_of_a_database(tmp_path):
    write_sqlite(tmp_path / "a.db")
    write_duckdb(tmp_path / "a.duckdb")
    for name in ("a.db", "a.duckdb"):
        found = read_table(
            tmp_path / name, sql="SELECT avg(pay) AS mean, age > 40 AS old FROM people GROUP BY 2"
        )
        assert sorted(found.data.column("mean").to_pylist()) == [2.25, 500001.125]
        with pytest.raises(DataError, match="it has no table 'staff'; choose from people"):
            read_table(tmp_path / name, table="staff")
        for query in ("DROP TABLE people", "INSERT INTO people VALUES ('x', 1, 1)", "ATTACH 'x.db' AS x"):
            with pytest.raises(DataError, match="write a SELECT statement"):
                read_table(tmp_path / name, sql=query)
        with pytest.raises(DataError, match=r"the query is wrong .*correct it"):
            read_table(tmp_path / name, sql="SELECT nothing FROM people")
    assert read_table(tmp_path / "a.db").reading.offered == {"table": ("people", "other")}
    assert read_table(tmp_path / "a.db").n == 4


def test_a_query_may_not_read_other_files(tmp_path):
    write_duckdb(tmp_path / "a.duckdb")
    (tmp_path / "secret.csv").write_text("x\n1\n")
    with pytest.raises(DataError, match="the query is wrong"):
        read_table(tmp_path / "a.duckdb", sql=f"SELECT * FROM read_csv('{tmp_path}/secret.csv')")


def test_a_locked_database(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.extras.databases.sqlite.WAIT", 0.05)
    write_sqlite(tmp_path / "a.db")
    holder = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DataError, match="another program has locked it"):
        read_table(tmp_path / "a.db")
    holder.close()


def test_an_option_that_a_format_does_not_have(tmp_path):
    write_xlsx(tmp_path / "a.xlsx")
    with pytest.raises(DataError, match="has no delimiter to be stated; leave it out"):
        read_table(tmp_path / "a.xlsx", delimiter=";")


def test_importing_the_formats_is_cheap_and_reading_needs_no_pandas():
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, engine.data.formats.registry; "
            "print([m for m in ('pyarrow', 'pyreadstat', 'python_calamine', 'duckdb') if m in sys.modules]); "
            "from engine.data import load_example; load_example('salaries').numbers('salary'); "
            "print('pyarrow' in sys.modules, 'pandas' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(engine.__file__).parents[1],
    )
    assert found.stdout == "[]\nTrue False\n"
