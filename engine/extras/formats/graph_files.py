"""Read files of graph programs: GML, GEXF, Pajek, DIMACS, MatrixMarket and node-link JSON."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.data import cells
from engine.data.formats.file_format import DataFile
from engine.data.formats.graphml import looks_like_xml
from engine.data.names import problem_of_names
from engine.data.table import Table
from engine.extras.formats.declarations import DIMACS, GEXF, GML, JSON_GRAPH, MATRIX_MARKET, PAJEK
from engine.extras.formats.edge_table import edge_table, labelled, numbered, text_of
from engine.progress import Progress

START = 50_000
"""Characters inspected to recognise a format; comments may precede the graph."""

MAX_DEPTH = 64
"""Nesting depth of lists in GML."""

GML_START = re.compile(
    r'(?:\s*(?:#[^\n]*\n|[a-z]\w*[ \t]+(?:"[^"]*"|[-+.\w]+)(?=\s)))*+\s*graph\s*\[', re.IGNORECASE
)
"""Comments and facts about the file, without backtracking, and the begin of the graph."""
GML_TOKEN = re.compile(r'"([^"]*)"|#[^\n]*$|([\[\]])|([^\s\[\]"]+)', re.MULTILINE)

Pairs = list[tuple[str, Any]]


def is_gml(file: DataFile) -> bool:
    """Tell whether a file begins with comments, facts and a graph in GML."""
    return GML_START.match(file.beginning[:START]) is not None


def read_gml(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read GML (Himsolt 1997, "GML: A portable graph file format").

    Vertices are named by their labels if all labels differ, else by their identifiers.
    """
    graphs = [
        value for key, value in _gml_pairs(file, progress) if key == "graph" and isinstance(value, list)
    ]
    if len(graphs) != 1:
        raise file.error("it must hold one graph; keep one graph in a file")
    nodes: dict[str, str] = {}
    data: list[dict[str, Any]] = []
    for key, value in graphs[0]:
        if key in ("node", "edge") and isinstance(value, list):
            described = dict(value)
            if key == "edge":
                data.append({name: one for name, one in described.items() if not isinstance(one, list)})
            else:
                identifier = str(described.get("id", ""))
                nodes[identifier] = str(described.get("label", described.get("name", "")))
    ends = tuple([str(edge.get(side, "")) for edge in data] for side in ("source", "target"))
    is_directed = ("directed", 1) in graphs[0]
    return edge_table(
        file,
        GML.name,
        _title("GML", is_directed),
        (ends[0], ends[1]),
        data,
        nodes=labelled(nodes),
        columns=columns,
    )


def _title(name: str, is_directed: bool) -> str:
    return f"{name}, {'directed edges read as undirected' if is_directed else 'undirected'}"


def _gml_pairs(file: DataFile, progress: Progress) -> Pairs:
    """Return the keys and values of a GML text; values in brackets are again such a list."""
    text = text_of(file, progress)
    open_lists: list[Pairs] = [[]]
    key: str | None = None
    for match in GML_TOKEN.finditer(text):
        quoted, bracket, word = match.groups()
        fault = ""
        if quoted is None and bracket is None and word is None:
            continue  # a comment
        if bracket == "[":
            if key is None:
                fault = "a list has no key"
            elif len(open_lists) == MAX_DEPTH:
                fault = "lists are too deep"
            open_lists.append([])
            open_lists[-2].append((key or "", open_lists[-1]))
            key = None
        elif bracket == "]":
            open_lists.pop()
            if not open_lists or key is not None:
                fault = "a bracket closes no list"
        elif key is None:
            key = (word or "").lower()
            if not word:
                fault = "a text has no key"
        else:
            open_lists[-1].append((key, html.unescape(quoted) if word is None else _gml_value(word)))
            key = None
        if fault:
            line = text.count("\n", 0, match.start()) + 1
            raise file.error(f"line {line}: {fault}; it is not valid GML, write the file again")
    if len(open_lists) > 1:
        raise file.error("the file is truncated; get the whole file again")
    return open_lists[0]


def _gml_value(word: str) -> Any:
    for read in (int, float):
        try:
            return read(word)
        except ValueError:
            continue
    return word


def is_gexf(file: DataFile) -> bool:
    """Tell whether a file begins with the element of GEXF."""
    begins_well = looks_like_xml(file.beginning) or file.beginning.lstrip().startswith("<gexf")
    return begins_well and re.search(r"<gexf\b", file.beginning[:START]) is not None


