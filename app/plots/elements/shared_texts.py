"""What matplotlib finds out about texts, once for all canvases and threads.

How large texts are it measures anew for each canvas and each of its sizes, though a picture that is laid
out asks for the same few words and numbers again and again.  For formulas it keeps one reader for all
threads: two that read at the same time confuse each other, and a worker draws a report while the window
draws.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

MOST = 1 << 14
"""Sizes that are kept; beyond, all are measured again."""

_READING = threading.RLock()


@functools.cache
def share_sizes() -> None:
    """Let all canvases share what they have measured, from now on.

    What a text takes follows from its words, its font and the resolution alone.
    """
    from matplotlib.backends.backend_agg import RendererAgg

    measure: Any = RendererAgg.get_text_width_height_descent
    known: dict[tuple[Any, ...], tuple[float, float, float]] = {}

    @functools.wraps(measure)
    def shared(renderer: Any, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        # fonts are equal for matplotlib when their hashes are
        key = s, ismath, renderer.dpi, hash(prop)
        size = known.get(key)
        if size is None:
            if len(known) >= MOST:
                known.clear()
            size = known[key] = measure(renderer, s, prop, ismath)
        return size

    RendererAgg.get_text_width_height_descent = shared  # type: ignore[method-assign]


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
