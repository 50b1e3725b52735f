"""Questions of the sheet, with their releases."""

from __future__ import annotations

import dataclasses

from app.model.release_record import ReleaseRecord
from engine.questions.question import Question


@dataclasses.dataclass(frozen=True)
class AskedQuestion:
    """One row of the sheet.

    Attributes
    ----------
    question : Question
    released : ReleaseRecord or None
        Its release, one of `SessionState.releases`; None while it was not released.
    """

    question: Question
    released: ReleaseRecord | None = None
