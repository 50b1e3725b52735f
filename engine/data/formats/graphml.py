"""Read GraphML: each edge of a graph becomes a record."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from engine.data import cells
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.missing_values import MissingValues
from engine.data.names import check_known, tidy_name
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.data.text import TextFile
from engine.progress import Progress

ENDS = ("source", "target")
"""Columns of every GraphML table; the data of the edges follow."""

_Attributes = Mapping[str, str]


def looks_like_xml(text: str) -> bool:
    """Tell from its beginning whether a file is XML: GraphML, or other XML that is then refused."""
    return re.match(r"\s*<(\?xml\s|!--|!DOCTYPE\s|([\w.-]+:)?(graphml|html)\b)", text) is not None


def check_nodes(
    file: TextFile | DataFile, column: str, ends: Sequence[str], nodes: Mapping[str, object]
) -> None:
    """Raise `DataError` at the first edge with an end that is no node."""
    if nodes.keys() >= set(ends):
        return
    row, name = next((row, name) for row, name in enumerate(ends, start=1) if name not in nodes)
    raise file.error(
        "there is no such node; correct the edge, or add the node",
        confidential=cells.quote(name),
        row=row,
        column=column,
    )


def read_graphml(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read the edges of a GraphML file (Brandes et al. 2002, "GraphML progress report").

    One record is one edge, in file order; rows count from 1.  The columns are source, target, and the data of
    the edges under their `attr.name`.  Directed edges are read as undirected; the table's `format` says so.
    `vertices` lists all nodes, including isolated ones.  Edges of nested graphs are read, too; data of nodes
    and graphs are not.
    """
    from xml.parsers import expat

    codes = expat.errors.codes
    cut = {
        codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
        codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    }
    reader = _Reader(file.text)
    try:
        for block in file.text.blocks(progress):
            reader.parser.Parse(block, not block)
    except (expat.ExpatError, LookupError, ValueError) as error:
        code = getattr(error, "code", None)
        if code in cut:
            reader.refuse("the file is truncated; get the whole file again")
        reason = "" if code is None else f" ({expat.ErrorString(code)})"
        reader.refuse(f"it is not well-formed XML{reason}; write the file again", str(error))
    return reader.table(columns, file.options.missing)


@dataclasses.dataclass
class _Key:
    """A declared key of edge data, with the texts read for it."""

    name: str
    type: str
    default: str | None = None
    texts: dict[int, str] = dataclasses.field(default_factory=dict)

    def column(self, edges: int, missing: Sequence[str]) -> Any:
        """Return one cell per edge; text if a cell does not match the declared type."""
        import pyarrow as pa

        column = pa.array((self.texts.get(edge, self.default) or None for edge in range(edges)), pa.string())
        whole, real = [pa.int64(), pa.float64()], [pa.float64()]
        types = {"boolean": [pa.bool_()], "int": whole, "long": whole, "float": real, "double": real}
        spelled = cells.spelled_numbers(column, missing)
        for wanted in types.get(self.type, []):
            try:
                return spelled.cast(wanted)
            except pa.ArrowInvalid:
                continue
        return column


