"""Categories come from public lists, never from the data; cells and labels are compared as text."""

import datetime

import numpy as np
import pyarrow as pa
import pytest

from engine.data import Categories, CategoryDomain, Table, read_categories
from engine.data.categories import MAX_COLUMNS
from engine.errors import DataError, ParameterError

DOMAIN = CategoryDomain(["sex", "admitted"], [["male", "female"], ["yes", "no", "never"]])
DATA = Categories([[0, 0], [0, 1], [1, 1], [1, 1]], DOMAIN)


def table(**columns):
    return Table("answers.csv", pa.table(columns), first_row=2)


def read(data, *labels, **choices):
    return read_categories(data, CategoryDomain(data.data.column_names, labels), **choices)


def test_the_table_counts_every_combination():
    assert (DATA.n, DATA.records, DATA.resolution) == (4, 4, None)
    assert DATA.table.tolist() == [[1, 1, 0], [0, 2, 0]]
    assert (DOMAIN.shape, DOMAIN.size) == ((2, 3), 6)
    assert [DOMAIN.named(cell) for cell in (0, 2, 3)] == [
        ["male", "yes"],
        ["male", "never"],
        ["female", "yes"],
    ]
    assert DATA.facts == {
        "columns": ["sex", "admitted"],
        "categories": [["male", "female"], ["yes", "no", "never"]],
    }
    rng = np.random.default_rng(1)
    codes = rng.integers(0, [2, 3], (500, 2))
    counts = Categories(codes, DOMAIN).table
    for i, j in np.ndindex(2, 3):
        assert counts[i, j] == np.count_nonzero((codes == [i, j]).all(axis=1))


def test_a_neighbour_differs_in_one_record():
    other = DATA.replaced(0, ["female", "never"])
    assert (other.table - DATA.table).tolist() == [[-1, 0, 0], [0, 0, 1]]
    assert DATA.table.sum() == other.table.sum() == 4
    with pytest.raises(
        DataError, match="column 'admitted': 'maybe' is not among the categories; there are yes"
    ):
        DATA.replaced(0, ["female", "maybe"])
    with pytest.raises(DataError, match="1 labels do not fit"):
        DATA.replaced(0, ["female"])


def test_nothing_can_be_written_into_the_records():
    for values in (DATA.codes, DATA.table):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1


@pytest.mark.parametrize(
    ("columns", "labels", "words"),
    [
        ([], [], "no column is named"),
        (["a", "a"], [["x"], ["y"]], "'a' is named twice"),
        (["a", "b"], [["x"]], r"1 lists of categories for 2 columns \(a, b\)"),
        (["a"], [[]], "column 'a' has none"),
        (["a"], [["x", "  "]], "has an empty category"),
        (["a"], [["x", "y", " x "]], "'x' is listed twice for column 'a'"),
        (["a", "b"], [map(str, range(1000)), map(str, range(1001))], "1000 × 1001 = 1,001,000 combinations"),
        (map(str, range(MAX_COLUMNS + 1)), [["x"]] * (MAX_COLUMNS + 1), "21 columns are too many"),
    ],
)
def test_lists_without_sense_are_refused(columns, labels, words):
    with pytest.raises(ParameterError, match=words):
        CategoryDomain(list(columns), [list(own) for own in labels])


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ([[0, 3]], "column 'admitted': record 1 has an invalid code; it must be 0 to 2"),
        ([[0, 0], [-1, 0]], "column 'sex': record 2 has an invalid code"),
        ([[0.0, 1.0]], "float64"),
        ([[0, 0, 0]], r"it must be \(n, 2\)"),
        (np.empty((0, 2), dtype=int), "no records"),
    ],
)
def test_codes_that_are_no_places_are_refused(codes, words):
    with pytest.raises(DataError, match=words):
        Categories(codes, DOMAIN)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["red ", " green", "red"], ["red", "green", "blue"]),
        ([7, 10**10, 7], ["007", "10000000000", "8"]),
        ([7.0, 1e10, 7.0], ["7", "10000000000", "8.0"]),
        ([True, False, True], ["TRUE", "False", "never"]),
        ([datetime.date(2020, 2, 29), datetime.date(2021, 1, 1)] * 1, ["2020-02-29", "2021-01-01"]),
        (pa.array(["red", "green", "red"]).cast(pa.large_string()), ["red", "green"]),
        (pa.array(["7.00", "8.00", "7.00"]).cast(pa.decimal128(5, 2)), ["7", "8"]),
        (pa.chunked_array([["red"], ["green", "red"]]), ["red", "green"]),
    ],
    ids=str,
)
def test_cells_and_labels_are_compared_as_they_read(values, labels):
    found = read(table(x=values), labels).categories
    assert found.codes[:, 0].tolist() == [0, 1, 0][: len(values)]
    assert found.domain.labels == (tuple(labels),)


