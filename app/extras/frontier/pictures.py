"""Pictures of a choice among candidates, declared: what is chosen, and from how many records."""

from __future__ import annotations

from typing import Any

from app.model.pages.points import Directions
from app.model.pages.registry import add_picture
from app.model.picture_spec import PictureSpec, Seeded, TabTitle


def without_choice(selection: Any) -> str:
    """Say that a mechanism is no single choice among candidates; "" if it is one."""
    mechanism = selection.mechanism
    return "" if mechanism.is_one_choice else f"“{mechanism.label}” is made of several steps."


NO_CHOICE = "app.extras.frontier.pictures:without_choice"

PLACE = PictureSpec(
    "place",
    TabTitle(
        "Place",
        "The data, the choice, and the true one",
        "The corner of a box, or the middle of a cell, that one step of other mechanisms chooses.",
    ),
    drawn_by="app.plots.clustering.point_cloud:PointCloud",
    analysis="engine.analysis:choice_scene",
    public_analysis="engine.analysis:choice_scene",
    options=(Directions, Seeded),
    absent=NO_CHOICE,
    runs=True,
)

CHOICE = PictureSpec(
    "choice",
    TabTitle(
        "Choice",
        "How many records each candidate holds, and which are chosen",
        "Records are counted; a private step chooses by the counts, and misses by its noise.",
    ),
    drawn_by="app.extras.frontier.choice:ChoicePicture",
    analysis="engine.analysis:weigh_choices",
    options=(Seeded,),
    absent=NO_CHOICE,
    runs=True,
)


def add_pictures() -> None:
    """Show both on the page of small balls."""
    add_picture("one-cluster", PLACE, after="number")
    add_picture("one-cluster", CHOICE, after="place")
