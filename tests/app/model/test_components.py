"""Every family of components of the catalog is known by name to front ends."""

from app.model.components import CHOSEN_FAMILIES, FAMILY_LABELS, FAMILY_PLURALS, PART_FAMILIES
from app.model.state import SessionState
from engine.catalog import FAMILIES


def test_every_family_has_its_words():
    assert set(FAMILY_LABELS) == set(FAMILY_PLURALS) == set(FAMILIES)
    assert {*CHOSEN_FAMILIES, *PART_FAMILIES} <= set(FAMILIES)


def test_a_session_has_a_field_for_each_chosen_family():
    state = SessionState()
    assert all(getattr(state, family) in FAMILIES[family] for family in CHOSEN_FAMILIES)
