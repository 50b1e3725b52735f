"""What is detected about delimited text, and what tells names of columns from records."""

import pickle
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from table_files import fault, write

from engine.data import EXAMPLES, large_files, load_example, read_table
from engine.data.identity import file_identity
from engine.data.large_files import large_table
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, NamesInDoubt, ParameterError
from engine.extras.stored.opening import stored_table


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(tmp_path, delimiter, newline):
    lines = [["name", "age", "pay"], ["Ann", "31", "2.5"], ["Bo", "45", "1e3"]]
    table = read_table(write(tmp_path, newline.join(delimiter.join(line) for line in lines)))
    assert [(column.name, column.type) for column in table.columns] == [
        ("name", "text"),
        ("age", "number"),
        ("pay", "number"),
    ]
    np.testing.assert_array_equal(table.points(["age", "pay"]).values, [[31, 2.5], [45, 1000]])


def test_the_format_is_said_in_words(tmp_path):
    assert read_table(write(tmp_path, "a;b\n1;2\n")).format == "text, semicolon-separated, UTF-8"
    assert read_table(write(tmp_path, "a\n1\n")).format == "text, single column, UTF-8"


def test_the_delimiter_that_fits_most_records_wins_over_one_inside_the_cells(tmp_path):
    table = read_table(write(tmp_path, "name;remark, if any\nAnn;a, b, c\nBo;none\n"))
    assert table.preview() == [("Ann", "a, b, c"), ("Bo", "none")]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_protect_delimiters_and_line_breaks(tmp_path, quote):
    text = "a,b\n1,Qx, yQ\n2,Qone\ntwoQ\n3,z\n".replace("Q", quote)
    table = read_table(write(tmp_path, text))
    assert table.preview() == [("1", "x, y"), ("2", "one\ntwo"), ("3", "z")]


def test_an_apostrophe_is_no_quote(tmp_path):
    table = read_table(write(tmp_path, "name,age\nO'Hara,3\nD'Arcy,4\n"))
    assert table.preview()[0] == ("O'Hara", "3")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")],
)
def test_encodings_with_a_byte_order_mark(tmp_path, encoding, mark):
    table = read_table(write(tmp_path, mark + "größe,κ\r\n1.5,ä\r\n2,€\r\n\r\n".encode(encoding)))
    assert [column.name for column in table.columns] == ["größe", "κ"]
    assert table.preview() == [("1.5", "ä"), ("2", "€")]


def test_western_words_are_recognised_and_others_have_to_be_stated(tmp_path):
    table = read_table(write(tmp_path, "name,age\nAnn,3\nJosé,4\n".encode("latin-1")))
    assert table.preview()[1] == ("José", "4")
    assert table.reading.values["encoding"] == "cp1252"
    content = "name,age\nAnn,3\nИван,4\n".encode("cp1251")
    error = fault(tmp_path, content)
    assert (error.row, error.column) == (3, "name")
    assert "it is not UTF-8 text; save the file as UTF-8, or state its encoding" in str(error)
    assert read_table(write(tmp_path, content), encoding="cp1251").preview()[1] == ("Иван", "4")


def test_an_unknown_encoding_is_a_wrong_parameter(tmp_path):
    for encoding in ("klingon", "hex"):
        with pytest.raises(ParameterError, match=r"encoding: .* try utf-8"):
            read_table(write(tmp_path, "a\n1\n"), encoding=encoding)


@pytest.mark.parametrize("stated", ["utf-16", "utf-16-le"])
def test_a_stated_encoding_may_have_a_mark_or_not(tmp_path, stated):
    for mark in (b"", b"\xff\xfe"):
        table = read_table(write(tmp_path, mark + "a,b\n1,2\n".encode("utf-16-le")), encoding=stated)
        assert table.preview() == [("1", "2")]


def test_text_longer_in_utf_8_than_on_disk_arrives_whole(tmp_path):
    names = ["€" * 50 + str(index) for index in range(40_000)]
    path = write(
        tmp_path, ("name,i\n" + "".join(f"{name},{i}\n" for i, name in enumerate(names))).encode("utf-16")
    )
    assert [name for name, _ in read_table(path).preview(40_000)] == names


def test_names_lose_surrounding_blanks_and_line_breaks(tmp_path):
    table = read_table(write(tmp_path, 'a, b ,"c\n d"\n1,2,3\n'))
    assert [column.name for column in table.columns] == ["a", "b", "c d"]


