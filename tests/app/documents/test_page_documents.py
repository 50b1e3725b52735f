"""How a file is read is in the session, and what makes no sense there is refused with its place."""

import pytest

from app.documents.page_documents import ReadingKind
from app.documents.schema import DocumentError
from engine.data.reading_options import DETECTED, ReadingOptions

STATED = ReadingOptions(
    decimal=",", header="0", sql="SELECT 1", types=(("born", "days"), ("zip", "category"))
)


@pytest.mark.parametrize(
    "options",
    [
        DETECTED,
        STATED,
        ReadingOptions(missing_values="-999,.;age=99"),
        ReadingOptions.of({"missing_values": ""}),
    ],
)
def test_what_is_stated_comes_back(options):
    assert ReadingKind().read(ReadingKind().plain(options), "reading") == options


@pytest.mark.parametrize(
    ("plain", "place", "problem"),
    [
        ([], "reading", "not an object"),
        ({"colour": "red"}, "reading.colour", "is unknown"),
        ({"decimal": ";"}, "reading.decimal", "is not possible"),
        ({"decimal": 1}, "reading.decimal", "not text"),
        ({"types": {"born": "year"}}, "reading.types", "cannot be read as"),
        ({"missing_values": "1;2"}, "reading.missing_values", "two lists for all columns"),
        ({"types": "days"}, "reading.types", "not an object"),
        ({"table": "a", "sql": "SELECT 1"}, "reading.sql", "state one of the two"),
    ],
)
def test_what_makes_no_sense_is_refused(plain, place, problem):
    with pytest.raises(DocumentError) as caught:
        ReadingKind().read(plain, "reading")
    assert str(caught.value).startswith(place)
    assert problem in str(caught.value)
