"""Delimited text: dialects, encodings, and every fault named with its row."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import engine
from engine.data import read_table
from engine.errors import DataError, ParameterError
from engine.progress import Cancelled


def write(folder, content, name="people.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def fault(folder, content, **options):
    with pytest.raises(DataError) as caught:
        read_table(write(folder, content), **options)
    assert "\n" not in str(caught.value)
    return caught.value


# --- dialects and encodings ---


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


def test_latin_1_only_when_stated(tmp_path):
    content = "name,age\nAnn,3\nJosé,4\n".encode("latin-1")
    error = fault(tmp_path, content)
    assert (error.row, error.column) == (3, "name")
    assert "the byte 0xe9 is not UTF-8 text; save the file as UTF-8, or state its encoding" in str(error)
    assert read_table(write(tmp_path, content), encoding="latin-1").preview()[1] == ("José", "4")


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


# --- numbers and what is missing ---


def test_padded_numbers_are_numbers(tmp_path):
    table = read_table(write(tmp_path, "a, b,c\n 1 , 2.5,x\n2, NA ,y\n"))
    assert [(column.type, column.missing) for column in table.columns] == [
        ("number", 0),
        ("number", 1),
        ("text", 0),
    ]
    np.testing.assert_array_equal(table.numbers("b", "drop").values, [2.5])


def test_the_words_that_mean_missing(tmp_path):
    words = ["", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "<NA>", '""']
    table = read_table(write(tmp_path, "id,x\n0,1\n" + "".join(f"1,{word}\n" for word in words)))
    assert table.column("x").missing == len(words)
    numbers = table.numbers("x", "drop")
    assert (list(numbers.values), numbers.dropped) == ([1.0], len(words))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("nan", "NaN is not a value"),
        ("NaN", "NaN is not a value"),
        ("inf", "inf is not a finite number"),
        ("-inf", "-inf is not a finite number"),
        ("1e999", "inf is not a finite number"),
    ],
)
def test_nan_and_infinity_are_errors_and_not_missing(tmp_path, word, says):
    table = read_table(write(tmp_path, f"id,x\n0,1\n1,{word}\n2,\n"))
    assert table.column("x").missing == 1
    with pytest.raises(DataError) as caught:
        table.numbers("x", "drop")
    assert str(caught.value) == (
        f"people.csv, row 3, column 'x': {says}; write a finite number, "
        "or leave the cell empty to count it as missing"
    )


def test_the_first_text_among_many_numbers_is_named(tmp_path):
    lines = [f"{i},{i / 7}" for i in range(100_000)]
    lines[70_000] = "70000,seven thousand and a few more dollars"
    lines[80_000] = "80000,oops"
    table = read_table(write(tmp_path, "id,pay\n" + "\n".join(lines)))
    assert table.column("pay").type == "text"
    with pytest.raises(DataError) as caught:
        table.numbers("pay")
    assert (caught.value.row, caught.value.column) == (70_002, "pay")
    assert "'seven thousand and a few more…' is not a number" in str(caught.value)
    assert "with a decimal point (1234.5), or choose a column of numbers: id" in str(caught.value)


def test_a_decimal_comma_is_not_guessed_at(tmp_path):
    table = read_table(write(tmp_path, "x;y\n1;3,14\n"))
    with pytest.raises(DataError, match=r"row 2, column 'y': '3,14' is not a number; .* decimal point"):
        table.numbers("y")


def test_numbers_that_turn_from_integers_to_fractions_late(tmp_path):
    values = [str(i) for i in range(300_000)] + ["0.5"]
    table = read_table(write(tmp_path, "x\n" + "\n".join(values)))
    assert table.numbers("x").values[-1] == 0.5


@pytest.mark.parametrize(
    ("early", "late", "kind", "shown"),
    [
        ("", "1.5", "number", ("", "1.5")),
        ("", "word", "text", ("", "word")),
        ("7", "word", "text", ("7", "word")),
        *(
            pytest.param(early, late, "text", (early, late), marks=pytest.mark.slow)
            for early, late in (("007", "word"), ("true", "maybe"), ("2020-01-01", "2020-01-01 10:00"))
        ),
        ("9", "99999999999999999999", "number", ("9", "1e+20")),
    ],
)
def test_a_column_that_changes_its_kind_after_the_first_megabyte(tmp_path, early, late, kind, shown):
    path = write(tmp_path, "i,x,y\n" + f"1,{early},2\n" * 300_000 + f"1,{late},2.5\n")
    for columns in (None, ["x", "y"]):
        table = read_table(path, columns=columns)
        assert [table.column(name).type for name in ("x", "y")] == [kind, "number"]
        cells = [record[-2] for record in table.preview(300_001)]
        assert (cells[0], cells[-1]) == shown


def test_blank_lines_in_a_single_column_are_missing_values(tmp_path):
    table = read_table(write(tmp_path, "x\n1\n\n3\n"))
    assert (table.n, table.column("x").missing) == (3, 1)
    with pytest.raises(DataError, match="row 3, column 'x': the value is missing, as in 1 of 3"):
        table.numbers("x")


def test_a_blank_line_between_records_keeps_the_rows_in_place(tmp_path):
    table = read_table(write(tmp_path, "x,y\n1,2\n\n3,oops\n\n\n"))
    assert table.n == 3
    with pytest.raises(DataError) as caught:
        table.numbers("y")
    assert caught.value.row == 4


# --- faults ---


def test_header_only(tmp_path):
    for content in ("a,b", "a,b\n", "a,b\r\n\r\n", "a\n"):
        assert str(fault(tmp_path, content)) == (
            "people.csv: there are column names but no records; at least one is needed"
        )


@pytest.mark.parametrize("threads_matter", [0, 200_000])
def test_a_row_with_too_many_or_too_few_cells(tmp_path, threads_matter):
    good = "1,2\n" * threads_matter
    error = fault(tmp_path, f'a,b\n{good}1,"x\ny"\n1,2,é\n4\n'.encode("latin-1"))
    assert error.row == threads_matter + 3
    assert "it has 3 cells where the header has 2; every row needs as many" in str(error)
    error = fault(tmp_path, f"a,b\n{good}4\n1,2,3,é\n".encode("latin-1"))
    assert error.row == threads_matter + 2
    assert "it has 1 cell where the header has 2" in str(error)


def test_duplicate_empty_and_missing_names(tmp_path):
    error = fault(tmp_path, "a,b, a\n1,2,3\n")
    assert (error.row, error.column) == (1, "a")
    assert "the name stands twice, over columns 1 and 3; give each column a name of its own" in str(error)
    assert "row 1: the name of column 2 is empty; give every column a name" in str(
        fault(tmp_path, "a,,b\n1,2,3\n")
    )
    assert "row 1: it is blank; the names of the columns belong here" in str(fault(tmp_path, "\na,b\n1,2\n"))
    assert "row 1: it holds numbers ('1.5') where the names" in str(fault(tmp_path, "1.5,2\n3,4\n"))


@pytest.mark.parametrize("length", [10, 3_000_000])
def test_a_file_cut_inside_a_quoted_cell(tmp_path, length):
    error = fault(tmp_path, 'id,remark\n1,"fine"\n2,"cut ' + "and so on\n" * (length // 10))
    assert error.row == 3
    assert "a quoted cell is not closed; add the closing quote" in str(error)
    assert "cut in the middle" in str(error)


def test_a_long_cell_is_not_taken_for_the_fault(tmp_path):
    error = fault(tmp_path, f'id,remark\n1,"{"long, " * 50_000}"\n2,fine\n3,a,b\n')
    assert error.row == 4
    assert "it has 3 cells where the header has 2" in str(error)


def test_a_quote_that_never_closes_in_the_header(tmp_path):
    for length in (1, 300_000):
        assert fault(tmp_path, '"a,b\n' + "1,2\n" * length).row == 1


def test_a_single_stray_quote_within_a_cell_is_no_fault(tmp_path):
    assert read_table(write(tmp_path, 'id,size\n1,5" pipe\n2,none\n')).preview()[0] == ("1", '5" pipe')


def test_utf_16_cut_within_a_character(tmp_path):
    error = fault(tmp_path, "a,b\n1,2\n3,4".encode("utf-16")[:-1])
    assert "it is not utf-16-le text; get it again in case it is cut" in str(error)


# --- size, progress, cancellation ---


def write_many(folder, rows, last="7"):
    lines = "".join(f"{i},{'words ' * 20}{i}\n" for i in range(rows - 1))
    return write(folder, f"x,text\n{lines}{last},words\n")


def test_progress_runs_from_nothing_to_all(tmp_path):
    path = write_many(tmp_path, 100_000)
    seen = []
    read_table(path, lambda fraction, message: seen.append((fraction, message)))
    assert seen == sorted(seen)
    assert seen[0] == (0.0, "reading people.csv")
    assert seen[-1][0] == 1.0
    assert len(seen) > path.stat().st_size / 2**21


@pytest.mark.parametrize("last", ["7", pytest.param("0.5", marks=pytest.mark.slow)])
def test_memory_holds_the_wanted_columns_and_a_few_blocks(tmp_path, last):
    rows = 600_000  # arrow reads ahead, the more so where other work delays it
    path = write_many(tmp_path, rows, last)
    script = (
        "import pyarrow, sys\n"
        "from engine.data import read_table\n"
        "table = read_table(sys.argv[1], columns=['x'])\n"
        "assert [column.name for column in table.columns] == ['x']\n"
        "print(table.data.nbytes, pyarrow.default_memory_pool().max_memory())\n"
    )
    child = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(engine.__file__).parents[1],
    )
    kept, peak = map(int, child.stdout.split())
    assert kept == 8 * rows
    assert 8 * rows < peak < path.stat().st_size


def test_cancelling_ends_the_reading(tmp_path):
    path = write(tmp_path, "x,y\n" + "12345,67890\n" * 800_000)
    calls = []

    def impatient(fraction, message=""):
        calls.append(fraction)
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(path, impatient)
    assert [fraction > 0.3 for fraction in calls].count(True) == 1


def test_cancelling_ends_the_search_for_a_fault(tmp_path):
    path = write(tmp_path, "x,y\n" + "1,2\n" * 200_000 + "1,2,3")

    def impatient(fraction, message=""):
        if message.startswith("looking for the fault") and fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(path, impatient)


def test_an_unknown_wanted_column_is_named_before_the_file_is_read(tmp_path):
    path = write(tmp_path, "salary,age\n1,2\n")
    calls = []
    with pytest.raises(DataError, match="there is no column 'salry'; try salary"):
        read_table(path, lambda *call: calls.append(call), columns=["salry"])
    assert calls == []


@pytest.mark.slow
def test_two_million_rows(tmp_path):
    rng = np.random.default_rng(1)
    values = rng.lognormal(10, 1, 2_000_000)
    path = write(tmp_path, "id,x\n" + "".join(f"{i},{x!r}\n" for i, x in enumerate(values.tolist())))
    np.testing.assert_array_equal(read_table(path).numbers("x").values, values)


# --- whatever is written comes back ---

CELLS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")) | st.sampled_from('\n",;|\t'))


@given(
    records=st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), CELLS), min_size=1, max_size=30
    ),
    delimiter=st.sampled_from(",;\t|"),
    newline=st.sampled_from(["\n", "\r\n"]),
)
@example(records=[(-0.0, "")], delimiter=",", newline="\n")
@example(records=[(5e-324, '"')], delimiter=";", newline="\r\n")
def test_round_trip(tmp_path_factory, records, delimiter, newline):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=newline)
    writer.writerow(["x", "words"])
    writer.writerows([repr(x), f"t{words}t"] for x, words in records)
    path = tmp_path_factory.mktemp("round") / "trip.csv"
    path.write_bytes(text.getvalue().encode())
    table = read_table(path)
    values = table.numbers("x").values
    assert values.tobytes() == np.array([x for x, _ in records]).tobytes()
    assert [words for _, words in table.preview(len(records))] == [f"t{words}t" for _, words in records]
