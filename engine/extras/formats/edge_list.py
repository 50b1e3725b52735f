"""Read edge lists without a header: SNAP, KONECT, NCOL, LGL, and lists that networkx writes."""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.data import cells
from engine.data.formats.file_format import FOR_ALL, DataFile
from engine.data.names import check_known, is_number
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.extras.formats.declarations import EDGE_LIST
from engine.extras.formats.edge_table import column_names, edge_table, numbers_or_same, text_of
from engine.progress import Progress

NAMES = ("source", "target", "weight", "time")
"""Names of the columns, by position; further columns are numbered."""

ADJACENCY = (".graph", ".metis")
"""Suffixes of METIS files: lists of neighbours, not of edges."""

MARKS = ("#", "%")
"""Prefixes of comment lines."""

LINES = 100
"""Number of records to inspect."""

LEADING_LINE = re.compile(rb"[ \t]*(?:[#%][^\n]*)?\n")
DICTIONARY = re.compile(r"^\S+[ \t]+\S+[ \t]+\{'.*\}$")
COMMENTS = re.compile(rb"^[ \t]*[#%][^\n]*\n?", re.MULTILINE)
AMONG_EDGES = (
    "lines that begin with # or % stand among the edges and were skipped, so one edge may have been, too: "
    "state the prefix of comments when you open the file, or with --comment"
)
_HAS_LETTER = re.compile("[A-Za-z]").search
GRAPH = re.compile(
    r"(?:\s*[#%][^\n]*\n)*?\s*[#%][^\n]*(?:node|edge|graph|vertex|vertices|\b(?:a?sym|bip)\b)", re.IGNORECASE
)
"""A comment at the beginning that speaks of a graph, as those of SNAP and KONECT do."""
END = re.compile(r"(?:from|to|source|target|src|dst|node|vertex|user|id|[\W_])+\d*", re.IGNORECASE)
"""Name of a column of vertices, such as FromNodeId or node_1."""
BIPARTITE = re.compile(r"\s*%\s*bip\b")
"""First line of a KONECT file whose columns number two separate sets of vertices."""


def _first_lines(file: DataFile) -> list[str]:
    """Return the first records, without blank lines and comments."""
    lines = (line.strip() for line in file.beginning[: LINES * 1000].splitlines())
    return [line for line in lines if line and not line.startswith(MARKS)][:LINES]


def _delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter of most records; " " stands for blanks and tabs, "" for a contradiction.

    One record must not decide how all others are read.
    """
    plain = [line.partition("{")[0].strip() for line in lines]
    with_blanks = sum(map(_has_tabs_between_names, plain))
    if with_blanks:
        both = sum("\t" in line and " " in line for line in plain)
        return "" if both > with_blanks else "\t"
    return Counter(next((sign for sign in ",;" if sign in line), " ") for line in plain).most_common(1)[0][0]


def _has_tabs_between_names(line: str) -> bool:
    """Tell whether names of vertices contain blanks, and tabs stand between them."""
    before, _, after = line.partition("\t")
    return " " in before.strip() and bool(after) and not is_number(after.split("\t")[0])


def _has_dictionaries(lines: Sequence[str]) -> bool:
    """Tell whether at least half of the records end with a dictionary."""
    return 2 * sum("{" in line for line in lines) >= len(lines)


def _fields(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        line = " ".join(line.split())
    return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]


def _is_numbered(line: str, delimiter: str) -> bool:
    """Tell whether a record consists of two vertex numbers, and perhaps a weight and a time."""
    fields = _fields(line.partition("{")[0], delimiter)
    ends, data = fields[:2], fields[2:]
    return 2 <= len(fields) <= len(NAMES) and all(map(str.isdecimal, ends)) and all(map(is_number, data))


def _may_be_names(fields: Sequence[str], delimiter: str) -> bool:
    """Tell whether the first line may hold names of columns: names of ends, or 0,1,2 as pandas writes."""
    numbers = list(map(str, range(len(fields))))
    are_ends = len(fields) > 1 and all(END.fullmatch(field) and _HAS_LETTER(field) for field in fields[:2])
    return are_ends or (delimiter == "," and list(fields) == numbers)


def is_edge_list(file: DataFile) -> bool:
    """Tell whether a file has the suffix, the comments or the records of an edge list."""
    if set(file.options.stated) - {"encoding", "comment", *FOR_ALL}:
        return False
    lines = _first_lines(file)
    if not lines:
        return False
    delimiter = _delimiter(lines) or "\t"
    if _may_be_names(_fields(lines[0], delimiter), delimiter):
        return False  # as delimited text, it is asked for
    if file.suffix in EDGE_LIST.suffixes or 2 * sum(map(bool, map(DICTIONARY.search, lines))) > len(lines):
        return True
    if file.suffix in ADJACENCY:
        return False
    is_graph = GRAPH.match(file.beginning[: LINES * 1000]) is not None
    is_graph |= file.edges and file.beginning.lstrip().startswith(MARKS)
    if is_graph and _others(lines) <= min(1, len(lines) - 1):
        return True  # a single one is refused
    return file.edges and all(_is_numbered(line, delimiter) for line in lines)


def _others(lines: Sequence[str]) -> int:
    """Return the number of records that do not consist of numbers."""
    return sum(not _is_numbered(line, " ") for line in lines)


def read_edge_list(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read one edge per line: two vertices, and perhaps a weight, a time or a dictionary of data.

    Blanks, tabs, commas or semicolons separate the fields; lines that begin with # or % are comments.  There
    is no header: the first line is an edge.  Vertices stay text, so that 007 and 7 differ.
    """
    if file.suffix in (".lgl", ".adjlist"):
        return _read_blocks(file, columns, progress)
    lines = _first_lines(file)
    if _has_dictionaries(lines):
        return _read_dictionaries(file, columns, progress)
    delimiter = _delimiter(lines)
    if not delimiter:
        raise file.error("blanks and tabs stand between its fields; write the same delimiter in all rows")
    if file.suffix not in EDGE_LIST.suffixes and not all(_is_numbered(line, delimiter) for line in lines):
        raise file.error("each line must hold two whole numbers, and perhaps a weight and a time; correct it")
    return _read_fields(file, columns, progress, delimiter)


