"""What matplotlib finds out about texts, once for all canvases and threads.

How large texts are it measures anew for each canvas and each of its sizes, where lines stand and what
letters look like at each drawing, though a picture asks for the same few words and numbers again and again.
For formulas it keeps one reader for all threads: two that read at the same time confuse each other, and a
worker draws a report while the window draws.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

MAX_TEXTS = 1 << 12
"""Texts of which is kept what was found out; beyond, all are looked at again."""

_READING = threading.RLock()


@functools.cache
def share_sizes() -> None:
    """Let all canvases share what they have measured, laid out and painted, from now on.

    What a text takes, and what its letters look like, follows from its words, its font and the resolution
    alone; how its lines stand also from how it is aligned and turned.
    """
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.text import Text

    agg: Any = RendererAgg
    look = _remembering(_look, _decisive)
    measure = _remembering(agg.get_text_width_height_descent, _decisive)

    @functools.wraps(agg.get_text_width_height_descent)
    def measured(renderer: Any, s: str, prop: Any, ismath: Any) -> Any:
        return measure(renderer, s, prop, ismath) if ismath else look(renderer, s, prop)[0]

    agg.get_text_width_height_descent = measured
    agg.draw_text = _put_in_place(agg.draw_text, look)
    Text._get_layout = _remembering(Text._get_layout, _laid_out)  # type: ignore[attr-defined]


def _remembering(function: Callable[..., Any], key_of: Callable[..., Hashable]) -> Callable[..., Any]:
    """Return a function that works out the same thing once, as long as it has a key."""
    known: dict[Hashable, Any] = {}

    @functools.wraps(function)
    def shared(*arguments: Any) -> Any:
        key = key_of(*arguments)
        if key is None:
            return function(*arguments)
        match = known.get(key)
        if match is None:
            if len(known) >= MAX_TEXTS:
                known.clear()
            match = known[key] = function(*arguments)
        return match

    return shared


def _decisive(renderer: Any, text: str, font: Any, *math: Any) -> Hashable:
    """Return what decides what a text looks like; fonts are equal for matplotlib when their hashes are."""
    return text, math, renderer.dpi, hash(font)


def _look(renderer: Any, text: str, font: Any) -> tuple[tuple[float, float, float], Any, float, float]:
    """Return width, height and descent of a text, its image, and where that is to be put, in pixels.

    Both are worked out at once: finding the outlines of the letters takes longer than all else.
    """
    from matplotlib.backends import backend_agg

    agg: Any = backend_agg
    letters = renderer._prepare_font(font)
    letters.set_text(text, 0.0, flags=agg.get_hinting_flag())
    width, height = letters.get_width_height()
    size = width / 64.0, height / 64.0, letters.get_descent() / 64.0
    letters.draw_glyphs_to_bitmap(antialiased=True)
    right, up = letters.get_bitmap_offset()
    return size, np.array(letters, np.uint8), right / 64.0, up / 64.0


def _laid_out(text: Any, renderer: Any) -> Hashable:
    """Return what decides how the lines of a text stand around its place, on a canvas of pixels."""
    from matplotlib.backends.backend_agg import RendererAgg

    if type(renderer) is not RendererAgg or text.get_wrap():
        return None
    return (
        text.get_text(),
        text.get_parse_math(),
        text.get_usetex(),
        hash(text.get_fontproperties()),
        renderer.dpi,
        text._linespacing,
        text.get_rotation(),
        text.get_rotation_mode(),
        text.get_horizontalalignment(),
        text.get_verticalalignment(),
        text._get_multialignment(),
    )


def _put_in_place(draw: Callable[..., Any], look: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `RendererAgg.draw_text` that puts the image of a text where matplotlib would paint it."""

    @functools.wraps(draw)
    def put(
        renderer: Any,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        if ismath or not gc.get_antialiased():
            draw(renderer, gc, x, y, s, prop, angle, ismath, mtext)
            return
        (_, _, descent), image, right, up = look(renderer, s, prop)
        x = round(x + right + descent * math.sin(math.radians(angle)))
        y = round(y + up + descent * math.cos(math.radians(angle)))
        renderer._renderer.draw_text_image(image, x, y + 1, angle, gc)

    return put


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
        parser, *text = arguments
        with _READING:
            return parse(first.setdefault(parser._output_type, parser), *text, **options)

    MathTextParser.parse = waiting  # type: ignore[method-assign]
