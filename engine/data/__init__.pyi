"""The names of `engine.data`, for type checkers and `listed_names`."""

from engine.data.categories import Categories as Categories
from engine.data.categories import CategoryDomain as CategoryDomain
from engine.data.category_columns import CategoryRecords as CategoryRecords
from engine.data.category_columns import read_categories as read_categories
from engine.data.edges import EdgeColumns as EdgeColumns
from engine.data.edges import EdgeList as EdgeList
from engine.data.edges import guess_columns as guess_columns
from engine.data.edges import read_edges as read_edges
from engine.data.examples import EXAMPLES as EXAMPLES
from engine.data.examples import Example as Example
from engine.data.examples import ExampleCategories as ExampleCategories
from engine.data.examples import ExampleColumn as ExampleColumn
from engine.data.examples import load_example as load_example
from engine.data.frames import as_table as as_table
from engine.data.identity import ColumnsApart as ColumnsApart
from engine.data.identity import FileIdentity as FileIdentity
from engine.data.identity import digest_of as digest_of
from engine.data.identity import example_digest as example_digest
from engine.data.identity import file_identity as file_identity
from engine.data.identity import table_digest as table_digest
from engine.data.reading import read_table as read_table
from engine.data.sketch import TableSketch as TableSketch
from engine.data.table import Column as Column
from engine.data.table import Numbers as Numbers
from engine.data.table import Table as Table