@pytest.mark.parametrize(
    ("lines", "doubtful"),
    [
        ("id;pay|1;1.234|2;5.678", ("pay",)),
        ("id;pay|1;|2;1.222", ("pay",)),
        ("id;pay;rate|1;1.234;2.5|2;5.678;1", ()),  # the rate tells
        ("id;pay;rate|1;1.234;2,5|2;5.678;1", ()),
        ("id;pay|1;0.234|2;1.222", ()),  # no group of thousands begins with 0
        ("id,pay|1,1.234", ()),  # commas are taken
        ("id;host;pay|1;10.0.0.1;1.234", ("pay",)),
        ('id,pay|1,"1,234"|2,"5,678"', ("pay",)),
        ('id,pay,tax|1,"1,234","5,678"', ("pay", "tax")),
        ("id;pay|1;1,234|2;", ("pay",)),
        ("id\tpay|1\t1,234", ("pay",)),
        ('id,pay,rate|1,"1,234",2.5', ()),
        ("id;pay;rate|1;1,234;2,5", ()),
        ('id,pay|1,"1,234"|2,"1,234,567"', ()),  # only a comma between thousands fits both
        ('id,pay|1,"1,234"|2,"2,5"', ()),
    ],
)
def test_signs_with_two_readings_are_named(tmp_path, lines, doubtful):
    file = write(tmp_path, lines.replace("|", "\n"))
    assert read_table(file).reading.doubtful == doubtful
    assert read_table(file, decimal=".").reading.doubtful == ()


ADULT = """\
39, State-gov, 77516, Bachelors, 13, Never-married
50, Self-emp-not-inc, 83311, Bachelors, 13, Married
38, Private, 215646, HS-grad, 9, Divorced
"""
IRIS = "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2,Iris-setosa\n4.7,3.2,1.3,0.2,Iris-setosa\n"
YEARS = "\n".join(
    [
        ",".join(["Country", "Code", *map(str, range(1960, 2012))]),
        *(
            ",".join([f"Land {row}", f"L{row}", *(f"{row + year / 7:.3f}" for year in range(52))])
            for row in range(9)
        ),
    ]
)

DOUBTFUL = {
    "a number above numbers": "a,7\nb,1\nc,2\n",
    "a number above numbers and words": "39,a\n?,b\n40,c\n",
    "a decimal comma": "a;7,5\nb;1,25\nc;2,5\n",
    "an amount": 'a,$5\nb,"$1,200"\n',
    "a missing value above numbers": "NA,a\n1,b\n2,c\n",
    "a missing value above others": "n,NA\na,x\nb,NA\n",
    "a date": "a,2020-01-01\nb,2020-02-03\n",
    "a German date": "a,31.12.1999\nb,1.1.1970\n",
    "a month": "a,Mar 2020\nb,Apr 2020\n",
    "a time": "a,8:30\nb,9:15\n",
    "a month of a year": "a,2020-01\nb,2020-02\n",
    "a quarter": "a,2020Q1\nb,2020Q3\n",
    "a day with its weekday": 'a,"Mon, 3 Mar 2020"\nb,"Tue, 4 Aug 2020"\n',
    "a day with a German month": "a,3. März 2020\nb,14. Mai 2020\n",
    "a time of the afternoon": "a,5:30 pm\nb,6:45 PM\n",
    "an amount with its unit": "a,5 kg\nb,12 kg\n",
    "a number of a person": "P001,a\nP002,b\n",
    "a range": "a,10-14\nb,15-19\n",
    "an address": "10.0.0.1,a\n10.0.0.23,b\n",
    "a hexadecimal number": "a,0x1F\nb,0x2A\n",
    "a sign for nothing above numbers": "?,a\n5,b\n6,c\n",
    "yes above no": "a,yes\nb,no\nc,No\n",
    "true above other words": "a,True\nb,False\nc,unknown\n",
    "a text that occurs in other letters": "a,Male\nb,male\n",
    "an edge, of which a vertex is at the other end below": "ann,bob\nbob,cy\ncy,dan\n",
    "such an edge, far below": "u,w,g\n" + "".join(f"x{row},y{row},7\n" for row in range(60_000)) + "w,z,7\n",
    "true above false": "a,true\nb,false\n",
    "a text that occurs again": "x,up\ny,down\nz,up\n",
    "with blanks around it": "x, up\ny,down\nz,up \n",
    "far below": "u,w\n" + "".join(f"x{row},{row}\n" for row in range(60_000)) + "u,5\n",
    "numbers above words": "1,2\nx,y\n",
    "names of which two are alike, as in a record": "0,0\n1,0\n",
    "below titles": "Staff\n\nname;pay\nAnn;1\nname;2\n",
}
CERTAIN = {
    "words above numbers": "name,pay\nAnn,1\nBo,2\n",
    "words above words": "name,town\nAnn,Rome\nBo,Oslo\n",
    "a number within a word": "name,pay 2020\nAnn,1\nBo,2\n",
    "another number within a word": "name,Q1\nAnn,Q-1\nBo,high\n",
    "ages above numbers": "town,0-4,5-9\nRome,1,2\nOslo,3,4\n",
    "a text that occurs in another one of many columns": "a,b,c,d\nw,x,y,a\n",
    "a letter above answers": "x,y\n1,yes\n2,no\n",
    "a year above words": "name,2020\nAnn,yes\nBo,no\n",
    "dates below a word": "born,n\n2020-01-01,1\n",
    "an empty column": "name,1960,pay\nAnn,,1\nBo,,2\n",
}


