"""The page "Questions"."""

from __future__ import annotations

from app.pages.base.view import View


class QuestionsPage(View):
    """A sheet of questions about the table."""

    name = "questions"