def test_a_number_and_a_text_are_not_the_same_in_a_column_of_text():
    with pytest.raises(DataError, match="the value is not among"):
        read(table(x=["7", "red"]), ["7.0", "red"])
    with pytest.raises(
        ParameterError, match=r"'7' and '7\.0' are the same in column 'x', which holds numbers"
    ):
        read(table(x=[7, 8]), ["7", "8", "7.0"])


def test_what_is_not_declared_is_refused_with_its_place_or_counted_as_other():
    data = table(x=["red", "green", "{}", "blue"], y=["a", "b", "a", "c"])
    words = (
        r"answers.csv, row 4, column 'x': the value is not among the declared categories \(there are red, "
        r"green, blue\); correct "
        r"it, declare it as one more, or count undeclared values as 'other' \(unseen = other\)"
    )
    with pytest.raises(DataError, match=words):
        read(data, ["red", "green", "blue"], ["a", "b"])
    found = read(data, ["red", "green", "blue"], ["a", "b"], unseen="other")
    assert found.categories.domain.labels == (("red", "green", "blue", "other"), ("a", "b", "other"))
    assert found.categories.codes.tolist() == [[0, 0], [1, 1], [3, 0], [2, 2]]
    assert (found.unseen, found.dropped) == (2, 0)


def test_other_is_there_whether_or_not_a_value_needs_it():
    """Otherwise the list would tell whether a record is something else."""
    found = read(table(x=["red", "red"]), ["red"], unseen="other")
    assert found.categories.domain.labels == (("red", "other"),)
    declared = read(table(x=["red", "pink"]), ["other", "red"], unseen="other")
    assert declared.categories.domain.labels == (("other", "red"),)
    assert declared.categories.codes[:, 0].tolist() == [1, 0]


def test_missing_values_are_refused_or_dropped():
    data = table(x=["red", None, "red"], y=["a", "a", "b"])
    with pytest.raises(DataError, match="row 3, column 'x': the value is missing"):
        read(data, ["red"], ["a", "b"])
    found = read(data, ["red"], ["a", "b"], missing="drop")
    assert found.categories.table.tolist() == [[1, 1]]
    assert found.dropped == 1
    with pytest.raises(DataError, match="every record lacks a value"):
        read(table(x=pa.array([None, None], pa.string())), ["red"], missing="drop")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["red", " "], "row 3, column 'x': a blank is no category"),
        ([1.0, 0.5], "row 3, column 'x': the value is no whole number"),
        ([1.0, float("nan")], "the value is not a finite number"),
        ([1.0, float("inf")], "the value is no whole number"),
        ([1.0, 1e-9], "the value is no whole number"),
        ([[1], [2]], "column 'x': it holds bytes, lists or objects; categories are text"),
        ([b"1", b"2"], "it holds bytes"),
    ],
)
@pytest.mark.parametrize("unseen", ["refuse", "other"])
def test_columns_of_other_things_are_refused(values, words, unseen):
    with pytest.raises(DataError, match=words):
        read(table(x=values), ["red", "1"], unseen=unseen)


def test_unknown_columns_and_choices_are_refused():
    with pytest.raises(DataError, match="there is no column 'z'; try x"):
        read_categories(table(x=["red"]), CategoryDomain(["z"], [["red"]]))
    with pytest.raises(ParameterError, match="must be refuse or other"):
        read(table(x=["red"]), ["red"], unseen="drop")
    with pytest.raises(ParameterError, match="must be refuse, fill or drop"):
        read(table(x=["red"]), ["red"], missing="other")


def test_a_million_records_are_counted_without_a_loop_over_them():
    import time

    values = pa.array(np.tile(["red", "green", "blue", "red"], 250_000))
    start = time.process_time()
    assert read(table(x=values), ["red", "green", "blue"]).categories.table.tolist() == [
        500_000,
        250_000,
        250_000,
    ]
    assert time.process_time() - start < 2


def test_missing_values_count_as_the_category_that_was_chosen_for_them():
    data = table(x=["red", None, "blue"], y=[1, 2, None])
    domain = CategoryDomain(("x", "y"), (("red", "blue"), ("1", "2")))
    found = read_categories(data, domain, "fill", fill=("blue", "1"))
    np.testing.assert_array_equal(found.categories.codes, [[0, 0], [1, 1], [1, 0]])
    assert (found.dropped, found.filled, found.unseen) == (0, 2, 0)
    others = CategoryDomain(("x", "y"), (("red",), ("1",)))
    unseen = read_categories(data, others, "fill", "other", ("red", "other"))
    np.testing.assert_array_equal(unseen.categories.codes, [[0, 0], [0, 1], [1, 1]])
    assert unseen.unseen == 2  # "2" in the second record, "blue" in the third
    for fill, words in (
        (None, "need a category"),
        (("blue",), "need a category"),
        (("green", "1"), "'green' is no"),
    ):
        with pytest.raises(ParameterError, match=words):
            read_categories(data, domain, "fill", fill=fill)
