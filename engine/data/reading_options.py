"""How a file is to be read, where that is not left to be detected: each option is declared once here."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping

from engine.errors import ParameterError

TYPES = ("number", "category", "days")
"""What a column can be read as: numbers, text, or days since 1970-01-01 (0 is that day)."""

DATES = {
    "Y-M-D": "%Y-%m-%d",
    "D.M.Y": "%d.%m.%Y",
    "D/M/Y": "%d/%m/%Y",
    "M/D/Y": "%m/%d/%Y",
    "Y/M/D": "%Y/%m/%d",
    "Y.M.D": "%Y.%m.%d",
    "D-M-Y": "%d-%m-%Y",
    "YMD": "%Y%m%d",
}
"""How dates are written, and what says so to `datetime.strptime`."""

RANGE = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,6}):([A-Za-z]{1,3})([1-9][0-9]{0,6})")
"""Cells of a sheet as spreadsheets write them: B3:F200."""

MARK = re.compile(r"[#%/;!*|@~&$^]{1,3}")
"""How lines may begin that are left out: not as records do, else it would be a condition on them."""


@dataclasses.dataclass(frozen=True)
class ReadingOption:
    """One thing that can be stated about a file: its name here and on the command line, and in the window.

    `choices` are values that are offered, and how they are called; where it is `free`, others are possible.
    """

    name: str
    label: str
    help: str
    choices: Mapping[str, str] = dataclasses.field(default_factory=dict)
    free: bool = False


OPTIONS = {
    option.name: option
    for option in (
        ReadingOption(
            "encoding",
            "Encoding",
            "how the letters of a text file are stored, such as utf-8 or cp1252",
            {
                "utf-8": "UTF-8",
                "cp1252": "Western (Windows-1252)",
                "latin-1": "Western (Latin-1)",
                "cp1250": "Central European (Windows-1250)",
                "cp1251": "Cyrillic (Windows-1251)",
                "cp1253": "Greek (Windows-1253)",
                "cp1254": "Turkish (Windows-1254)",
                "mac_roman": "Western (Macintosh)",
                "cp850": "Western (DOS)",
                "shift_jis": "Japanese (Shift JIS)",
                "gb18030": "Chinese (GB 18030)",
                "big5": "Chinese (Big5)",
                "euc_kr": "Korean (EUC-KR)",
                "utf-16": "UTF-16",
            },
            free=True,
        ),
        ReadingOption(
            "delimiter",
            "Delimiter",
            "what stands between the cells of a text file",
            {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon"},
            free=True,
        ),
        ReadingOption(
            "quote",
            "Quote",
            "what surrounds cells in which a delimiter may stand",
            {'"': 'double "', "'": "single '"},
        ),
        ReadingOption(
            "decimal", "Decimal sign", "what stands before the decimals", {".": "point", ",": "comma"}
        ),
        ReadingOption(
            "thousands",
            "Thousands",
            "what stands between groups of three digits",
            {",": "comma", ".": "point", " ": "blank", "'": "apostrophe"},
        ),
        ReadingOption(
            "header",
            "Row of names",
            "the row that holds the names of the columns, counted from 1; 0 if there is none",
            {"0": "none", "1": "1", "2": "2", "3": "3"},
            free=True,
        ),
        ReadingOption(
            "comment",
            "Comments",
            "how lines begin that are left out",
            {"#": "#", "%": "%", "//": "//"},
            free=True,
        ),
        ReadingOption(
            "dates",
            "Dates",
            "how dates are written where a column is read as days",
            {name: name for name in DATES},
        ),
        ReadingOption("sheet", "Sheet", "the sheet of a workbook", free=True),
        ReadingOption("range", "Range", "the cells of a sheet, such as B3:F200", free=True),
        ReadingOption("table", "Table", "the table of a database, or the file of an archive", free=True),
        ReadingOption("sql", "SQL query", "what a database is asked instead: a SELECT statement", free=True),
    )
}
"""All that can be stated about a file, by name."""


ANY_ADDRESS = "any"
"""Whatever address is in the file may be followed."""


@dataclasses.dataclass(frozen=True)
class ReadingOptions:
    """What is stated about a file; "" is detected."""

    encoding: str = ""  # See `OPTIONS`
    delimiter: str = ""
    quote: str = ""
    decimal: str = ""
    thousands: str = ""
    header: str = ""
    comment: str = ""
    dates: str = ""
    sheet: str = ""
    range: str = ""
    table: str = ""
    sql: str = ""
    # What columns are to be read as, by their names: one of `TYPES` each
    types: tuple[tuple[str, str], ...] = ()
    # Which address in the file may be followed: "" for none, `ANY_ADDRESS`, or the fingerprint of the one
    # that was confirmed.  It says nothing of how the file is read, and is stored nowhere.
    connect: str = dataclasses.field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value and not option.free and value not in option.choices:
                raise ParameterError(
                    name, f"{value!r} is not possible; it is one of {' '.join(option.choices)}"
                )
            if value.encode(errors="replace").decode() != value or "\0" in value:
                raise ParameterError(name, "it holds what is no letter; type it anew")
        if self.delimiter and not (self.delimiter.isascii() and len(self.delimiter) == 1):
            raise ParameterError("delimiter", f"{self.delimiter!r} is not one plain character such as , ; |")
        if self.delimiter and self.delimiter in f"\n\r{self.quote}":
            raise ParameterError("delimiter", f"{self.delimiter!r} ends lines, or is the quote")
        if self.decimal and self.decimal == self.thousands:
            raise ParameterError("thousands", "it is the decimal sign too; the two must differ")
        if self.header and not (self.header.isdecimal() and len(self.header) < 8):
            raise ParameterError("header", f"{self.header!r} is no row; it is a whole number, 0 for none")
        if self.comment and not MARK.fullmatch(self.comment):
            raise ParameterError(
                "comment", "it may begin a record, which would then be left out; use a sign such as # % //"
            )
        if self.range and not RANGE.fullmatch(self.range):
            raise ParameterError("range", f"{self.range!r} is no range of cells; write it as B3:F200")
        if self.table and self.sql:
            raise ParameterError("sql", "it is stated beside a table; state one of the two")
        for column, type_name in self.types:
            if type_name not in TYPES:
                raise ParameterError(
                    "types",
                    f"column '{column}' cannot be read as {type_name!r}; it is one of {', '.join(TYPES)}",
                )

    @classmethod
    def of(
        cls,
        stated: Mapping[str, str],
        types: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        connect: bool | str = False,
    ) -> ReadingOptions:
        """Return the options by their names; `ParameterError` for an unknown name or value."""
        for name in stated:
            if name not in OPTIONS:
                raise ParameterError(name, f"there is no such option; there are {', '.join(OPTIONS)}, types")
        allowed = connect if isinstance(connect, str) else ANY_ADDRESS if connect else ""
        # in Python a row is a number
        texts = {name: str(value) if isinstance(value, int) else value for name, value in stated.items()}
        return cls(**texts, types=tuple(dict(types).items()), connect=allowed)

    @property
    def stated(self) -> dict[str, str]:
        """What is not left to be detected, by name; without the types of columns."""
        return {name: value for name in OPTIONS if (value := getattr(self, name))}

    @property
    def keywords(self) -> dict[str, str | dict[str, str]]:
        """What `read_table` is to be called with."""
        return {**self.stated, **({"types": dict(self.types)} if self.types else {})}


DETECTED = ReadingOptions()
"""Nothing is stated."""


@dataclasses.dataclass(frozen=True)
class FoundReading:
    """How a file was read; a reader of a `FileFormat` says it.

    Attributes
    ----------
    format : str
        The name of its format; "" for what was in no file.
    values : dict of str to str
        By the names of `OPTIONS`, what was stated or detected; "" where nothing told.
    offered : dict of str to tuple of str
        By the same names, what else there is in the file: its sheets, or its tables.
    doubtful : tuple of str
        Columns whose points are read as decimal, and could as well stand between thousands:
        state `decimal`.
    stored_table : str
        In a database, the one table of which each record is a row, also where a view or a query was read;
        "" where there is none.
    """

    format: str = ""
    values: Mapping[str, str] = dataclasses.field(default_factory=dict)
    offered: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    doubtful: tuple[str, ...] = ()
    stored_table: str = ""
