"""Formulas are read one at a time: matplotlib keeps one reader for all threads.

Two threads that read at the same time confuse each other, and a worker draws a report while the
window draws.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

_READING = threading.RLock()


def warm_up() -> None:
    """Let matplotlib read its first formula, for which it takes 40 ms to make a grammar."""
    from matplotlib.mathtext import MathTextParser

    with _READING:
        one_at_a_time()
        MathTextParser("agg").parse("$A^{(k)}$")


@functools.cache
def one_at_a_time() -> None:
    """Let threads that draw wait for each other's formulas, and share what was read, from now on.

    A parser keeps what it has read to itself, and each size of a figure has a parser of its own.
    """
    from matplotlib.mathtext import MathTextParser

    parse = MathTextParser.parse
    first: dict[str, Any] = {}

    @functools.wraps(parse)
    def waiting(*arguments: Any, **options: Any) -> Any:
        parser, *words = arguments
        with _READING:
            return parse(first.setdefault(parser._output_type, parser), *words, **options)

    MathTextParser.parse = waiting  # type: ignore[method-assign]
