"""On which line of a TOML file a key stands; the reader of TOML itself does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)(?P<keys>[^\]]+)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*(?P<keys>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_LONG = re.compile(r"\"\"\"|'''")


class Lines:
    """Knows the lines of the keys of a TOML file.

    Parameters
    ----------
    text : str
        Valid TOML.
    """

    def __init__(self, text: str) -> None:
        self._places = tuple(_places(text))

    def of(self, path: Path) -> int:
        r"""Return the line, counted from 1, of the key at `path` or of the nearest one around it.

        >>> Lines("[[step]]\ntitle = 'one'\n[[step]]\ntitle = 'two'").of(("step", 1, "title"))
        4
        """
        around = [(_common(position, path), -line) for line, position in self._places]
        shared, line = max(around, default=(0, -1))
        return -line if shared > 0 else 1


def _places(text: str) -> Iterator[tuple[int, Path]]:
    """Yield (line, path) of each header and each key."""
    counts: dict[Path, int] = {}
    table: Path = ()
    ending = ""
    for number, line in enumerate(text.splitlines(), 1):
        if ending:
            ending = "" if line.count(ending) % 2 else ending
            continue
        header, key = _HEADER.match(line), _KEY.match(line)
        if key:
            yield number, (*table, *_parts(key["keys"]))
        elif header:
            table = _parts(header["keys"])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            else:
                table = _within(table, counts)
            yield number, table
        opened = _LONG.search(line)
        if opened and line.count(opened[0]) % 2:
            ending = opened[0]


def _parts(keys: str) -> Path:
    return tuple(part.strip("\"'") for part in _PART.findall(keys))


def _within(table: Path, counts: dict[Path, int]) -> Path:
    """Return the path of a table inside the newest item of an array of tables."""
    for length in range(len(table), 0, -1):
        if table[:length] in counts:
            return (*table[:length], counts[table[:length]], *table[length:])
    return table


def _common(position: Path, path: Path) -> int:
    """Count the parts that both begin with; a place beyond `path` is none around it."""
    count = 0
    for one, other in zip(position, path, strict=False):
        if one != other:
            break
        count += 1
    return count if count == len(position) else -1
