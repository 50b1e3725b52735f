"""Files become tables, and columns of numbers; some examples are bundled."""

from engine.data.examples import DEFAULT_EXAMPLE, EXAMPLES, Example, ExampleColumn, load_example
from engine.data.reading import read_table
from engine.data.table import Column, Numbers, Table

__all__ = [
    "DEFAULT_EXAMPLE",
    "EXAMPLES",
    "Column",
    "Example",
    "ExampleColumn",
    "Numbers",
    "Table",
    "load_example",
    "read_table",
]
