"""Stated missing values: one public list decides for every format, and replaces the usual values."""

import math
from decimal import Decimal

import pyarrow as pa
import pytest

from engine.data.edges import read_edges
from engine.data.identity import file_identity
from engine.data.missing_values import EMPTY, MissingList, join, parse
from engine.data.reading import read_table
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, ParameterError

SENTINELS = "x\n1\n-999\n3\n.\n5\n"
MARKS = "x\n1\nNone\n3\n-\n5\n"
NAN = "x\n1\nnan\n3\nNaN\n5\n"
NAMIBIA = "country,v\nNA,1\nDE,2\nNA,3\nFR,4\n"


def read(tmp_path, text, missing_values=None, **options):
    path = tmp_path / "a.csv"
    path.write_text(text)
    if missing_values is not None:
        options["missing_values"] = missing_values
    return read_table(path, **options)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (SENTINELS, "-999,."),
        (SENTINELS, "-999.0 , ."),
        (SENTINELS, "x=-999,."),
        (SENTINELS, "?;x=.,-999"),
        (MARKS, "None,-"),
        (NAN, "nan"),
        ("x\n1\n?\n3\n99.0\n5\n", "?,99"),
        ('x;y\n"1";a\n" ? ";b\n3;c\n+99;d\n5;e\n', "?,99"),
        ("x;y\n1,0;a\n?;b\n3,0;c\n-;d\n5;e\n", "?,-"),
        ("x\n$1.00\n.\n$3.00\n$-999.00\n$5.00\n", "-999,."),
    ],
)
def test_stated_values_are_missing(tmp_path, text, stated):
    table = read(tmp_path, text, stated)
    assert table.columns[0].type == "number"
    numbers = table.numbers("x", "drop")
    assert numbers.values.tolist() == [1, 3, 5]
    assert numbers.dropped == 2


def test_with_an_empty_list_na_is_a_value_and_the_empty_cell_is_missing(tmp_path):
    countries = ["NA", "DE", "NA", "FR"]
    assert read(tmp_path, NAMIBIA).column("country").missing == 2
    for stated in ("", EMPTY, "country=", "v=NA;country="):
        assert read(tmp_path, NAMIBIA, stated).data["country"].to_pylist() == countries
    table = read(tmp_path, NAMIBIA + ",5\n", "")
    assert table.data["country"].to_pylist() == [*countries, None]


def test_a_list_replaces_the_usual_values_and_that_of_a_column_the_list_of_all(tmp_path):
    text = "x,y\nNA,NA\n-9,-9\n?,?\n1,1\n"
    assert read(tmp_path, text, "-9,?").data.to_pydict() == {
        "x": ["NA", None, None, "1"],
        "y": ["NA", None, None, "1"],
    }
    assert read(tmp_path, text, "-9,NA,?;y=?,NA").data.to_pydict() == {
        "x": [None, None, None, 1],
        "y": [None, -9, None, 1],
    }
    # without a list for all, the other columns keep the usual values
    assert read(tmp_path, text.replace("?,?", "2,?"), "y=?").data.to_pydict() == {
        "x": [None, -9, 2, 1],
        "y": ["NA", "-9", None, "1"],
    }


def test_types_of_columns_follow_the_stated_values(tmp_path):
    text = "born,code\n2000-01-02,007\n?,7\n1999-12-31,x\n"
    table = read(tmp_path, text, "?,7", types={"born": "days", "code": "category"})
    assert table.data.to_pydict() == {"born": [10958.0, None, 10956.0], "code": ["007", None, "x"]}
    table = read(tmp_path, "born\n1900-01-01\n2000-01-02\n", "1900-01-01")
    assert table.data["born"].null_count == 1


def test_a_stated_value_does_not_decide_the_decimal_sign(tmp_path):
    table = read(tmp_path, "a;b\n1,5;x\n.;y\n2,5;z\n", ".")
    assert table.reading.values["decimal"] == ","
    assert table.data["a"].to_pylist() == [1.5, None, 2.5]


def test_whole_numbers_are_compared_exactly():
    big = MissingList(("9007199254740993",))
    column = pa.chunked_array([[9007199254740992, 9007199254740993, None]])
    assert big.replaced(column).to_pylist() == [9007199254740992, None, None]
    assert 9007199254740992 not in big
    assert 9007199254740993 in big