def read_gexf(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read GEXF (gexf.net), the format of Gephi; the data of edges are their weights and attributes."""
    from xml.etree import ElementTree

    text = text_of(file, progress)
    if "<!ENTITY" in text:
        raise file.error("it declares an entity, which could grow without limit; write its text out instead")
    try:
        # the text is UTF-8 now, whatever the XML declares
        root = ElementTree.fromstring(text.encode(), ElementTree.XMLParser(encoding="utf-8"))
    except (ElementTree.ParseError, ValueError) as error:
        raise file.error(
            "it is not well-formed XML; write the file again (or get it again, if it is truncated)",
            confidential=str(error),
        ) from None
    graph = root.find("{*}graph")
    if graph is None:
        raise file.error("it holds no graph; write the file again")
    titles = {
        one.get("id", ""): one.get("title", "")
        for group in graph.iterfind("{*}attributes")
        if group.get("class") == "edge"
        for one in group.iterfind("{*}attribute")
    }
    nodes = {node.get("id", ""): node.get("label", "") for node in graph.iterfind(".//{*}node")}
    data: list[dict[str, Any]] = []
    ends: tuple[list[str], list[str]] = ([], [])
    is_directed = graph.get("defaultedgetype") == "directed"
    for edge in graph.iterfind(".//{*}edge"):
        ends[0].append(edge.get("source", ""))
        ends[1].append(edge.get("target", ""))
        is_directed |= edge.get("type") == "directed"
        values = {"weight": weight} if (weight := edge.get("weight")) else {}
        for value in edge.iterfind("{*}attvalues/{*}attvalue"):
            number = value.get("for", value.get("id", ""))
            values[titles.get(number) or number] = value.get("value", "")
        data.append(values)
    return edge_table(
        file,
        GEXF.name,
        _title("GEXF", is_directed),
        ends,
        data,
        nodes=labelled(nodes),
        columns=columns,
        declared=[title or number for number, title in titles.items()],
    )


PAJEK_START = re.compile(r"(?:\s*%[^\n]*\n)*\s*\*(?:network|vertices)\b", re.IGNORECASE)
PAJEK_VERTEX = re.compile(r'([0-9]+)(?:\s+(?:"([^"]*)"|(\S+)))?')


def _lines(file: DataFile, progress: Progress) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_of(file, progress).splitlines(), start=1):
        if line.strip():
            yield number, line.strip()


def _refuse_line(file: DataFile, number: int, line: str, what: str) -> None:
    raise file.error(f"line {number}: {what}", confidential=cells.quote(line))


def is_pajek(file: DataFile) -> bool:
    """Tell whether a file begins with a network of Pajek."""
    return PAJEK_START.match(file.beginning[:START]) is not None


def read_pajek(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a network of Pajek: vertices, and edges or arcs as pairs or lists.

    An edge without a weight has weight 1 if others have one, as in Pajek.
    """
    nodes: dict[str, str] = {}
    ends: tuple[list[str], list[str]] = ([], [])
    weights: list[str | None] = []
    section, is_directed = "", False
    for number, line in _lines(file, progress):
        if line.startswith("%"):
            continue
        if line.startswith("*"):
            section, *rest = re.split(r"[\s:]+", line[1:].lower())
            is_directed |= section.startswith("arcs")
            if section == "matrix":
                _refuse_line(file, number, line, "a matrix is not read; write the edges as a list")
            if section == "vertices":
                if nodes:
                    _refuse_line(file, number, line, "a second network begins; keep one in a file")
                if not (rest and rest[0].isdecimal()):
                    _refuse_line(file, number, line, "it must state the number of vertices")
                nodes = dict.fromkeys(numbered(file, int(rest[0])), "")
            continue
        fields = line.split()
        if section == "vertices":
            vertex = PAJEK_VERTEX.match(line)
            if vertex is None or vertex[1] not in nodes:
                _refuse_line(file, number, line, "it must begin with the number of a vertex")
            else:
                nodes[vertex[1]] = vertex[2] or vertex[3] or ""
        elif section in ("edges", "arcs"):
            if len(fields) < 2:
                _refuse_line(file, number, line, "an edge needs two vertices")
            ends[0].append(fields[0])
            ends[1].append(fields[1])
            weights.append(fields[2] if len(fields) > 2 else None)
        elif section in ("edgeslist", "arcslist"):
            ends[0].extend(fields[:1] * (len(fields) - 1))
            ends[1].extend(fields[1:])
            weights.extend([None] * (len(fields) - 1))
    has_weights = any(weights)
    data = [{"weight": weight or "1"} if has_weights else {} for weight in weights]
    return edge_table(
        file,
        PAJEK.name,
        _title("Pajek", is_directed),
        ends,
        data,
        nodes=labelled(nodes),
        columns=columns,
        problem=problem_of_names(("weight" for weight in weights if weight), len(weights)),
    )


DIMACS_START = re.compile(r"(?:c\b[^\n]*\n|[ \t\r]*\n)*p\s+([a-z]+)\s+([0-9]+)\s+[0-9]+\s*$", re.MULTILINE)


OTHER_LINES = ("c", "p", "n", "d", "v")
"""First words of lines without an edge: a comment, the problem, and facts about vertices."""


def is_dimacs(file: DataFile) -> bool:
    """Tell whether a file begins with a problem of a DIMACS challenge."""
    return DIMACS_START.match(file.beginning[:START]) is not None


def read_dimacs(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a graph of a DIMACS challenge: shortest paths (.gr), colouring (.col) or flows."""
    problem = DIMACS_START.match(file.beginning[:START])
    assert problem is not None  # recognised by it
    ends: tuple[list[str], list[str]] = ([], [])
    data: list[dict[str, Any]] = []
    for number, line in _lines(file, progress):
        kind, *fields = line.split()
        if kind in ("a", "e"):
            if len(fields) < 2:
                _refuse_line(file, number, line, "an edge needs two vertices")
            ends[0].append(fields[0])
            ends[1].append(fields[1])
            data.append({"weight": fields[-1]} if len(fields) > 2 else {})
        elif kind not in OTHER_LINES:
            _refuse_line(file, number, line, "it must begin with a or e for an edge, or with c for a comment")
    title = _title("DIMACS", problem[1] not in ("edge", "col"))
    nodes = numbered(file, int(problem[2]))
    return edge_table(file, DIMACS.name, title, ends, data, nodes=nodes, columns=columns)


def read_matrix_market(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read the sparse adjacency matrix in a MatrixMarket file; each stored entry is an edge.

    A symmetric matrix has each edge once.  A general one has edges of both directions as two records.  A
    dense matrix is refused: there a private weight of 0 would remove a public edge.
    """
    import pyarrow as pa
    from scipy.io import mminfo, mmread
    from scipy.sparse import coo_array

    progress(0.0, f"reading {file.name}")
    try:
        height, width, entries, layout, field, symmetry = mminfo(file.path)
        if layout != "coordinate":
            raise file.error("its matrix is dense; write it as a sparse matrix (coordinate)")
        if height != width:
            raise file.error(f"its matrix of {height} × {width} is not square, so it is no adjacency matrix")
        if field == "complex":
            raise file.error("its entries are complex numbers, which cannot be weights")
        nodes = numbered(file, height)
        if entries > file.path.stat().st_size:
            raise file.error("the file is truncated; get the whole file again")
        matrix = mmread(file.path)
    except (ValueError, OverflowError) as error:
        raise file.error(
            "it is not a valid MatrixMarket file; get it again", confidential=str(error)
        ) from None
    sparse = coo_array(matrix)
    rows, others = sparse.coords
    present = np.full(len(rows), symmetry == "general") | (rows >= others)
    data = {} if field == "pattern" else {"weight": pa.array(sparse.data[present])}
    ends = tuple((side[present] + 1).astype(str).tolist() for side in (rows, others))
    title = _title("MatrixMarket", symmetry == "general")
    return edge_table(file, MATRIX_MARKET.name, title, (ends[0], ends[1]), data, nodes=nodes, columns=columns)


NODES_FIRST = re.compile(
    r'\s*\{(?:\s*"(?:directed|multigraph)"\s*:\s*\w+,|\s*"graph"\s*:\s*\{\s*\},)*\s*"nodes"\s*:'
)
NODE_LISTS = (re.compile(r'"nodes"\s*:\s*[\[{]'), re.compile(r'"(?:links|edges)"\s*:\s*\['))


def read_node_link(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read JSON with lists of nodes and of links, as networkx, D3, Cytoscape and JSON Graph Format have them.

    A node without an identifier has its index in the list.
    """
    try:
        graph = json.loads(text_of(file, progress))
    except (ValueError, RecursionError) as error:
        raise file.error(
            "it is not valid JSON; correct the file (or get it again, if it is truncated)",
            confidential=str(error),
        ) from None
    is_directed = graph.get("directed") is True
    for outer in ("graph", "elements"):
        if isinstance(graph.get(outer), dict) and "nodes" in graph[outer]:
            graph = graph[outer]
    nodes, links = graph.get("nodes"), graph.get("links", graph.get("edges"))
    if isinstance(nodes, dict):
        nodes = [{"id": identifier} for identifier in nodes]
    if not (isinstance(nodes, list) and isinstance(links, list) and all(map(_is_object, [*nodes, *links]))):
        raise file.error("it must hold a list of nodes and a list of links (or edges)")
    nodes = [node.get("data", node) for node in nodes]
    data = [link.get("data", link) for link in links]
    names = {
        str(node.get("id", index)): str(node.get("id", node.get("name", index)))
        for index, node in enumerate(nodes)
    }
    ends = tuple([str(link.get(side, "")) for link in data] for side in ("source", "target"))
    title = _title("node-link JSON", is_directed or graph.get("directed") is True)
    return edge_table(
        file, JSON_GRAPH.name, title, (ends[0], ends[1]), data, nodes=labelled(names), columns=columns
    )


def _is_object(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("data", {}), dict)


def is_node_link(file: DataFile) -> bool:
    """Tell whether an object of JSON begins with lists of nodes and links."""
    text = file.beginning
    if not text.lstrip().startswith("{"):
        return False
    if all(pattern.search(text) for pattern in NODE_LISTS):
        return True
    # in a long file the links may begin later
    return len(file.head) < file.path.stat().st_size and NODES_FIRST.match(text) is not None
