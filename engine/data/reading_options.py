"""Options for reading a file; each is detected unless it is stated."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping

from engine.data.missing_values import EMPTY, MissingValues, parse
from engine.errors import ParameterError

TYPES = ("number", "category", "days", "hours")
"""Types of columns: numbers, text, days since 1970-01-01 (0 is that day), or hours (8:30 is 8.5)."""

DATES = {
    "Y-M-D": "2020-12-31",
    "D.M.Y": "31.12.2020",
    "D/M/Y": "31/12/2020",
    "M/D/Y": "12/31/2020",
    "Y/M/D": "2020/12/31",
    "Y.M.D": "2020.12.31",
    "D-M-Y": "31-12-2020",
    "YMD": "20201231",
    "D-Mon-Y": "31 Dec 2020",
    "Mon-D-Y": "Dec 31, 2020",
    "Y-Mon-D": "2020 Dec 31",
    "M-D-Y": "12-31-2020",
    "D.M.YY": "31.12.20",
    "D/M/YY": "31/12/20",
    "M/D/YY": "12/31/20",
    "D-M-YY": "31-12-20",
    "M-D-YY": "12-31-20",
    "YY-M-D": "20-12-31",
    "YY/M/D": "20/12/31",
    "D-Mon-YY": "31 Dec 20",
    "Mon-D-YY": "Dec 31, 20",
}
"""Formats of dates, with an example.  A time of day may follow, and its offset from UTC."""

DETECTED_DATES = tuple(DATES)[: tuple(DATES).index("M-D-Y")]
"""The formats that are detected; the others must be stated.  Two-digit years from 69 on are 19xx."""

RANGE = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,6}):([A-Za-z]{1,3})([1-9][0-9]{0,6})")
"""Range of cells as in spreadsheets: B3:F200."""

MARK = re.compile(r"[#%/;!*|@~&$^]{1,3}")
"""Prefixes of comment lines; no record may begin so, or it would be skipped by its content."""


Rows = range
"""Rows from 0; the name of the type, since an option is called range, too."""

NAMES_ROWS = re.compile(r"0*[0-9]{1,7}|[1-9][0-9]{0,6}-[1-9][0-9]{0,6}", re.ASCII)
"""Row of the header, or its first and last row."""

MAX_NAMES_ROWS = 9

DELIMITERS_IN_WORDS = re.compile(r"blanks|fixed(?: +[1-9][0-9]{0,3}(?: *[, ] *[1-9][0-9]{0,3})*)?", re.ASCII)
"""Delimiters that are no character: runs of blanks, and columns of fixed width."""


@dataclasses.dataclass(frozen=True)
class ReadingOption:
    """A reading option: its name here and on the command line, and its label in the window.

    `choices` maps suggested values to their labels; a `free` option accepts other values, too.
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
            "character encoding of a text file, such as utf-8 or cp1252",
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
            "field delimiter of a text file: a character, blanks (runs of blanks and tabs), or fixed (cells "
            "of fixed width: where all rows have blanks, or of stated widths such as: fixed 8,4,9)",
            {
                ",": "comma",
                ";": "semicolon",
                "\t": "tab",
                "|": "bar",
                " ": "blank",
                ":": "colon",
                "blanks": "runs of blanks",
                "fixed": "fixed width",
            },
            free=True,
        ),
        ReadingOption(
            "quote",
            "Quote",
            "quote character around fields that contain the delimiter",
            {'"': 'double "', "'": "single '"},
        ),
        ReadingOption("decimal", "Decimal sign", "decimal sign of numbers", {".": "point", ",": "comma"}),
        ReadingOption(
            "thousands",
            "Thousands",
            "thousands separator of numbers",
            {",": "comma", ".": "point", " ": "blank", "'": "apostrophe"},
        ),
        ReadingOption(
            "header",
            "Row of names",
            "row number of the header with the column names, from 1; 1-2 joins the names in two rows; 0 if "
            "there is none",
            {"0": "none", "1": "1", "2": "2", "3": "3", "1-2": "1 and 2, joined"},
            free=True,
        ),
        ReadingOption(
            "comment",
            "Comments",
            "prefix of comment lines, which are skipped",
            {"#": "#", "%": "%", "//": "//"},
            free=True,
        ),
        ReadingOption(
            "dates",
            "Dates",
            "format of dates in columns that are read as days (YY: year of two digits)",
            {name: f"{name} ({example})" for name, example in DATES.items()},
        ),
        ReadingOption(
            "missing_values",
            "Missing values",
            "values that count as missing, instead of the usual ones: such as -999,.,? for all columns, "
            'age=99;pay=-9,. for single columns, or "" for the empty cell alone',
            free=True,
        ),
        ReadingOption("sheet", "Sheet", "sheet of a workbook", free=True),
        ReadingOption("range", "Range", "cell range of a sheet, such as B3:F200", free=True),
        ReadingOption("table", "Table", "table of a database or of R, or file of an archive", free=True),
        ReadingOption("sql", "SQL query", "SELECT statement for a database, instead of a table", free=True),
    )
}
"""All reading options, by name."""


OF_TYPES = {"dates": "days", "decimal": "number", "thousands": "number"}
"""Options that apply to any format if a column has the type: they say how to read its texts."""

ANY_ADDRESS = "any"
"""Follow any address in the file."""


