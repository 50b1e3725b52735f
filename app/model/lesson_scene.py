"""What a step of a lesson begins with."""

from __future__ import annotations

import dataclasses

from app.model.kinds.base import Fields
from app.model.kinds.page_data import with_choice
from app.model.lesson_position import LessonPosition
from app.model.state import SessionState, first_fields

SCENE = ("guess", "remembered", "epsilon", "delta", "view")
"""Shared fields that begin with their first values in each step."""


def fields_of_step(position: LessonPosition, page: str, chosen: Fields, fields: Fields) -> Fields:
    """Return the fields of a session in a step that shows a page with data and choices of its own.

    Parameters
    ----------
    chosen : dict
        What is chosen of the data.
    fields : dict
        Values of other fields.
    """
    fresh = SessionState()
    shared = {name: getattr(fresh, name) for name in SCENE}
    there = dataclasses.replace(fresh, page=page, **first_fields(page, fresh.remembered))
    chosen = with_choice(there.data, there.resolved({**chosen, **fields}))
    begun = {"lesson": position, "page": page, "workspace": "", "other_pages": {}, "releases": ()}
    return {**begun, **there.page_fields(), **shared, **chosen}
