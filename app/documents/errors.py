"""What can be wrong with a session file, said with the place in it."""

from __future__ import annotations

from typing import Any

from engine.errors import SensiscopeError

QUOTED = 60
"""Characters of what a file holds that a message quotes at most."""


class DocumentError(SensiscopeError):
    """A session file cannot be read or written.

    Parameters
    ----------
    where : str
        The place in it, such as "pages.median.lower"; "" for the file as a whole.
    problem : str
        What is wrong and what would be right.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.where = where
        self.problem = problem

    def of(self, name: str) -> DocumentError:
        """Return the same with the name of the file in front."""
        return DocumentError(f"{name}, {self.where}" if self.where else name, self.problem)


def quoted(value: Any) -> str:
    """Return a value as a message shows it: in one line, and not too long.

    >>> quoted("two\\nlines"), quoted([1, 2]), quoted(None)
    ("'two\\\\nlines'", 'a list', 'null')
    """
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    texts = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return texts[value]
    # "<" begins markup where a message is shown
    text = ascii(value[:QUOTED]).replace("<", "\\x3c") if isinstance(value, str) else repr(value)
    return text if len(text) <= QUOTED + 2 else f"{text[:QUOTED]}…"


def inside(where: str, name: object) -> str:
    """Return the place of something inside another place."""
    text = str(name)
    text = text if text.replace("-", "").replace("_", "").isalnum() and text.isascii() else quoted(text)
    return f"{where}.{text}" if where else text
