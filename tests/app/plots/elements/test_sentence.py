"""Tests of sentences above pictures: how they break."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from app.model.theme import LIGHT
from app.plots.elements.legend import LINE, MARGIN
from app.plots.elements.sentence import Sentence


def broken(words: str, inches: float) -> tuple[Sentence, Figure]:
    """Return a sentence that was drawn in a figure of a width."""
    figure = Figure((inches, 2))
    sentence = Sentence(figure.add_subplot(), LIGHT)
    sentence.set_text(words)
    figure.draw_without_rendering()
    return sentence, figure


def lines_of(sentence: Sentence) -> list[str]:
    return sentence._text.get_text().split("\n")


@pytest.mark.parametrize("seed", range(20))
def test_each_line_takes_all_the_words_that_fit(seed):
    """As if one word after another were added to it; no word is lost, and a wide one stands alone."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("ilmwWA1 .\u202f"), size)) for size in rng.geometric(0.2, 40)]
    words = " ".join(words).split(" ")
    sentence, figure = broken(" ".join(words), rng.uniform(0.5, 8))
    room = figure.bbox.width - 2 * MARGIN * figure.dpi / 72
    lines = lines_of(sentence)
    assert len(lines) > 1
    assert " ".join(lines).split(" ") == words

    def width(line: str) -> float:
        sentence._text.set_text(line)
        return sentence._text.get_window_extent().width

    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        assert width(line) <= room or " " not in line
        if after:
            assert width(f"{line} {after.split(' ')[0]}") > room


@pytest.mark.parametrize("height", [1.0, 6.0])
def test_a_low_figure_has_no_sentence(height):
    figure = Figure((3, height))
    sentence = Sentence(figure.add_subplot(), LIGHT)
    sentence.set_text("more words than one line of this figure can hold " * 2)
    figure.draw_without_rendering()
    spared = sentence.get_window_extent().height < figure.dpi / 72 * LINE
    assert spared == (height == 1.0)


def test_no_words_have_one_line():
    """As they always had."""
    sentence, _ = broken("", 5)
    assert lines_of(sentence) == [""]
