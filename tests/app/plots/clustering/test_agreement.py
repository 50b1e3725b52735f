"""The picture of how outputs agree: its lines, its words, its table."""

import numpy as np

from app.plots.clustering.agreement import Agreement
from app.plots.figures import new_figure
from engine.analysis.output_agreement import OutputAgreement

FOUND = OutputAgreement(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.0, 0.1, 0.2, 0.8]), 1.0)


def picture(found=FOUND):
    return Agreement.draw(new_figure().add_subplot(), found)


def test_lines_rise_at_each_output_and_end_at_the_edge():
    made = picture()
    assert made.axes.get_xlim() == (0, 0.9)
    near = picture(OutputAgreement(np.full(4, 0.1), np.full(4, 0.1), 1.0))
    assert near.axes.get_xlim()[1] < 0.31
    same = picture(OutputAgreement(np.zeros(4), np.zeros(4), 1.0))
    assert same.axes.get_xlim() == (0, 1.0)


def test_words_and_table_say_the_same():
    made = picture()
    told = made.alt_text()
    percent = "75\u202f%"
    assert told == f"Of 4 outputs, {percent} lie within 0.3 of the truth, and {percent} of the aggregate."
    near = made.tooltip_at(FOUND, 0.15, 0.5)
    assert near.startswith("within 0.15: 25")
    assert near.endswith("% around the aggregate")
    assert made.table()[1][1] == [0.5, 0.2, 0.1]
