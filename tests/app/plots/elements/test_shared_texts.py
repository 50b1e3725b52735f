"""Sizes of texts that canvases share are those that each would measure by itself."""

import itertools

import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

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
