"""The kinds of data that queries and mechanisms read, and which bundled examples hold them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.data import Example


@dataclasses.dataclass(frozen=True)
class KindFacts:
    """One kind of data that queries and mechanisms read.

    Attributes
    ----------
    words : str
        What it is.
    examples : tuple of str
        The kinds of examples that hold it; those of the first are made for it.
    part : str
        What the card of an example must declare for it, beside its kind.
    """

    words: str
    examples: tuple[str, ...]
    part: str = "columns"

    def fits(self, card: Example) -> bool:
        """Tell whether an example holds data of this kind."""
        return card.kind in self.examples and bool(getattr(card, self.part))

    def fitting(self) -> list[str]:
        """Return the names of all examples that hold data of this kind."""
        from engine.data import EXAMPLES

        return [name for name, card in EXAMPLES.items() if self.fits(card)]


KINDS = {
    "column": KindFacts("a column of numbers", ("table", "points")),
    "points": KindFacts("points, with a column of numbers for each coordinate", ("points", "table")),
    "weighted-graph": KindFacts("a graph with weights", ("graph",)),
    "simple-graph": KindFacts("a graph without weights", ("graph",)),
    "categories": KindFacts("columns of categories", ("categories", "table"), part="categories"),
}
"""The kinds by the name that `Query.reads` and `Sanitizer.reads` give them."""
