"""The bound against the number of blocks: every curve, what is chosen, what is not private."""

import dataclasses

import numpy as np
import pytest

from app.plots.clustering.bound_against_blocks import BoundAgainstBlocks
from app.plots.figures import new_figure
from engine.analysis.block_sweeps import BlocksSweep

SWEEP = BlocksSweep(
    n=100_000,
    blocks=np.array([10, 100, 1000, 10_000]),
    smooth=np.array([2.0, 0.9, 0.025, 0.08]),
    published=np.array([4.0, 1.8, 0.026, np.nan]),
    block_error=np.array([0.001, 0.002, 0.004, 0.008]),
    error=np.array([2.45, 2.45, 0.374, 1.208]),
    diameter=2.45,
    chosen=1000,
)


def picture(sweep=SWEEP):
    return BoundAgainstBlocks.draw(new_figure().add_subplot(), sweep, unit="cm")


def test_both_axes_are_logarithmic_unless_somebody_wants_otherwise():
    made = picture()
    assert made.axes.get_xscale() == "log"
    assert made.axes.get_yscale() == "log"
    made.log_y = False
    made.update(SWEEP)
    assert made.axes.get_yscale() == "linear"


def test_every_curve_has_its_numbers_and_its_name():
    made = picture()
    published = next(text for text in made.labels.texts() if text.startswith("published"))
    assert "Not DP" in published
    values = ("2.45", "0.374", "0.025", "0.004", "0.026")
    assert all(any(f"  {value}" in text for text in made.labels.texts()) for value in values)
    assert [name.get_text() for name in made._names] == ["in use: 1\u202f000", ""]


def test_a_sentence_joins_the_bound_to_the_typical_error():
    (said,) = picture().sentences
    assert said.text == (
        "With 1\u202f000 blocks, one record moves the result by 0.025\u202fcm at most; "
        "typical error 0.374\u202fcm."
    )
    unknown = picture(dataclasses.replace(SWEEP, error=np.full(4, np.nan)))
    assert unknown.sentences[0].text == ""
    unbounded = picture(dataclasses.replace(SWEEP, smooth=np.full(4, np.nan)))
    assert unbounded.sentences[0].text == "With 1\u202f000 blocks, typical error 0.374\u202fcm."


@pytest.mark.parametrize(("chosen", "best"), [(9000, 10_000), (10_000, 9000), (10, 12), (12, 10)])
def test_the_names_of_two_numbers_never_hide_each_other(chosen, best):
    blocks = np.array([10, 12, 9000, 10_000])
    error = np.where(blocks == best, 0.1, SWEEP.error)
    made = picture(dataclasses.replace(SWEEP, blocks=blocks, chosen=chosen, error=error))
    one, other = (name.get_window_extent() for name in made._names)
    assert not one.overlaps(other)


def test_a_better_number_than_the_chosen_one_is_named():
    best = int(SWEEP.blocks[np.nanargmin(SWEEP.error)])
    other = next(m for m in SWEEP.blocks.tolist() if m != best and np.isfinite(SWEEP.at(SWEEP.error, m)))
    made = picture(dataclasses.replace(SWEEP, chosen=other))
    assert [name.get_text() for name in made._names] == [f"in use: {other}", "least error: 1\u202f000"]
    assert made._best.get_xdata() == [best, best]
    assert [name.get_ha() for name in made._names] == ["left", "left"]  # where there is room


def test_the_chosen_number_is_marked():
    between = picture(dataclasses.replace(SWEEP, chosen=316))
    (((m, smooth),)) = between._dots[between._smooth].get_xydata().tolist()
    assert m == 316
    assert 0.025 < smooth < 0.9


def test_what_is_not_possible_or_not_asked_for_is_left_out():
    nothing = np.full(4, np.nan)
    made = picture(dataclasses.replace(SWEEP, published=nothing))
    assert not any("published" in text for text in made.labels.texts())
    made = picture(dataclasses.replace(SWEEP, smooth=nothing, block_error=nothing, error=nothing))
    assert made.alt_text().startswith("global")
    assert "error" not in made.alt_text()
    assert made.table()[1][0] == [10, "", 4.0, "", "", 2.45]


def test_words_and_numbers():
    made = picture()
    assert made.tooltip(100).startswith("100 blocks of about 1\u202f000: smooth 0.9\u202fcm")
    assert made.tooltip(5) == made.tooltip(20_000) == ""
    assert made.alt_text().endswith("Smallest error in view 0.374\u202fcm, with 1\u202f000 blocks.")
    header, rows = made.table()
    assert header[2] == "published, Not DP"
    assert rows[2] == pytest.approx([1000, 0.025, 0.026, 0.004, 0.374, 2.45])
    assert rows[3][2] == ""
