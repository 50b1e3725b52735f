"""Choose a file, and answer the questions about it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from app.jobs.channels import Failure
from app.model.additions import LoadQuestion, load_question
from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.views import CURATOR
from app.panels.reading_form import ReadingDialog
from app.panels.reading_preview import ReadingPreviewDialog
from app.widgets.asking import ChoiceDialog
from app.widgets.dialogs import SaveDialog, open_dialog
from app.widgets.messages import Offer
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts
from engine.data.edges import DUPLICATES, LOOPS, UndecidedEdges
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError

NOTHING = "The clipboard holds no table: copy cells first, with the names of the columns above them"
PASTED = "Text with tabs (*.tsv);;Comma-separated text (*.csv)"
OTHERS = "Sensiscope sessions (*.sensiscope);;All files (*)"
TREATMENTS = {
    "duplicates": ("Rows that repeat an edge", "Several rows join the same two vertices.", DUPLICATES),
    "loops": ("Rows that join a vertex to itself", "Such a loop is part of no tree and no triangle.", LOOPS),
}
"""Title, explanation and possible treatments of the edges that a file leaves open, by option."""


class ImportController(Controller):
    """Shows the dialogs between choosing a file and its data in the session."""

    dialog: ReadingPreviewDialog | None  # asks how a file is read

    file_chosen = Signal(str)  # this file is to be opened

    def __init__(self, parts: WindowParts, data: OpenController) -> None:
        super().__init__(parts)
        self._data = data
        data.reading_needed.connect(self.ask_reading)
        data.opened.connect(self._on_opened)
        data.failed.connect(self._on_failed)

    def ask_file(self) -> None:
        data = PAGE_KINDS[self._session.state.page]
        file = data.file if self._data.page_has_files else "a table"
        dialog = open_dialog(self._window, f"Open {file}", f"{data.kinds[0].files};;{OTHERS}")
        dialog.fileSelected.connect(self.file_chosen)
        dialog.open()

    def paste(self) -> None:
        """Save the table on the clipboard to a file, and open it."""
        text = QGuiApplication.clipboard().text()
        if len(text.splitlines()) < 2:
            self._status.show_message(NOTHING)
            return
        dialog = SaveDialog(self._window, "Save the pasted table", "pasted.tsv", PASTED)
        dialog.fileSelected.connect(partial(self._save_pasted, text))
        dialog.open()

    def _save_pasted(self, text: str, chosen: str) -> None:
        try:
            Path(chosen).write_text(text, encoding="utf-8")
        except OSError as error:
            self._status.show_failure(Failure.of(error))
            return
        self.file_chosen.emit(chosen)

    def ask_reading(self, dataset: Dataset) -> None:
        """Show how a file is read; the user may change that."""
        curator, shown = self._session.state.view == CURATOR, self._reading_shown(dataset)
        dialog = ReadingPreviewDialog(dataset, self._window, curator=curator, reading_shown=shown)
        dialog.taken.connect(self._data.take)
        dialog.reading_changed.connect(self._read_otherwise)
        self._open_dialog(dialog)

    def _reading_shown(self, dataset: Dataset) -> bool:
        """Return whether the options of the same file are visible, and stay so."""
        before = self.dialog
        return before is not None and before.asks_reading and before.dataset.path == dataset.path

    def _on_opened(self) -> None:
        self.close()
        self._status.show_view()

    def _ask_to_read(self, question: LoadQuestion) -> None:
        """Read a file only if the user says so; everything else stays as it is."""
        dialog = ChoiceDialog(
            question.title, question.path.name, question.sentences, {"accept": question.accept}, self._window
        )
        dialog.answered.connect(partial(self._on_answered, question))
        dialog.open()

    def _on_answered(self, question: LoadQuestion, answer: str) -> None:
        if answer:
            self._data.read_confirmed(question.path, question.connect)
        else:
            self._status.show_message(question.declined)

    def _on_failed(self, failure: Failure) -> None:
        if question := load_question(failure.error):
            self._ask_to_read(question)
            return
        if isinstance(failure.error, UndecidedEdges) and self._data.chosen is not None:
            self._ask_edges(failure.error.option, self._status.text_of(failure))
            return
        if self.dialog is not None:
            self._status.show_failure(failure, self.dialog.messages)
            return
        asked, guessed = self._data.asked, self._data.guessed
        offer = None
        if guessed is not None and isinstance(failure.error, DataError):
            offer = Offer("Choose &columns", partial(self._data.open_blank, guessed))
        elif asked is not None and isinstance(failure.error, DataError) and asked[0].is_file():
            offer = Offer(
                "Choose &how it is read…", partial(self._ask_reading, *asked, self._status.text_of(failure))
            )
        self._status.show_failure(failure, offer=offer)

    def _ask_edges(self, option: str, problem: str) -> None:
        """Ask how to treat edges that the file leaves open; without an answer, everything stays."""
        title, why, treatments = TREATMENTS[option]
        answers = {name: (f"&{label}", "") for name, label in treatments.items() if name != "refuse"}
        assert self._data.chosen is not None
        dataset, fields = self._data.chosen
        dialog = ChoiceDialog(title, dataset.title, (problem, why), answers, self._window)
        dialog.answered.connect(partial(self._on_edges, dataset, fields, option))
        dialog.open()

    def _on_edges(self, dataset: Dataset, fields: Fields, option: str, answer: str) -> None:
        if answer:
            self._data.open_fields(dataset, {**fields, option: answer})

    def _read_otherwise(self, reading: ReadingOptions) -> None:
        assert self.dialog is not None
        dataset = self.dialog.dataset
        assert dataset.path is not None
        self._data.read_in_another_way(dataset, reading)

    def _ask_reading(self, path: Path, reading: ReadingOptions, problem: str) -> None:
        """Ask how a file is to be read that could not be read."""
        from engine.data.reading import begin_reading

        try:
            result = begin_reading(path)
        except DataError as error:
            self._status.show_message(self._status.text_of(Failure.of(error)))
            return
        dialog = ReadingDialog(path, result, reading, problem, self._window)
        again = self._data.open_file if self._data.page_has_files else self._data.open_table
        dialog.decided.connect(again)
        dialog.open()