def doubt(path, **options):
    with pytest.raises(NamesInDoubt) as caught:
        read_table(path, **options)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("content", DOUBTFUL.values(), ids=DOUBTFUL)
@pytest.mark.parametrize("columns", [None, ["u"], ["no such name"]])
def test_a_row_that_looks_like_a_record_is_asked_about(tmp_path, content, columns):
    error = doubt(write(tmp_path, content, "data.csv"), columns=columns)
    row = 3 if content.startswith("Staff") else 1
    assert str(error) == (
        f"data.csv, row {row}: it could hold the names of the columns, or be a record like those below it; "
        f'state header="{row}" if it holds names, header="0" if it is a record'
    )


@pytest.mark.parametrize("content", CERTAIN.values(), ids=CERTAIN)
def test_names_that_look_like_nothing_below_them_are_taken(tmp_path, content):
    table = read_table(write(tmp_path, content))
    assert table.n == content.count("\n") - 1


@pytest.mark.parametrize(("content", "cells"), [(ADULT, 6), (IRIS, 5), ("0,0\n1,0\n", 2)])
def test_without_names_every_row_is_a_record(tmp_path, content, cells):
    path = write(tmp_path, content)
    assert not doubt(path).likely
    for none in ("0", 0):
        table = read_table(path, header=none)
        assert table.n == content.count("\n")
        assert table.data.column_names == [f"column {number}" for number in range(1, cells + 1)]
        assert table.first_row == 1


def test_years_are_names_where_it_is_stated(tmp_path):
    path = write(tmp_path, YEARS)
    assert doubt(path).likely
    table = read_table(path, header="1")
    assert table.n == 9
    assert table.data.column_names[:3] == ["Country", "Code", "1960"]
    # names that are numbers alone are obeyed, too
    assert read_table(write(tmp_path, "1,2\n3,4\n"), header="1").data.column_names == ["1", "2"]


def test_no_message_shows_what_could_be_a_record(tmp_path):
    marked = "zyx"
    for content in (f"{marked},{marked}\n1,{marked}\n", f"{marked},\n{marked},2\n", f"{marked},up\nb,up\n"):
        for columns in (None, ["b"], [marked + "w"]):
            with pytest.raises(DataError) as caught:
                read_table(write(tmp_path, content), columns=columns)
            assert marked not in str(caught.value).replace(marked + "w", "")


def test_workbooks_alike(tmp_path):
    for rows, certain in (
        ([["a", 1.5], ["b", 2.5]], False),
        ([["x", "up"], ["y", "down"], ["z", "up"]], False),
        ([["Land", 1960, 1961], ["Aruba", 1.5, 2.5]], False),
        ([["name", "pay"], ["Ann", 1.5]], True),
    ):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "book.xlsx")
        if certain:
            assert read_table(tmp_path / "book.xlsx").n == len(rows) - 1
        else:
            assert doubt(tmp_path / "book.xlsx").row == 1
            table = read_table(tmp_path / "book.xlsx", header="0")
            assert (table.n, table.data.column_names[0]) == (len(rows), "column 1")
            assert read_table(tmp_path / "book.xlsx", header="1").n == len(rows) - 1


def test_a_file_that_stays_on_the_disk_alike(tmp_path, monkeypatch):
    monkeypatch.setattr(large_files, "LARGE", 100)
    path = write(tmp_path, "".join(f"{row},p{row}\n" for row in range(1000)))
    for opened in (stored_table, large_table):
        with pytest.raises(NamesInDoubt, match="row 1"):
            opened(path)
    assert stored_table(path, header="0").n == 1000
    assert large_table(path, ReadingOptions(header="0")).schema.names == ["column 1", "column 2"]
    # a record whose value is missing is one of numbers all the same
    path = write(tmp_path, "NA,p\n" + "".join(f"{row},p{row}\n" for row in range(1000)))
    with pytest.raises(NamesInDoubt):
        large_table(path)
    named = write(tmp_path, "x,y\n" + "".join(f"{row},p{row}\n" for row in range(1000)))
    assert large_table(named).n == 1000


def test_however_it_is_read_a_file_has_one_budget(tmp_path):
    path = write(tmp_path, ADULT)
    keys = set()
    for header in ("0", "1"):
        reading = ReadingOptions(header=header)
        keys.add(file_identity(read_table(path, header=header), path, reading=reading).digest)
    assert len(keys) == 1
    assert keys.pop().startswith("table:")


def test_no_example_asks():
    for name in EXAMPLES:
        load_example(name)


def test_the_doubt_crosses_processes(tmp_path):
    error = doubt(write(tmp_path, IRIS))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.row, again.likely) == (str(error), 1, False)
    assert "--header 1 if" in str(error.spelled("--header {}"))
    assert Path(error.source).name == "people.csv"


def test_bytes_that_are_no_letters_look_like_nothing(tmp_path):
    with pytest.raises(DataError, match="state its encoding"):
        read_table(write(tmp_path, "имя;плата\nИва;1,5\nОльга;2,5\n".encode("cp1251")))
