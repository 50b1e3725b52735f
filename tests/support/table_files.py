"""Files of a table, and what is said of those that cannot be read."""

import pytest

from engine.data import read_table
from engine.errors import DataError


def write(folder, content, name="people.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def fault(folder, content, name="people.csv", **options):
    with pytest.raises(DataError) as caught:
        read_table(write(folder, content, name), **options)
    assert "\n" not in str(caught.value)
    return caught.value
