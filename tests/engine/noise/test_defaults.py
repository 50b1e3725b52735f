"""Which pair is taken where a family cannot give what is asked for."""

from engine.noise import Laplace, LaplacePareto, StudentT, default_pair
from engine.privacy import Privacy


def test_a_family_that_gives_the_privacy_keeps_its_own_pair():
    asked = Privacy(0.7)
    assert default_pair(StudentT(), asked, split=0.3) == StudentT().admissible(asked, split=0.3)


def test_where_it_cannot_the_default_family_stands_in():
    assert default_pair(Laplace(), Privacy(0.7)) == LaplacePareto().admissible(Privacy(0.7))
