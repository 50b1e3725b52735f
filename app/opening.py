"""Opening data: reading in a job, asking for bounds, and only then replacing what is there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal

from app.jobs import Failure, Jobs, Task
from app.session import Session
from app.state import EXAMPLE, Dataset

if TYPE_CHECKING:
    from app.panels.import_dialog import ImportChoice
    from engine.data import Numbers


def read_file(path: Path, task: Task) -> Dataset:
    """Read a file (in a worker)."""
    from engine.data import read_table

    return Dataset(read_table(path, progress=task), f"file:{path.resolve()}", path=path)


def read_numbers(dataset: Dataset, fields: dict[str, Any], task: Task) -> tuple[Dataset, dict[str, Any]]:
    """Read the column that `fields` name and add its numbers to them (in a worker)."""
    task(0.0, f"reading column '{fields['column']}'")
    numbers: Numbers = dataset.table.numbers(fields["column"], missing=fields["missing"])
    return dataset, {**fields, "numbers": numbers}


def read_example(name: str, task: Task) -> tuple[Dataset, dict[str, Any]]:
    """Read a bundled example with the bounds on its card (in a worker)."""
    from engine.data import EXAMPLES, load_example

    card = EXAMPLES[name]
    dataset = Dataset(load_example(name), f"example:{name}", example=name)
    fields = {
        "column": card.column,
        "missing": "drop",
        "lower": card.lower,
        "upper": card.upper,
        "origin": "known",
    }
    return read_numbers(dataset, fields, task)


def read_again(path: Path, fields: dict[str, Any], task: Task) -> tuple[Dataset, dict[str, Any]]:
    """Read a file with what was decided about it the last time (in a worker)."""
    return read_numbers(read_file(path, task), fields, task)


class Opener(QObject):
    """Brings data into the session; a load that fails leaves the session as it was.

    Signals
    -------
    read(Dataset, str)
        Somebody must now ask for column and bounds; the column to begin with, or "".
    opened()
        The session has new data.
    failed(Failure)
        A load that ended with an error.
    """

    read = Signal(object, str)
    opened = Signal()
    failed = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._fallback = False
        self.reading = jobs.channel("read")
        self.reading.result.connect(self._on_result)
        self.reading.failed.connect(self._on_failed)

    def open_file(self, path: str | Path) -> None:
        """Read a file; `read` tells when its column and bounds can be asked for."""
        self._fallback = self._session.state.dataset is None
        self.reading.request(partial(read_file, Path(path)))

    def open_example(self, name: str) -> None:
        """Open a bundled example, with the public bounds on its card."""
        self._fallback = False
        self.reading.request(partial(read_example, name))

    def open_choice(self, choice: ImportChoice) -> None:
        """Open what was decided in the dialog."""
        fields = {
            "column": choice.column,
            "missing": choice.missing,
            "lower": choice.lower,
            "upper": choice.upper,
            "origin": choice.origin,
        }
        self._read_numbers(choice.dataset, fields)

    def choose_column(self, column: str) -> None:
        """Look at another column; its bounds have to be declared anew."""
        state = self._session.state
        if state.dataset is None or column == state.column:
            return
        if state.dataset.column(column).missing:
            # what to do about missing values is to be asked, too
            self.read.emit(state.dataset, column)
        else:
            fields = {"column": column, "missing": "refuse", "lower": None, "upper": None, "origin": "known"}
            self._read_numbers(state.dataset, fields)

    def choose_missing(self, missing: str) -> None:
        """Treat missing values differently."""
        state = self._session.state
        if state.dataset is not None and missing != state.missing:
            kept = ("column", "lower", "upper", "origin")
            self._read_numbers(
                state.dataset, {"missing": missing, **{name: getattr(state, name) for name in kept}}
            )

    def restore(self, settings: QSettings) -> bool:
        """Open what the last session ended with; False when that is not possible any more."""
        path = settings.value("data/path", "")
        if not path or not Path(str(path)).is_file():
            return False
        try:
            fields = {
                "column": str(settings.value("data/column")),
                "missing": str(settings.value("data/missing", "refuse")),
                "lower": float(str(settings.value("data/lower"))),
                "upper": float(str(settings.value("data/upper"))),
                "origin": str(settings.value("data/origin", "known")),
            }
        except ValueError:
            return False
        self._fallback = True
        self.reading.request(partial(read_again, Path(str(path)), fields))
        return True

    def remember(self, settings: QSettings) -> None:
        """Store what `restore` needs: choices, never data."""
        state = self._session.state
        settings.remove("data")
        if state.dataset is not None and state.dataset.path and None not in (state.lower, state.upper):
            settings.setValue("data/path", str(state.dataset.path.resolve()))
            for name in ("column", "missing", "lower", "upper", "origin"):
                settings.setValue(f"data/{name}", getattr(state, name))

    def _read_numbers(self, dataset: Dataset, fields: dict[str, Any]) -> None:
        self.reading.request(partial(read_numbers, dataset, fields))

    def _on_result(self, result: Any) -> None:
        if isinstance(result, Dataset):
            self.read.emit(result, "")
            return
        dataset, fields = result
        self._fallback = False
        same = dataset is self._session.state.dataset
        self._session.open_dataset(
            dataset, "change the column" if same else f"open {dataset.title}", **fields
        )
        self.opened.emit()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        if self._fallback and self._session.state.dataset is None:
            # a first window is never empty, whatever was wrong with the file
            self.open_example(EXAMPLE)
