"""How words and numbers stand in sentences."""

import pytest

from app.model.wording.formatting import within


@pytest.mark.parametrize(
    ("label", "said"),
    [("Smooth sensitivity", "smooth sensitivity"), ("CoinPress", "CoinPress"), ("PrivTree", "PrivTree")],
)
def test_a_label_within_a_sentence_begins_small_unless_it_is_a_name(label, said):
    assert within(label) == said
