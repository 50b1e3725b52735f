"""What was called public is what was read, and nothing else that the same file holds."""

import pyarrow as pa
import pytest

from app.model.dataset import Dataset
from app.model.state import SessionState
from engine.data import Table
from engine.data.reading_options import DETECTED, ReadingOptions

TABLE = Table("two.xlsx", pa.table({"x": [1.0, 2.0]}))
LOOKUP = ReadingOptions(sheet="Lookup")


def dataset(reading=DETECTED, former="sha256:file"):
    return Dataset(TABLE, "table:first", former=former, reading=reading)


@pytest.mark.parametrize(
    ("called", "opened", "public"),
    [
        (dataset(LOOKUP), dataset(), False),
        (dataset(), dataset(LOOKUP), False),
        (dataset(LOOKUP), dataset(ReadingOptions(sheet="Staff")), False),
        (dataset(LOOKUP), dataset(LOOKUP, "sha256:other"), False),  # of the first sheet they have the same
        (dataset(LOOKUP), dataset(LOOKUP), True),
        (dataset(), dataset(former="sha256:copy in another format"), True),
    ],
)
def test_another_part_of_a_file_is_not_public_with_it(called, opened, public):
    state = SessionState(dataset=opened, published=frozenset({called.content}))
    assert state.has_public_data is public
