"""The ledger of a user: where it is, opened when it is needed, and what is written in it about a release."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.components import release_parameters

if TYPE_CHECKING:
    from engine.data import TableSketch
    from engine.ledger import Account, Ledger, Limit
    from engine.mechanisms.base import Mechanism


def default_ledger() -> Path:
    """Return the file in the user's data folder that the window and the command line share."""
    if sys.platform == "linux":  # as platformdirs has it, which takes longer to import than a release
        folder = os.environ.get("XDG_DATA_HOME", "")
        return Path(
            folder if folder.strip() else "~/.local/share", "Sensiscope", "ledger.sqlite"
        ).expanduser()
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "ledger.sqlite"


class LazyLedger:
    """Stands for a `Ledger`, so that a window opens at once, and whatever is wrong with the file.

    It is opened by the first worker that needs it, and again until that succeeds.
    Everything but `path` may take long and belongs in a worker.  All of it raises `LedgerError`.

    Parameters
    ----------
    path : Path or None
        The file; None for a ledger in memory, which is forgotten at the end.

    Attributes
    ----------
    first : Limit or None
        The limit that an account begins with, of which nothing was ever written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.first: Limit | None = None
        self._opening = threading.Lock()
        self._opened: Ledger | None = None

    @property
    def opened(self) -> Ledger:
        """The ledger itself."""
        from engine.ledger import Ledger

        with self._opening:
            if self._opened is None:
                self._opened = Ledger(self.path)
            return self._opened

    @property
    def key_id(self) -> str:
        """As of `Ledger`."""
        return self.opened.key_id

    @property
    def begun_after(self) -> str:
        """As of `Ledger`."""
        return self.opened.begun_after

    @property
    def exposed(self) -> str:
        """As of `Ledger`."""
        return self.opened.exposed

    def keyed(self, purpose: str, content: bytes) -> str:
        """Return what `Ledger.keyed` does."""
        return self.opened.keyed(purpose, content)

    def account(
        self,
        digest: str,
        title: str = "",
        *,
        former: str = "",
        sketch: TableSketch | None = None,
        others: Sequence[str] = (),
    ) -> Account:
        """Return the account of a dataset, with its first limit."""
        return self.opened.account(digest, title, self.first, former, sketch, others)

    def accounts(self) -> list[Account]:
        """Return all accounts."""
        return self.opened.accounts()

    def set_aside(self) -> Path:
        """Set a damaged ledger aside and begin a new one; return the name that the old one has now.

        Only the user may decide this.
        """
        from engine.ledger import Ledger, LedgerError

        if self.path is None:
            raise LedgerError("a ledger in memory is no file that could be set aside")
        with self._opening:
            moved = Ledger.set_aside(self.path)
            self._opened = None
        return moved


def about_release(name: str, of: str, mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return what an entry says of a release: its name in the catalog, of which columns, and how; public."""
    return {"release": name, "of": of, "method": mechanism.name, "parameters": parameters_of(mechanism)}


def parameters_of(mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return all public parameters of what is asked and of how it is released, those of the noise last."""
    from engine.noise import Noise

    noise = getattr(getattr(mechanism, "aggregator", mechanism), "noise", None)
    return release_parameters(mechanism) | (
        {"noise": noise.name, **noise.settings()} if isinstance(noise, Noise) else {}
    )
