"""Public lists of categories, records coded by them, and choices for missing values.

Refusing or filling missing values keeps neighbours neighbours.  Leaving records out makes n private, unless n
was public before.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Ints
from engine.data.look_only import look_only, marks_of
from engine.errors import DataError, ParameterError
from engine.numerals import given, grouped
from engine.shown import ShownDatabase
from engine.signatures import Explained

OTHER = "other"
"""The category that collects undeclared values, if the caller chooses so."""

MAX_CELLS = 10**6
MAX_COLUMNS = 20


def is_iterable(value: Any) -> bool:
    """Tell whether a value can be iterated."""
    return isinstance(value, Iterable)


def label_text(label: Any) -> str:
    """Return the text of a category, as a table writes it; whole numbers and truth values are accepted."""
    if isinstance(label, bool | np.bool_):
        return str(label).lower()
    if isinstance(label, str | int | np.integer):
        return str(label).strip()
    raise ParameterError("categories", "a category is no text; give texts, or whole numbers")


@dataclasses.dataclass(frozen=True)
class CategoryDomain(metaclass=Explained):
    """The public lists of categories, one for each column.

    Choose the lists without looking at the data.  In a list made from the data, a category that only one
    person has reveals that this person is included.

    Parameters
    ----------
    columns : sequence of str
        Names of the columns.
    labels : sequence of sequence of str
        The categories of each column, in their order for display; surrounding blanks are removed.
        ``CategoryDomain({"answer": ["no", "yes"]})`` gives names and categories together.

    Raises
    ------
    ParameterError
        If there is no column, a column is repeated or has no categories, a label is empty or repeated, or
        there are more than 10^6 combinations.

    See Also
    --------
    Categories, ContingencyTable

    Examples
    --------
    Two columns, of two and three categories: six combinations.

    >>> domain = CategoryDomain(["answer", "size"], [["no", "yes"], ["S", "M", "L"]])
    >>> domain.columns, domain.labels[1]
    (('answer', 'size'), ('S', 'M', 'L'))
    """

    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]

    def __init__(
        self,
        columns: Sequence[str] | Mapping[str, Sequence[str]],
        labels: Sequence[Sequence[str]] | None = None,
    ) -> None:
        if isinstance(columns, Mapping):
            labels = tuple(columns.values())
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        lists: Any = () if labels is None else labels
        are_texts = not isinstance(lists, str) and all(isinstance(own, str) for own in lists)
        if are_texts and len(names) == 1 and not isinstance(columns, Mapping):
            lists = (lists,)  # the categories of the only column
        if isinstance(lists, str) or any(isinstance(own, str) or not is_iterable(own) for own in lists):
            raise ParameterError(
                "categories", f"{given(lists)} is no list of lists; give one list for each column"
            )
        object.__setattr__(self, "columns", names)
        object.__setattr__(self, "labels", tuple(tuple(map(label_text, own)) for own in lists))
        self._check()

    def _check(self) -> None:
        if not self.columns:
            raise ParameterError("columns", "no column is named; name at least one column of categories")
        twice = next((name for name in self.columns if self.columns.count(name) > 1), None)
        if twice is not None:
            raise ParameterError("columns", f"'{twice}' is named twice; name each column once")
        if len(self.columns) > MAX_COLUMNS:
            raise ParameterError(
                "columns", f"{len(self.columns)} columns are too many; choose at most {MAX_COLUMNS}"
            )
        if len(self.labels) != len(self.columns):
            raise ParameterError(
                "categories",
                f"there are {len(self.labels)} lists of categories for {len(self.columns)} columns "
                f"({', '.join(self.columns)}); give one list for each",
            )
        for name, own in zip(self.columns, self.labels, strict=True):
            if not own:
                raise ParameterError(
                    "categories",
                    f"column '{name}' has none; list all categories that are possible, without "
                    "looking at the data",
                )
            if "" in own:
                raise ParameterError(
                    "categories", f"column '{name}' has an empty category; give each category a name"
                )
            if len(set(own)) < len(own):
                double = next(label for index, label in enumerate(own) if label in own[:index])
                raise ParameterError(
                    "categories", f"'{double}' is listed twice for column '{name}'; list each category once"
                )
        if self.size > MAX_CELLS:
            raise ParameterError(
                "categories",
                f"{' × '.join(map(str, self.shape))} = {grouped(self.size)} combinations are too many; "
                f"at most {grouped(MAX_CELLS)} are possible: choose fewer columns, or coarser categories",
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of each column."""
        return tuple(map(len, self.labels))

    @property
    def title(self) -> str:
        """Names of the columns, joined as a title."""
        return " and ".join(self.columns)

    @property
    def size(self) -> int:
        """Number of combinations of categories."""
        return math.prod(self.shape)

    @property
    def facts(self) -> dict[str, Any]:
        """Columns and lists as a release reports them."""
        return {"columns": list(self.columns), "categories": [list(own) for own in self.labels]}

    def with_other(self) -> CategoryDomain:
        """Return the lists with a category "other" in each, appended where it is not declared."""
        return CategoryDomain(self.columns, [own if OTHER in own else (*own, OTHER) for own in self.labels])

    def codes(self, labels: Sequence[str]) -> tuple[int, ...]:
        """Return the index of one label of each column in its list; `DataError` for an unknown label."""
        if len(labels) != len(self.columns):
            raise DataError(
                f"{len(labels)} labels do not fit; give one label for each of the {len(self.columns)} columns"
            )
        for name, own, label in zip(self.columns, self.labels, labels, strict=True):
            if label not in own:
                raise DataError(f"'{label}' is not among the categories; {offered(own)}", column=name)
        return tuple(own.index(label) for own, label in zip(self.labels, labels, strict=True))

    def named(self, cell: int) -> list[str]:
        """Return the labels of the combination with this index; the last column varies fastest."""
        places = np.unravel_index(cell, self.shape)
        return [own[int(position)] for own, position in zip(self.labels, places, strict=True)]