@dataclasses.dataclass(frozen=True)
class ReadingOptions:
    """The stated reading options of a file; "" means detect."""

    encoding: str = ""  # See `OPTIONS`
    delimiter: str = ""
    quote: str = ""
    decimal: str = ""
    thousands: str = ""
    header: str = ""
    comment: str = ""
    dates: str = ""
    missing_values: str = ""
    sheet: str = ""
    range: str = ""
    table: str = ""
    sql: str = ""
    # types of columns by their names: one of `TYPES` each
    types: tuple[tuple[str, str], ...] = ()
    # The address in the file that may be followed: "" for none, `ANY_ADDRESS`, or the fingerprint of the
    # confirmed one.  It does not change how the file is read, and is not stored.
    connect: str = dataclasses.field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value and not option.free and value not in option.choices:
                raise ParameterError(
                    name, f"{value!r} is not possible; it is one of {' '.join(option.choices)}"
                )
            if value.encode(errors="replace").decode() != value or "\0" in value:
                raise ParameterError(name, "it contains invalid characters; type it again")
        single = self.delimiter.isascii() and len(self.delimiter) == 1
        if self.delimiter and not (single or DELIMITERS_IN_WORDS.fullmatch(self.delimiter)):
            raise ParameterError(
                "delimiter",
                f"{self.delimiter!r} is not one plain character such as , ; | and none of the words blanks, "
                "fixed",
            )
        if self.delimiter and self.delimiter in f"\n\r{self.quote}":
            raise ParameterError("delimiter", f"{self.delimiter!r} ends lines, or is the quote")
        if self.decimal and self.decimal == self.thousands:
            raise ParameterError("thousands", "it is also the decimal sign; the two must differ")
        if self.header and not NAMES_ROWS.fullmatch(self.header):
            raise ParameterError(
                "header",
                f"{self.header!r} is no row number; give a whole number, rows such as 1-2, or 0 for none",
            )
        rows = self.names_rows
        if self.header and "-" in self.header and not (rows and len(rows) <= MAX_NAMES_ROWS):
            raise ParameterError("header", f"{self.header!r} is not 2 to {MAX_NAMES_ROWS} rows in order")
        if self.comment and not MARK.fullmatch(self.comment):
            raise ParameterError(
                "comment", "a record may begin with it and would be skipped; use a sign such as # % //"
            )
        if self.range and not RANGE.fullmatch(self.range):
            raise ParameterError("range", f"{self.range!r} is no range of cells; write it as B3:F200")
        parse(self.missing_values)
        if self.table and self.sql:
            raise ParameterError("sql", "a table is stated, too; state one of the two")
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
        # Python callers may give the row as a number
        texts = {name: str(value) if isinstance(value, int) else value for name, value in stated.items()}
        if texts.get("missing_values") == "":
            texts["missing_values"] = EMPTY  # a stated empty list; "" in this class means that none is stated
        return cls(**texts, types=tuple(dict(types).items()), connect=allowed)

    @property
    def names_rows(self) -> Rows | None:
        """The stated rows of the header, from 0: empty if there is none; None to detect it."""
        if not self.header:
            return None
        first, _, last = self.header.partition("-")
        return Rows(int(first) - 1, int(last or first)) if int(first) else Rows(0)

    @property
    def missing(self) -> MissingValues:
        """The stated missing values."""
        return parse(self.missing_values)

    @property
    def stated(self) -> dict[str, str]:
        """The stated options by name, without the types of columns."""
        return {name: value for name in OPTIONS if (value := getattr(self, name))}

    def casts_to(self, type_name: str) -> bool:
        """Tell whether a column is stated to have this type."""
        return any(kind == type_name for _, kind in self.types)

    @property
    def keywords(self) -> dict[str, str | dict[str, str]]:
        """Keyword arguments for `read_table`."""
        stated = {name: "" if value == EMPTY else value for name, value in self.stated.items()}
        return {**stated, **({"types": dict(self.types)} if self.types else {})}


DETECTED = ReadingOptions()
"""Everything is detected."""


@dataclasses.dataclass(frozen=True)
class FoundReading:
    """Reports how a file was read; the reader of a `FileFormat` returns it.

    Attributes
    ----------
    format : str
        Name of the format; "" for data that come from no file.
    values : dict of str to str
        Stated or detected values by the names of `OPTIONS`; "" if undecided.
    offered : dict of str to tuple of str
        Other choices in the file, by the same names: its sheets, or its tables.
    doubtful : tuple of str
        Columns with two readings: 1,234 may be 1234 or 1.234.  State `decimal` to decide; if it is
        undecided, they are text.
    notes : tuple of str
        Notes about names of columns that the file does not hold.
    stored_table : str
        In a database, the one table whose rows are the records, even if a view or a query was read; ""
        without such a table.
    labelled : tuple of str
        Columns of codes whose labels the file declares: type "number" gives the codes, "category" the labels.
    typed : tuple of str
        Columns whose type is stated.
    as_edges : bool
        Whether numbers without a header counted as edges because the caller needs a graph.

    See Also
    --------
    FileFormat
    """

    format: str = ""
    values: Mapping[str, str] = dataclasses.field(default_factory=dict)
    offered: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    doubtful: tuple[str, ...] = ()
    stored_table: str = ""
    notes: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    as_edges: bool = False
