"""What can be set once and for all, declared as a mechanism declares its parameters.

The dialog is drawn from the declarations, and what was stored is read by them: a value that makes no
sense falls back to the default, and it is said.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal

from app.model.figure_style import FONTS, STAMPS, STYLE, WIDTHS, WORDS_AROUND, FigureStyle
from app.model.views import CURATOR, VIEWS
from app.model.wording.number_format import FORMATS, SYSTEM
from engine.errors import ParameterError
from engine.parameters import Parameter, Parameterised, parameter

if TYPE_CHECKING:
    from engine.ledger import Limit

FOLDER = "settings"
"""Where the values stand among all that a window remembers."""

MOST_RECENT = 30


def _choice(words: Mapping[str, str], **facts: Any) -> Any:
    return parameter(choices=tuple(words), choice_labels=tuple(words.values()), **facts)


@dataclasses.dataclass(frozen=True)
class Preferences(Parameterised):
    """All settings, each with a value that makes sense."""

    theme: str = _choice(
        {
            "light": "light",
            "dark": "dark",
            "contrast-light": "high contrast, light",
            "contrast-dark": "high contrast, dark",
            "system": "system default",
        },
        default="system",
        label="&Colours",
        help="Light or dark, either with high contrast, or as the rest of the system is",
    )
    size: str = _choice(
        {"100": "100 %", "125": "125 %", "150": "150 %", "200": "200 %"},
        default="100",
        label="Si&ze of everything",
        help="Type, fields, pictures, tables and help: as large as is good to read",
    )
    type_size: float = parameter(
        default=150.0,
        lower=100,
        upper=250,
        unit="%",
        label="Font size in presentation &mode",
        help="Font size in presentation mode (F11), in percent of the ordinary size",
    )
    numbers: str = _choice(
        {SYSTEM: "system default", **{name: one.label for name, one in FORMATS.items()}},
        default=SYSTEM,
        label="Num&bers",
        help="How numbers are written in the window, pictures, lessons and help, and on the command line; "
        "exported data always have a decimal point",
    )
    start_with: str = _choice(
        {"last": "what I worked on last", "example": "an example"},
        default="last",
        label="On start&up open",
        help="What a page shows first: the file it showed when the program was closed, or an example",
    )
    view: str = _choice(
        VIEWS,
        default=CURATOR,
        label="&View at the start",
        help="The Curator view shows everything; the Release view only what can be shared",
    )
    recent_files: int = parameter(
        default=10,
        lower=0,
        upper=MOST_RECENT,
        label="Rece&nt files",
        help="How many of the files that were opened last the menu offers; with 0 it remembers none",
    )
    cluster: str = parameter(
        default="",
        label="Dask sche&duler",
        help="Its address, such as tcp://192.168.1.5:8786: workers of its cluster read columns that stay in "
        "their files, and run functions on blocks, comparisons and audits. Empty: this computer",
    )
    limit_epsilon: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0,
        upper=1e6,
        lower_open=True,
        label="&First limit: ε",
        help="The most that all releases on a dataset may cost together: for datasets that were never "
        "worked on; any other one in the budget (Ctrl+B). Empty: no limit",
    )
    limit_delta: float = parameter(
        default=0.0,
        lower=0,
        upper=1,
        upper_open=True,
        label="F&irst limit: δ",
        help="The most that the deltas of all releases on such a dataset may add up to",
    )
    slack: float = parameter(
        default=1e-6,
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        label="Slac&k δ′",
        help="How often advanced and concentrated composition may fail beyond δ, under such a limit",
    )
    ask: str = _choice(
        {
            "never": "never: refuse what is over the limit",
            "over": "only when it is over the limit",
            "always": "always",
        },
        default="over",
        label="&Ask before a release",
        help="Whether to ask before something is released and its budget is spent for good",
    )
    figure_width: str = _choice(
        WIDTHS,
        default=STYLE.width,
        label="Figure &width",
        help="How wide figures are saved and copied; type keeps a size that can be read there",
    )
    figure_font: str = _choice(
        FONTS,
        default=STYLE.font,
        label="Figure &font",
        help="The font of saved and copied figures: take that of the paper or the slides they are for",
    )
    figure_words: str = _choice(
        WORDS_AROUND,
        default=STYLE.words,
        label="Title and ca&ption",
        help="What stands around saved and copied figures; a paper has its own",
    )
    figure_stamp: str = _choice(
        STAMPS,
        default=STYLE.stamp,
        label="“Co&nfidential”",
        help="Whether figures of confidential data say so; without it, you must not forget it",
    )


SETTINGS: Mapping[str, Parameter] = MappingProxyType({one.name: one for one in Preferences.parameters()})
"""The declarations of all settings by name, in the order of the dialog."""

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Look": ("theme", "size", "type_size", "numbers"),
        "Figures": ("figure_width", "figure_font", "figure_words", "figure_stamp"),
        "Start": ("start_with", "view", "recent_files"),
        "Many machines": ("cluster",),
        "Budget": ("limit_epsilon", "limit_delta", "slack", "ask"),
    }
)
"""The headings of the dialog, and what stands under each."""

CAUTIONS: Mapping[str, str] = MappingProxyType(
    {
        "cluster": "Confidential data leave this computer then: the workers see them, and so does whoever "
        "can reach the scheduler.",
    }
)
"""What the dialog says beside a setting in any case."""

EMPTY: Mapping[str, str] = MappingProxyType({"cluster": "this computer", "limit_epsilon": "no limit"})
"""What an empty field means."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(Preferences().settings())


