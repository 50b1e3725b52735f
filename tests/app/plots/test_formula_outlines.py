"""Formulas become outlines and pictures, also while others read formulas."""

import threading
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from app.model.texts.plain import readable
from app.plots.formula_outlines import CLOSE, MOVE, FormulaError, formula_svg, outline


def test_outline_stands_on_its_baseline_and_fills_its_box() -> None:
    drawn = outline(r"x_i^2")
    assert drawn.width > 0.5
    assert 0 < drawn.descent < drawn.ascent < 1.5
    low, high = drawn.points.min(axis=0), drawn.points.max(axis=0)
    assert np.all(low >= [-0.05, -drawn.descent - 0.05])
    assert np.all(high <= [drawn.width + 0.05, drawn.ascent + 0.05])
    codes = [code for code, _ in drawn.parts()]
    assert codes[0] == MOVE
    assert codes.count(MOVE) >= 3  # one for each letter, at least
    assert codes[-1] == CLOSE
    assert sum(len(points) for _, points in drawn.parts()) == len(drawn.points)


def test_what_cannot_be_read_is_told_in_one_line() -> None:
    with pytest.raises(FormulaError, match=r"^\$\\nonsense\{x\}\$: .*Unknown symbol: \\nonsense") as caught:
        outline(r"\nonsense{x}")
    assert "\n" not in str(caught.value)


def test_svg_has_its_size_its_colour_and_words() -> None:
    root = ET.fromstring(formula_svg(r"\beta < 1", "#123456", 20))
    assert root.get("aria-label") == "β < 1"
    (path,) = root
    assert path.get("fill") == "#123456"
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert left == 0
    assert -top + 0.01 >= height * 0.6  # most of it stands above the baseline
    assert float(root.get("width", "")) == width == pytest.approx(20 * outline(r"\beta < 1").width, abs=0.01)
    assert "nan" not in (path.get("d") or "nan")


@pytest.mark.slow
def test_reading_does_not_disturb_those_who_draw() -> None:
    """Two threads read at once, one as the window does; each formula comes out as when read alone."""
    from matplotlib.mathtext import MathTextParser

    shared = MathTextParser("path")
    tex = [rf"\frac{{a_{{{i}}}}}{{b^{{{i}}}}} + \sum_{{k \geq {i}}} e^{{-\beta k}}" for i in range(8)]
    alone = [shared.parse(f"${one}$").width for one in tex]
    boxes = [(outline(one).width, len(outline(one).points)) for one in tex]
    shared_again, found, troubles = [], [], []

    def read() -> None:
        try:
            found.extend((outline(one).width, len(outline(one).points)) for one in tex)
        except BaseException as error:
            troubles.append(error)

    for _ in range(2):
        outline.cache_clear()
        MathTextParser._parse_cached.cache_clear()
        found.clear()
        thread = threading.Thread(target=read)
        thread.start()
        shared_again = [shared.parse(f"${one}$").width for one in tex]
        thread.join()
        assert not troubles
        assert shared_again == alone
        assert found == boxes


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\alpha + \max(1, g) \, \beta \leq \varepsilon", "α + max(1, g) β ≤ ε"),
        (r"e^{\frac{a + b}{2}} \in \mathbb{R}^d", "e^((a + b)/2) ∈ R^d"),
        (r"\left\{ \tilde{S}, \overline{x} \right\}", "{ S, x }"),
        (r"\binom{n}{k} \|x\|_1", "(n choose k) ‖x‖_1"),
        (r"(a)^{(k)}_{i(j)}", "(a)^(k)_(i(j))"),
    ],
)
def test_formula_is_read_in_letters(tex: str, words: str) -> None:
    assert readable(tex) == words
