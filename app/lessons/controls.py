"""What a lesson uses of the forms beside the page, by the names that problems have there, too."""

from __future__ import annotations

from dataclasses import fields

from app.lessons.section import TomlTable
from app.model.pages.registry import PAGE_KINDS
from engine.catalog import kinds

KEY = "controls"
RUN = "run"
"""The button that makes a release, with what stands beside it."""


def control_names() -> frozenset[str]:
    """Return all names: of what is declared about data, of parts of mechanisms and of their parameters."""
    data = {one.name for page in PAGE_KINDS.values() for kind in page.forms for one in fields(kind.choice)}
    components = [one for family in kinds().values() for one in family.values()]
    parameters = {declared.name for one in components for declared in one.parameters()}
    return frozenset({"epsilon", "delta", RUN, *data, *kinds(), *parameters})


def read_controls(section: TomlTable) -> frozenset[str] | None:
    """Return what the head of a lesson names; None: all controls, where it names none."""
    if KEY not in section:
        return None
    names = section.texts(KEY)
    known = control_names() if names else ()
    return frozenset(section.known(name, "control", known, KEY) for name in names)