def test_cells_of_all_types():
    stated = MissingList(("99", "-1.5", "nan", "no"))
    for cell in (None, "", " ", "no", " no ", "99", 99, 99.0, Decimal("99.0"), -1.5, math.nan):
        assert cell in stated
    for cell in ("No", "99.0", 98, True, False, 0, math.inf, ["99"]):
        assert cell not in stated
    columns = {
        pa.int8(): ([99, 1, None], [None, 1, None]),
        pa.uint8(): ([99, 1, None], [None, 1, None]),
        pa.float32(): ([99, math.nan, -1.5], [None, None, None]),
        pa.decimal128(4, 1): ([Decimal("99.0"), Decimal("-1.5"), None], [None, None, None]),
        pa.bool_(): ([True, False, None], [True, False, None]),
        pa.large_string(): (["99 ", " x ", None], [None, " x ", None]),
        pa.date32(): ([None, None], [None, None]),
    }
    for kind, (values, expected) in columns.items():
        assert stated.replaced(pa.chunked_array([pa.array(values, kind)])).to_pylist() == expected


@pytest.mark.parametrize(
    ("text", "all_columns", "columns"),
    [
        ("", None, {}),
        (EMPTY, (), {}),
        ("-999,.,?", ("-999", ".", "?"), {}),
        (" -999 , . ", ("-999", "."), {}),
        ("income=-999,.;age=99", None, {"income": ("-999", "."), "age": ("99",)}),
        ("?;country=", ("?",), {"country": ()}),
        ('"a;b=c"="1,2","say ""no"""', None, {"a;b=c": ("1,2", 'say "no"')}),
    ],
)
def test_lists_are_read_and_written(text, all_columns, columns):
    missing = parse(text)
    assert (None if missing.everywhere is None else missing.everywhere.texts) == all_columns
    assert {name: own.texts for name, own in missing.columns.items()} == columns
    assert parse(join(missing.written)) == missing
    assert bool(missing) == bool(text)


@pytest.mark.parametrize("text", ['"', 'a;"b', "1;2", "x=1;x=2", "=1", "x=1=2"])
def test_lists_that_cannot_be_read_are_refused(text):
    with pytest.raises(ParameterError) as caught:
        ReadingOptions(missing_values=text)
    assert caught.value.field == "missing_values"


def test_an_unknown_column_is_refused(tmp_path):
    with pytest.raises(DataError, match="there is no column 'incom'; try income"):
        read(tmp_path, "income\n1\n2\n", "incom=2")


def test_a_number_that_is_none_names_the_remedy(tmp_path):
    with pytest.raises(DataError, match="state it as missing"):
        read(tmp_path, SENTINELS).numbers("x")


def test_a_column_read_as_numbers_has_its_missing_values(tmp_path):
    text = "x,y\n1,a\nNA,b\n99.0,c\n"
    table = read(tmp_path, text, "99,NA", types={"x": "number"})
    assert table.data["x"].to_pylist() == [1, None, None]
    with pytest.raises(DataError, match="it is no number"):
        read(tmp_path, text, "99", types={"x": "number"})


EDGES = "source,target,weight\na,b,1\nb,c,nan\nc,a,?\na,d,-9\nc,d,2\n"
GRAPH = """<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="w">1</data></edge>
<edge source="b" target="c"><data key="w">?</data></edge>
<edge source="a" target="c"><data key="w">NaN</data></edge></graph></graphml>
"""


def test_weights_of_edges(tmp_path):
    table = read(tmp_path, EDGES, "weight=?,-9")
    with pytest.raises(DataError, match="row 3, column 'weight': the value is not a finite number"):
        read_edges(table)
    dropped = read_edges(table, missing="drop")
    assert dropped.weights.tolist() == [1, 2]
    assert dropped.rows.tolist() == [2, 6]
    assert dropped.dropped == 3
    filled = read_edges(table, missing="fill", fill=7)
    assert filled.weights.tolist() == [1, 7, 7, 7, 2]
    assert filled.filled == 3
    path = tmp_path / "a.graphml"
    path.write_text(GRAPH)
    dropped = read_edges(read_table(path, missing_values="?"), missing="drop")
    assert dropped.weights.tolist() == [1]
    assert dropped.dropped == 2


def test_the_list_makes_no_other_dataset(tmp_path):
    table = read(tmp_path, SENTINELS)
    path = tmp_path / "a.csv"
    alone = file_identity(table, path).digest
    for stated in ("-999,.", "", "x=3"):
        options = ReadingOptions.of({"missing_values": stated})
        assert file_identity(read_table(path, missing_values=stated), path, reading=options).digest == alone


def test_stated_values_are_missing_among_dates_and_na_may_be_none(tmp_path):
    text = "born\n2000-01-02\nNA\n?\n"
    assert read(tmp_path, text, "?,NA", types={"born": "days"}).data["born"].to_pylist() == [
        10958,
        None,
        None,
    ]
    with pytest.raises(DataError):
        read(tmp_path, text, "?", types={"born": "days"})
