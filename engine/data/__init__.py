"""Files become tables, columns of numbers and lists of edges; some examples are bundled."""

from engine.data.edges import EdgeColumns, EdgeList, guess_columns, read_edges
from engine.data.examples import DEFAULT_EXAMPLE, EXAMPLES, Example, ExampleColumn, load_example
from engine.data.reading import read_table
from engine.data.table import Column, Numbers, Table

__all__ = [
    "DEFAULT_EXAMPLE",
    "EXAMPLES",
    "Column",
    "EdgeColumns",
    "EdgeList",
    "Example",
    "ExampleColumn",
    "Numbers",
    "Table",
    "guess_columns",
    "load_example",
    "read_edges",
    "read_table",
]
