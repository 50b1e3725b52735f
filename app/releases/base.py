"""What `run` needs of anything that can be released, whatever data it reads."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from app.model.loaded import DatabaseT, LoadedRecords
from app.model.wording.console import plain
from engine.mechanisms import Mechanism, Prepared, Release, Sanitizer

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from app.releases.figures import FigurePanel
    from engine.mechanisms.base import Mechanism
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy
    from engine.progress import Progress


PreparedT = TypeVar("PreparedT", bound=Prepared)
ReleaseT = TypeVar("ReleaseT", bound=Release)


class Sanitization(abc.ABC, Generic[DatabaseT, PreparedT, ReleaseT]):
    """A mechanism as the options describe it, and the words for what it releases."""

    mechanism: Mechanism[Any]
    explanations: ClassVar[Mapping[str, str]] = {}
    """What the names of private facts mean, where they need to be explained."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """What is released, by its name in the catalog."""

    @property
    @abc.abstractmethod
    def reads(self) -> str:
        """Which kind of data it is released of."""

    def fit(self, data: LoadedRecords[DatabaseT], privacy: Privacy) -> Self:
        """Return it with all that follows from what is public about the data."""
        return self

    @abc.abstractmethod
    def parameters(self, release: ReleaseT, data: LoadedRecords[DatabaseT]) -> dict[str, Any]:
        """Return all public parameters for the JSON."""

    @abc.abstractmethod
    def diagnostics(self, prepared: PreparedT, data: LoadedRecords[DatabaseT]) -> dict[str, Any]:
        """Return what is private, as plain numbers and lists."""

    def assess(
        self, release: ReleaseT, prepared: PreparedT, data: LoadedRecords[DatabaseT]
    ) -> dict[str, Any]:
        """Return what is private of the release itself, at once: a release is not to be lost."""
        return {}

    def truth(self, data: LoadedRecords[DatabaseT], progress: Progress) -> dict[str, Any]:
        """Return what is private of that which `estimate` finds."""
        return {}

    def estimate(
        self, release: ReleaseT, data: LoadedRecords[DatabaseT], rng: np.random.Generator, progress: Progress
    ) -> dict[str, Any]:
        """Return what follows from the release alone, as far as it is wanted."""
        return {}

    def estimate_rows(
        self, estimates: Mapping[str, Any], data: LoadedRecords[DatabaseT]
    ) -> list[tuple[str, str]]:
        """Return estimates as labels and words."""
        return []

    def write_files(
        self, release: ReleaseT, data: LoadedRecords[DatabaseT], rng: np.random.Generator, progress: Progress
    ) -> Iterator[str]:
        """Write files that follow from the release alone, as far as they are wanted; yield their names."""
        yield from ()

    def private_rows(
        self, private: Mapping[str, Any], data: LoadedRecords[DatabaseT]
    ) -> list[tuple[str, str]]:
        """Return what is private as labels and words."""
        return [(self.explanations.get(name, name), plain(value, 8)) for name, value in private.items()]

    @abc.abstractmethod
    def value(self, release: ReleaseT, data: LoadedRecords[DatabaseT]) -> str:
        """Say in a few words what was released."""

    @abc.abstractmethod
    def rows(self, data: LoadedRecords[DatabaseT]) -> list[tuple[str, str]]:
        """Return what is public about data and mechanism, as labels and words."""

    def table(self, release: ReleaseT, data: LoadedRecords[DatabaseT]) -> str:
        """Return what was released as a table, "" if it is said in `value`."""
        return ""

    @abc.abstractmethod
    def error(self, release: ReleaseT, data: LoadedRecords[DatabaseT]) -> str:
        """Say how large the error is, where that is public."""

    @abc.abstractmethod
    def remarks(self, release: ReleaseT, data: LoadedRecords[DatabaseT]) -> Iterator[str]:
        """Yield what is to be said plainly, from public facts alone."""

    @abc.abstractmethod
    def figure(
        self,
        release: ReleaseT,
        prepared: PreparedT,
        data: LoadedRecords[DatabaseT],
        privacy: Privacy,
        *,
        show_private: bool,
    ) -> Figure:
        """Draw what was released: the curator's view, or only what may leave the room."""


class PicturedSanitization(Sanitization[DatabaseT, PreparedT, ReleaseT]):
    """A sanitization that is drawn in one panel."""

    mechanism: Sanitizer[Any]

    def figure(
        self,
        release: ReleaseT,
        prepared: PreparedT,
        data: LoadedRecords[DatabaseT],
        privacy: Privacy,
        *,
        show_private: bool,
    ) -> Figure:
        """Draw what was released, for the curator with what is private."""
        from app.releases.figures import figure

        return figure(self.panel(release, prepared, data, show_private=show_private))

    @abc.abstractmethod
    def panel(
        self, release: ReleaseT, prepared: PreparedT, data: LoadedRecords[DatabaseT], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of what was released."""
