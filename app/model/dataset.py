"""A table with where it came from."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.data import Table


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """A table, and where it came from.

    `digest` names the dataset for the budget: what is spent on a file stays spent when the file is
    opened again, moved or copied.  It is "sha256:…" of all bytes of a file, "example:…" for what comes
    with the program, and private: who guesses the data can check the guess with it.
    """

    table: Table
    digest: str = dataclasses.field(repr=False)
    path: Path | None = None
    example: str | None = None

    @classmethod
    def of_example(cls, name: str) -> Dataset:
        """Read a bundled example."""
        from engine.data import example_digest, load_example

        return cls(load_example(name), example_digest(name), example=name)

    @property
    def title(self) -> str:
        """The name that people know it by."""
        return self.path.name if self.path else self.table.source

    def column(self, name: str) -> Any:
        """Return the `engine.data.Column` of that name, or None."""
        return next((column for column in self.table.columns if column.name == name), None)
