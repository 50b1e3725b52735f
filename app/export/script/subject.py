"""The subject of a script, and the cells that it is made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from app.model.page_spec import PageSpec
from app.model.state import SessionState
from app.model.view_states import ViewState


@dataclasses.dataclass(frozen=True)
class Subject:
    """A valid state and its question: a `Selection` or a `ComparisonRequest`."""

    state: SessionState
    view_state: ViewState
    setup: Any

    @classmethod
    def of(cls, page: PageSpec, state: SessionState, view_state: ViewState) -> Subject:
        """Return the subject of a script; `ParameterError` for missing or invalid choices."""
        return cls(state, view_state, page.selection()(state))

    @property
    def curator(self) -> bool:
        """Whether numbers may be computed from raw data."""
        return self.state.view == "curator"

    @property
    def fits(self) -> bool:
        """Whether the mechanism can be run on such data."""
        setup = self.setup
        return not setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)


@dataclasses.dataclass(frozen=True)
class ScriptCell:
    """A section of a script, or a cell of a notebook.

    `title` is a few words of our own, and nothing that stands in a file or was typed; `text` is what a
    notebook says before the code, with formulas.  `code` is Python without imports, each simple statement on
    one line; `imports` are references to names in it, besides those of `engine`.  A cell with a `picture`
    draws, and is for notebooks.
    """

    title: str
    code: str = ""
    text: str = ""
    picture: bool = False
    imports: tuple[str, ...] = ()

    @classmethod
    def of(cls, title: str, lines: Iterable[str], text: str = "") -> ScriptCell:
        """Return a section with these lines; empty ones are left out."""
        return cls(title, "\n".join(line for line in lines if line), text)


NOT_WRITTEN = ScriptCell(
    "The open picture cannot be written as a script",
    "# The other numbers of the page follow.",
)
"""Replaces a picture whose numbers no script can compute: a visible gap, not a silent one."""


def said(label: str, expression: str, *, private: bool = True) -> str:
    """Return a line that prints a number, marked if it must not be shared."""
    return f'print("{label}{" (confidential)" * private}:", {expression})'
