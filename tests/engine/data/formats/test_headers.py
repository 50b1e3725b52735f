"""Tables as other programs write them: names missing, doubled or in two rows, blanks between cells."""

import dataclasses
import functools
import itertools
import operator

import openpyxl
import pytest
from table_files import fault, write

from engine.data import large_files, names, read_table
from engine.data.large_files import large_table
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, NamesInDoubt, ParameterError
from engine.extras.stored.opening import stored_table


def columns_of(table):
    return {column.name: table.data.column(column.name).to_pylist() for column in table.columns}


OF_R = '"","x","y"\n"1",1.5,2\n"2",2.5,3\n"3",3.5,4\n'
OF_PANDAS = ",x,y\n0,1.5,2\n1,2.5,3\n2,3.5,4\n"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (OF_R, [1, 2, 3]),
        (OF_PANDAS, [0, 1, 2]),
        ('"x","y"\n"1",1.5,2\n"2",2.5,3\n"3",3.5,4\n', [1, 2, 3]),  # write.table names no row names
        ('"x" "y"\n"a b" 1.5 2\n"c" 2.5 3\n"d" 3.5 4\n', ["a b", "c", "d"]),
        ("x\ty\na\t1.5\t2\nb\t2.5\t3\nc\t3.5\t4\n", ["a", "b", "c"]),
        ('"";"x";"y"\n"1";1,5;2\n"2";2,5;3\n"3";3,5;4\n', [1, 2, 3]),
        (
            "             x y\nMazda RX4  1.5 2\nDatsun 710 2.5 3\nGo         3.5 4\n",
            ["Mazda RX4", "Datsun 710", "Go"],
        ),
    ],
)
def test_row_names_without_a_heading_are_the_first_column(tmp_path, text, first):
    table = read_table(write(tmp_path, text))
    assert columns_of(table) == {"column 1": first, "x": [1.5, 2.5, 3.5], "y": [2, 3, 4]}
    assert table.reading.notes == ("columns without a name are called “column 1”",)
    assert table.first_row == 2


@pytest.mark.parametrize("quote", ["", '"'])
def test_one_name_above_two_cells_names_the_second(tmp_path, quote):
    text = "Qx\nQ1Q;1,5\nQ2Q;2,5\n".replace("Qx", f"{quote}x{quote}").replace("Q", quote)
    if quote:
        assert columns_of(read_table(write(tmp_path, text))) == {"column 1": [1, 2], "x": [1.5, 2.5]}
    else:  # a cell may contain the delimiter
        assert "it has more cells than the header" in str(fault(tmp_path, text, delimiter=";"))
    assert columns_of(read_table(write(tmp_path, f"{quote}x{quote}\n1,5\n2,5\n"))) == {"x": [1.5, 2.5]}


@pytest.mark.parametrize("records", ["1,2,\n3,4,\n5,6,5\n", "a,1,2\nb,3,4\na,5,6\n", "a,1,2\n,3,4\n"])
def test_cells_that_do_not_line_up_stay_an_error(tmp_path, records):
    error = fault(tmp_path, "a,b\n" + records)
    assert "cells than the header, which has 2" in str(error)
    assert "state the row of the header if it is another one" in str(error)


@pytest.mark.parametrize("end", ["", ","])
@pytest.mark.parametrize("empty", [",", ",,", ""])
def test_delimiters_at_the_end_of_rows(tmp_path, end, empty):
    if empty == ",," and end:
        empty = ","
    table = read_table(write(tmp_path, f"a,b{end}\n1,2{empty}\n3,4{empty}\n5,6{empty}\n"))
    assert columns_of(table) == {"a": [1, 3, 5], "b": [2, 4, 6]}


def test_a_value_far_down_below_no_name(tmp_path):
    rows = "1,2,\n" * 2000
    assert read_table(write(tmp_path, f"a,b,\n{rows}1,2,3\n")).data.column_names == ["a", "b", "column 3"]
    error = fault(tmp_path, f"a,b\n{rows}1,2,3\n")
    assert (error.row, "it has more cells than the header" in str(error)) == (2002, True)
    assert read_table(write(tmp_path, f"a,b\n{rows}1,2,3\n"), columns=["b"]).n == 2001  # nobody asks for it


