"""What canvases share of texts is what each would measure, lay out and paint by itself."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from app.plots.elements.shared_texts import share_sizes

FONTS = (
    FontProperties(size=8),
    FontProperties(size=8, weight="bold"),
    FontProperties(family=["DejaVu Serif"], size=12),
)


@pytest.fixture(autouse=True)
def shared():
    share_sizes()


def sizes(renderer, font, measure):
    return [measure(renderer, words, font, "$" in words) for words in ("1,234", "ε = 0.5", "$A^{(k)}$")]


def test_they_are_what_a_canvas_measures():
    share, alone = (
        RendererAgg.get_text_width_height_descent,
        RendererAgg.get_text_width_height_descent.__wrapped__,
    )
    found = []
    for dpi, font in itertools.product((72, 100, 150), FONTS):
        expected = sizes(RendererAgg(9, 9, dpi), font, alone)
        for _ in range(2):  # measured, and remembered
            assert sizes(RendererAgg(9, 9, dpi), font, share) == expected
        found.append(tuple(expected))
    assert len(set(found)) == len(found)  # each resolution and font has sizes of its own


def test_a_text_is_measured_once_for_all_canvases(monkeypatch):
    prepare, asked = RendererAgg._prepare_font, []
    monkeypatch.setattr(RendererAgg, "_prepare_font", lambda *words: asked.append(words) or prepare(*words))
    font = FontProperties(size=9.75)
    for side in (10, 20, 30):
        RendererAgg(side, side, 100).get_text_width_height_descent("nowhere else", font, False)
    assert len(asked) == 1
    font.set_size(19.5)
    RendererAgg(10, 10, 100).get_text_width_height_descent("nowhere else", font, False)
    assert len(asked) == 2


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("angle", [0, 90, 33])
def test_letters_are_painted_as_by_matplotlib(angle, smooth):
    def painted(draw, words, font, dpi):
        renderer = RendererAgg(120, 90, dpi)
        gc = renderer.new_gc()
        gc.set_antialiased(smooth)
        draw(renderer, gc, 5.3, 60.5, words, font, angle, ismath="$" in words)
        return np.array(renderer.buffer_rgba())

    share, alone = RendererAgg.draw_text, RendererAgg.draw_text.__wrapped__
    for words, dpi, font in itertools.product(("ε = 0.5 gq", "$S^*$"), (72, 110), FONTS):
        expected = painted(alone, words, font, dpi)
        assert expected.any()
        for _ in range(2):  # painted, and put in place
            assert (painted(share, words, font, dpi) == expected).all()


def test_lines_stand_where_matplotlib_puts_them():
    figure, renderer, alone = Figure(), RendererAgg(300, 200, 100), Text._get_layout.__wrapped__
    found = set()
    for place, turned, words in itertools.product(
        ("top", "center", "baseline", "center_baseline"), (0, 90), ("one", "one\nanother", "$S^*$")
    ):
        for side, spacing in itertools.product(("left", "right"), (1.2, 2.0)):
            text = figure.text(0, 0, words, va=place, ha=side, rotation=turned, linespacing=spacing)
            box, lines, descent = alone(text, renderer)
            for _ in range(2):  # laid out, and remembered
                again = text._get_layout(renderer)
                assert (again[0].bounds, again[1:]) == (box.bounds, (lines, descent))
            found.add((box.bounds, descent))
    assert len(found) > 20
    text.set_text("other words")
    assert text._get_layout(renderer)[0].bounds == alone(text, renderer)[0].bounds != box.bounds