def _read_fields(file: DataFile, columns: Sequence[str] | None, progress: Progress, delimiter: str) -> Table:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    text = b"".join(file.text.blocks(progress)).replace(b"\r\n", b"\n")
    text, skipped, problem = _without_comments(text)
    if delimiter == " ":
        text = text.replace(b"\t", b" ")
        while b"  " in text:
            text = text.replace(b"  ", b" ")
        text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    width = len(_fields(text.partition(b"\n")[0].decode(errors="replace"), delimiter))
    if width < 2:
        raise file.error("it must have at least two fields; correct the row", row=skipped + 1)
    names = column_names(NAMES, width)
    options = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(NAMES[:2], pa.string()),
        null_values=list(file.options.missing.shared),
        strings_can_be_null=True,
    )
    try:
        data = arrow_csv.read_csv(
            pa.BufferReader(text),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=max(len(text), 1)),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter),
            convert_options=options,
        )
    except pa.ArrowInvalid as error:
        _refuse_width(file, text, delimiter, width, skipped + 1)
        raise file.error("it is not a list of edges", confidential=str(error)) from None
    if b'"' in text and len(data) != sum(map(bool, text.splitlines())):
        raise file.error("a quoted name is not closed; add the closing quote")
    missing = file.options.missing
    for index, name in enumerate(names[2:], start=2):
        data = data.set_column(index, name, numbers_or_same(data.column(name), missing.texts(name)))
    if BIPARTITE.match(file.beginning):
        sides = zip(("left", "right"), NAMES, strict=False)
        for index, (side, name) in enumerate(sides):
            data = data.set_column(index, name, pc.binary_join_element_wise(side, data.column(name), " "))
    check_known(columns or [], names, file.name)
    apart = {" ": "blank", "\t": "tab", ",": "comma", ";": "semicolon"}[delimiter]
    return Table(
        file.name,
        data if columns is None else data.select(list(columns)),
        first_row=skipped + 1,
        format=f"edge list, {apart}-separated, {file.text.encoding.upper()}",
        reading=FoundReading(EDGE_LIST.name, {"encoding": file.text.encoding}, as_edges=file.edges),
        release_problem=problem,
    )


def _without_comments(text: bytes) -> tuple[bytes, int, str]:
    """Return the records, how many lines precede the first one, and why no release may be made of them."""
    begin, lines = 0, 0
    while match := LEADING_LINE.match(text, begin):
        begin, lines = match.end(), lines + 1
    text = text[begin:]
    has_more = any(b"\n" + mark.encode() in text for mark in MARKS)
    return (COMMENTS.sub(b"", text), lines, AMONG_EDGES) if has_more else (text, lines, "")


def _refuse_width(file: DataFile, text: bytes, delimiter: str, width: int, first: int) -> None:
    """Raise `DataError` at the first row with another number of fields."""
    for row, line in enumerate(text.decode(errors="replace").splitlines(), start=first):
        count = len(_fields(line, delimiter))
        if line and count != width:
            raise file.error(
                f"it must have {width} fields like the first row; correct the row",
                confidential=f"{count} fields",
                row=row,
            )


def _records(file: DataFile, progress: Progress) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_of(file, progress).splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith(MARKS):
            yield number, line.strip()


def _read_dictionaries(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read lines such as ``0 1 {'weight': 3}``, as `networkx.write_edgelist` writes them."""
    ends: tuple[list[str], list[str]] = ([], [])
    data: list[dict[str, Any]] = []
    for number, line in _records(file, progress):
        fields, _, rest = line.partition("{")
        try:
            source, target = fields.replace(",", " ").split()
            described = ast.literal_eval("{" + rest) if rest else {}
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            raise file.error(
                f"line {number}: it must hold two vertices and a dictionary such as {{'weight': 3}}",
                confidential=cells.quote(line),
            ) from None
        ends[0].append(source)
        ends[1].append(target)
        data.append(described if isinstance(described, dict) else {})
    problem = _without_comments(text_of(file, progress).encode())[2]
    return edge_table(
        file, EDGE_LIST.name, "edge list of networkx", ends, data, columns=columns, problem=problem
    )


def _read_blocks(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read LGL (neighbours below a vertex) or an adjacency list (neighbours after a vertex)."""
    ends: tuple[list[str], list[str]] = ([], [])
    data: list[dict[str, Any]] = []
    nodes: dict[str, None] = {}
    is_lgl, source = file.suffix == ".lgl", ""
    for line in text_of(file, progress).splitlines():
        fields = line.split()
        if is_lgl and line.startswith("#"):
            source = line[1:].strip()
            nodes[source] = None
        elif fields and not line.startswith(MARKS):
            targets = fields[:1] if is_lgl else fields[1:]
            source = source if is_lgl else fields[0]
            nodes.update(dict.fromkeys([source, *targets]))
            ends[0].extend([source] * len(targets))
            ends[1].extend(targets)
            described = {"weight": fields[1]} if is_lgl and len(fields) > 1 else {}
            data.extend([described] * len(targets))
    title = "LGL" if is_lgl else "adjacency list"
    return edge_table(file, EDGE_LIST.name, title, ends, data, nodes=tuple(nodes), columns=columns)
