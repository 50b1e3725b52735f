"""Delimited text: every fault named with its row, progress, and whatever is written comes back."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from table_files import fault, write

import engine
from engine.data import read_table
from engine.errors import DataError
from engine.progress import Cancelled


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
    assert "it has more cells than the header, which has 2; every row needs as many" in str(error)
    error = fault(tmp_path, f"a,b\n{good}4\n1,2,3,é\n".encode("latin-1"))
    assert error.row == threads_matter + 2
    assert "it has fewer cells than the header, which has 2" in str(error)


@pytest.mark.parametrize("options", [{}, {"header": "1"}])
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (",a,b", ["column 1", "a", "b"]),
        ("a,,b", ["a", "column 2", "b"]),
        ("a,b,", ["a", "b", "column 3"]),
        ("a,b, a", ["a", "b", "a 2"]),
        ("a,a,a", ["a", "a 2", "a 3"]),
        ("a,a,a 2", ["a", "a 3", "a 2"]),
        ("column 2,,b", ["column 2", "column 2 2", "b"]),
        ("b,b,", ["b", "b 2", "column 3"]),
    ],
)
def test_unnamed_columns_are_numbered_and_doubled_names_told_apart(tmp_path, names, expected, options):
    table = read_table(write(tmp_path, names + "\n1,2,3\n"), **options)
    assert [column.name for column in table.columns] == expected
    assert table.preview() == [("1", "2", "3")]
    assert table.reading.notes
    assert read_table(write(tmp_path, names + "\n1,2,3\n"), columns=expected[1:]).preview() == [("2", "3")]


def test_a_blank_row_above_the_names(tmp_path):
    table = read_table(write(tmp_path, "\na,b\nc,d\n"))
    assert table.data.column_names == ["a", "b"]
    assert table.first_row == 3


@pytest.mark.parametrize("length", [10, 3_000_000])
def test_a_file_cut_inside_a_quoted_cell(tmp_path, length):
    error = fault(tmp_path, 'id,remark\n1,"fine"\n2,"cut ' + "and so on\n" * (length // 10))
    assert error.row == 3
    assert "a quoted cell is not closed; add the closing quote" in str(error)
    assert "truncated" in str(error)


def test_a_long_cell_is_not_taken_for_the_fault(tmp_path):
    error = fault(tmp_path, f'id,remark\n1,"{"long, " * 50_000}"\n2,fine\n3,a,b\n')
    assert error.row == 4
    assert "it has more cells than the header, which has 2" in str(error)


def test_a_quote_that_never_closes_in_the_header(tmp_path):
    for length in (1, 300_000):
        assert fault(tmp_path, '"a,b\n' + "1,2\n" * length).row == 1


def test_a_single_stray_quote_within_a_cell_is_no_fault(tmp_path):
    assert read_table(write(tmp_path, 'id,size\n1,5" pipe\n2,none\n')).preview()[0] == ("1", '5" pipe')


def test_utf_16_cut_within_a_character(tmp_path):
    error = fault(tmp_path, "a,b\n1,2\n3,4".encode("utf-16")[:-1])
    assert "it is not utf-16-le text; get it again in case it is truncated" in str(error)


def write_many(folder, rows, last="7"):
    lines = "".join(f"{i},{'words ' * 20}{i}\n" for i in range(rows - 1))
    return write(folder, f"x,text\n{lines}{last},words\n")


def test_progress_runs_from_nothing_to_all(tmp_path):
    path = write_many(tmp_path, 100_000)
    seen = []
    read_table(path, progress=lambda fraction, message: seen.append((fraction, message)))
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
        read_table(path, progress=impatient)
    assert [fraction > 0.3 for fraction in calls].count(True) == 1


def test_cancelling_ends_the_search_for_a_fault(tmp_path):
    path = write(tmp_path, "x,y\n" + "1,2\n" * 200_000 + "1,2,3")

    def impatient(fraction, message=""):
        if message.startswith("looking for the fault") and fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(path, progress=impatient)


def test_an_unknown_wanted_column_is_named_before_the_file_is_read(tmp_path):
    path = write(tmp_path, "salary,age\n1,2\n")
    calls = []
    with pytest.raises(DataError, match="there is no column 'salry'; try salary"):
        read_table(path, progress=lambda *call: calls.append(call), columns=["salry"])
    assert calls == []


@pytest.mark.slow
def test_two_million_rows(tmp_path):
    rng = np.random.default_rng(1)
    values = rng.lognormal(10, 1, 2_000_000)
    path = write(tmp_path, "id,x\n" + "".join(f"{i},{x!r}\n" for i, x in enumerate(values.tolist())))
    np.testing.assert_array_equal(read_table(path).numbers("x").values, values)


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
    path = tmp_path_factory.getbasetemp() / "round trip.csv"
    path.write_bytes(text.getvalue().encode())
    table = read_table(path)
    values = table.numbers("x").values
    assert values.tobytes() == np.array([x for x, _ in records]).tobytes()
    assert [words for _, words in table.preview(len(records))] == [f"t{words}t" for _, words in records]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "x\n1\n2\n3\nTotal: 6\n",
            "row 5, column 'x': the value is not a number; delete the row if it is a footnote,",
        ),
        ("x,y\n1,2\n3,4\nSource: an office\n\n", "row 4: .* or delete the row if it is a footnote"),
    ],
)
def test_a_footnote_is_named_as_one(tmp_path, text, problem):
    path = tmp_path / "foot.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=problem):
        read_table(path).numbers("x")


@pytest.mark.parametrize("text", ["x\n1\nTotal: 6\n2\n", "x,y\n1,2\nSource: an office\n3,4\n"])
def test_a_row_between_others_is_no_footnote(tmp_path, text):
    path = tmp_path / "foot.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_table(path).numbers("x")
    assert "footnote" not in str(caught.value)
