"""What the pointer is told of a picture."""

from canvases import shown_canvas, spot
from PySide6.QtWidgets import QToolTip

from app.model.wording.formatting import JOINER


def test_a_name_that_looks_like_markup_is_shown_as_it_stands(qtbot, monkeypatch):
    canvas = shown_canvas(qtbot)
    monkeypatch.setattr(canvas.picture, "point_at", lambda x, y: "<b>x</b> & <img src='a.png'>: 3")
    with qtbot.waitSignal(canvas.hovered):
        qtbot.mouseMove(canvas._surface, spot(canvas, 5, canvas.picture.result.smooth))
    assert QToolTip.text() == f"<{JOINER}b>x<{JOINER}/b> &{JOINER} <{JOINER}img src='a.png'>: 3"
    QToolTip.hideText()
