"""Exceptions for errors that users can cause.

Each message is one line: it says what is wrong, where, and how to correct it.  It is public; cells and other
content of records are only in ``error.confidential``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.plugins import are_pending

LONGEST_NAME, LONGEST_PROBLEM = 100, 700
"""Characters of a name, and of all that is wrong with a file, that a message shows."""

_BREAKS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


class SensiscopeError(Exception):
    """Base class of all errors that user input can cause.

    Parameters
    ----------
    arguments : object
        The message, which is public.

    See Also
    --------
    DataError, ParameterError

    Examples
    --------
    >>> from engine import Privacy
    >>> try:
    ...     Privacy(0.0)
    ... except SensiscopeError as error:
    ...     print(error)
    epsilon: 0 is not possible; it must be a finite number above 0
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        # hide the library's exception from tracebacks: it may quote cells
        self.__suppress_context__ = True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the confidential part."""
        return _again, (type(self), self.args, self.__dict__)

    confidential: str = ""
    """The part of the records that caused it, such as a cell; "" without one."""

    @property
    def curator_text(self) -> str:
        """The message with its confidential part: for users who may see the data."""
        return f"{self} (confidential: {self.confidential})" if self.confidential else str(self)


def _again(kind: type[SensiscopeError], arguments: tuple[Any, ...], state: dict[str, Any]) -> SensiscopeError:
    error = kind.__new__(kind)
    SensiscopeError.__init__(error, *arguments)
    error.__dict__.update(state)
    return error


class DataError(SensiscopeError):
    """A file, a column or a cell cannot be used as data.

    Parameters
    ----------
    problem : str
        The fault and how to correct it; nothing that follows from the records.
    confidential : str, optional
        The content of the records that is wrong: a cell, the name of a vertex, a count.
    source : str, optional
        The file or example with the error.
    row : int, optional
        The row as in a spreadsheet: the header of a CSV file is row 1.
    column : str, optional
        The name of the column.

    See Also
    --------
    ParameterError, SensiscopeError

    Examples
    --------
    >>> error = DataError("no number", confidential="'abc'", source="people.csv", row=7, column="age")
    >>> print(error)
    people.csv, row 7, column 'age': no number
    >>> print(error.curator_text)
    people.csv, row 7, column 'age': no number (confidential: 'abc')
    """

    def __init__(
        self,
        problem: str,
        *,
        confidential: str = "",
        source: str | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        location = [
            part
            for part in (
                source,
                None if row is None else f"row {row}",
                None if column is None else f"column '{_in_line(column, LONGEST_NAME)}'",
            )
            if part
        ]
        problem = _in_line(problem, LONGEST_PROBLEM)
        super().__init__(f"{', '.join(location)}: {problem}" if location else problem)
        self.problem = problem
        self.confidential = confidential
        self.source = source
        self.row = row
        self.column = column


def _in_line(text: str, longest: int) -> str:
    """Return text from a file on one line, shortened; names may contain anything."""
    line = _BREAKS.sub(" ", text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


class NamesInDoubt(DataError):
    """The first row of a file may hold column names or a record, and neither is stated.

    The message shows none of the cells.

    Parameters
    ----------
    source : str
        The file.
    row : int
        The row in question, as in a spreadsheet.
    likely : bool
        Whether the row looks like names: one is text, and none of its texts occurs below.
    option : str
        Spelling of the option that decides, with {} for its value.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from engine import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "iris.data")
    ...     _ = file.write_text("5.1,setosa" + chr(10) + "4.9,setosa" + chr(10))
    ...     try:
    ...         read_table(file)
    ...     except NamesInDoubt as error:
    ...         print(error.row, error.likely)
    ...     read_table(file, header="0").n
    1 False
    2
    """

    row: int
    source: str

    def __init__(self, source: str, row: int, likely: bool, option: str = 'header="{}"') -> None:
        super().__init__(
            "it could hold the names of the columns, or be a record like those below it; state "
            f"{option.format(row)} if it holds names, {option.format(0)} if it is a record",
            source=source,
            row=row,
        )
        self.likely = likely

    def spelled(self, option: str = 'header="{}"') -> NamesInDoubt:
        """Return the error with another spelling of the option, such as "--header {}"."""
        return NamesInDoubt(self.source, self.row, self.likely, option)


class ParameterError(SensiscopeError):
    """A parameter, or a combination of parameters, is not possible.

    Parameters
    ----------
    field : str
        Name of the parameter; forms show the message beside it.
    problem : str
        The fault and how to correct it; nothing that follows from the records.
    confidential : str, optional
        The content of the records that does not fit the parameter.

    See Also
    --------
    DataError, SensiscopeError

    Examples
    --------
    >>> from engine import Privacy
    >>> try:
    ...     Privacy(1.0, delta=2.0)
    ... except ParameterError as error:
    ...     print(error.field, "|", error.problem)
    delta | 2 is not possible; it must be at least 0 and below 1 (far below 1/n)
    """

    def __init__(self, field: str, problem: str, *, confidential: str = "") -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem
        self.confidential = confidential


class WrongCall(SensiscopeError, TypeError):
    """A function or class was called with wrong arguments; the message names the right ones.

    Examples
    --------
    >>> from engine import Median
    >>> try:
    ...     Median(evens="lower")
    ... except WrongCall as error:
    ...     print(error)
    Median: there is no argument 'evens'; give even
    """


class ExecutionError(SensiscopeError):
    """The executor of the work has failed; the message says what to do.

    Examples
    --------
    >>> issubclass(ExecutionError, SensiscopeError)
    True
    """


NOT_LOADED = "; installed plug-ins are not loaded yet: call sensiscope.load_plugins() before"


class UnknownName(SensiscopeError):
    """A name that is not in the catalog; the message suggests similar names.

    Parameters
    ----------
    kind : str
        The kind of thing with that name.
    name : str
    known : iterable of str
        The valid names.

    Examples
    --------
    >>> print(UnknownName("example", "salarys", ["salaries", "karate"]))
    there is no example 'salarys'; try salaries
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names
        offer = f"; try {', '.join(nearest)}" if nearest else ""
        super().__init__(f"there is no {kind} '{name}'{offer}{NOT_LOADED if are_pending() else ''}")
        self.kind = kind
        self.name = name


class UnconfirmedAddress(DataError):
    """A file contains an address that the user has not confirmed.

    Attributes
    ----------
    path : Path
        The file.
    address : str
        The address without its password, for display.
    fingerprint : str
        The value of `ReadingOptions.connect` that permits this address.
    """

    def __init__(self, path: Path, name: str, address: str, fingerprint: str) -> None:
        super().__init__(
            f"it would run a driver and connect to {address}; if you trust that, confirm it: "
            "--connect on the command line, connect=True in Python",
            source=name,
        )
        self.path = path
        self.address = address
        self.fingerprint = fingerprint
