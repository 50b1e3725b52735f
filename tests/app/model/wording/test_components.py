"""Every kind of components of the catalog is known by name to front ends."""

from app.model.wording.components import KIND_WORDS, page_key, words_of
from engine import Median
from engine.catalog import kinds


def test_every_kind_that_is_chosen_has_its_words():
    assert set(KIND_WORDS) == set(kinds()) - {"planted"}


def test_others_are_called_as_the_parameter_that_holds_them():
    (even,) = Median.parameters()
    assert words_of("spice", even).label == "Even n"
    assert page_key("spice", "pepper") == "spices/pepper"