def test_a_doubled_name_does_not_stop_other_columns(tmp_path):
    path = write(tmp_path, "a,b,a\n1,2,7\n3,4,8\n5,6,9\n")
    assert read_table(path).numbers("b").values.tolist() == [2, 4, 6]
    assert read_table(path).numbers("a 2").values.tolist() == [7, 8, 9]
    assert read_table(path, columns=["a 2"]).data.column_names == ["a 2"]


def test_new_names_are_never_taken():
    for given in itertools.product(["", "a", "a 2", "column 2"], repeat=4):
        result = names.name_columns(given)
        assert all(result)
        assert len(set(result)) == 4
        firsts = {name: given.index(name) for name in given if name}
        assert all(result[index] == name for name, index in firsts.items())


@pytest.mark.parametrize(
    "text",
    [
        "39, State-gov, 77516, Bachelors\n50, Self-emp, 83311, Bachelors\n38, Private, 215646, HS-grad\n",
        "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2,Iris-setosa\n4.7,3.2,1.3,0.2,Iris-setosa\n\n",
        "18.0   8   307.0\n15.0   8   350.0\n18.0   8   318.0\n",
        '18.0   8\t"chevrolet malibu"\n15.0   8\t"buick"\n18.0   8\t"ford pinto"\n',
        "1   Ada Lovelace   100\n2   Alan          2000\n3                  300\n",
        ",5,6\na,7,8\nb,9,10\n",
        ",5,6\n1,7,8\n2,9,10\n",
        "1,2,\n3,4,\n5,6,\n",
    ],
)
def test_records_without_names_ask(tmp_path, text):
    path = write(tmp_path, text, "people.data")
    with pytest.raises(NamesInDoubt, match=r'state header="1" if it holds names, header="0"') as caught:
        read_table(path)
    assert not any(cell in str(caught.value) for cell in ("State", "39", "5.1", "18", "Ada"))
    table = read_table(path, header="0")
    assert table.n == 3
    assert table.data.column_names == [f"column {number}" for number in range(1, len(table.columns) + 1)]


def test_runs_of_blanks(tmp_path):
    path = write(tmp_path, "18.0   8   307.0\n15.0   8   350.0\n18.0   8   318.0\n")
    table = read_table(path, header="0")
    assert columns_of(table) == {
        "column 1": [18, 15, 18],
        "column 2": [8, 8, 8],
        "column 3": [307, 350, 318],
    }
    assert (table.reading.values["delimiter"], table.format) == (
        "blanks",
        "text, separated by blanks, UTF-8, no names",
    )
    assert columns_of(read_table(path, header="0", delimiter="blanks")) == columns_of(table)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("gap", ["  ", " \t ", "\t "])
def test_tabs_among_blanks_and_quoted_cells(tmp_path, gap, end):
    rows = [["mpg", "origin", "car"], ["18.0", "1", '"ford pinto"'], ["15.5", "NA", '"say ""a"""']]
    text = "".join(f" {gap.join(row)} {end}" for row in rows)
    for options in ({}, {"delimiter": "blanks"}):
        table = read_table(write(tmp_path, text + end), **options)
        assert columns_of(table) == {
            "mpg": [18, 15.5],
            "origin": [1, None],
            "car": ["ford pinto", 'say "a"'],
        }
        assert table.row(0) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("full name\nAda Lovelace\nAlan Turing\n", {"full name": ["Ada Lovelace", "Alan Turing"]}),
        ("annual pay\n1 234\n5 678\n", {"annual pay": [1234, 5678]}),
        ("who\nAda was born 1815\nBob was born 1830\n", {"who": ["Ada was born 1815", "Bob was born 1830"]}),
        ("a b\tn\nAda L\t36\nBob M\t41\n", {"a b": ["Ada L", "Bob M"], "n": [36, 41]}),
        ("a b,n\nAda L,36\nBob M,41\n", {"a b": ["Ada L", "Bob M"], "n": [36, 41]}),
    ],
)
def test_blanks_inside_cells_delimit_nothing(tmp_path, text, expected):
    assert columns_of(read_table(write(tmp_path, text))) == expected


FIXED = "id  name           pay\n1   Ada Lovelace   100\n2   Alan          2000\n3                  300\n"
PEOPLE = {"id": [1, 2, 3], "name": ["Ada Lovelace", "Alan", None], "pay": [100, 2000, 300]}


@pytest.mark.parametrize("delimiter", [None, "fixed", "fixed 4,13,5", "fixed 4 13 5"])
def test_cells_of_fixed_width(tmp_path, delimiter):
    options = {} if delimiter is None else {"delimiter": delimiter}
    table = read_table(write(tmp_path, FIXED), **options)
    assert columns_of(table) == PEOPLE
    assert table.reading.values["delimiter"] == (delimiter or "fixed")


