"""How many times another one a number is, in words: never "1 times"."""

import pytest

from app.model.wording.ratios import times


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2.5, "2.5 times below global"),
        (0.5, "0.5 times below global"),
        (1.0, "as large as global"),
        (1.0001, "about as large as global"),
        (0.9999, "about as large as global"),
        (1.01, "1.01 times below global"),
    ],
)
def test_once_is_said_in_words(ratio, words):
    assert times(ratio, "below global", "as large as global") == words


def test_what_is_once_something_is_that_itself():
    assert times(1.04, "the baseline", digits=2) == "about the baseline"
    assert times(1.04, "the baseline") == "1.04 times the baseline"
