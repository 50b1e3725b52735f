"""Saved figures: the same lines and texts in every format, whole, and half of the area for the plot."""

from __future__ import annotations

from typing import Any

from matplotlib.colors import to_hex
from matplotlib.transforms import Bbox
from saved_figures import drawn_texts, inkless, lost, recorded

from app.model.figure_style import FigureStyle
from app.model.pages.registry import PAGES
from app.model.theme import LIGHT
from app.plots.elements.labels import figure_of
from app.plots.elements.sentence import Sentence
from app.plots.figure_panel import FigurePanel, render
from app.plots.figures import new_figure, plot_share
from app.plots.sensitivity.against_k import AgainstK

PAGE = Bbox.unit().expanded(1.005, 1.005)
FORMATS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".pgf": b"% Needs"}


def test_every_picture_of_a_page_is_saved_here(saved_classes):
    shown = {picture.drawn_by() for page in PAGES.values() for picture in page.pictures if picture.drawn_by}
    assert shown <= saved_classes


def test_a_saved_figure_shows_the_same_whole_picture_in_every_format(saved):
    panel, style = saved
    picture = panel.draw(style=style)
    figure = figure_of(picture.axes)
    scale = style.scale(*figure.get_size_inches())
    assert plot_share(figure) >= 0.5
    drawn = recorded(figure, scale)
    shown = []
    for suffix, start in FORMATS.items():
        with drawn_texts() as texts:
            content = render(figure, suffix, style.resolution, scale)
        assert content.startswith(start)
        cut = [text for text, box in texts if not (PAGE.contains(*box.min) and PAGE.contains(*box.max))]
        assert cut == [], suffix
        shown.append(sorted(text for text, _ in texts))
        if suffix == ".png":
            assert inkless(drawn.strokes, content, style.resolution) == []
        else:
            assert lost(drawn.strokes, content, suffix) == [], suffix
    assert shown == [shown[0]] * len(FORMATS)
    assert_labels_are_there(panel, shown[0], drawn.colours)
    sentences = [artist.text for artist in picture.artists if isinstance(artist, Sentence)]
    assert not [
        text for text in sentences if text and any(text[:40] in one.replace("\n", " ") for one in shown[0])
    ]


def assert_labels_are_there(panel: Any, texts: list[str], colours: set[str]) -> None:
    """Every label that a window shows is written, and something of its colour is drawn in the axes."""
    window = panel.picture.draw(new_figure().add_subplot(), panel.result, unit=panel.unit)
    written = " ".join(" ".join(texts).split())
    for label in window.labels.shown:
        assert " ".join(label.text.split()) in written
        is_of_no_line = window.labels.names_rows or label.colour == LIGHT.muted
        assert is_of_no_line or to_hex(label.colour) in colours


def test_fonts_of_a_pdf_are_type_42_and_a_png_has_its_resolution(make, cases):
    panel = FigurePanel("A title", AgainstK, make.profile(cases["salaries"]), "$")
    for dpi in (300, 600):
        style = FigureStyle("single", text_around="none", dpi=dpi)
        figure = figure_of(panel.draw(style=style).axes)
        scale = style.scale(*figure.get_size_inches())
        content = render(figure, ".png", style.resolution, scale)
        width = int.from_bytes(content[16:20], "big")
        assert abs(width - 3.5 * dpi) <= 1
    content = render(figure, ".pdf", style.resolution, scale)
    assert b"/Subtype /CIDFontType2" in content
    assert b"/Type3" not in content
