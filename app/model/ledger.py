"""The user's ledger: its location, its opening, and the entry for a release."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.components import release_parameters
from engine.user_data import default_ledger as default_ledger

if TYPE_CHECKING:
    from engine.data import TableSketch
    from engine.ledger import Account, Ledger, Limit
    from engine.mechanisms.base import Mechanism


class LazyLedger:
    """Opens a `Ledger` on first use, so that a window opens at once, even if the file is damaged.

    The first worker that needs the ledger opens it; after a failure, the next one tries again. Everything
    except `path` may be slow, so call it in a worker. All of it raises `LedgerError`.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path  # None for a temporary ledger in memory
        self.first: Limit | None = None  # the limit of new accounts
        self._opening = threading.Lock()
        self._opened: Ledger | None = None

    @property
    def opened(self) -> Ledger:
        from engine.ledger import Ledger

        with self._opening:
            if self._opened is None:
                self._opened = Ledger(self.path)
            return self._opened

    @property
    def key_id(self) -> str:
        """See `Ledger`."""
        return self.opened.key_id

    @property
    def begun_after(self) -> str:
        """See `Ledger`."""
        return self.opened.begun_after

    @property
    def exposed(self) -> str:
        """See `Ledger`."""
        return self.opened.exposed

    def keyed(self, purpose: str, content: bytes) -> str:
        """Return `Ledger.keyed`."""
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
        """Return the account of a dataset; a new one gets the first limit."""
        return self.opened.account(digest, title, self.first, former, sketch, others)

    def accounts(self) -> list[Account]:
        return self.opened.accounts()

    def set_aside(self) -> Path:
        """Set a damaged ledger aside and start a new one; return the new name of the old one.

        Call it only if the user decides so.
        """
        from engine.ledger import Ledger, LedgerError

        if self.path is None:
            raise LedgerError("a ledger in memory has no file to set aside")
        with self._opening:
            moved = Ledger.set_aside(self.path)
            self._opened = None
        return moved


AnyLedger: TypeAlias = "Ledger | LazyLedger"
"""A ledger that is open, or that opens on first use; every method may raise a `SensiscopeError`."""


def about_release(name: str, of: str, mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return the public facts of a ledger entry: the mechanism's name, its columns and parameters."""
    return {"release": name, "of": of, "method": mechanism.name, "parameters": parameters_of(mechanism)}


def parameters_of(mechanism: Mechanism[Any]) -> dict[str, Any]:
    """Return all public parameters of the query and the mechanism; those of the noise come last."""
    from engine.noise import Noise

    noise = getattr(getattr(mechanism, "aggregator", mechanism), "noise", None)
    return release_parameters(mechanism) | (
        {"noise": noise.name, **noise.settings()} if isinstance(noise, Noise) else {}
    )
