"""How large texts are, measured once: matplotlib measures all anew for each canvas and each of its sizes.

A picture that is laid out asks for the same few words and numbers again and again.
"""

from __future__ import annotations

import functools
from typing import Any

from matplotlib.backends.backend_agg import RendererAgg

MOST = 1 << 14
"""Sizes that are kept; beyond, all are measured again."""


@functools.cache
def share_sizes() -> None:
    """Let all canvases share what they have measured, from now on.

    What a text takes follows from its words, its font and the resolution alone.
    """
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
