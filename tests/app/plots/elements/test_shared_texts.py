"""What canvases share of texts is what each would measure, lay out and paint by itself."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from app.plots.elements.shared_texts import share_texts

FONTS = (
    FontProperties(size=8),
    FontProperties(size=8, weight="bold"),
    FontProperties(family=["DejaVu Serif"], size=12),
)


@pytest.fixture(autouse=True)
def shared():
    share_texts()


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
    results = set()
    for upright, turned, words in itertools.product(
        ("top", "center", "baseline", "center_baseline"), (0, 90), ("one", "one\nanother", "$S^*$")
    ):
        for side, spacing in itertools.product(("left", "right"), (1.2, 2.0)):
            text = figure.text(0, 0, words, va=upright, ha=side, rotation=turned, linespacing=spacing)
            box, lines, descent = alone(text, renderer)
            for _ in range(2):  # laid out, and remembered
                again = text._get_layout(renderer)
                assert (again[0].bounds, again[1:]) == (box.bounds, (lines, descent))
            results.add((box.bounds, descent))
    assert len(results) > 20
    text.set_text("other words")
    assert text._get_layout(renderer)[0].bounds == alone(text, renderer)[0].bounds != box.bounds
