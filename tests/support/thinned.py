"""Cases of which those that are made of what others have shown already wait for the slow run."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest


def thinned(
    cases: Iterable[Any], parts: Callable[[Any], Iterable[Hashable]], name: Callable[[Any], str] | None = None
) -> list[Any]:
    """Return all cases as parameters; a usual run has those with a part that no case before has.

    A case that is a tuple gives several parameters.
    """
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        new = set(parts(case)) - seen
        seen |= new
        values = case if isinstance(case, tuple) else (case,)
        marks = [] if new else [pytest.mark.slow]
        found.append(pytest.param(*values, id=name(case) if name else None, marks=marks))
    return found