def read(setting: Parameter, stored: object) -> Any:
    """Return the value that was stored as text; raise `ParameterError` for anything else."""
    if not isinstance(stored, str):
        raise ParameterError(setting.name, "is no text")
    value: Any = stored
    if setting.optional and not stored:
        return None
    if setting.kind == "text":
        value = stored
    elif not setting.choices:
        try:
            value = int(stored) if setting.kind == "int" else float(stored)
        except ValueError:
            raise ParameterError(setting.name, f"'{shortened(stored)}' is no number") from None
    elif value not in setting.choices:
        value = shortened(value)
    setting.check(value)
    return value


def written(value: Any) -> str:
    """Return the text that `read` reads."""
    return "" if value is None else str(value)


def shortened(text: str) -> str:
    """Return what fits into a sentence, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def private_store() -> QSettings:
    """Return what the system keeps settings in; where that is a file, only its owner may read or write it."""
    store = QSettings()
    path = Path(store.fileName())
    if sys.platform == "linux":  # elsewhere the system sees to that
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)
    return store


class Settings(QObject):
    """The values of all settings.

    Parameters
    ----------
    store : QSettings, optional
        Where they are kept from one session to the next; without it all have their defaults, and
        nothing is kept.

    Signals
    -------
    changed(frozenset of str)
        The names of the settings that have new values.

    Attributes
    ----------
    problems : tuple of str
        What was stored and could not be used, a sentence for each.
    """

    changed = Signal(object)

    def __init__(self, store: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._preferences = Preferences()
        problems: list[str] = []
        for name, setting in SETTINGS.items() if store is not None else ():
            assert store is not None
            if not store.contains(f"{FOLDER}/{name}"):
                continue
            try:
                value = read(setting, store.value(f"{FOLDER}/{name}"))
            except ParameterError as error:
                shown = setting.words_of(setting.default) if setting.choices else written(setting.default)
                label = setting.label.replace("&", "")
                problems.append(f"setting “{label}”: {error.problem}; it is now: {shown or 'none'}")
            else:
                self._preferences = dataclasses.replace(self._preferences, **{name: value})
        self.problems = tuple(problems)

    def __getitem__(self, name: str) -> Any:
        """Return the value of a setting."""
        return getattr(self._preferences, name)

    @property
    def first_limit(self) -> Limit | None:
        """The limit of datasets of which nothing was released yet; None: none."""
        chosen = self._preferences
        if chosen.limit_epsilon is None:
            return None
        from engine.ledger import Limit

        return Limit(chosen.limit_epsilon, chosen.limit_delta, chosen.slack)

    @property
    def figure_style(self) -> FigureStyle:
        """The look of saved figures."""
        chosen = self._preferences
        return FigureStyle(chosen.figure_width, chosen.figure_font, chosen.figure_words, chosen.figure_stamp)

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return self._preferences.settings()

    def change(self, **values: Any) -> None:
        """Give settings other values; raise `ParameterError` before anything is changed."""
        before = self.values
        self._preferences = dataclasses.replace(self._preferences, **values)
        different = frozenset(name for name, value in values.items() if before[name] != value)
        for name in different:
            self._keep(name, values[name])
        if different:
            self.changed.emit(different)

    def _keep(self, name: str, value: Any) -> None:
        if self._store is not None:
            self._store.setValue(f"{FOLDER}/{name}", written(value))
