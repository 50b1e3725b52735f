"""One colour, one dash and one mark for each contender, the same in every picture of a comparison."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from app.model.theme import SERIES_STROKES, Palette, Stroke
from engine.comparison.results import ComparedMechanism
from engine.mechanisms import SmoothRelease

_WIDTH = 2.2
_STROKES = (
    Stroke(_WIDTH),
    *(SERIES_STROKES[index] for index in (0, 3, 1, 4, 5, 2, 7, 6)),
    Stroke(_WIDTH, (12.0, 3.5)),
    Stroke(_WIDTH, (4.0, 1.4, 4.0, 1.4, 1.0, 1.4)),
    Stroke(_WIDTH, (7.0, 1.4, 1.0, 1.4, 1.0, 1.4, 1.0, 1.4)),
)
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "h", "<", "*", ">", "d")
MAX_STYLES = len(_MARKERS)
_COMMA = re.compile(r"\s*,\s*(?![^(]*\))")
_SHORT, _SPOKEN = 28, 36  # letters of a label that stays whole; in a sentence, where settings tell most


@dataclasses.dataclass(frozen=True)
class ContenderStyle:
    """How a contender is drawn: its colour, the stroke of its line, the shape of its marks."""

    colour: str
    stroke: Stroke
    marker: str


def contender_style(look: int, palette: Palette) -> ContenderStyle:
    """Return the look with this number; after the twelfth they begin again."""
    look %= len(_MARKERS)
    stroke = dataclasses.replace(_STROKES[look], width=_WIDTH)
    return ContenderStyle(palette.contenders[look], stroke, _MARKERS[look])


def looks(contenders: Sequence[ComparedMechanism]) -> list[int]:
    """Return the number of the look of each contender, by their places.

    The first look has the colour of smooth sensitivity; where that takes part, no other has it.
    """
    smooth = next((p for p, one in enumerate(contenders) if isinstance(one.mechanism, SmoothRelease)), 0)
    return [0 if index == smooth else index + (index < smooth) for index in range(len(contenders))]


def short_names(labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return what to write large and what small for each label, so that the large ones are distinct.

    A label is a name and settings behind a comma that is not in parentheses.  A short one stays whole.  Long
    ones that share a name are called by their settings, and others by their name alone; where that is not
    enough they stay whole, too.

    >>> short_names(["Smooth, Laplace noise", "Smooth, generalized Cauchy noise"])
    [('Smooth, Laplace noise', ''), ('generalized Cauchy noise', 'Smooth')]
    """
    parts = [(*re.split(_COMMA, label, maxsplit=1), "")[:2] for label in labels]
    heads = [head for head, _ in parts]
    names = []
    for label, (head, tail) in zip(labels, parts, strict=True):
        if len(label) <= _SHORT:
            names.append((label, ""))
        else:
            names.append((tail, head) if tail and heads.count(head) > 1 else (head, tail))
    shown = [name for name, _ in names]
    return [
        (label, "") if shown.count(name) > 1 else (name, rest)
        for label, (name, rest) in zip(labels, names, strict=True)
    ]


def spoken_names(labels: Sequence[str]) -> list[str]:
    """Return what to call each in a sentence: the label, or what is written large if that is long."""
    names = []
    for label, (name, _) in zip(labels, short_names(labels), strict=True):
        # settings alone do not tell what they are settings of
        whole = _SHORT if label.startswith(name) else _SPOKEN
        said = label if len(label) <= whole else name
        names.append(f"“{said}”" if "," in said else said)
    return names
