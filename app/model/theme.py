"""Colours and strokes: one of each per meaning, for style sheets, plots and the command line.

The hues of Okabe and Ito suit common colour deficiencies; lines also differ by their dashes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType


@dataclasses.dataclass(frozen=True)
class Stroke:
    """The width and dashes of a line."""

    width: float  # in points
    # lengths of dashes and gaps in multiples of the width; empty for a solid line
    dashes: tuple[float, ...] = ()

    @property
    def linestyle(self) -> tuple[int, tuple[float, ...]] | str:
        """The dashes in matplotlib's format."""
        return (0, self.dashes) if self.dashes else "solid"

    def sample(self, longest: float) -> tuple[float, tuple[int, tuple[float, ...]] | str]:
        """Return the length in points of a sample that ends with a whole dash, and its style.

        Where two dashes are longer than `longest`, they are shortened.
        """
        if not self.dashes:
            return longest, self.linestyle
        dashes = 8 * self.dashes
        ends = [self.width * sum(dashes[:count]) for count in range(1, len(dashes), 2)]
        shrink = min(1.0, longest / ends[1])
        whole = max(end for end in ends if shrink * end <= 1.001 * longest)
        return shrink * whole, (0, tuple(shrink * length for length in self.dashes))


STROKES: Mapping[str, Stroke] = MappingProxyType(
    {
        "smooth": Stroke(2.6),
        "local": Stroke(1.8, (5.0, 2.2)),
        "global_": Stroke(1.8, (1.0, 2.0)),
        "released": Stroke(2.0, (5.0, 1.8, 1.2, 1.8)),
        "truth": Stroke(1.6),
    }
)
"""The stroke of each meaning, by the name of its colour in `Palette`."""

THIN_STROKE = Stroke(1.2)
"""Stroke of everything that is no curve, such as edges and ticks."""

SERIES_STROKES = (
    Stroke(1.6, (5.0, 2.2)),
    Stroke(1.6, (5.0, 1.8, 1.2, 1.8)),
    Stroke(1.6, (2.4, 1.6)),
    Stroke(1.6, (1.0, 1.8)),
    Stroke(1.6, (8.0, 2.0)),
    Stroke(1.6, (3.0, 1.4, 1.0, 1.4, 1.0, 1.4)),
    Stroke(1.6, (6.0, 1.4, 3.0, 1.4)),
    Stroke(1.6, (1.0, 3.4)),
)
"""Strokes of lines beside the chosen one, in the order of `Palette.series`."""


@dataclasses.dataclass(frozen=True)
class Palette:
    """The colours of a theme as ``#RRGGBB``, named by their meaning."""

    name: str
    # background, card, field, border: window, cards, input fields, and thin lines
    background: str
    card: str
    field: str
    border: str
    # ink, muted, grid: text, secondary text, and background lines
    ink: str
    muted: str
    grid: str
    # accent, on_accent, accent_hover: the primary action (also focus and selection), and the text on it
    accent: str
    on_accent: str
    accent_hover: str
    # smooth, local, global_, released, truth: smooth, local (and A^(k)) and global sensitivity, released
    # values, and the true value
    smooth: str
    local: str
    global_: str
    released: str
    truth: str
    # private, on_private: the label on results computed from raw data
    private: str
    on_private: str
    error: str  # error messages
    series: tuple[str, ...]  # colours of lines without a fixed meaning, such as noise families
    # twelve colours of compared mechanisms, that of `smooth` first. With up to six mechanisms, `released` and
    # `local` keep their own meaning.
    contenders: tuple[str, ...]
    faintest: float = 0.16  # share of a colour in the faintest shade that differs from a card

    @property
    def dark(self) -> bool:
        """Whether text is lighter than its background."""
        return luminance(self.ink) > luminance(self.card)

    def text(self, colour: str) -> str:
        """Return `colour`, moved towards ink until it is readable as text on a card."""
        for share in range(0, 101, 5):
            shade = mix(colour, self.ink, share / 100)
            if contrast(shade, self.card) >= LEGIBLE:
                return shade
        return self.ink

    def tint(self, colour: str, share: float) -> str:
        """Return the card colour mixed with `share` of `colour`, which is cheaper than transparency."""
        return mix(self.card, colour, share)


