"""Pages of a PDF: what stays together, what fits, and figures that look as matplotlib draws them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter, QPdfWriter

from app.export.report.pagination import PageBlock, paginate
from app.export.report.painter import paint_figure
from app.export.report.text import clean, markup
from app.export.report.typesetting import Type
from app.plots.figures import new_figure


def piece(height=40.0, **options):
    return PageBlock(height, lambda *_: None, **options)


def test_a_heading_stays_with_what_follows():
    head = piece(20.0, keeps=True)
    pages = paginate([piece(70.0), head, piece(20.0)], 100.0)
    assert [len(page) for page in pages] == [1, 2]
    assert pages[1][0] == (0.0, head)


def test_room_above_is_left_out_at_the_top_of_a_page():
    pages = paginate([piece(), piece(before=30.0), piece(before=30.0)], 115.0)
    assert [[y for y, _ in page] for page in pages] == [[0.0, 70.0], [0.0]]


def test_a_table_that_goes_on_repeats_its_header():
    header = piece(10.0)
    pages = paginate([header, *(piece(again=header) for _ in range(4))], 100.0)
    assert [[y for y, _ in page] for page in pages] == [[0.0, 10.0, 50.0], [0.0, 10.0, 50.0]]
    assert pages[1][0][1] is header


def test_what_is_higher_than_a_page_ends_the_search():
    assert len(paginate([piece(500.0), piece(500.0, keeps=True), piece(500.0)], 100.0)) == 3


@pytest.fixture
def body(qapp):
    """Return letters on paper."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(600)
    return Type(writer, 9.5)


@pytest.mark.parametrize("text", ["a few words that do not fit " * 5, "x" * 200, "one\n\ntwo", ""])
def test_lines_fit_and_nothing_is_lost(body, text):
    lines = body.lines(text, 120.0)
    assert max(map(body.width, lines)) <= 120.5
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) >= text.count("\n") + 1


def test_letters_have_their_size_in_points(body):
    assert 75 < body.width("m" * 10) < 100
    assert body.width("") == 0


def test_what_nobody_can_see_is_a_blank():
    assert clean("a\x00b\u202ec\ud800d\ne\tf") == "a b c d\ne f"
    assert markup("<a href='x'>&\"") == "&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;"


def _figure():
    figure = new_figure(size=(4.0, 3.0))
    axes = figure.add_subplot()
    axes.plot([0, 1, 2], [0, 2, 1], dashes=[4, 2], linewidth=3, color="#0072B2")
    axes.fill_between([0, 1, 2], [0, 2, 1], color="#E69F00", alpha=0.4)
    axes.bar([0.5], [1.5], width=0.4, color="white", hatch="//", edgecolor="black")
    axes.scatter(np.linspace(0, 2, 30), np.linspace(2, 0, 30), s=12, color="#D55E00")
    axes.imshow(np.arange(12.0).reshape(3, 4), extent=(1.2, 1.8, 0.1, 0.6), aspect="auto", zorder=3)
    axes.plot([-5, 5], [1, 1.2], clip_on=True)
    axes.set_title(r"A title with $A^{(k)}$ in it")
    axes.set_xlim(-0.1, 2.1)
    return figure


def test_a_figure_looks_as_matplotlib_draws_it(qapp):
    figure = _figure()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    expected = np.asarray(canvas.buffer_rgba())[..., :3].astype(float)
    height, width = expected.shape[:2]
    image = QImage(width, height, QImage.Format.Format_RGBA8888)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_figure(figure, painter, QRectF(0, 0, width, height))
    painter.end()
    seen = np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4)[..., :3].astype(float)
    # in blocks of 20 x 20, in which the edges of lines do not count: nothing is missing or elsewhere
    blocks = (seen - expected).reshape(height // 20, 20, width // 20, 20, 3)
    assert np.abs(blocks.mean(axis=(1, 3))).max() < 20
    assert np.abs(expected - 255).mean() > 10
