"""The look of saved figures: width, font and text around them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType

WIDTHS: Mapping[str, str] = MappingProxyType(
    {
        "screen": "as large as it is drawn (7.8 in)",
        "single": "one column (3.5 in)",
        "double": "two columns (7 in)",
        "slide": "a slide (at most 10 × 7.5 in)",
    }
)
FONTS: Mapping[str, str] = MappingProxyType(
    {"sans": "sans serif", "serif": "serif", "tex": "like TeX (STIX, with its mathematics)"}
)
WORDS_AROUND: Mapping[str, str] = MappingProxyType(
    {"all": "title and any caption", "caption": "any caption alone", "none": "neither"}
)
COLORS: Mapping[str, str] = MappingProxyType({"screen": "as on the screen", "light": "light, for print"})
STAMPS: Mapping[str, str] = MappingProxyType({"confidential": "only where needed", "never": "never"})

USES: Mapping[str, str] = MappingProxyType(
    {
        "screen": "&As on the screen, with title and caption…",
        "single": "For &one column of a paper (3.5 in)…",
        "double": "For &two columns of a paper (7 in)…",
        "slide": "For a &slide, with title and caption…",
    }
)
"""Uses of a figure, by width; papers have their own title and caption."""

_SIZES: Mapping[str, tuple[tuple[float, ...], float, float]] = MappingProxyType(
    {
        "single": ((5.2,), 3.5, math.inf),
        "double": ((7.8,), 7.0, math.inf),
        "slide": ((6.6, 7.8), 10.0, 7.5),
    }
)
"""Layout widths at normal font size, first the preferred; saved width and largest height; in inches."""

DPI = 300
"""Default resolution of saved figures."""
LOWEST_DPI, HIGHEST_DPI = 50, 1200
"""Limits of the resolution of saved figures; a higher one needs gigabytes."""


@dataclasses.dataclass(frozen=True)
class FigureStyle:
    """The look of saved figures."""

    # width, font, text_around, stamp, colors: keys of `WIDTHS`, `FONTS`, `WORDS_AROUND`, `STAMPS`, `COLORS`
    width: str = "screen"
    font: str = "sans"
    text_around: str = "all"
    stamp: str = "confidential"
    dpi: int | None = None  # pixels per inch of a PNG image; None for `DPI`
    colors: str = "screen"

    @property
    def resolution(self) -> int:
        """The pixels per inch."""
        return self.dpi or DPI

    @property
    def for_paper(self) -> bool:
        """Whether its width is that of one or two columns of a paper."""
        return self.width in ("single", "double")

    def scale(self, width: float, height: float) -> float:
        """Return the saved size of a figure relative to its layout size."""
        if self.width == "screen":
            return 1.0
        _, widest, highest = _SIZES[self.width]
        return float(min(widest / width, highest / height))

    def sizes(self, own: tuple[float, float]) -> list[tuple[float, float]]:
        """Return layout widths and heights for a figure of size `own`, the preferred first."""
        if self.width == "screen":
            return [own]
        return [(width, max(width * own[1] / own[0], 0.8 * own[1])) for width in _SIZES[self.width][0]]

    @property
    def has_title(self) -> bool:
        return self.text_around == "all"

    @property
    def has_stamp(self) -> bool:
        """Whether confidential figures say so."""
        return self.stamp != "never"


def style_for(use: str) -> dict[str, str]:
    """Return the settings of a figure for one of the `USES`."""
    return {"figure_width": use, "figure_words": "none" if FigureStyle(use).for_paper else "all"}


STYLE = FigureStyle()
