"""Texts below pictures of histograms, and the noise of counts."""

from types import SimpleNamespace

import numpy as np

from app.pages.histogram.advice import (
    estimate_cells,
    expect_cells,
    public_noise,
    table_note,
)
from engine.analysis.category_answers import category_estimates, cross_table
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import NoisyHistogram, RecursiveHistogram
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.histograms.counting import CountingQueries
from engine.privacy import Privacy

PEOPLE = Categories(np.zeros((20, 3), int), CategoryDomain({name: ["a", "b"] for name in "xyz"}))


def test_the_noise_of_counts_is_public_and_of_the_width_of_their_intervals():
    data, mechanism = Points(np.full((50, 1), 0.2), Box.of([0], [1])), CountingQueries(where="< 0.5")
    said = expect_cells(estimate_cells(mechanism, data, Privacy(1.0)), "")
    assert (said.text, said.private) == ("Noise ± 3 per count (95 %)", False)
    numbers = category_estimates(mechanism, data, Privacy(1.0))
    assert numbers.values[0] - numbers.intervals[0, 0] == 3
    said = expect_cells(estimate_cells(ContingencyTable(), PEOPLE, Privacy(1.0)), "")
    assert said.headline == "Noise ± 6 per count (95 %)"
    assert said.more == "8 counts, one for each combination"
    assert public_noise(NoisyHistogram(), Box.of([0, 0], [1, 1]), Privacy(1.0)).text == (
        "Noise ± 6 per cell (95 %)"
    )
    assert public_noise(RecursiveHistogram(), Box.of([0], [1]), Privacy(1.0)) is None


def test_a_table_says_how_many_counts_each_cell_adds_up_and_how_their_noise_grows():
    setup = SimpleNamespace(
        source=SimpleNamespace(domain=PEOPLE.domain), mechanism=ContingencyTable(), privacy=Privacy(1.0)
    )
    table = cross_table(ContingencyTable(), PEOPLE, Privacy(1.0), across=0, up=2)
    assert table.summed == ("y",)
    said = "Each cell adds up 2 released counts, each with noise ± 6 records (95 %)."
    assert table_note(setup, table) == said
    table = cross_table(ContingencyTable(post="none"), PEOPLE, Privacy(1.0), across=0, up=2)
    assert table_note(setup, table) == f"{said} Together: ± 8 records."
    setup.mechanism = ContingencyTable(margins="pairs")
    assert not table_note(setup, table)