def test_characters_between_the_columns(tmp_path):
    quoted = read_table(write(tmp_path, FIXED.replace("Ada Lovelace", 'Ada "X"     ')))
    assert columns_of(quoted) == {**PEOPLE, "name": ['Ada "X"', "Alan", None]}
    rows = "12   a b  3\n" * 1000
    error = fault(tmp_path, f"n    name m\n{rows}1234 a b  3\n12  xa b  3\n")
    assert (error.row, "it has characters between the columns of fixed width" in str(error)) == (1002, True)
    assert fault(tmp_path, FIXED, delimiter="fixed 4,13").row == 1


def test_detected_widths_without_names_permit_no_release(tmp_path):
    path = write(tmp_path, FIXED.partition("\n")[2])
    assert "state the widths" in read_table(path, header="0").release_problem
    assert "state the widths" in read_table(path, header="0", delimiter="fixed").release_problem
    assert not read_table(path, header="0", delimiter="fixed 4,13,5").release_problem
    assert "state the widths" in read_table(write(tmp_path, FIXED)).release_problem


@pytest.mark.parametrize("delimiter", [";;", "blank", "fixed 0", "fixed a", "\n"])
def test_other_delimiters_are_refused_by_name(delimiter):
    with pytest.raises(ParameterError, match="delimiter: "):
        ReadingOptions(delimiter=delimiter)


@pytest.mark.parametrize("header", ["2-1", "1-", "0-1", "1-20", "x"])
def test_other_rows_of_names_are_refused(header):
    with pytest.raises(ParameterError, match="header: "):
        ReadingOptions(header=header)


def test_large_files_between_blanks_stay_in_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(large_files, "LARGE", 100)
    path = write(tmp_path, '  "x"   y\n' + "".join(f'"r {i}" {i}   {i / 2}\n' for i in range(200)))
    table = stored_table(path)
    assert table.n == 200
    assert table.schema.names == ["column 1", "x", "y"]
    pieces = [table.load(piece, ["y"]).column("y").to_pylist() for piece in range(len(table.sizes))]
    assert functools.reduce(operator.iadd, pieces, []) == [i / 2 for i in range(200)]
    trailing = write(tmp_path, "a,b,\n" + "1,2,\n" * 200, "trailing.csv")
    assert stored_table(trailing).schema.names == ["a", "b"]
    fixed = write(tmp_path, "n    name\n" + "1    a b\n2    c\n" * 100, "fixed.txt")
    assert large_table(fixed) is None
    assert read_table(fixed).data.column_names == ["n", "name"]


TWO_ROWS = ",2020,,2021,\nplace,men,women,men,women\nA,1,2,3,4\nB,5,6,7,8\n"
JOINED = ["place", "2020 men", "2020 women", "2021 men", "2021 women"]


def test_names_in_two_rows(tmp_path):
    table = read_table(write(tmp_path, TWO_ROWS), header="1-2")
    assert table.data.column_names == JOINED
    assert (table.n, table.first_row, table.reading.values["header"]) == (2, 3, "1-2")
    assert table.numbers("2020 women").values.tolist() == [2, 6]
    units = read_table(write(tmp_path, "time,mass\n[s],[kg]\n1,2.5\n2,3.5\n"), header="1-2")
    assert columns_of(units) == {"time [s]": [1, 2], "mass [kg]": [2.5, 3.5]}


def save_workbook(path, rows, merged=()):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(path)
    return path


def test_merged_headings_of_a_workbook(tmp_path):
    rows = [
        ["Region", 2020, None, 2021, None],
        [None, "men", "women", "men", "women"],
        ["N", 1, 2, 3, 4],
        ["S", 5, 6, 7, 8],
    ]
    path = save_workbook(tmp_path / "merged.xlsx", rows, ["A1:A2", "B1:C1", "D1:E1"])
    table = read_table(path, header="1-2")
    assert table.data.column_names == ["Region", *JOINED[1:]]
    assert table.numbers("2021 men").values.tolist() == [3, 7]
    assert (table.first_row, table.reading.values["header"]) == (3, "1-2")


