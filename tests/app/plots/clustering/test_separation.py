"""The picture of the separation of clusters: its dots, its words, its table."""

import dataclasses

import numpy as np
import pytest

from app.plots.clustering.separation import Separation
from app.plots.figures import new_figure
from engine.analysis.cluster_separation import ClusterSeparation

FOUND = ClusterSeparation(
    k=np.array([2, 3, 4, 5]),
    ratios=np.array([0.5, 0.04, 0.9, 0.85]),
    costs=np.array([0.05, 0.002, 0.0018, 0.00153]),
    chosen=3,
    records=20_000,
    n=100_000,
)


def picture(found=FOUND):
    return Separation.draw(new_figure().add_subplot(), found)


def test_each_number_of_clusters_has_a_dot_and_the_chosen_one_stands_out():
    made = picture()
    assert made.axes.get_ylim()[0] == 0
    assert made._savings.get_ydata() == pytest.approx([50, 96, 10, 15])
    assert made._chosen.get_xydata().tolist() == [[3, pytest.approx(96)]]
    assert "000 records)" in made.axes.get_xlabel()
    assert "records" not in picture(dataclasses.replace(FOUND, n=20_000)).axes.get_xlabel()


def test_words_say_how_clear_the_clusters_are():
    made, falls = picture(), "The squared distance falls"
    assert made.alt_text() == f"{falls} by 96\u202f% from 2 to 3 and by 10\u202f% from 3 to 4 clusters."
    assert made.tooltip_at(FOUND, 4.2, 0.5) == "squared distance falls by 10\u202f% from 3 to 4 clusters"
    unclear = picture(dataclasses.replace(FOUND, chosen=4))
    assert unclear.alt_text() == f"{falls} by 10\u202f% from 3 to 4 and by 15\u202f% from 4 to 5 clusters."
    assert unclear.labels.texts() == ["k = 4:  10\u202f%"]


def test_a_cluster_that_saves_less_than_nothing_is_in_view():
    made = picture(dataclasses.replace(FOUND, ratios=np.array([0.5, 0.04, 1.1, 0.85])))
    assert made.axes.get_ylim()[0] == pytest.approx(-10)


def test_what_is_not_known_is_left_out():
    made = picture(dataclasses.replace(FOUND, ratios=np.array([0.5, np.nan, np.nan, np.nan])))
    assert not made._sentence.text
    assert made.tooltip_at(made.result, 3.0, 0.5) == "2 clusters leave no distance"
    header, rows = made.table()
    assert header == ["k", "cost over that of k - 1", "mean squared distance"]
    assert rows == [[2, 0.5, 0.05], [3, "", 0.002], [4, "", 0.0018], [5, "", 0.00153]]
