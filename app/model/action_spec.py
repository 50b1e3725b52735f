"""Something that can be done in the window, declared once."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    name : str
        Its key among the actions of the window.
    menu : str
        The menu it stands in; "" for none.
    text, keys, tip : str
        What users see; of several keys, the first stands in the menu ("F11; F5").
    slot : str
        Name of the handler that it calls; one of a `group` calls it with its `data`.
    group : str
        Actions of one group exclude each other.
    keywords : str
        What else the palette finds it by.
    checkable, separator, enabled : bool
        Whether it can be checked, follows a line, can be used at the start.
    """

    name: str
    menu: str
    text: str
    slot: str = ""
    keys: str = ""
    tip: str = ""
    group: str = ""
    data: str = ""
    keywords: str = ""
    checkable: bool = False
    separator: bool = False
    enabled: bool = True
