"""Figures as PGF: written without a LaTeX, and what LaTeX would read otherwise is escaped."""

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from app.plots.pgf import pgf, tex_of
from engine.errors import SensiscopeError


@pytest.mark.parametrize(
    ("text", "formulas", "tex"),
    [
        ("90 % of a_b & #1", False, r"90 \% of a\_b \& \#1"),
        ("10\u202f$", False, r"10\,\$"),
        (r"\$ and $S^*$", True, r"\$ and $S^*$"),
        ("ε ≤ 1 × 10⁻²", False, None),
    ],
)
def test_texts_are_those_of_tex(text, formulas, tex):
    found = tex_of(text, formulas=formulas)
    assert found.isascii()
    assert tex is None or found == tex


def test_a_figure_is_one_picture_of_its_size():
    figure = Figure(figsize=(3.0, 2.0))
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1])
    axes.set_title("released (50 %)")
    axes.set_xlabel(r"$\varepsilon$")
    content = pgf(figure, 0.5).decode()
    assert r"\pgfqpoint{1.500000in}{1.000000in}" in content
    assert r"\fontsize{6.000000}" in content  # of a title of 12 points
    assert r"\pgfsetlinewidth{0.752812pt}" in content  # of a line of 1.5
    assert max(float(x) for x in re.findall(r"x=([\d.]+)in", content)) < 1.5
    assert r"released (50 \%)" in content
    assert r"$\varepsilon$" in content
    assert len(re.findall(r"\\begin\{", content)) == len(re.findall(r"\\end\{", content))


def test_an_image_in_a_picture_is_refused():
    figure = Figure()
    figure.add_subplot().imshow(np.eye(3))
    with pytest.raises(SensiscopeError, match="save it as PDF"):
        pgf(figure)
