"""What `run` needs of anything that can be released, whatever data it reads."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import plain

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.mechanisms.base import Mechanism
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy
    from engine.progress import Progress


class Sanitization(abc.ABC):
    """A mechanism as the options describe it, and the words for what it releases."""

    mechanism: Mechanism[Any]
    meant: ClassVar[Mapping[str, str]] = {}
    """What the names of private facts mean, where they need to be explained."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """What is released, by its name in the catalog."""

    @property
    @abc.abstractmethod
    def reads(self) -> str:
        """Which kind of data it is released of."""

    def fitted(self, data: LoadedRecords, asked: Privacy) -> Sanitization:
        """Return it with all that follows from what is public about the data."""
        return self

    @abc.abstractmethod
    def parameters(self, release: Release, data: LoadedRecords) -> dict[str, Any]:
        """Return all public parameters for the JSON."""

    @abc.abstractmethod
    def diagnostics(self, prepared: Prepared, data: LoadedRecords) -> dict[str, Any]:
        """Return what is private, as plain numbers and lists."""

    def found_out(self, release: Release, prepared: Prepared, data: LoadedRecords) -> dict[str, Any]:
        """Return what is private of the release itself, at once: a release is not to be lost."""
        return {}

    def truth(self, data: LoadedRecords, progress: Progress) -> dict[str, Any]:
        """Return what is private of that which `learned` estimates."""
        return {}

    def learned(
        self, release: Release, data: LoadedRecords, rng: np.random.Generator, progress: Progress
    ) -> dict[str, Any]:
        """Return what follows from the release alone, as far as that was asked for."""
        return {}

    def learned_rows(self, learned: Mapping[str, Any], data: LoadedRecords) -> list[tuple[str, str]]:
        """Return what was learned as labels and words."""
        return []

    def kept(
        self, release: Release, data: LoadedRecords, rng: np.random.Generator, progress: Progress
    ) -> Iterator[str]:
        """Write files that follow from the release alone, as far as that was asked for; yield their names."""
        yield from ()

    def private_rows(self, private: Mapping[str, Any], data: LoadedRecords) -> list[tuple[str, str]]:
        """Return what is private as labels and words."""
        return [(self.meant.get(name, name), plain(value, 8)) for name, value in private.items()]

    @abc.abstractmethod
    def value(self, release: Release, data: LoadedRecords) -> str:
        """Say in a few words what was released."""

    @abc.abstractmethod
    def rows(self, data: LoadedRecords) -> list[tuple[str, str]]:
        """Return what is public about data and mechanism, as labels and words."""

    def table(self, release: Release, data: LoadedRecords) -> str:
        """Return what was released as a table, "" if it is said in `value`."""
        return ""

    @abc.abstractmethod
    def error(self, release: Release, data: LoadedRecords) -> str:
        """Say how large the error is, where that is public."""

    @abc.abstractmethod
    def remarks(self, release: Release, data: LoadedRecords) -> Iterator[str]:
        """Yield what is to be said plainly, from public facts alone."""

    @abc.abstractmethod
    def figure(
        self, release: Release, prepared: Prepared, data: LoadedRecords, asked: Privacy, *, show_private: bool
    ) -> Figure:
        """Draw what was released: the curator's view, or only what may leave the room."""


class PicturedSanitization(Sanitization):
    """A sanitization that is drawn in one panel."""

    def figure(
        self, release: Release, prepared: Prepared, data: LoadedRecords, asked: Privacy, *, show_private: bool
    ) -> Figure:
        """Draw what was released, for the curator with what is private."""
        from app.releases.figures import figure

        return figure(self.panel(release, prepared, data, show_private=show_private))

    @abc.abstractmethod
    def panel(
        self, release: Release, prepared: Prepared, data: LoadedRecords, *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of what was released."""
