"""Specifications of the pictures of a choice among candidates."""

from __future__ import annotations

from typing import Any

from app.model import lazy
from app.model.pages.points import Directions
from app.model.pages.registry import add_picture
from app.model.picture_spec import PictureSpec, Seeded, TabTitle
from app.model.references import Analysis
from engine import analysis as scenes


def without_choice(selection: Any) -> str:
    """Return why a mechanism is not a single choice among candidates; "" if it is one."""
    mechanism = selection.mechanism
    return "" if mechanism.facts.is_one_choice else f"“{mechanism.label}” has several steps."


def choice_picture() -> type[Any]:
    from app.extras.frontier.choice import ChoicePicture

    return ChoicePicture


PLACE = PictureSpec(
    "place",
    TabTitle(
        "Place",
        "The data, the choice, and the true place",
        "The corner of a box, or the center of a cell, that one step of other mechanisms chooses.",
    ),
    drawn_by=lambda: lazy.PointCloud,
    analysis=Analysis(lambda: scenes.choice_scene),
    is_public=True,
    options=(Directions, Seeded),
    absent=lambda: without_choice,
    runs=True,
)

CHOICE = PictureSpec(
    "choice",
    TabTitle(
        "Choice",
        "How many records each candidate holds, and which are chosen",
        "The true counts, and the choices of a private step in simulations.",
    ),
    drawn_by=choice_picture,
    analysis=Analysis(lambda: scenes.weigh_choices),
    options=(Seeded,),
    absent=lambda: without_choice,
    runs=True,
)


def add_pictures() -> None:
    """Add both pictures to the page of small balls."""
    add_picture("one-cluster", PLACE, after="number")
    add_picture("one-cluster", CHOICE, after="place")
