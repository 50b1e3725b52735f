"""Files of format 1, in which the options of pages stood in groups, or beside each other."""

import pytest

from app.documents.errors import DocumentError
from app.documents.view_states import view_state_kind
from app.model.view_states import ViewState


def older(page, **groups):
    """Return the look of a page as such a file has it."""
    plain = view_state_kind(page).plain(ViewState())
    del plain["options"]
    return plain | {"seed": 3, "across": 1, "up": 0, "target": ""} | groups


def test_options_in_groups_are_found():
    stage = {"zoom": 2, "published": True}
    found = view_state_kind("clustering").read(older("clustering", tab="outputs", stage=stage), "look")
    assert found.tab == "outputs"
    assert found.options == {"seed": 3, "across": 1, "up": 0, **stage}
    ball = {"ball": 1, "tried": None, "step": "last", "near": True}
    found = view_state_kind("one-cluster").read(older("one-cluster", ball=ball), "look")
    assert found.options == {"seed": 3, "across": 1, "up": 0, **ball}


def test_they_are_checked():
    with pytest.raises(DocumentError, match="tried"):
        view_state_kind("one-cluster").read(older("one-cluster", ball={"tried": -5}), "look")