LEGIBLE = 4.5
"""Smallest contrast of text with its background (WCAG 2.2, success criterion 1.4.3)."""


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB``, 0 to 1 (WCAG 2.2)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mix(one: str, other: str, share: float) -> str:
    """Return the colour at fraction `share` of the way from `one` to `other`."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


LIGHT = Palette(
    name="light",
    background="#F5F6F8",
    card="#FFFFFF",
    field="#FFFFFF",
    border="#DFE3E8",
    ink="#1B1F27",
    muted="#646B78",
    grid="#E9ECF0",
    accent="#0072B2",
    on_accent="#FFFFFF",
    accent_hover="#005F96",
    smooth="#0072B2",
    local="#D55E00",
    global_="#6B7280",
    released="#009E73",
    truth="#1B1F27",
    private="#E69F00",
    on_private="#1B1F27",
    error="#B42318",
    series=("#D55E00", "#009E73", "#A8558A", "#6B7280", "#3A8FBF", "#8A6A00", "#1B1F27", "#7A5195"),
    contenders=(
        *("#0072B2", "#8C2D6B", "#1B1F27", "#7C8A12", "#2B2BB5", "#978172"),
        *("#009E73", "#D55E00", "#960F1E", "#7887FF", "#3C96A5", "#F0005A"),
    ),
)
"""Dark on light: the default, and the theme of exported figures."""

DARK = Palette(
    name="dark",
    background="#13161B",
    card="#1C2026",
    field="#252A32",
    border="#323842",
    ink="#E8EAED",
    muted="#9AA3AF",
    grid="#333943",
    accent="#56B4E9",
    on_accent="#0B1B26",
    accent_hover="#7CC5EF",
    smooth="#56B4E9",
    local="#F28C38",
    global_="#9AA3AF",
    released="#2FC79B",
    truth="#E8EAED",
    private="#F0B429",
    on_private="#1B1F27",
    error="#FF8A80",
    series=("#F28C38", "#2FC79B", "#DE8FBE", "#9AA3AF", "#9CCBE8", "#E3C34A", "#E8EAED", "#B79AE0"),
    contenders=(
        *("#56B4E9", "#DE8FBE", "#E8EAED", "#B9CC3A", "#6182ED", "#9D9355"),
        *("#2FC79B", "#F28C38", "#00FF87", "#DF4DB6", "#FF3643", "#379870"),
    ),
    faintest=0.2,
)
"""Light on dark."""

CONTRAST_LIGHT = dataclasses.replace(
    LIGHT,
    name="contrast-light",
    background="#FFFFFF",
    border="#4A4F57",
    ink="#000000",
    muted="#3A3F47",
    grid="#D6D6D6",
    accent="#00467A",
    accent_hover="#002F54",
    smooth="#00508A",
    local="#963A00",
    global_="#474C54",
    released="#00593A",
    truth="#000000",
    private="#FFB000",
    on_private="#000000",
    error="#8B0000",
    series=("#963A00", "#00593A", "#7A2C63", "#474C54", "#1D5A7F", "#5E4900", "#000000", "#573A70"),
    contenders=(
        *("#00508A", "#591B39", "#000000", "#5F6B00", "#2B2BB5", "#8A6A4F"),
        *("#00593A", "#963A00", "#2D7887", "#6969D2", "#0069FF", "#C30069"),
    ),
)
"""Dark on light with high contrast: text at 7:1 or more, and dark edges."""

CONTRAST_DARK = dataclasses.replace(
    DARK,
    name="contrast-dark",
    background="#000000",
    card="#000000",
    field="#000000",
    border="#B4BCC7",
    ink="#FFFFFF",
    muted="#D3D8DE",
    grid="#303030",
    accent="#6FC8FF",
    on_accent="#000000",
    accent_hover="#A6DEFF",
    smooth="#6FC8FF",
    local="#FFA24D",
    global_="#C3CAD3",
    released="#4DE8BC",
    truth="#FFFFFF",
    private="#FFC233",
    on_private="#000000",
    error="#FFA39B",
    series=("#FFA24D", "#4DE8BC", "#F0AED3", "#C3CAD3", "#B5DDF7", "#F2D766", "#FFFFFF", "#CDB8EE"),
    contenders=(
        *("#6FC8FF", "#F0A3CF", "#FFFFFF", "#C9DE3F", "#6F80FF", "#A08A58"),
        *("#4DE8BC", "#FFA24D", "#D22DA5", "#E12D0F", "#2DFF87", "#5A8778"),
    ),
    faintest=0.22,
)
"""Light on black with high contrast."""

PALETTES: Mapping[str, Palette] = MappingProxyType(
    {palette.name: palette for palette in (LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK)}
)
