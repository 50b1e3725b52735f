"""What is kept in a session file, and how such files end: all that a window needs before there is one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from app.model.state import SessionState
from app.model.view_states import ViewState

SUFFIX = ".sensiscope"


@dataclasses.dataclass(frozen=True, eq=False)
class SessionSnapshot:
    """What the user works on: the session, and how all pages and workspaces look."""

    state: SessionState
    view_states: Mapping[str, ViewState]
