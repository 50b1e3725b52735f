"""What a person can set once and for all, in one table.

The dialog is drawn from it, and what was stored is read by it: a value that makes no sense
falls back to the default, and it is said.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal

from app.model.views import CURATOR, VIEWS

if TYPE_CHECKING:
    from engine.ledger import Limit

FOLDER = "settings"
"""Where the values stand among all that a window remembers."""

MOST_RECENT = 30


@dataclasses.dataclass(frozen=True)
class Setting:
    """One thing that can be set.

    Attributes
    ----------
    name : str
        Its key in `Settings`.
    group, label, help : str
        The heading it stands under, and words for people.
    kind : {"choice", "number", "whole", "optional"}
        One of `choices`, a number, a whole number, or a number that may be left out (None).
    default : object
    check : callable
        Returns what is wrong with a value of that kind, or "".
    choices : mapping of str to str
        Each choice and its words.
    unit : str
    """

    name: str
    group: str
    label: str
    help: str
    kind: str
    default: Any
    check: Callable[[Any], str]
    choices: Mapping[str, str] = dataclasses.field(default_factory=dict)
    unit: str = ""

    def read(self, stored: object) -> Any:
        """Return the value that was stored as text; `ValueError` in words for anything else."""
        if not isinstance(stored, str):
            raise ValueError("is no text")
        value: Any = stored
        if self.kind == "optional" and not stored:
            return None
        if self.kind != "choice":
            try:
                value = int(stored) if self.kind == "whole" else float(stored)
            except ValueError:
                raise ValueError(f"'{shortened(stored)}' is no number") from None
        wrong = self.check(value)
        if wrong:
            raise ValueError(wrong)
        return value

    def written(self, value: Any) -> str:
        """Return the text that `read` reads."""
        return "" if value is None else str(value)


def shortened(text: str) -> str:
    """Return what fits into a sentence, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def one_of(choices: Mapping[str, str]) -> Callable[[Any], str]:
    """Check that a value is one of the choices."""
    known = ", ".join(choices)
    return lambda value: "" if value in choices else f"'{shortened(str(value))}' is none of {known}"


def between(lower: float, upper: float, *, closed: str = "both") -> Callable[[Any], str]:
    """Check that a number lies between two bounds; `closed` says which of them are allowed."""

    def check(value: Any) -> str:
        if value is None:
            return ""
        above = value >= lower if closed in ("both", "lower") else value > lower
        below = value <= upper if closed in ("both", "upper") else value < upper
        if math.isfinite(value) and above and below:
            return ""
        least = "at least" if closed in ("both", "lower") else "above"
        most = "at most" if closed in ("both", "upper") else "below"
        return f"{value:g} must be {least} {lower:g} and {most} {upper:g}"

    return check


THEMES = {"light": "light", "dark": "dark", "system": "like the system"}
STARTS = {"last": "what I worked on last", "example": "an example"}
ASKS = {
    "never": "never: refuse what is over the limit",
    "over": "only when it is over the limit",
    "always": "always",
}

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        one.name: one
        for one in (
            Setting(
                "theme",
                "Look",
                "&Colours",
                "Light or dark, or as the rest of the system is",
                "choice",
                "system",
                one_of(THEMES),
                THEMES,
            ),
            Setting(
                "type_size",
                "Look",
                "Size of large t&ype",
                "How large type is in presentation mode (F11), in percent of its ordinary size",
                "number",
                150.0,
                between(100, 250),
                unit="%",
            ),
            Setting(
                "start_with",
                "Start",
                "&Begin with",
                "What a page shows first: the file it showed when the program was closed, or an example",
                "choice",
                "last",
                one_of(STARTS),
                STARTS,
            ),
            Setting(
                "view",
                "Start",
                "&View at the start",
                "The Curator view shows everything; the Release view only what may leave the room",
                "choice",
                CURATOR,
                one_of(VIEWS),
                VIEWS,
            ),
            Setting(
                "recent_files",
                "Start",
                "Rece&nt files",
                "How many files the menu remembers; 0: none",
                "whole",
                10,
                between(0, MOST_RECENT),
            ),
            Setting(
                "limit_epsilon",
                "Budget",
                "&First limit: ε",
                "The most that all releases on a dataset may cost together: for datasets that were never "
                "worked on; any other one in the budget (Ctrl+B). Empty: no limit",
                "optional",
                None,
                between(0, 1e6, closed="upper"),
            ),
            Setting(
                "limit_delta",
                "Budget",
                "F&irst limit: δ",
                "The most that the deltas of all releases on such a dataset may add up to",
                "number",
                0.0,
                between(0, 1, closed="lower"),
            ),
            Setting(
                "slack",
                "Budget",
                "Slac&k δ′",
                "How often advanced and concentrated composition may fail beyond δ, under such a limit",
                "number",
                1e-6,
                between(0, 1, closed="neither"),
            ),
            Setting(
                "ask",
                "Budget",
                "&Ask before a release",
                "Whether to ask before something is released and its budget is spent for good",
                "choice",
                "over",
                one_of(ASKS),
                ASKS,
            ),
        )
    }
)
"""All settings by name, in the order of the dialog."""

DEFAULTS: Mapping[str, Any] = MappingProxyType({name: one.default for name, one in SETTINGS.items()})


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
        self._values = dict(DEFAULTS)
        problems: list[str] = []
        for name, setting in SETTINGS.items() if store is not None else ():
            assert store is not None
            if not store.contains(f"{FOLDER}/{name}"):
                continue
            try:
                self._values[name] = setting.read(store.value(f"{FOLDER}/{name}"))
            except ValueError as error:
                shown = setting.choices.get(setting.default, setting.written(setting.default) or "none")
                label = setting.label.replace("&", "")
                problems.append(f"setting “{label}”: what was stored {_said(error)}; it is now: {shown}")
        self.problems = tuple(problems)

    def __getitem__(self, name: str) -> Any:
        """Return the value of a setting."""
        return self._values[name]

    @property
    def first_limit(self) -> Limit | None:
        """The limit of datasets of which nothing was released yet; None: none."""
        epsilon, delta, slack = (self[name] for name in ("limit_epsilon", "limit_delta", "slack"))
        if epsilon is None:
            return None
        from engine.ledger import Limit

        return Limit(epsilon, delta, slack)

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return dict(self._values)

    def change(self, **values: Any) -> None:
        """Give settings other values; `ValueError` in words, before anything is changed."""
        for name, value in values.items():
            wrong = SETTINGS[name].check(value)
            if wrong:
                raise ValueError(wrong)
        different = frozenset(name for name, value in values.items() if self._values[name] != value)
        for name in different:
            self._values[name] = values[name]
            self._keep(name, values[name])
        if different:
            self.changed.emit(different)

    def _keep(self, name: str, value: Any) -> None:
        if self._store is not None:
            self._store.setValue(f"{FOLDER}/{name}", SETTINGS[name].written(value))


def _said(error: ValueError) -> str:
    words = str(error)
    return words if words.startswith("is ") else f"({words}) makes no sense"
