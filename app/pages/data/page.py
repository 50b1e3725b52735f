"""The page "Data"."""

from __future__ import annotations

from app.pages.base.view import View


class DataPage(View):
    """The table of the program, and the public statements about its columns."""

    name = "data"