def _coded(values: NDArray[Any], domain: CategoryDomain) -> NDArray[Any]:
    """Return codes for an array of categories, each read on its own; other arrays hold codes already."""
    if values.ndim == 1 and len(domain.columns) == 1:
        values = values[:, None]
    if values.dtype.kind not in "OUb" or values.ndim != 2 or values.shape[1] != len(domain.columns):
        return values
    codes = np.empty(values.shape, dtype=np.int64)
    for index, (name, labels) in enumerate(zip(domain.columns, domain.labels, strict=True)):
        positions = {label: code for code, label in enumerate(labels)}
        for row, value in enumerate(values[:, index].tolist()):
            text = label_text(value)
            if text not in positions:
                raise DataError(
                    "it is not among the declared categories",
                    confidential=repr(text),
                    row=row + 1,
                    column=name,
                )
            codes[row, index] = positions[text]
    return codes


class Categories(ShownDatabase):
    """n records, each with one category in every column.

    Parameters
    ----------
    codes : array_like, shape (n, k)
        The index of the category of each record and column in its public list, or the categories themselves.
        One column may have the shape (n,).
    domain : CategoryDomain
        The public lists, or a mapping of names to lists.
    release_problem : str, optional
        Why no release may be made of the records; by default derived from the codes.

    Raises
    ------
    DataError
        If there is no record, the number of columns differs from that of the lists, or a code is no index of
        a category.

    See Also
    --------
    CategoryDomain, read_categories

    Examples
    --------
    >>> from engine import CategoryDomain
    >>> data = Categories([[0], [1], [1]], CategoryDomain(["answer"], [["no", "yes"]]))
    >>> data.n
    3
    """

    kind: ClassVar[str] = "categories"

    def __init__(
        self,
        codes: ArrayLike,
        domain: CategoryDomain | Mapping[str, Sequence[str]],
        release_problem: str = "",
    ) -> None:
        problem, self.missing, self.rows_of_person = marks_of(codes)
        if not isinstance(domain, CategoryDomain | Mapping):
            raise ParameterError(
                "domain",
                f'{given(domain)} names no column; give its public list as {{"column": ["yes", "no"]}}',
            )
        domain = CategoryDomain(domain) if isinstance(domain, Mapping) else domain
        values = _coded(np.asarray(codes), domain)
        self.release_problem = release_problem or problem
        if values.ndim != 2 or values.shape[1] != len(domain.columns):
            raise DataError(
                f"an array of shape {values.shape} does not fit the categories; "
                f"it must be (n, {len(domain.columns)})"
            )
        if not len(values):
            raise DataError("there are no records; at least one is needed")
        if not np.issubdtype(values.dtype, np.integer):
            raise DataError(f"codes of type {values.dtype} are not indices of categories; give whole numbers")
        wrong = (values < 0) | (values >= np.array(domain.shape))
        if wrong.any():
            record, column = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
            raise DataError(
                f"record {record + 1} has an invalid code; it must be 0 to {domain.shape[column] - 1}",
                confidential=str(values[record, column]),
                column=domain.columns[column],
            )
        self._codes = values.astype(np.int64)
        self._codes.flags.writeable = False
        self._domain = domain

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self._codes)

    @property
    def resolution(self) -> None:
        """None: categories are not rounded."""

    @property
    def domain(self) -> CategoryDomain:
        """The public lists of categories."""
        return self._domain

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._domain.columns

    @property
    def outside(self) -> int:
        """0: categories are never clamped."""
        return 0

    @property
    def codes(self) -> Ints:
        """Indices of the categories in their lists, shape (n, k); read-only."""
        return self._codes

    @cached_property
    def table(self) -> Ints:
        """Number of records of each combination (private), with one axis per column; read-only."""
        shape = self._domain.shape
        cells = np.ravel_multi_index(tuple(self._codes.T), shape)
        counts = np.bincount(cells, minlength=self._domain.size).reshape(shape)
        counts.flags.writeable = False
        return counts

    def replaced(self, position: int, labels: Sequence[str]) -> Categories:
        """Return the neighbour in which the record at `position` (from 0) has these labels."""
        changed = self._codes.copy()
        changed[position] = self._domain.codes(labels)
        return self._as_given(changed)

    def only(self, positions: Ints) -> Categories:
        """Return only the records at `positions` (from 0)."""
        return self._as_given(self._codes[positions])

    def _as_given(self, codes: Ints) -> Categories:
        """Return the records with these codes, with the same domain and release problem."""
        return Categories(
            look_only(codes, self.release_problem, self.missing, self.rows_of_person), self._domain
        )


