"""Names of axes on a projector, in windows that draw: without a drawing nothing makes room for them."""

import pytest
from seen import SIZES


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_on_a_projector_axes_are_named_in_full(graph_window, size):
    window = graph_window
    window.controllers.data.open_example("karate")  # whose unit is a long word
    window.setFixedSize(*size)
    window.controllers.appearance.set_presentation(True)
    assert window.wait_until_idle()
    for tab in ("k", "epsilon", "path"):
        window.page.show_tab(tab)
        assert window.wait_until_idle()
        canvas = window.page.canvas
        for part in canvas.picture.parts:
            for text in (part._left_title, part.xaxis.label):
                box = text.get_window_extent()
                assert box.x1 <= canvas.figure.bbox.x1, (tab, text.get_text())
                assert box.y1 <= canvas.figure.bbox.y1 + 1, (tab, text.get_text())
        assert canvas.picture.axes.bbox.height > (40 if tab != "path" else 0)
    assert window.page.parts[0].canvas.picture.axes.bbox.height > 100
