"""Declares the formats: each reader is imported when the first file of its kind is opened."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.data.formats import delimited
from engine.data.formats.file_format import DataFile, FileFormat, begins_with, imported

HERE = "engine.extras.formats"

JSON_LINES: FileFormat = FileFormat(
    "json-lines",
    "JSON lines",
    (".jsonl", ".ndjson", ".json"),
    recognised=lambda file: (
        _first_sign(file) == "{" or (_first_sign(file) != "[" and file.suffix in JSON_LINES.suffixes)
    ),
    reader=imported(f"{HERE}.json_lines:read_json_lines"),
    options=("encoding",),
    is_text=True,
)
JSON_ARRAY = FileFormat(
    "json-array",
    "JSON array",
    (".json",),
    recognised=lambda file: _first_sign(file) == "[",
    reader=imported(f"{HERE}.json_lines:read_json_array"),
    options=("encoding",),
    is_text=True,
)


def _first_sign(file: DataFile) -> str:
    return file.beginning.lstrip()[:1]


def _recognised_by(
    target: str, might_be: Callable[[DataFile], bool], options: tuple[str, ...] = ()
) -> Callable[[DataFile], bool]:
    """Recognise a format by the function "module:name", which is imported for files that might have it."""
    recognised = imported(f"{HERE}.{target}")
    return lambda file: might_be(file) and recognised(file)


CSVY = FileFormat(
    "csvy",
    "CSVY",
    (".csvy", ".csv"),
    recognised=_recognised_by("csvy:is_csvy", lambda file: file.beginning.startswith(("---", "#---"))),
    reader=imported(f"{HERE}.csvy:read_csvy"),
    options=delimited.FORMAT.options,
    is_text=True,
)
ARFF = FileFormat(
    "arff",
    "ARFF file",
    (".arff",),
    recognised=lambda file: re.match(r"(?i)(?:\s*(?:%[^\n]*)?\n)*\s*@relation\b", file.beginning) is not None,
    reader=imported(f"{HERE}.arff:read_arff"),
    options=("encoding",),
    is_text=True,
)
EDGE_LIST: FileFormat = FileFormat(
    "edge-list",
    "edge list",
    (".edges", ".edgelist", ".ncol", ".el", ".lgl", ".adjlist"),
    recognised=_recognised_by(
        "edge_list:is_edge_list",
        lambda file: (
            file.edges
            or file.suffix in EDGE_LIST.suffixes
            or _first_sign(file) in ("#", "%")
            or "{'" in file.beginning
        ),
    ),
    reader=imported(f"{HERE}.edge_list:read_edge_list"),
    options=("encoding", "comment"),
    of_graphs=True,
    is_text=True,
)


def _graph_format(
    name: str, title: str, suffixes: tuple[str, ...], function: str, might_be: Callable[[DataFile], bool]
) -> FileFormat:
    """Declare a format of `graph_files` by the names of its functions there."""
    return FileFormat(
        name,
        title,
        suffixes,
        recognised=_recognised_by(f"graph_files:is_{function}", might_be),
        reader=imported(f"{HERE}.graph_files:read_{function}"),
        options=("encoding",),
        of_graphs=True,
        is_text=True,
    )


def _contains(pattern: str) -> Callable[[DataFile], bool]:
    expression = re.compile(pattern)  # "\n" instead of "^", which is tried at every letter
    return lambda file: expression.search("\n" + file.beginning) is not None


GRAPHS = (
    GML := _graph_format("gml", "GML", (".gml",), "gml", _contains(r"(?i)graph\s*\[")),
    GEXF := _graph_format("gexf", "GEXF", (".gexf",), "gexf", lambda file: "<gexf" in file.beginning),
    PAJEK := _graph_format(
        "pajek", "Pajek network", (".net",), "pajek", lambda file: _first_sign(file) in ("*", "%")
    ),
    DIMACS := _graph_format(
        "dimacs", "DIMACS graph", (".gr", ".col"), "dimacs", _contains(r"\n[pP]\s+[a-zA-Z]+\s+[0-9]")
    ),
    MATRIX_MARKET := FileFormat(
        "matrix-market",
        "MatrixMarket matrix",
        (".mtx",),
        recognised=begins_with(b"%%MatrixMarket"),
        reader=imported(f"{HERE}.graph_files:read_matrix_market"),
        of_graphs=True,
        is_text=True,
    ),
    JSON_GRAPH := _graph_format(
        "json-graph", "node-link JSON", (".json",), "node_link", lambda file: _first_sign(file) == "{"
    ),
)

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an .xls file, and of a workbook with a password."""

WORKBOOK = FileFormat(
    "workbook",
    "Excel or OpenDocument workbook",
    (".xlsx", ".xls", ".ods", ".xlsm", ".xlsb"),
    recognised=_recognised_by("workbook:is_workbook", begins_with(OLE_SIGNATURE, b"PK\x03\x04")),
    reader=imported(f"{HERE}.workbook:read_workbook"),
    options=("sheet", "range", "header", "decimal", "thousands"),
)

SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
OLD_STATA = tuple(bytes([version, order]) for version in range(105, 116) for order in (1, 2))

SPSS = FileFormat(
    "spss",
    "SPSS file",
    (".sav", ".zsav"),
    recognised=begins_with(b"$FL2", b"$FL3"),
    reader=imported(f"{HERE}.statistics_files:read_spss"),
    options=("encoding",),
)
SPSS_PORTABLE = FileFormat(
    "spss-portable",
    "SPSS portable file",
    (".por",),
    recognised=lambda file: b"SPSSPORT" in re.sub(rb"[\r\n]", b"", file.head[:600]),
    reader=imported(f"{HERE}.statistics_files:read_spss_portable"),
)
STATA = FileFormat(
    "stata",
    "Stata file",
    (".dta",),
    recognised=lambda file: (
        file.head.startswith(b"<stata_dta>") or (file.suffix == ".dta" and file.head.startswith(OLD_STATA))
    ),
    reader=imported(f"{HERE}.statistics_files:read_stata"),
    options=("encoding",),
)
SAS_DATA = FileFormat(
    "sas",
    "SAS file",
    (".sas7bdat",),
    recognised=begins_with(SAS),
    reader=imported(f"{HERE}.statistics_files:read_sas"),
    options=("encoding",),
)
SAS_TRANSPORT = FileFormat(
    "sas-transport",
    "SAS transport file",
    (".xpt",),
    recognised=begins_with(b"HEADER RECORD*******L"),
    reader=imported(f"{HERE}.statistics_files:read_sas_transport"),
    options=("encoding",),
)

R_MAGIC = re.compile(
    rb"RD[AX][23]\n|X\n\x00\x00\x00[\x02\x03]\x00|A\n(?:2\n\d{5,7}\n131840|3\n\d{5,7}\n197888)\n"
)
"""The beginnings of unpacked files of R: several objects, one object in binary form, one as text."""

R = FileFormat(
    "r",
    "file of R",
    (".rds", ".rda", ".rdata"),
    recognised=lambda file: R_MAGIC.match(file.head) is not None,
    reader=imported(f"{HERE}.r_files:read_r"),
    options=("table",),
)
