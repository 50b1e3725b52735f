"""Read files as tables, columns of numbers or categories, and lists of edges; load examples."""

from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import CategoryRecords, read_categories
from engine.data.edges import EdgeColumns, EdgeList, guess_columns, read_edges
from engine.data.examples import (
    DEFAULT_EXAMPLE,
    EXAMPLES,
    Example,
    ExampleCategories,
    ExampleColumn,
    load_example,
)
from engine.data.frames import as_table
from engine.data.identity import (
    ColumnsApart,
    FileIdentity,
    digest_of,
    example_digest,
    file_identity,
    table_digest,
)
from engine.data.reading import read_table
from engine.data.sketch import TableSketch
from engine.data.table import Column, Numbers, Table

__all__ = [
    "DEFAULT_EXAMPLE",
    "EXAMPLES",
    "Categories",
    "CategoryDomain",
    "CategoryRecords",
    "Column",
    "ColumnsApart",
    "EdgeColumns",
    "EdgeList",
    "Example",
    "ExampleCategories",
    "ExampleColumn",
    "FileIdentity",
    "Numbers",
    "Table",
    "TableSketch",
    "as_table",
    "digest_of",
    "example_digest",
    "file_identity",
    "guess_columns",
    "load_example",
    "read_categories",
    "read_edges",
    "read_table",
    "table_digest",
]
