"""What can be set once and for all, declared as a mechanism declares its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from app.model.figure_style import FONTS, STAMPS, STYLE, WIDTHS, WORDS_AROUND
from app.model.views import CURATOR, VIEWS
from app.model.wording.numbers import FORMATS, SYSTEM
from engine.parameters import Parameter, Parameterised, parameter

MAX_RECENT = 30


def _setting(
    group: str,
    *,
    labels: Mapping[str, str] | None = None,
    empty: str = "",
    caution: str = "",
    found_by: str = "",
    **facts: Any,
) -> Any:
    """Declare a setting.

    Parameters
    ----------
    group : str
        The heading of the dialog under which it stands.
    labels : mapping of str to str, optional
        Its choices, and what users read for each.
    empty : str
        What an empty field means.
    caution : str
        What the dialog says beside it in any case.
    found_by : str
        What else the command palette finds it by.
    **facts
        As of `engine.parameters.parameter`.
    """
    if labels is not None:
        facts |= {"choices": tuple(labels), "choice_labels": tuple(labels.values())}
    field = parameter(**facts)
    around = {"group": group, "empty": empty, "caution": caution, "found_by": found_by}
    return dataclasses.field(default=field.default, metadata={**field.metadata, **around})


@dataclasses.dataclass(frozen=True)
class Preferences(Parameterised):
    """All settings, each with a value that makes sense."""

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
        label="&Colours",
        found_by="theme",
        help="Light or dark, either with high contrast, or as the rest of the system is",
    )
    size: str = _setting(
        "Look",
        labels={"100": "100 %", "125": "125 %", "150": "150 %", "200": "200 %"},
        default="100",
        label="Si&ze of everything",
        found_by="zoom larger font scale",
        help="Type, fields, pictures, tables and help: as large as is good to read",
    )
    type_size: float = _setting(
        "Look",
        default=150.0,
        lower=100,
        upper=250,
        unit="%",
        label="Font size in presentation &mode",
        help="Font size in presentation mode (F11), in percent of the ordinary size",
    )
    numbers: str = _setting(
        "Look",
        labels={SYSTEM: "system default", **{name: one.label for name, one in FORMATS.items()}},
        default=SYSTEM,
        label="Num&bers",
        help="How numbers are written in the window, pictures, lessons and help, and on the command line; "
        "exported data always have a decimal point",
    )
    figure_width: str = _setting(
        "Figures",
        labels=WIDTHS,
        default=STYLE.width,
        label="Figure &width",
        help="How wide figures are saved and copied; type keeps a size that can be read there",
    )
    figure_font: str = _setting(
        "Figures",
        labels=FONTS,
        default=STYLE.font,
        label="Figure &font",
        help="The font of saved and copied figures: take that of the paper or the slides they are for",
    )
    figure_words: str = _setting(
        "Figures",
        labels=WORDS_AROUND,
        default=STYLE.words,
        label="Title and ca&ption",
        help="What stands around saved and copied figures; a paper has its own",
    )
    figure_stamp: str = _setting(
        "Figures",
        labels=STAMPS,
        default=STYLE.stamp,
        label="“Co&nfidential”",
        help="Whether figures of confidential data say so; without it, you must not forget it",
    )
    start_with: str = _setting(
        "Start",
        labels={"last": "what I worked on last", "example": "an example"},
        default="last",
        label="On start&up open",
        help="What a page shows first: the file it showed when the program was closed, or an example",
    )
    view: str = _setting(
        "Start",
        labels=VIEWS,
        default=CURATOR,
        label="&View at the start",
        help="The Curator view shows everything; the Release view only what can be shared",
    )
    recent_files: int = _setting(
        "Start",
        default=10,
        lower=0,
        upper=MAX_RECENT,
        label="Rece&nt files",
        help="How many of the files that were opened last the menu offers; with 0 it remembers none",
    )
    cluster: str = _setting(
        "Many machines",
        default="",
        label="Dask sche&duler",
        empty="this computer",
        caution="Confidential data leave this computer then: the workers see them, and so does whoever can "
        "reach the scheduler.",
        help="Its address, such as tcp://192.168.1.5:8786: workers of its cluster read columns that stay in "
        "their files, and run functions on blocks, comparisons and audits. Empty: this computer",
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
        help="The most that all releases on a dataset may cost one row of it: for datasets that were never "
        "worked on; any other one in the budget (Ctrl+B). Empty: no limit",
    )
    limit_delta: float = _setting(
        "Budget",
        default=0.0,
        lower=0,
        upper=1,
        upper_open=True,
        label="F&irst limit: δ",
        help="The most that the deltas of all releases on such a dataset may add up to. With 0 none may have "
        "one, and epsilons add up one by one",
    )
    slack: float = _setting(
        "Budget",
        default=1e-6,
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        label="Slac&k δ′",
        help="A further slack beyond δ, which concentrated composition needs, under such a limit; not taken "
        "where δ is 0",
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
        help="Whether to ask before something is released and its budget is spent for good",
    )


SETTINGS: Mapping[str, Parameter] = MappingProxyType({one.name: one for one in Preferences.parameters()})
"""The declarations of all settings by name, in the order of the dialog."""

_AROUND = {field.name: field.metadata for field in dataclasses.fields(Preferences)}

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        group: tuple(name for name, around in _AROUND.items() if around["group"] == group)
        for group in dict.fromkeys(around["group"] for around in _AROUND.values())
    }
)
"""The headings of the dialog, and what stands under each, in the order of the declarations."""

CAUTIONS: Mapping[str, str] = MappingProxyType({name: around["caution"] for name, around in _AROUND.items()})
"""What the dialog says beside a setting in any case; "" for nothing."""

FOUND_BY: Mapping[str, str] = MappingProxyType({name: around["found_by"] for name, around in _AROUND.items()})
"""What else the command palette finds a setting by."""

EMPTY: Mapping[str, str] = MappingProxyType({name: around["empty"] for name, around in _AROUND.items()})
"""What an empty field means; "" where none may be empty."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(Preferences().settings())