def test_years_as_headings_of_a_workbook(tmp_path):
    path = save_workbook(tmp_path / "years.xlsx", [["place", 2020, 2020], ["A", 1.5, 2], ["B", 3, 4]])
    with pytest.raises(NamesInDoubt):
        read_table(path)
    assert read_table(path, header="1").data.column_names == ["place", "2020", "2020 2"]


def test_unnamed_and_doubled_columns_of_a_workbook(tmp_path):
    path = save_workbook(tmp_path / "pandas.xlsx", [[None, "x", "x"], [0, 1.5, 2], [1, 3, 4]])
    assert columns_of(read_table(path)) == {"column 1": [0, 1], "x": [1.5, 3], "x 2": [2, 4]}


META = "Export of 2024-01-01,,\nSite: A,Unit: kg,\nid,mass,flag\n1,2.5,a\n2,3.5,b\n3,4.5,c\n"


@pytest.mark.parametrize("text", [META, META.replace(",\nid", "\nid"), META.replace(",,", "")])
def test_notes_above_the_names_ask_for_their_row(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(NamesInDoubt, match=r'row 3: .* state header="3" if it holds names') as caught:
        read_table(path)
    assert caught.value.likely
    assert columns_of(read_table(path, header="3")) == {
        "id": [1, 2, 3],
        "mass": [2.5, 3.5, 4.5],
        "flag": ["a", "b", "c"],
    }


def test_notes_above_the_names_of_a_workbook(tmp_path):
    rows = [
        ["Report", None, None],
        ["Site A", "kg", None],
        ["id", "mass", "flag"],
        [1, 2.5, "a"],
        [2, 3.5, "b"],
    ]
    path = save_workbook(tmp_path / "notes.xlsx", rows)
    with pytest.raises(NamesInDoubt, match=r'row 3: .* state header="3"'):
        read_table(path)
    assert read_table(path, header="3").data.column_names == ["id", "mass", "flag"]


def test_a_row_of_units_names_the_option(tmp_path):
    table = read_table(write(tmp_path, "time,mass\n[s],[kg]\n1,2.5\n2,3.5\n"))
    with pytest.raises(DataError, match=r"row 2, column 'mass': .* state header=\"1-2\" if the row belongs"):
        table.numbers("mass")
    sheet = save_workbook(tmp_path / "foot.xlsx", [["x"], [1], [2], ["Total: 3"]])
    with pytest.raises(DataError, match=r"row 4, .* state a range of cells without row 4 if it is no record"):
        read_table(sheet).numbers("x")


def test_the_header_of_orange(tmp_path):
    path = write(tmp_path, "name\tage\tsex\nstring\tcontinuous\tM F\nmeta\t\tclass\nA\t20\tM\nB\t30\tF\n")
    table = read_table(path)
    assert columns_of(table) == {"name": ["A", "B"], "age": [20, 30], "sex": ["M", "F"]}
    assert table.first_row == 4


def test_blank_lines_are_records_inside_and_nothing_at_the_end(tmp_path):
    table = read_table(write(tmp_path, "x,y\n1,2\n\n3,4\n5,6\n\n"))
    assert columns_of(table) == {"x": [1, None, 3, 5], "y": [2, None, 4, 6]}


def test_a_stated_row_beyond_the_end(tmp_path):
    assert fault(tmp_path, "a,b\n1,2\n", header="9").row == 9


def test_a_header_that_is_no_record_need_not_be_stated(tmp_path):
    quoted = '"","1940","1945"\n"Food",22.2,44.5\n"Tobacco",10.5,15.5\n'
    assert read_table(write(tmp_path, quoted)).data.column_names == ["column 1", "1940", "1945"]
    with pytest.raises(NamesInDoubt):
        read_table(write(tmp_path, quoted.replace('"', "")))
    for text in ('"a","b"\n"a","c"\n', '"7","x"\n"8","9"\n'):  # cells below are quoted, too
        with pytest.raises(NamesInDoubt):
            read_table(write(tmp_path, text))


def test_options_are_compared_by_what_is_stated():
    assert dataclasses.replace(ReadingOptions(), header="1-2").names_rows == range(2)
    assert (ReadingOptions(header="0").names_rows, ReadingOptions().names_rows) == (range(0), None)


def test_a_delimiter_may_end_the_names_below_titles(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("Series: unemployment\n\nid,year,rate,\nA,1959,5.8\nA,1960,5.1\n")
    table = read_table(file, header="3")
    assert (table.n, table.data.schema.names) == (2, ["id", "year", "rate"])
