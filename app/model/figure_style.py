"""How a saved figure looks: as wide as what it is for, in its font, with or without words around it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

WIDTHS: Mapping[str, str] = MappingProxyType(
    {
        "screen": "as large as it is drawn (7.8 in)",
        "single": "one column (3.5 in)",
        "double": "two columns (7 in)",
        "slide": "a slide (10 in)",
    }
)
FONTS: Mapping[str, str] = MappingProxyType(
    {"sans": "sans serif", "serif": "serif", "tex": "like TeX (STIX, with its mathematics)"}
)
WORDS_AROUND: Mapping[str, str] = MappingProxyType(
    {"all": "title and caption", "caption": "caption alone", "none": "neither"}
)
STAMPS: Mapping[str, str] = MappingProxyType({"confidential": "on what is confidential", "never": "never"})

USES: Mapping[str, str] = MappingProxyType(
    {
        "screen": "&As on the screen, with title and caption…",
        "single": "For &one column of a paper (3.5 in)…",
        "double": "For &two columns of a paper (7 in)…",
        "slide": "For a &slide (10 in), with title and caption…",
    }
)
"""What a figure may be saved for, by its width; a paper has its own title and caption."""

_SIZES: Mapping[str, tuple[float, float | None]] = MappingProxyType(
    {"screen": (7.8, None), "single": (5.2, 3.5), "double": (7.8, 7.0), "slide": (6.6, 10.0)}
)
"""In inches: how wide a figure is laid out, with type of its ordinary size, and how wide it is saved."""


@dataclasses.dataclass(frozen=True)
class FigureStyle:
    """The look of saved figures.

    Attributes
    ----------
    width, font, words, stamp : str
        Keys of `WIDTHS`, `FONTS`, `WORDS_AROUND` and `STAMPS`.
    """

    width: str = "screen"
    font: str = "sans"
    words: str = "all"
    stamp: str = "confidential"

    @property
    def for_paper(self) -> bool:
        """Whether it has the width of a column, or of two."""
        return self.width in ("single", "double")

    @property
    def scale(self) -> float:
        """How much larger a figure is saved than it is laid out."""
        laid_out, saved = _SIZES[self.width]
        return 1.0 if saved is None else saved / laid_out

    def size(self, own: tuple[float, float]) -> tuple[float, float]:
        """Return width and height in which a figure of its `own` size is laid out: as high for its width."""
        if self.width == "screen":
            return own
        width = _SIZES[self.width][0]
        return width, max(width * own[1] / own[0], 0.8 * own[1])

    @property
    def has_title(self) -> bool:
        """Whether the title stands above it."""
        return self.words == "all"

    @property
    def has_caption(self) -> bool:
        """Whether what must be known of it stands below."""
        return self.words != "none"

    @property
    def has_stamp(self) -> bool:
        """Whether a confidential one says so."""
        return self.stamp != "never"


def style_for(use: str) -> dict[str, str]:
    """Return the settings of a figure for one of the `USES`."""
    return {"figure_width": use, "figure_words": "none" if FigureStyle(use).for_paper else "all"}


STYLE = FigureStyle()
"""What figures look like unless another look is chosen."""
