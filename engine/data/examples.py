"""Load the bundled examples; a card in ``resources/examples`` describes each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.data.reading import read_file
from engine.data.reading_options import DETECTED
from engine.data.table import Table
from engine.errors import DataError, UnknownName
from engine.resources import resource_file, resource_folders
from engine.small_files import parse_toml, small_text


@dataclasses.dataclass(frozen=True)
class ExampleColumn:
    """A numeric column with its unit and public bounds, as the card of a `load_example` declares it."""

    name: str
    unit: str
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class ExampleCategories:
    """A column with its public list of categories, as the card of a `load_example` declares it."""

    name: str
    labels: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Example:
    """The card of an example, as `EXAMPLES` holds it; `load_example` reads the data.

    `n` counts all records, including those with missing values; for a graph, the edges.  `bounds` explains
    how bounds or lists of categories can be known without the data.  `columns` lists the numeric columns that
    are useful for queries, the default first; for a graph, the weights.

    `kind` is "table", "graph" (a list of edges), "points" (all columns together are coordinates) or
    "categories".  `vertices` is the public number of vertices of a graph.  Data that are `public` are
    published or synthetic: nothing computed from them is confidential.
    """

    name: str
    title: str
    description: str
    source: str
    licence: str
    file: str
    n: int
    bounds: str
    columns: tuple[ExampleColumn, ...]
    kind: str = "table"
    vertices: int = 0
    categories: tuple[ExampleCategories, ...] = ()
    public: bool = False

    @property
    def column(self) -> str:
        """Name of the default column."""
        return self.columns[0].name

    @property
    def unit(self) -> str:
        """Unit of the default column."""
        return self.columns[0].unit

    @property
    def lower(self) -> float:
        """Public lower bound of the default column."""
        return self.columns[0].lower

    @property
    def upper(self) -> float:
        """Public upper bound of the default column."""
        return self.columns[0].upper


def _made(card: dict[str, Any]) -> Example:
    columns = tuple(ExampleColumn(**column) for column in card.pop("columns", ()))
    categories = tuple(
        ExampleCategories(own["name"], tuple(own["labels"])) for own in card.pop("categories", ())
    )
    example = Example(**card, columns=columns, categories=categories)
    parts: list[Any] = [example, *columns, *categories]
    for part in parts:
        for field in dataclasses.fields(part):
            _checked(getattr(part, field.name), KINDS.get(str(field.type), object), field.name)
    return example


def _checked(value: Any, kind: Any, name: str) -> Any:
    """Return a value of a card; `TypeError` if it has another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} is not of the expected type")
    return value


KINDS: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "bool": bool}


@cache
def _read_cards(folders: tuple[Path, ...]) -> tuple[dict[str, Example], tuple[DataError, ...]]:
    """Return the examples in these folders, and the errors in other cards.

    If two examples have the same name, the first one is used.
    """
    examples: dict[str, Example] = {}
    faults: list[DataError] = []
    for folder in folders:
        cards = []
        for path in sorted(folder.glob("*.toml")):
            try:
                card = parse_toml(small_text(path), path.name)
                cards.append((_checked(card.pop("order"), int, "order"), _made(card)))
            except DataError as error:
                faults.append(error)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                problem = f"is not a valid example card ({type(error).__name__}: {error})"
                faults.append(DataError(" ".join(problem.split()), source=path.name))
        for _, example in sorted(cards, key=lambda card: card[0]):
            examples.setdefault(example.name, example)
    return examples, tuple(faults)


class Examples(Mapping[str, Example]):
    """All examples by name, in display order; read at first access."""

    @property
    def _cards(self) -> dict[str, Example]:
        return _read_cards(resource_folders("examples"))[0]

    @property
    def faults(self) -> tuple[DataError, ...]:
        """Errors in cards that were left out."""
        return _read_cards(resource_folders("examples"))[1]

    def __getitem__(self, name: str) -> Example:
        return self._cards[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)


EXAMPLES = Examples()
"""All bundled examples by name; the cards are read at first access."""


def load_example(name: str) -> Table:
    """Read a bundled example, with the units of its card.

    Parameters
    ----------
    name : str
        A key of `EXAMPLES`.

    Returns
    -------
    Table

    Raises
    ------
    UnknownName
        If no example has this name; the message suggests similar names.

    See Also
    --------
    read_table, Sample

    Examples
    --------
    >>> table = load_example("salaries")
    >>> table.n, table.units
    (10001, {'salary': '$'})
    """
    if name not in EXAMPLES:
        raise UnknownName("example", name, EXAMPLES)
    example = EXAMPLES[name]
    # a category may have the name of its column, such as "admitted"
    table = read_file(resource_file("examples", example.file), DETECTED, asks=False)
    return dataclasses.replace(table, units={column.name: column.unit for column in example.columns})