class _Reader:
    """Collects nodes, edges and the data of edges while expat parses."""

    def __init__(self, file: TextFile) -> None:
        from xml.parsers import expat

        self._file = file
        self._nodes: dict[str, None] = {}
        self._sources: list[str] = []
        self._targets: list[str] = []
        self._keys: dict[str, _Key] = {}
        self._declared: _Key | None = None
        self._described: tuple[_Key, int] | None = None  # the key and the edge of the open <data>
        self._owners: list[int | None] = []  # the open elements that may have data; an edge by its index
        self._text: list[str] = []
        self._space = ""
        self._graphs = 0
        self._by_default = self._directed = False
        # the text is converted to UTF-8 first, whatever the XML declares
        self.parser = expat.ParserCreate(None if file.encoding == "utf-8" else "utf-8", " ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._root
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def refuse(self, what: str, confidential: str = "") -> NoReturn:
        """Raise `DataError` with the current line."""
        line = self.parser.CurrentLineNumber
        raise self._file.error(f"line {line}: {what}", confidential=confidential) from None

    def table(self, columns: Sequence[str] | None, missing: MissingValues) -> Table:
        """Return the edges; `DataError` without edges, or if one names an unknown node."""
        import pyarrow as pa

        if not self._sources:
            raise self._file.error("there are no edges; at least one is needed")
        data = {}
        for name, ends in zip(ENDS, (self._sources, self._targets), strict=True):
            check_nodes(self._file, name, ends, self._nodes)
            data[name] = pa.array(ends)
        for identifier, key in self._keys.items():
            if key.texts or key.default:
                name = key.name if key.name not in data else f"{key.name} ({identifier})"
                data[name] = key.column(len(self._sources), missing.texts(name))
        check_known(columns or [], list(data), self._file.name)
        return Table(
            self._file.name,
            pa.table({name: data[name] for name in columns or data}),
            format=f"GraphML, {'directed edges read as undirected' if self._directed else 'undirected'}",
            vertices=tuple(self._nodes),
            reading=FoundReading(FORMAT.name, {"encoding": self._file.encoding}),
        )

    def _entity(self, *_: object) -> NoReturn:
        self.refuse("it declares an entity, which could grow without limit; write its text out instead")

    def _root(self, name: str, _: _Attributes) -> None:
        space, blank, local = name.rpartition(" ")
        if local != "graphml":
            self.refuse(f"it is XML that begins with <{local}>, not GraphML; save the edges as CSV")
        self._space = space + blank
        self.parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: _Attributes) -> None:
        # elements of other namespaces keep their prefix, and match nothing
        match name.removeprefix(self._space):
            case "edge":
                self._edge(attributes)
            case "data":
                self._data(attributes)
            case "node":
                self._nodes[self._required(attributes, "node", "id")] = None
                self._owners.append(None)
            case "port":
                self._owners.append(None)
            case "graph":
                self._graph(attributes)
            case "key":
                self._key(attributes)
            case "default":
                self._listen()
            case "hyperedge":
                self.refuse("a hyperedge may join more than two nodes; write edges between two instead")

    def _end(self, name: str) -> None:
        match name.removeprefix(self._space):
            case "edge" | "node" | "port" | "graph":
                self._owners.pop()
            case "data":
                if self._described is not None:
                    key, edge = self._described
                    key.texts[edge] = self._heard()
            case "default":
                if self._declared is not None:
                    self._declared.default = self._heard()

    def _required(self, attributes: _Attributes, element: str, name: str) -> str:
        value = attributes.get(name, "").strip()
        if not value:
            self.refuse(f'the {element} has no {name}; add {name}="..."')
        return value

    def _graph(self, attributes: _Attributes) -> None:
        self._graphs += not self._owners
        if self._graphs > 1:
            self.refuse("a second graph begins; keep one graph in a file")
        self._owners.append(None)
        self._by_default = attributes.get("edgedefault") == "directed"

    def _edge(self, attributes: _Attributes) -> None:
        self._owners.append(len(self._sources))
        self._sources.append(self._required(attributes, "edge", "source"))
        self._targets.append(self._required(attributes, "edge", "target"))
        directed = attributes.get("directed")
        self._directed |= self._by_default if directed is None else directed == "true"

    def _key(self, attributes: _Attributes) -> None:
        identifier = self._required(attributes, "key", "id")
        self._declared = None
        if attributes.get("for", "all") in ("edge", "all"):
            name = tidy_name(attributes.get("attr.name", "")) or identifier
            self._declared = self._keys[identifier] = _Key(name, attributes.get("attr.type", "string"))

    def _data(self, attributes: _Attributes) -> None:
        edge = self._owners[-1] if self._owners else None
        key = self._keys.get(attributes.get("key", ""))
        self._described = None if edge is None or key is None else (key, edge)
        self._listen()

    def _listen(self) -> None:
        self._text.clear()
        self.parser.CharacterDataHandler = self._text.append

    def _heard(self) -> str:
        self.parser.CharacterDataHandler = None
        return "".join(self._text).strip()


FORMAT = FileFormat(
    "graphml",
    "GraphML",
    (".graphml",),
    recognised=lambda file: looks_like_xml(file.beginning),
    reader=read_graphml,
    options=("encoding",),
    of_graphs=True,
    is_text=True,
)
