"""Texts that matplotlib lays out and paints once for all canvases, and formulas that threads read in turn.

At each drawing it finds anew where lines stand and what letters look like, though a picture asks for the same
few words and numbers again and again: with both remembered, drawing one takes half of the time.
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

MAX_TEXTS = 1 << 12  # texts that are remembered; beyond, all are looked at again
_READING = threading.RLock()


@functools.cache
def share_texts() -> None:
    """Let all canvases share what they have laid out and painted, from now on."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.text import Text

    RendererAgg.draw_text = _paint_once(RendererAgg.draw_text)  # type: ignore[method-assign]
    Text._get_layout = _remember(Text._get_layout, _layout_key)  # type: ignore[attr-defined]


def _remember(function: Callable[..., Any], key_of: Callable[..., Hashable]) -> Callable[..., Any]:
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


def _layout_key(text: Any, renderer: Any) -> Hashable:
    """Return what decides how the lines of a text stand around its position, on a canvas of pixels."""
    from matplotlib.backends.backend_agg import RendererAgg

    if type(renderer) is not RendererAgg or text.get_wrap():
        return None
    return (
        text.get_text(),
        text.get_parse_math(),
        text.get_usetex(),
        hash(text.get_fontproperties()),  # fonts are equal for matplotlib when their hashes are
        renderer.dpi,
        text._linespacing,
        text.get_rotation(),
        text.get_rotation_mode(),
        text.get_horizontalalignment(),
        text.get_verticalalignment(),
        text._get_multialignment(),
    )


def _paint_once(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `RendererAgg.draw_text` that puts the image of a text where matplotlib would paint it."""
    image_of = _remember(_image, lambda renderer, text, font: (text, renderer.dpi, hash(font)))

    @functools.wraps(draw)
    def put(
        renderer: Any, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, *rest: Any, **more: Any
    ) -> None:
        if any(rest[:1]) or more.get("ismath") or not gc.get_antialiased():
            draw(renderer, gc, x, y, s, prop, angle, *rest, **more)
            return
        image, descent, right, up = image_of(renderer, s, prop)
        x = round(x + right + descent * math.sin(math.radians(angle)))
        y = round(y + up + descent * math.cos(math.radians(angle)))
        renderer._renderer.draw_text_image(image, x, y + 1, angle, gc)

    return put


def _image(renderer: Any, text: str, font: Any) -> tuple[Any, float, float, float]:
    """Return the image of a text, its descent, and where the image is to be put, in pixels."""
    from matplotlib.backends import backend_agg

    agg: Any = backend_agg
    letters = renderer._prepare_font(font)
    letters.set_text(text, 0.0, flags=agg.get_hinting_flag())
    descent = letters.get_descent() / 64.0
    letters.draw_glyphs_to_bitmap(antialiased=True)
    right, up = letters.get_bitmap_offset()
    return np.array(letters, np.uint8), descent, right / 64.0, up / 64.0


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
