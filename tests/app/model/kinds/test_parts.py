"""The kind of data of questions about parts of a table."""

import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.kinds.options import OptionError
from app.model.kinds.parts import PartsChoice
from app.model.kinds.registry import KINDS
from app.model.wording.records import rows_words
from engine.data import Table
from engine.errors import DataError, ParameterError
from engine.progress import silent

TABLE = Table(
    "pay.csv",
    pa.table({"pay": [10, None, 30, 40], "team": ["a", "b", "b", None], "age": [20, 30, 40, 50]}),
    units={"pay": "$"},
)
DECLARED = {"column": "pay", "lower": 0.0, "upper": 50.0, "by": ("team",), "groups": (("a", "b"),)}


def read(**fields):
    return PartsChoice(**KINDS["parts"].read(Dataset(TABLE, ""), fields, silent))


CHOICES = [
    DECLARED,
    {**DECLARED, "where": ("age > 20", "team in (a, b)")},
    {**DECLARED, "missing": "fill", "fills": {"pay": 5.0}},
    {"column": "pay", "lower": 0.0, "upper": 50.0},
    {"where": ("age > 20",)},
    {"by": ("team",), "groups": (("b", "other"),)},
]


def test_rows_that_lack_a_value_or_a_group_are_in_no_part():
    assert read(**DECLARED).parts.index.tolist() == [0, -1, 1, -1]
    assert read(**CHOICES[1]).parts.index.tolist() == [-1, -1, 1, -1]
    assert read(**CHOICES[2]).parts.index.tolist() == [0, 1, 1, -1]
    assert read(**CHOICES[5]).parts.index.tolist() == [1, 0, 0, -1]


def test_statements_are_rules_and_not_numbers():
    assert rows_words(read(**CHOICES[1]).statements) == (
        "only where age > 20 and team in (a, b); rows without a value of pay or team are left out; rows of "
        "other groups are left out"
    )
    assert rows_words(read(**CHOICES[2]).statements) == (
        "rows of other groups are left out; a missing pay counts as 5"
    )
    person = {"person": "id", "person_rule": "largest"}
    assert rows_words(person) == "one record for each id: the largest of the rows"
    assert rows_words({}) == ""


def test_titles_units_and_columns():
    choice = read(**CHOICES[1])
    assert KINDS["parts"].title(choice, TABLE) == "pay by team where age > 20 and team in (a, b) (pay.csv)"
    assert KINDS["parts"].unit(choice, Dataset(TABLE, "")) == "$"
    assert KINDS["parts"].columns_of(choice) == ("pay", "team", "age")


def test_a_typed_record_has_a_value_and_a_group():
    domain = read(**DECLARED).parts.domain
    assert KINDS["parts"].value_of(["12", "b"], domain) == (12, 1)
    assert KINDS["parts"].value_of(["12"], domain) == (12, -1)
    with pytest.raises(OptionError, match="'c' is no group; choose one of a, b"):
        KINDS["parts"].value_of(["12", "c"], domain)


def test_a_choice_that_cannot_be_read_is_refused():
    with pytest.raises(ParameterError, match="write what stands for a missing value of pay"):
        read(**{**DECLARED, "missing": "fill"})
    with pytest.raises(DataError, match="there is no column 'paid'"):
        read(**{**DECLARED, "column": "paid"})
    with pytest.raises(DataError, match="the value is missing"):
        read(**{**DECLARED, "membership": "public", "missing": "refuse"})