def offered(labels: Sequence[str], most: int = 6) -> str:
    """List the first categories for a message."""
    return f"there are {', '.join(labels[:most])}" + (", …" if len(labels) > most else "")


MISSING_CHOICES = ("refuse", "fill", "drop")
"""Choices for missing values: raise an error, fill in a public value, or leave the record out and count it.
"""


def check_choice(missing: str) -> None:
    """Raise `ParameterError` for an unknown choice."""
    if missing not in MISSING_CHOICES:
        raise ParameterError("missing", f"{missing!r} is not possible; it must be refuse, fill or drop")


def numbers_to_fill(fill: Sequence[float] | None, columns: Sequence[str]) -> list[float]:
    """Return the number that replaces missing values in each column; `ParameterError` without one."""
    numbers = [] if fill is None else [float(number) for number in fill]
    if len(numbers) != len(columns) or not np.isfinite(numbers).all():
        names = ", ".join(columns)
        raise ParameterError("fill", f"missing values of each column ({names}) need a number")
    return numbers


def weight_to_fill(fill: float | None, column: str) -> float:
    """Return the weight that replaces missing ones; `ParameterError` without one."""
    if fill is None or not 0 <= fill < np.inf:
        raise ParameterError("fill", f"missing values of {column} need a weight of at least 0")
    return fill


def places_to_fill(fill: Sequence[str] | None, domain: CategoryDomain) -> Ints:
    """Return the index of the category that replaces missing values, for each column."""
    given = list(fill or ())
    if len(given) != len(domain.columns):
        names = ", ".join(domain.columns)
        raise ParameterError("fill", f"missing values of each column ({names}) need a category")
    for name, label, labels in zip(domain.columns, given, domain.labels, strict=True):
        if label not in labels:
            problem = f"'{label}' is no category of {name}; choose one of {offered(labels)}"
            raise ParameterError("fill", problem)
    return np.array([labels.index(label) for label, labels in zip(given, domain.labels, strict=True)])
