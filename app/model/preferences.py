"""Settings, each declared like a parameter of a mechanism."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from app.model.figure_style import (
    COLORS,
    DPI,
    FONTS,
    HIGHEST_DPI,
    LOWEST_DPI,
    STAMPS,
    STYLE,
    WIDTHS,
    WORDS_AROUND,
)
from app.model.views import CURATOR, VIEWS
from app.model.wording.numbers import FORMATS, SYSTEM
from engine.parameters import Parameter, Parameterised, parameter

MAX_RECENT = 30


def _setting(
    group: str,  # heading of its section in the dialog
    *,
    labels: Mapping[str, str] | None = None,  # its choices with their labels
    empty: str = "",  # meaning of an empty field
    caution: str = "",  # warning that the dialog always shows beside it
    found_by: str = "",  # further search words for the command palette
    **facts: Any,
) -> Any:
    """Declare a setting; `facts` are those of `engine.parameters.parameter`."""
    if labels is not None:
        facts |= {"choices": tuple(labels), "choice_labels": tuple(labels.values())}
    field = parameter(**facts)
    around = {"group": group, "empty": empty, "caution": caution, "found_by": found_by}
    return dataclasses.field(default=field.default, metadata={**field.metadata, **around})


@dataclasses.dataclass(frozen=True)
class Preferences(Parameterised):
    """All settings with their defaults."""

    theme: str = _setting(
        "Look",
        labels={
            "light": "light",
            "dark": "dark",
            "contrast-light": "high contrast, light",
            "contrast-dark": "high contrast, dark",
            "system": "system default",
        },
        default="system",
        label="&Colors",
        found_by="theme",
        help="Colors of the window: light or dark, with high contrast, or as in the system",
    )
    size: str = _setting(
        "Look",
        labels={"100": "100 %", "125": "125 %", "150": "150 %", "200": "200 %"},
        default="100",
        label="Si&ze of everything",
        found_by="zoom larger font scale",
        help="Scale of the whole window: text, fields, pictures, tables and help",
    )
    type_size: float = _setting(
        "Look",
        default=150.0,
        lower=100,
        upper=250,
        unit="%",
        label="Font size in presentation &mode",
        help="Font size in presentation mode (F11), in percent of the normal size; it grows with windows "
        "larger than 1280 × 720",
    )
    numbers: str = _setting(
        "Look",
        labels={SYSTEM: "system default", **{name: one.label for name, one in FORMATS.items()}},
        default=SYSTEM,
        label="Num&bers",
        help="Format of numbers in the window, pictures, lessons and help, and on the command line; "
        "exported data always have a decimal point",
    )
    figure_width: str = _setting(
        "Figures",
        labels=WIDTHS,
        default=STYLE.width,
        label="Figure &width",
        help="Width of saved and copied figures; the font stays readable at this width",
    )
    figure_dpi: int | None = _setting(
        "Figures",
        default=None,
        kind="int",
        optional=True,
        lower=LOWEST_DPI,
        upper=HIGHEST_DPI,
        unit="dpi",
        empty=f"{DPI} (default)",
        label="&Resolution",
        help=f"Pixels per inch of saved and copied PNG images. Empty: {DPI}; journals often want 600",
    )
    figure_font: str = _setting(
        "Figures",
        labels=FONTS,
        default=STYLE.font,
        label="Figure &font",
        help="Font of saved and copied figures: choose that of your paper or slides",
    )
    figure_words: str = _setting(
        "Figures",
        labels=WORDS_AROUND,
        default=STYLE.text_around,
        label="Ca&ptions",
        help="Text around saved and copied figures; a paper has its own",
    )
    figure_colors: str = _setting(
        "Figures",
        labels=COLORS,
        default=STYLE.colors,
        label="Figure c&olors",
        help="Colors of saved and copied figures, where the window is dark",
    )
    figure_stamp: str = _setting(
        "Figures",
        labels=STAMPS,
        default=STYLE.stamp,
        label="Stamp “Co&nfidential”",
        help="Whether figures of confidential data are marked; without the mark, you must remember it",
    )
    start_with: str = _setting(
        "Start",
        labels={"last": "what I worked on last", "example": "an example"},
        default="last",
        label="On start&up open",
        help="First data on a page: the file that was open at the last exit, or an example",
    )
    view: str = _setting(
        "Start",
        labels=VIEWS,
        default=CURATOR,
        label="&View at the start",
        help="The Curator view shows everything; the Release view only results that can be shared",
    )
    recent_files: int = _setting(
        "Start",
        default=10,
        lower=0,
        upper=MAX_RECENT,
        label="Rece&nt files",
        help="Number of recently opened files in the menu; 0 remembers none",
    )
    cluster: str = _setting(
        "Many machines",
        default="",
        label="Dask sche&duler",
        empty="this computer",
        caution="If you enter a scheduler, confidential data leave this computer: its workers see them, and "
        "so does anyone with access to it.",
        help="Address of a Dask scheduler, such as tcp://192.168.1.5:8786: the workers of its cluster read "
        "columns that stay in their files, and run functions on blocks, comparisons and audits. Empty: this "
        "computer",
    )
    limit_epsilon: float | None = _setting(
        "Budget",
        default=None,
        kind="float",
        optional=True,
        lower=0,
        upper=1e6,
        lower_open=True,
        label="&First limit: ε",
        empty="no limit",
        help="Largest total ε of all releases for one row of a dataset. Applies to new datasets; change "
        "that of others in the budget (Ctrl+B). Empty: no limit",
    )
    limit_delta: float = _setting(
        "Budget",
        default=0.0,
        lower=0,
        upper=1,
        upper_open=True,
        label="F&irst limit: δ",
        help="Largest sum of δ of all releases on such a dataset. With 0, every release needs δ = 0, and "
        "the values of ε are added",
    )
    slack: float = _setting(
        "Budget",
        default=1e-6,
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        label="E&xtra δ",
        help="Spent once beside δ, so that many releases together cost less ε under such a limit; ignored "
        "if δ is 0",
    )
    ask: str = _setting(
        "Budget",
        labels={
            "never": "never: refuse what is over the limit",
            "over": "only when it is over the limit",
            "always": "always",
        },
        default="over",
        label="&Ask before a release",
        help="Whether to ask before a release spends budget; spent budget never comes back",
    )


SETTINGS: Mapping[str, Parameter] = MappingProxyType({one.name: one for one in Preferences.parameters()})
"""The declarations of all settings by name, in dialog order."""

SHOWN_WITH: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {field.name: field.metadata for field in dataclasses.fields(Preferences)}
)
"""The group, empty, caution and found_by of each setting, as `_setting` declares them."""

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        group: tuple(name for name, around in SHOWN_WITH.items() if around["group"] == group)
        for group in dict.fromkeys(around["group"] for around in SHOWN_WITH.values())
    }
)
"""The sections of the dialog with their settings, in order."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(Preferences().settings())
