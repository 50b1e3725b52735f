"""What leaves, and what must not: the result of a mechanism."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine import __version__
from engine.errors import DataError
from engine.numerals import short
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, silent
from engine.shown import in_short, rows_in_html

LONG = 300
"""Characters of a value from which on it is shown in short."""


class NoDiagnostics(DataError, KeyError):
    """A release without diagnostics was asked for one of them."""

    __str__ = Exception.__str__  # a KeyError puts its message in quotes


class Private(Mapping[str, Any]):
    """What is computed from raw data and is not a release.

    Reads like a mapping, but never shows its content in ``repr``, so that it does
    not end in a log or a report by accident.  It stays in the process that computed it: a
    copy is empty, and so is one that comes out of a pickle.

    Parameters
    ----------
    items : mapping
        What is known.
    later : mapping of functions, optional
        What is worked out when it is asked for, once; each reports to a `Progress`.

    Examples
    --------
    >>> diagnostics = Private({"true_value": 41.0})
    >>> diagnostics, diagnostics["true_value"]
    (Private(true_value), 41.0)

    A copy is empty.

    >>> import copy
    >>> copy.deepcopy(diagnostics)
    Private()
    """

    __slots__ = ("_items", "_later")  # and no dictionary, which `vars` would show

    def __init__(
        self, items: Mapping[str, Any], later: Mapping[str, Callable[[Progress], Any]] | None = None
    ) -> None:
        self._later = dict(later or {})
        self._items = {**dict.fromkeys(self._later), **items}

    def __reduce__(self) -> tuple[type[Private], tuple[dict[str, Any]]]:
        """Copy, and arrive in another process, without content."""
        return Private, ({},)

    def __getitem__(self, key: str) -> Any:
        return self.fetch(key)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def fetch(self, key: str, progress: Progress = silent) -> Any:
        """Return what is known by a name; what has to be worked out for it reports to `progress`.

        Raises
        ------
        NoDiagnostics
            If nothing is known at all, as of a release that was stored or copied.
        KeyError
            If there is nothing of that name.
        """
        if not self._items:
            raise NoDiagnostics(
                f"no {key} is known: diagnostics are confidential and stay with the release as it was made; "
                "a copy and a stored release have none"
            )
        find = self._later.get(key)
        if find is not None:
            self._items[key] = find(progress)
            self._later.pop(key, None)  # another thread may have found it, too
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Private({', '.join(self._items)})"


@dataclasses.dataclass(frozen=True)
class Release:
    """What can be shared, and how it was made.

    `SmoothRelease`, like every mechanism, makes one by `run`.

    Attributes
    ----------
    mechanism, query : str
        Names in the catalog: how it was released, and what.
    value : float, list or None
        The released value; None where the mechanism refused to answer.
    privacy : Privacy
        What the release cost.
    noise : mapping
        ``family``, its parameters, ``alpha`` and ``beta`` where they apply; public.
    parameters : mapping
        All other public parameters.
    error : float or None
        Half-width that holds the error with probability 95 %, only where it is public: it does not
        depend on the data, or a share of epsilon paid for it.
    simulated : bool
        True when it was drawn with a seed: then it is not a release at all.
    step : float, list of float or None
        Spacing of the public grid on which the released numbers lie, one for each coordinate where
        they differ; of numbers that are made of noisy ones (counts that add up), that of the noisy
        ones.  None for what is not a number.
    exact : bool
        Whether the privacy holds for the program, to the last bit, and not for real numbers alone; as long
        as nobody has shown that, it does not.
    diagnostics : Private
        Everything that must not leave: the true value, S*, the scale ...  A copy of the release has
        none, nor has one that was stored.
    neighbours : str
        Between which databases the privacy holds.
    version : str
        Of the program that made it.
    """

    mechanism: str
    query: str
    value: Any
    privacy: Privacy
    noise: Mapping[str, Any]
    parameters: Mapping[str, Any]
    error: float | None
    simulated: bool
    diagnostics: Private = dataclasses.field(compare=False)
    step: float | list[float] | None = None
    exact: bool = False
    neighbours: str = NEIGHBOURS
    version: str = __version__

    def __getstate__(self) -> dict[str, Any]:
        """Return all that may be copied or stored."""
        return {**vars(self), "diagnostics": Private({})}

    def __repr__(self) -> str:
        """Name every field, and a long value in short: a histogram may have thousands of cells."""
        fields = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            written = repr(value)
            fields.append(f"{field.name}={written if len(written) <= LONG else in_short(value)}")
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table for a notebook, with nothing in it but what may leave."""
        promise = f"ε = {short(self.privacy.epsilon)}, δ = {short(self.privacy.delta)}, {self.neighbours}"
        is_private = math.isfinite(self.privacy.epsilon)
        rows = [
            ("value", in_short(self.value)),
            ("what", self.query if self.mechanism == self.query else f"{self.query}, by {self.mechanism}"),
            ("privacy", promise if is_private else "none: not differentially private"),
            ("noise", in_short(self.noise)),
            ("error (95 %)", "" if self.error is None else short(self.error)),
            ("to the last bit", "yes" if self.exact else "not verified"),
        ]
        title = "Simulation: not a release" if self.simulated else "Release"
        return rows_in_html(title, [row for row in rows if row[1]])
