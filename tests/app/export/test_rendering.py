"""Pictures and numbers as files and images: whole, at their size, with their badge, or not at all."""

from __future__ import annotations

import csv
import gc
import re

import numpy as np
import pytest
from matplotlib.image import imread
from matplotlib.text import Text
from reported import Quiet

from app.export.rendering import copied, save_both, save_picture, save_table
from app.model.figure_style import DPI, STYLE, FigureStyle
from app.model.theme import DARK, LIGHT
from app.plots.figure_panel import FigurePanel
from app.plots.figures import CONFIDENTIAL
from app.plots.sensitivity.against_k import AgainstK
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import SensiscopeError
from engine.progress import Cancelled
from engine.queries import Median
from engine.queries.profile import sensitivity_profile

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PROFILE = sensitivity_profile(Median(), Sample(np.linspace(1, 990, 101), Interval(0, 1000)), 0.2)


def drawn(private: bool = True) -> FigurePanel:
    return FigurePanel("Sensitivity of the median", AgainstK, PROFILE, private=private)


class Late(Quiet):
    """A task that is cancelled at the last moment."""

    def settle(self):
        raise Cancelled


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures_are_saved_in_the_format_of_the_suffix(tmp_path, suffix, start):
    file = tmp_path / f"figure.{suffix.upper()}"
    assert save_picture(drawn(), LIGHT, STYLE, file, Quiet()) == f"Saved {file}"
    assert file.read_bytes().startswith(start)
    if suffix == "png":
        height, width = imread(file, format="png").shape[:2]
        assert width == round(AgainstK.export_size[0] * DPI)
        assert 1.0 <= height / (AgainstK.export_size[1] * DPI) <= 1.25


def test_a_copied_picture_is_the_saved_one(tmp_path):
    save_picture(drawn(), DARK, STYLE, tmp_path / "a.png", Quiet())
    image = copied(drawn(), DARK, STYLE, Quiet())
    assert not image.isNull()
    saved = type(image)(str(tmp_path / "a.png"))
    assert image == saved


@pytest.mark.parametrize("private", [True, False])
def test_saved_pictures_say_that_they_are_not_private_unless_they_are(private):
    texts = [text.get_text() for text in drawn(private).draw().axes.get_figure(root=True).texts]
    assert (CONFIDENTIAL in texts) == private


def test_numbers_are_saved_in_full(tmp_path):
    save_both(drawn(), LIGHT, STYLE, tmp_path / "a.svg", Quiet())
    with open(tmp_path / "a.csv", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header[:2] == ["k", "at_distance"]
    np.testing.assert_array_equal([float(row[1]) for row in rows], PROFILE.at_distance)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.csv", "a.svg"]


def test_a_table_of_many_rows_is_whole(tmp_path):
    rows = [[place, 0.1 * place, "ä, ö"] for place in range(4001)]
    save_table(tmp_path / "a.csv", ["place", "value", "name"], rows, Quiet())
    text = (tmp_path / "a.csv").read_bytes().decode("utf-8")
    assert text.count("\r\n") == 4002
    assert text.endswith('4000,400.0,"ä, ö"\r\n')


@pytest.mark.parametrize("save", [save_picture, save_both])
def test_what_is_cancelled_last_is_not_written(tmp_path, save):
    with pytest.raises(Cancelled):
        save(drawn(), LIGHT, STYLE, tmp_path / "a.svg", Late())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words"), [("a.doc", "must end in"), ("no/a.png", "there is no folder"), ("", "must end in")]
)
def test_a_file_that_cannot_be_written_is_one_line(tmp_path, name, words):
    with pytest.raises(SensiscopeError, match=words) as error:
        save_picture(drawn(), LIGHT, STYLE, tmp_path / name, Quiet())
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_window_that_is_closed_finishes_what_it_saves(window, tmp_path, qtbot):
    window.controllers.exports.figures.write(window.body.pages["median"].canvas, tmp_path / "last.svg")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (tmp_path / "last.svg").read_text("utf-8").rstrip().endswith("</svg>")


def test_a_figure_for_a_paper_is_as_wide_as_a_column(tmp_path):
    style = FigureStyle("single", "tex", "none")
    for suffix in ("png", "svg", "pdf"):
        save_picture(drawn(False), LIGHT, style, tmp_path / f"a.{suffix}", Quiet())
    assert abs(imread(tmp_path / "a.png").shape[1] - 3.5 * 300) <= 1
    assert b'width="252pt"' in (tmp_path / "a.svg").read_bytes()
    assert re.search(rb"MediaBox \[ 0 0 252 ", (tmp_path / "a.pdf").read_bytes())


def test_every_text_of_a_figure_has_its_font():
    picture = drawn(False).draw(style=FigureStyle(font="tex"))
    figure = picture.axes.get_figure(root=True)
    figure.canvas.draw()
    texts = [one for one in gc.get_objects() if isinstance(one, Text) and one.get_figure() is figure]
    fonts = {tuple(one.get_fontfamily()) for one in texts if one.get_text()}
    assert fonts == {("STIXGeneral", "DejaVu Serif", "DejaVu Sans")}
