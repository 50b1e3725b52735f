"""Files of a graph in a folder of their own."""

import pytest
from table_files import fault, write

from engine.data import read_table


@pytest.fixture
def read_graphml(tmp_path):
    """Write a file and read it."""
    return lambda content, name="net.graphml", **options: read_table(
        write(tmp_path, content, name), **options
    )


@pytest.fixture
def fault_of_graphml(tmp_path):
    """Return the message about a file that cannot be read."""
    return lambda content, **options: str(fault(tmp_path, content, "net.graphml", **options))
