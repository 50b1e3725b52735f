"""How a file is read, as session files say it: what is stated, by name; an empty object for nothing."""

from __future__ import annotations

from typing import Any

from app.documents.errors import DocumentError, inside
from app.documents.kinds import Text
from app.documents.structures import TableOf
from engine.data.reading_options import OPTIONS, TYPES, ReadingOptions
from engine.errors import ParameterError

LONGEST = 10_000
"""Letters of a query."""

TYPES_OF = TableOf(Text(len(max(TYPES, key=len))), Text(fewest=1))


class ReadingKind:
    """What is stated about how a file is read."""

    def plain(self, value: ReadingOptions) -> dict[str, Any]:
        """Return an object."""
        return dict(value.keywords)

    def read(self, plain: Any, where: str) -> ReadingOptions:
        """Return the options."""
        stated = TableOf(_Stated()).read(plain, where)
        types = stated.pop("types", {})
        if not isinstance(types, dict):
            raise DocumentError(inside(where, "types"), "is no object")
        for name in stated:
            if name not in OPTIONS:
                raise DocumentError(inside(where, name), "is not known to this version of Sensiscope")
        try:
            return ReadingOptions.of(stated, types)
        except ParameterError as error:
            raise DocumentError(inside(where, error.field), error.problem) from None


class _Stated:
    """A text, or the types of columns by their names."""

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        return TYPES_OF.read(plain, where) if isinstance(plain, dict) else Text(LONGEST).read(plain, where)
