"""Tests of sentences above pictures: how they break, and how often they are measured for it."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from app.model.theme import LIGHT
from app.plots.elements.legend import MARGIN
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


@pytest.mark.parametrize(("inches", "lines", "most"), [(20, 1, 1), (9.5, 2, 6), (5, 3, 10)])
def test_a_sentence_of_many_words_is_measured_a_few_times(monkeypatch, inches, lines, most):
    """Each measurement takes as long as drawing the words."""
    words = "Half of all errors are below 1.5 for the Laplace mechanism, and below 3 for all of the others, "
    words += "which take the place of a record by another one as long as nobody looks at what they say of it."
    measured, measure = [], Text.get_window_extent

    def counting(text, *rest):
        if text is sentence._text:
            measured.append(text.get_text())
        return measure(text, *rest)

    sentence, _ = broken("", inches)
    monkeypatch.setattr(Text, "get_window_extent", counting)
    sentence.set_text(words)
    sentence.cramped()
    assert len(lines_of(sentence)) == lines
    assert len(measured) <= most


def test_no_words_have_one_line():
    """As they always had."""
    sentence, _ = broken("", 5)
    assert lines_of(sentence) == [""]
