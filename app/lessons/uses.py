"""What a lesson uses of the pages it is played on."""

from __future__ import annotations

from collections.abc import Mapping

from app.lessons.lesson import Lesson
from app.model.picture_spec import TabTitle


def tabs_used(lesson: Lesson, location: str, titles: Mapping[str, TabTitle]) -> frozenset[str] | None:
    """Return the tabs of a page or workspace that a lesson opens or names in quotes.

    None: all of them, as one of its steps leaves the choice to the page.
    """
    steps = [step for step in lesson.steps if (step.scene.workspace or step.scene.page) == location]
    opened = {step.scene.tab for step in steps}
    if "" in opened:
        return None
    text = " ".join(f"{step.text} {step.look} {step.attempt}" for step in lesson.steps)
    return frozenset(opened | {tab for tab, title in titles.items() if f"“{title.name}”" in text})
