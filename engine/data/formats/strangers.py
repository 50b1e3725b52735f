"""Name the formats that cannot be read, so that a file of theirs is never taken for text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.data.formats.file_format import DataFile

AS_CSV = "save the table as CSV"

PICTURE = "a picture; a table is needed"
_PICKLE = "a Python pickle, which could run a program; save the table as CSV or Parquet"

BEGINNINGS = {
    b"%PDF": f"a PDF document; {AS_CSV}",
    b"FEA1": "Feather of version 1; write it again as version 2",
    b"{\\rtf": f"a text document; {AS_CSV}",
    b"\x89PNG": PICTURE,
    b"\xff\xd8\xff": PICTURE,
    b"GIF8": PICTURE,
    b"II*\x00": PICTURE,
    b"MM\x00*": PICTURE,
    b"%!PS": f"a PostScript document; {AS_CSV}",
    b"\x89HDF\r\n\x1a\n": "an HDF5 or NetCDF-4 file; save the table as CSV or Parquet",
    b"CDF\x01": "a NetCDF file; save the table as CSV or Parquet",
    b"CDF\x02": "a NetCDF file; save the table as CSV or Parquet",
    b"CDF\x05": "a NetCDF file; save the table as CSV or Parquet",
    b"SIMPLE  =": "a FITS file; save the table as CSV or Parquet",
    b"\x93NUMPY": "an array of NumPy; save it with numpy.savetxt or as Parquet",
    b"\x80\x02": _PICKLE,
    b"\x80\x03": _PICKLE,
    b"\x80\x04": _PICKLE,
    b"\x80\x05": _PICKLE,
    b"MATLAB ": f"a MATLAB file; {AS_CSV} (writetable)",
    b"Obj\x01": "an Avro file; save the table as CSV or Parquet",
    b"\x00\x01\x00\x00Standard ": f"an Access database; {AS_CSV}",
    b"Rar!": "a RAR archive; unpack it first",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it first",
    b"\x04\x22M\x18": "packed by LZ4; unpack it first",
    b"MZ": "a program; a table is needed",
    b"\x7fELF": "a program; a table is needed",
    bytes(12) + b"\xc2\xea\x81\x63": "a catalog of SAS; open the data (.sas7bdat)",
}
"""Files opened by mistake, by their first bytes, with advice."""

SUFFIXES = {
    ".dbf": f"a dBase file; {AS_CSV}",
    ".shp": f"a shapefile; {AS_CSV}",
    ".bmp": PICTURE,
    ".webp": PICTURE,
    ".mat": f"a MATLAB file; {AS_CSV} (writetable)",
    ".wav": "a sound; a table is needed",
    ".pkl": _PICKLE,
    ".pickle": _PICKLE,
}
"""Binary files without a reliable beginning, by their suffix."""

_SQL = (
    r"(?:CREATE\s+(?:TABLE|DATABASE|TEMP|SCHEMA)\b|INSERT\s+INTO\s|DROP\s+(?:TABLE|DATABASE)\b|"
    r"PRAGMA\s+\w+\s*=|BEGIN(?:\s+TRANSACTION)?;|SET\s+\w+\s*=)"
)

_STATEMENTS = "SQL statements; open the database, or save the table as CSV"

TEXTS = {
    rf"(?i)(?:(?:--[^\n]*|/\*.*?\*/;?)\s*)*{_SQL}": _STATEMENTS,
    r"(?i)--[^\n]*\bdump\b": _STATEMENTS,
    r"(?i)<(?:!doctype\s+html|html|head|body|table)\b": f"an HTML page; {AS_CSV}",
    r"<svg\b": PICTURE,
    r"<[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*[\"'][^>]*)?/?>(?:\r?\n\s*)?<": f"XML; {AS_CSV}",
    r"<[A-Za-z][\w:.-]*\s+xmlns": f"XML; {AS_CSV}",
    r"structure\(list\(": "R code; write the table with write.csv",
    r"ID;P[A-Z]": f"a SYLK file; {AS_CSV}",
    r"BEGIN:V(?:CALENDAR|CARD)": "a calendar or address book; a table is needed",
    r"\\(?:documentclass|begin\{)": f"LaTeX; {AS_CSV}",
    r"@(?:article|book|comment|inproceedings|misc|string)\s*\{": "a bibliography; a table is needed",
    r"\|[^\n]*\|\s*\n\|[-:| ]+\|": f"a table in Markdown; {AS_CSV}",
    r"\(l?p0\n|\(dp0\n|ccopy_reg\n": _PICKLE,
    r"---[ \t]*\n": f"a YAML document; {AS_CSV}",
    r"-----BEGIN ": "a key or a signed message; a table is needed",
}
"""Other kinds of text, by a pattern of their beginning."""

_TAR = (257, b"ustar")


def refuse_strange_bytes(file: DataFile) -> None:
    """Raise `DataError` for a file whose first bytes name another format."""
    for magic, what in BEGINNINGS.items():
        if file.head.startswith(magic) and not (magic == b"MZ" and b"\x00" not in file.head[:64]):
            raise file.error(f"it is {what}")
    position, mark = _TAR
    if file.head[position : position + len(mark)] == mark:
        raise file.error("it is a tar archive; unpack it first")


def strange_by_suffix(file: DataFile) -> str:
    """Return what a binary file is, from its suffix; "" if that is unknown."""
    return SUFFIXES.get(file.suffix, "")


def refuse_strange_text(file: DataFile) -> None:
    """Raise `DataError` for text that is no table; only for a file that no other text format recognises."""
    text = file.beginning.lstrip("\ufeff \t\r\n")
    for pattern, what in TEXTS.items():
        if re.match(pattern, text, re.DOTALL):
            raise file.error(f"it is {what}")


_PARTS = {
    "word/": f"a Word document; {AS_CSV}",
    "ppt/": f"a presentation; {AS_CSV}",
    "visio/": "a drawing; a table is needed",
    "Index/": f"a document of Numbers, Pages or Keynote; {AS_CSV}",
    "META-INF/": f"a document or a program; {AS_CSV}",
}

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".svg")


def strange_archive(names: Sequence[str]) -> str:
    """Return what a zip archive is, from the names of its files; "" if it may hold a table."""
    for part, what in _PARTS.items():
        if any(name.startswith(part) for name in names):
            return what
    if names and all(name.endswith(".npy") for name in names):
        return "an archive of NumPy arrays; save one with numpy.savetxt or as Parquet"
    if names and all(name.lower().endswith(PICTURES) for name in names):
        return "an archive of pictures; a table is needed"
    return ""


JSON = {
    r'"class"\s*:\s*"(?:dataset|collection|dimension)"': "JSON-stat",
    r'"type"\s*:\s*"(?:Feature|FeatureCollection|GeometryCollection)"': "GeoJSON",
    r'"type"\s*:\s*"Topology"': "TopoJSON",
    r'"nbformat"\s*:': "a Jupyter notebook",
    r'"\$schema"\s*:\s*"[^"]*vega': "a Vega chart",
    r'"dataSets"\s*:|"structure"\s*:\s*\{': "SDMX-JSON",
}
"""Kinds of JSON that are one object, by a pattern in their beginning."""


def is_known_json(text: str) -> bool:
    """Tell whether one JSON object is of a kind in `JSON`."""
    return any(re.search(pattern, text) for pattern in JSON)


def name_of_json(text: str) -> str:
    """Return which kind of JSON one object is."""
    return next((name for pattern, name in JSON.items() if re.search(pattern, text)), "one JSON object")
