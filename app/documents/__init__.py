"""Session files: what the user has chosen and released, where the data are, and never the data themselves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.model.state import SessionState
    from app.model.view_states import ViewState

SUFFIX = ".sensiscope"


@dataclasses.dataclass(frozen=True, eq=False)
class SessionSnapshot:
    """A snapshot of a window: its session, and the look of all pages and workspaces."""

    state: SessionState
    view_states: Mapping[str, ViewState]
