"""How numbers are written: as was chosen in the settings, in all that is seen."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QObject

from app.model.chosen_numbers import keep
from app.model.wording.number_format import SYSTEM, name_for, use
from app.session import Session
from app.settings import Settings
from app.window.pages import Pages
from app.window.result_controller import ResultController


def use_format(name: str) -> None:
    """Write numbers from now on as was chosen in the settings."""
    system = QLocale.system()
    use(name_for(system.decimalPoint(), system.groupSeparator()) if name == SYSTEM else name)


class NumberController(QObject):
    """Writes everything anew when other signs are chosen."""

    def __init__(self, session: Session, settings: Settings, pages: Pages, results: ResultController) -> None:
        super().__init__(session)
        self._session = session
        self._settings = settings
        self._pages = pages
        self._results = results
        settings.changed.connect(self._on_settings)

    def _on_settings(self, names: frozenset[str]) -> None:
        if "numbers" in names:
            use_format(self._settings["numbers"])
            keep(self._settings["numbers"])
            self._session.announce_all()
            for view in self._pages.there:
                view.rewrite()
            self._results.rewrite()
