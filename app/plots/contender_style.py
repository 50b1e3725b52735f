"""One colour, one dash and one mark for each contender, the same in every picture of a comparison."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from app.theme import SERIES_STROKES, Palette, Stroke

_COLOURS = (0, 4, 6, 1, 2, 7, 5, 3)  # places in the series: the first ones are the farthest apart
_STROKES = (Stroke(2.2), *(SERIES_STROKES[place] for place in (0, 3, 1, 4, 5, 2, 7)))
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "h")
_WIDTH = 2.2


@dataclasses.dataclass(frozen=True)
class ContenderStyle:
    """How a contender is drawn: its colour, the stroke of its line, the shape of its marks."""

    colour: str
    stroke: Stroke
    marker: str

    @property
    def linestyle(self) -> Any:
        """The dashes as matplotlib takes them."""
        return (0, self.stroke.dashes) if self.stroke.dashes else "solid"


def contender_style(place: int, palette: Palette) -> ContenderStyle:
    """Return the look of the contender with this number; after the eighth they begin again."""
    place %= len(_COLOURS)
    stroke = dataclasses.replace(_STROKES[place], width=_WIDTH)
    return ContenderStyle(palette.series[_COLOURS[place]], stroke, _MARKERS[place])


def short_names(labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return what to write large and what small for each label, so that the large ones are distinct.

    A label is a name and settings behind a comma.  Whoever has the name alone is called by it;
    those that share one are called by their settings; where that is not enough the label stays whole.

    >>> short_names(["Exponential", "Smooth, Laplace noise", "Smooth, Student's t noise"])
    [('Exponential', ''), ('Laplace noise', 'Smooth'), ("Student's t noise", 'Smooth')]
    """
    parts = [tuple(text.strip() for text in label.partition(",")[::2]) for label in labels]
    heads = [head for head, _ in parts]
    names = [(tail, head) if tail and heads.count(head) > 1 else (head, tail) for head, tail in parts]
    shown = [name for name, _ in names]
    return [
        (label, "") if shown.count(name) > 1 else (name, rest)
        for label, (name, rest) in zip(labels, names, strict=True)
    ]
