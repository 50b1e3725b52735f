"""What the large button of a form does in a room, where it makes no release."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class RunButton:
    """What a button says.

    Attributes
    ----------
    text, help : str
        On the button, and in its tip.
    able : bool
        Whether it can be pressed.
    """

    text: str
    help: str
    able: bool = True
