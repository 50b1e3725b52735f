"""From `Mechanism` to any mechanism there are few classes to read."""

import pytest

from engine.mechanisms import MECHANISMS
from engine.mechanisms.base import Mechanism

MAX_CLASSES = 4


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_is_at_most_four_classes_from_the_first_to_its_own(name):
    tower = [kind for kind in MECHANISMS[name].__mro__ if issubclass(kind, Mechanism)]
    assert len(tower) <= MAX_CLASSES, tower
