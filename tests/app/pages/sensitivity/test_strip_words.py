"""The words on the strip of dots are whole in type of every size."""

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_no_words_of_the_strip_are_cut_off(window_on, scale):
    window = window_on()
    window.resize(1280, 800)
    window.show()
    window.controllers.appearance.set_size(scale)
    assert window.wait_until_idle(30_000)
    axes = window.page.strip.canvas.picture.axes
    texts = [
        text for text in (*axes.texts, *axes.get_xticklabels()) if text.get_text() and text.get_visible()
    ]
    assert len(texts) > 3
    figure = axes.figure.bbox
    boxes = {text.get_text(): text.get_window_extent() for text in texts}
    assert {
        words for words, box in boxes.items() if box.y0 < figure.y0 - 1 or box.y1 > figure.y1 + 1
    } == set()
