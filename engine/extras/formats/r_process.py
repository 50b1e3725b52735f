"""Convert data frames of R to Arrow columns, in the separate process that reads a file by rdata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.data.formats.apart_process import Refused, _stream

NA_WORD = 1954
"""The low word of the NaN that stands for NA."""

SECONDS = {"secs": 1, "mins": 60, "hours": 3600, "days": 86_400, "weeks": 604_800}

BATCH = 1 << 16

AS_CSV = 'save the table in R: write.csv(as.data.frame(x), "x.csv", row.names = FALSE)'


def data_frame(path: str, wanted: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """Yield the names of all data frames, the chosen name and value labels; then the columns as a stream."""
    from rdata.parser import parse_file

    frames = {name: one for name, one in _objects(parse_file(path).object) if _is_frame(one)}
    if not frames:
        raise Refused(f"it holds no data frame; {AS_CSV}")
    if wanted and wanted not in frames:
        raise Refused(f"it has no data frame '{wanted}'; choose from {', '.join(frames)}")
    name = wanted or next(iter(frames))
    fields = dict(_fields(frames[name]))
    labels = {field: _labels(one) for field, one in fields.items()}
    made = {field: _column(one) for field, one in fields.items() if not columns or field in columns}
    for field in columns or ():
        if field in made and made[field] is None:
            raise Refused(f"column '{field}' holds lists or other objects; choose another column")
    yield list(frames), name, list(fields), {field: own for field, own in labels.items() if own}
    import pyarrow as pa

    table = pa.table({field: one for field, one in made.items() if one is not None})
    yield _stream(table.schema, table.to_batches(BATCH))


def _objects(root: Any) -> Iterator[tuple[str, Any]]:
    """Yield the objects of a file with their names; an .rds file has one without a name."""
    if root.info.type.name != "LIST":
        yield "", root
        return
    while root is not None and root.info.type.name == "LIST":
        yield _symbol(root.tag), root.value[0]
        root = root.value[1]


def _symbol(tag: Any) -> str:
    if tag is not None and tag.info.type.name == "REF":
        tag = tag.referenced_object
    return _text(tag.value) or "" if tag is not None else ""


def _text(one: Any) -> str | None:
    """Return a character object as text; None for NA."""
    if one.value is None:
        return None
    return str(one.value.decode("latin-1" if one.info.gp & 4 else "utf-8", errors="replace"))


def _texts(one: Any) -> list[str | None]:
    return [_text(text) for text in one.value] if one is not None and one.info.type.name == "STR" else []


def _attributes(one: Any) -> dict[str, Any]:
    return dict(_objects(one.attributes)) if one.attributes is not None else {}


def _is_frame(one: Any) -> bool:
    return one.info.type.name == "VEC" and "data.frame" in _texts(_attributes(one).get("class"))


def _fields(frame: Any) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a data frame by name; row names that are texts come first."""
    attributes = _attributes(frame)
    names = [name or "" for name in _texts(attributes.get("names"))]
    rows = attributes.get("row.names")
    if rows is not None and rows.info.type.name == "STR" and rows.value and "row names" not in names:
        yield "row names", rows
    yield from zip(names, frame.value, strict=True)


def _labels(one: Any) -> dict[float, str]:
    """Return the value labels of a column as the package haven keeps them."""
    labels = _attributes(one).get("labels")
    if labels is None or labels.info.type.name not in ("REAL", "INT"):
        return {}
    names = _texts(_attributes(labels).get("names"))
    pairs = zip(np.asarray(labels.value, dtype=float), names, strict=False)
    return {float(code): name or "" for code, name in pairs if code == code}


def _column(one: Any) -> Any:
    """Return a vector as an Arrow array; None for lists, complex numbers and matrices."""
    import pyarrow as pa

    kind, attributes = one.info.type.name, _attributes(one)
    classes = _texts(attributes.get("class"))
    if "dim" in attributes:
        return None
    if kind == "STR":
        return pa.array(_texts(one), pa.string())
    if kind not in ("INT", "LGL", "REAL"):
        return None
    values, missing = np.ma.getdata(one.value), np.ma.getmaskarray(one.value)
    if "factor" in classes:
        codes = pa.array(np.where(missing, 1, values).astype(np.int32) - 1, mask=missing)
        levels = pa.array(_texts(attributes.get("levels")), pa.string())
        return pa.DictionaryArray.from_arrays(codes, levels).cast(pa.string())
    if "integer64" in classes:
        whole = values.view(np.int64)
        return pa.array(whole, mask=whole == np.iinfo(np.int64).min)
    if kind == "REAL":
        low_words = np.ascontiguousarray(values).view(np.uint64) & np.uint64(0xFFFFFFFF)
        missing = np.isnan(values) & (low_words == NA_WORD)
    unit = SECONDS.get((_texts(attributes.get("units")) or ["secs"])[0] or "secs", 1)
    moments = {"Date": 86_400, "POSIXct": 1, "difftime": unit}
    named = next((name for name in classes if name in moments), None)
    if named is None:
        return pa.array(values, mask=missing)
    seconds = np.floor(values) if named == "Date" else values
    missing = missing | ~np.isfinite(seconds)
    microseconds = np.rint(np.where(missing, 0, seconds) * moments[named] * 1e6).astype(np.int64)
    arrow = pa.array(microseconds, mask=missing)
    if named == "Date":
        return arrow.cast(pa.timestamp("us")).cast(pa.date32())
    return arrow.cast(pa.duration("us") if named == "difftime" else pa.timestamp("us"))
