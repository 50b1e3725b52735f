"""What a record is, in words: on the axes of pictures, and wherever an epsilon is printed."""

import dataclasses

import numpy as np
import pytest

from app.model.wording.neighbours import WORDS
from app.plots.figures import new_figure
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from engine.analysis.sensitivity import EpsilonSweep
from engine.queries import QUERIES
from engine.queries.profile import SensitivityPath, SensitivityProfile, SensitivitySweep

LEVELS = np.array([1.0, 2.0, 3.0])
RESULTS = {
    AgainstK: SensitivityProfile(3, 5.0, 0.1, LEVELS, 1.0, 2.0, 3.0, 2),
    AgainstEpsilon: EpsilonSweep(LEVELS, SensitivitySweep(LEVELS, 1.0, LEVELS, 3.0), 2.0),
    AlongPath: SensitivityPath(2, np.arange(3), LEVELS, LEVELS, LEVELS, 3.0),
}
NAMED = {
    AgainstK: "other {0.records}",
    AgainstEpsilon: "one {0.record} {0.change}",
    AlongPath: "{0.records}",
}


def meant(result, neighbours):
    if isinstance(result, EpsilonSweep):
        sweep = dataclasses.replace(result.sweep, neighbours=neighbours)
        return dataclasses.replace(result, sweep=sweep)
    return dataclasses.replace(result, neighbours=neighbours)


def test_every_query_has_words_for_its_neighbours():
    assert {query.neighbours for query in QUERIES.values()} <= set(WORDS)
    assert WORDS["replace-one"].difference == "one record replaced, n public"
    assert WORDS["edge-weight"].between == "between graphs with one edge weight changed, edges public"
    assert WORDS["edge"].between == "between graphs with one edge added or removed, vertices public"


@pytest.mark.parametrize("picture_class", RESULTS, ids=lambda picture: picture.__name__)
def test_pictures_name_the_record_of_the_result_they_show(picture_class):
    picture = picture_class(new_figure().add_subplot())
    for neighbours, words in WORDS.items():
        assert picture.update(meant(RESULTS[picture_class], neighbours))  # all is drawn again
        assert picture.needs_layout
        assert f"how far one {words.record} can move" in picture.axes.get_title(loc="left")
        assert NAMED[picture_class].format(words) in picture.axes.get_xlabel()


def test_a_path_is_summed_up_in_words_of_its_records():
    picture = AlongPath(new_figure().add_subplot())
    picture.update(meant(RESULTS[AlongPath], "edge"))
    assert picture.alt_text().startswith("While 2 of 2 edges are added or removed, the local")
