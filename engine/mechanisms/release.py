"""The result of a mechanism: its public part, and diagnostics that stay confidential."""

from __future__ import annotations

import dataclasses
import importlib
import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine import __version__
from engine.errors import DataError, WrongCall
from engine.numerals import short
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, silent
from engine.shown import in_short, rows_in_html

if TYPE_CHECKING:
    from engine.mechanisms.answer_rows import AnswerRow

LONG = 300
"""Longer values are abbreviated when a release is shown."""


class NoDiagnostics(DataError, KeyError):
    """Raised when reading diagnostics from a release that has none."""

    __str__ = Exception.__str__  # a KeyError puts its message in quotes


class Private(Mapping[str, Any]):
    """A mapping of numbers computed from raw data, which are not a release.

    Its ``repr`` shows the names but no values, so that these do not end up in a log or a report.  It stays
    in the process that computed it: a copy or a pickle is empty.

    Parameters
    ----------
    items : mapping
        Known values.
    later : mapping of functions, optional
        Functions that compute a value at its first use; each takes a `Progress`.

    See Also
    --------
    Release

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

    __slots__ = ("_items", "_later")  # no `__dict__`, which `vars` would show

    def __init__(
        self, items: Mapping[str, Any], later: Mapping[str, Callable[[Progress], Any]] | None = None
    ) -> None:
        self._later = dict(later or {})
        self._items = {**dict.fromkeys(self._later), **items}

    def __reduce__(self) -> tuple[type[Private], tuple[dict[str, Any]]]:
        """Make a copy or a pickle empty."""
        return Private, ({},)

    def __getitem__(self, key: str) -> Any:
        return self.fetch(key)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def fetch(self, key: str, progress: Progress = silent) -> Any:
        """Return the value of a name; report to `progress` if it must be computed first.

        Raises
        ------
        NoDiagnostics
            If there are no values at all, as in a stored or copied release.
        KeyError
            If there is no value of that name.
        """
        if not self._items:
            raise NoDiagnostics(
                f"no {key}: diagnostics are confidential and exist only in the original release, not in a "
                "copy or a stored release"
            )
        find = self._later.get(key)
        if find is not None:
            self._items[key] = find(progress)
            self._later.pop(key, None)  # another thread may have computed it, too
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Private({', '.join(self._items)})"


def plain_value(value: Any) -> Any:
    """Return a value with dictionaries, lists, texts and finite numbers only; None for other numbers."""
    if isinstance(value, Mapping):
        return {str(name): plain_value(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_value(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int) or value is None else str(value)


@dataclasses.dataclass(frozen=True)
class Release:
    """A result that can be shared, with a description of how it was made.

    `run` of a mechanism, such as `SmoothRelease`, makes one.

    Attributes
    ----------
    mechanism, query : str
        Names of the mechanism and the query in the catalog.  JSON of the command line and `to_dict` call them
        `method` and `query`; their `mechanism` is the name after ``sensiscope run``, which is the query.
    value : float, list or None
        The released value; None if the mechanism refused to answer.
    privacy : Privacy
        Cost of the release.
    noise : mapping
        ``family``, its parameters, ``alpha`` and ``beta`` if they apply; public.
    parameters : mapping
        All other public parameters.
    error : float or None
        Half-width of an interval that holds the error with probability 95 %.  None if it is not public:
        it must not depend on the data, unless a share of epsilon paid for it.
    simulated : bool
        True if it was drawn with a seed; then it is not a release.
    step : float, list of float or None
        Spacing of the public grid of the released numbers; a list if it differs between coordinates.  If
        the numbers are sums of noisy counts, the spacing of these counts.  None if no number is released.
    exact : bool
        Whether privacy is shown for the program, to the last bit, and not for real numbers alone.
    diagnostics : Private
        Everything confidential: the true value, S*, the scale ...  Empty in a copy or a stored release.
    neighbours : str
        The neighbour relation for which the privacy holds.
    version : str
        Version of the program that made it.

    See Also
    --------
    Mechanism, Private
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

    @property
    def method(self) -> str:
        """Name of the mechanism in the catalog, as sheets and JSON call it."""
        return self.mechanism

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the only released number; None for others, and without a public one."""
        return self.rows[0].interval if isinstance(self.value, int | float) else None

    @property
    def rows(self) -> tuple[AnswerRow, ...]:
        """The released numbers by group, cell or condition, with `group`, `value` and `interval` (95 %)."""
        from engine.mechanisms.answer_rows import rows_of

        return tuple(rows_of(self))

    def __float__(self) -> float:
        if isinstance(self.value, int | float):
            return float(self.value)
        held = "no number: the mechanism refused to answer" if self.value is None else "more than a number"
        raise WrongCall(f"the release holds {held}; read release.value")

    def __format__(self, specification: str) -> str:
        """Format the released value by a specification such as ".2f"; the whole release without one."""
        return format(float(self), specification) if specification else str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all public fields and the interval as plain values, with the names of JSON."""
        names = [
            one.name for one in dataclasses.fields(Release) if one.name not in ("mechanism", "diagnostics")
        ]
        fields = {name: getattr(self, name) for name in ("method", *names)}
        fields |= {"mechanism": self.query}  # as the command line spells it
        fields |= {"privacy": {"epsilon": self.privacy.epsilon, "delta": self.privacy.delta}}
        fields |= {"interval": self.interval}
        plain: dict[str, Any] = plain_value(fields)
        return plain

    def to_pandas(self) -> Any:
        """Return the released value as a pandas frame: a row for each number, or for each point."""
        rows = [dataclasses.asdict(row) for row in self.rows]
        value = [self.value] if isinstance(self.value, Mapping | str) else self.value
        return importlib.import_module("pandas").DataFrame(rows or value)

    def plot(self, axes: Any = None) -> Any:
        """Draw the released value on axes of matplotlib, or on new ones; return the axes."""
        from engine.mechanisms.release_plot import plot_release

        return plot_release(self, axes)

    def __getstate__(self) -> dict[str, Any]:
        """Return everything that may be copied or stored."""
        return {**vars(self), "diagnostics": Private({})}

    def __repr__(self) -> str:
        """Show every field, with long values abbreviated: a histogram may have thousands of cells."""
        fields = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            written = repr(value)
            fields.append(f"{field.name}={written if len(written) <= LONG else in_short(value)}")
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table of the public fields for a notebook."""

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
