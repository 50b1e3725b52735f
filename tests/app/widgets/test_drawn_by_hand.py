"""Small widgets that draw themselves show what they were told."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.model.theme import DARK, LIGHT
from app.panels.lesson_panel import StepLine
from app.widgets.budget_bar import BudgetBar
from app.widgets.ranked_bars import RankedBar, RankedBars

WIDTH = 400


@pytest.fixture
def row_of(qtbot):
    """Return what draws a widget, and gives the colours from left to right at a height."""

    def colours(widget, height, share=0.5):
        qtbot.addWidget(widget)
        widget.resize(WIDTH, height)
        image = QImage(widget.size(), QImage.Format.Format_RGB32)
        widget.render(image)
        return np.array([image.pixelColor(x, int(height * share)).name().upper() for x in range(WIDTH)])

    return colours


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_line_of_steps_is_coloured_up_to_the_step_that_is_shown(row_of, palette):
    line = StepLine()
    line.set_palette(palette)
    line.show_step(0, 4)
    row = row_of(line, 4)
    shown, left = (row == palette.accent.upper()).sum(), (row == palette.border.upper()).sum()
    assert shown == pytest.approx(WIDTH / 4, abs=4)
    assert left == pytest.approx(3 * WIDTH / 4, abs=12)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_a_budget_is_as_long_as_its_share_and_warns_near_the_limit(row_of, palette):
    bar = BudgetBar("Budget")
    bar.set_palette(palette)
    bar.show_share(0.25)
    assert (row_of(bar, 14) == palette.accent.upper()).sum() == pytest.approx(WIDTH / 4, abs=3)
    bar.show_share(0.9)
    assert (row_of(bar, 14) == palette.private.upper()).sum() == pytest.approx(0.9 * WIDTH, abs=3)
    bar.show_share(0.5, 2.0)
    beyond = row_of(bar, 14)[WIDTH // 2 + 5 :]
    assert len(set(beyond)) > 1  # hatched


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_longest_of_ranked_bars_is_ten_times_the_shortest_at_most(row_of, palette):
    bars = RankedBars("Errors")
    bars.set_palette(palette)
    bars.show_lines([RankedBar("", 1.0, ""), RankedBar("", 50.0, "")])
    height = bars.sizeHint().height()
    best = (row_of(bars, height, 0.25) == palette.accent.upper()).sum()
    other = (row_of(bars, height, 0.75) == palette.tint(palette.accent, 0.35).upper()).sum()
    assert best > 0
    assert other / best == pytest.approx(10, rel=0.35)
