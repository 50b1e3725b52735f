"""Checks whether each row of an answer is one row of one stored table, with unchanged values.

Only then does one person's row change one record, so that a release may be made.  sqlglot parses statements.
"""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from sqlglot.expressions import Expression

MAX_DEPTH = 8
"""Nesting depth of views and queries."""

MAX_LENGTH = 10_000
"""Characters of a statement or of a view's definition."""

REMEDY = "choose a stored table and one of its columns, or store a table with one row for each person"

MAX_SHOWN = 60
"""Characters of an expression in a message."""

AMBIGUOUS = re.compile(r"--|/\*|[\\$#@?{}]")
"""Comments, and characters that databases interpret differently."""

PSEUDO_COLUMNS = frozenset({"rownum", "rowid", "level", "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"})
"""Names with a special meaning on some servers.  ODBC hides the kind of server, so it refuses them all."""

CLAUSES = {
    "with": "it contains named queries (WITH)",
    "joins": "it joins tables, so one row may count several times",
    "laterals": "it makes several rows of one (LATERAL)",
    "where": "it selects rows by a condition, so even their number is confidential",
    "having": "it selects rows by a condition, so even their number is confidential",
    "qualify": "it selects rows by a condition, so even their number is confidential",
    "prewhere": "it selects rows by a condition, so even their number is confidential",
    "group": "it combines several rows (GROUP BY)",
    "distinct": "it leaves out duplicate rows (DISTINCT)",
    "windows": "it combines several rows (WINDOW)",
    "order": "it sorts the rows, so the first row depends on all others",
    "limit": "it takes a part of the rows (LIMIT)",
    "offset": "it takes a part of the rows (OFFSET)",
    "sample": "it draws a part of the rows",
    "pivots": "it turns rows into columns (PIVOT)",
}
"""Reasons why a clause makes an answer that is not row by row, by sqlglot's name of the clause."""


class NotRowByRow(SensiscopeError):
    """The reason why an answer is not row by row."""


@dataclasses.dataclass(frozen=True)
class Relation:
    """A table or a view, as described by the catalog of its database."""

    columns: tuple[str, ...] = ()
    name: str = ""  # of a stored table, if it can be read by this name alone; else ""
    definition: str | None = None  # the statement of a view; None for a stored table
    problem: str = ""  # why its rows are not stored, or not all visible


class Origin(NamedTuple):
    """The origin of the rows of an answer."""

    # Why no release may be made from it, in one line that depends on the statement and the catalog, never on
    # rows; "" if each row is one row of one stored table.
    release_problem: str
    table: str = ""  # that stored table; "" if there is none, or if its name is not enough to read it


class Rows(NamedTuple):
    """The columns of an answer, if their names are known, and the stored table behind it."""

    columns: tuple[str, ...]
    table: str


Names = tuple[tuple[str, bool], ...]
"""The parts of a table's name (catalog, schema, table), and whether each part was quoted."""


class Catalog(Protocol):
    """The catalog of a database, read on the connection that also reads the rows."""

    @property
    def dialect(self) -> str:
        """sqlglot's name for the database's language; "" for a server whose language is unknown."""

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that the database means by a name; None if there is none."""

    def folded(self, name: str, quoted: bool) -> str:
        """Return the name of a column in the form that the database compares."""


def origin_of(catalog: Catalog, query: str, table: str) -> Origin:
    """Return the origin of the rows of a table or view, or of a query if `table` is empty."""
    subject = f"'{table}'" if table else "this query"
    try:
        if table:
            rows = _relation(catalog, ((table, True),), 0)
        else:
            rows = _query(catalog, _parsed(catalog, query), 0)
    except RecursionError:
        return Origin(f"{subject} allows no release: it is too long to be checked; {REMEDY}")
    except NotRowByRow as error:
        return Origin(f"{subject} allows no release: {error}; {REMEDY}")
    return Origin("", rows.table)


@cache
def _sqlglot() -> Any:
    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # else it warns of statements that it cannot parse
    return sqlglot


def _parsed(catalog: Catalog, query: str) -> Expression:
    """Return the only statement in a text; `NotRowByRow` if there are more or it cannot be parsed."""
    if len(query) > MAX_LENGTH:
        raise NotRowByRow("it is too long to be checked")
    strange = next((char for char in query if not (char.isascii() or char.isalnum())), None)
    unclear = AMBIGUOUS.search(query)
    if strange is not None or unclear is not None or not all(c.isprintable() or c in "\t\r\n" for c in query):
        sign = f" ({unclear[0]})" if unclear else ""
        raise NotRowByRow(
            f"it has comments or characters{sign} that databases interpret differently; leave them out"
        )
    sqlglot = _sqlglot()
    try:
        statements = [one for one in sqlglot.parse(query, dialect=catalog.dialect or None) if one is not None]
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
        raise NotRowByRow("it cannot be checked; write a plain SELECT of columns from one table") from None
    if len(statements) != 1:
        raise NotRowByRow("it must be one statement")
    parsed: Expression = statements[0]
    return parsed


def _kind(node: Any) -> str:
    return type(node).__name__


def _only(node: Expression, allowed: Iterable[str]) -> None:
    """Refuse a part of a statement with any argument that is not allowed."""
    for name, value in node.args.items():
        plain = name.rstrip("_")  # sqlglot appends it to Python's keywords
        if value and plain not in allowed:
            raise NotRowByRow(CLAUSES.get(plain, f"it has a part that may not be row by row ({plain})"))


def _query(catalog: Catalog, node: Any, depth: int) -> Rows:
    """Check a query and return its rows."""
    if depth > MAX_DEPTH:
        raise NotRowByRow(f"views or queries are nested more than {MAX_DEPTH} deep")
    while _kind(node) in ("Subquery", "Paren"):
        _only(node, {"this"})
        node = node.this
    if _kind(node) in ("Union", "Intersect", "Except"):
        raise NotRowByRow("it combines several answers, so one row may count several times")
    if _kind(node) == "Values":
        raise NotRowByRow("its rows are not from a stored table (VALUES)")
    if _kind(node) != "Select":
        raise NotRowByRow("it is not a plain SELECT of columns from one table")
    _only(node, {"expressions", "from"})
    source = node.args.get("from_") or node.args.get("from")
    if source is None:
        raise NotRowByRow("its rows are not from a stored table")
    _only(source, {"this"})
    rows, called = _source(catalog, source.this, depth)
    names: list[str] = []
    for expression in node.expressions:
        names += _projected(catalog, expression, rows.columns, called)
    return Rows(tuple(names), rows.table)


def _source(catalog: Catalog, node: Any, depth: int) -> tuple[Rows, str]:
    """Check the source after FROM; return its rows and its name in the query."""
    alias = node.args.get("alias")
    if alias is not None:
        _only(alias, {"this"})
    if _kind(node) == "Subquery":
        _only(node, {"this", "alias"})
        return _query(catalog, node.this, depth + 1), node.alias
    if _kind(node) != "Table" or _kind(node.this) != "Identifier":
        raise NotRowByRow("its rows are from a function or a file, not from a stored table")
    _only(node, {"this", "db", "catalog", "alias"})
    parts = [part for part in (node.args.get("catalog"), node.args.get("db"), node.this) if part is not None]
    for part in parts:
        _identifier(part)
    names = tuple((str(part.this), bool(part.args.get("quoted"))) for part in parts)
    if not catalog.dialect and any(quoted for _, quoted in names):
        raise NotRowByRow("it has quotes, which servers interpret differently; leave them out")
    return _relation(catalog, names, depth), node.alias or str(node.this.this)


def _relation(catalog: Catalog, names: Names, depth: int) -> Rows:
    """Check a table or a view and return its rows."""
    called = names[-1][0]
    relation = catalog.relation(names)
    if relation is None:
        raise NotRowByRow(f"'{called}' is not a stored table of the database")
    if relation.problem:
        raise NotRowByRow(f"'{called}' {relation.problem}")
    if relation.definition is not None:
        try:
            return _view(catalog, _parsed(catalog, relation.definition), depth + 1)
        except NotRowByRow as error:
            raise NotRowByRow(f"the view '{called}' is not row by row ({error})") from None
    return Rows(tuple(catalog.folded(name, True) for name in relation.columns), relation.name)


def _view(catalog: Catalog, node: Any, depth: int) -> Rows:
    """Check the definition of a view, which may be its CREATE statement."""
    if _kind(node) != "Create":
        return _query(catalog, node, depth)
    rows = _query(catalog, node.expression, depth)
    if _kind(node.this) != "Schema":
        return rows
    for name in node.this.expressions:
        _identifier(name)
    return Rows(tuple(_folded(catalog, name) for name in node.this.expressions), rows.table)


def _projected(catalog: Catalog, node: Any, columns: tuple[str, ...], called: str) -> list[str]:
    """Check one expression of a SELECT; return the names of its columns, if known."""
    if _kind(node) == "Star":
        _only(node, ())
        return list(columns)
    if _kind(node) == "Column" and _kind(node.this) == "Star":
        _only(node, {"this", "table"})
        _only(node.this, ())
        _qualifier(node, called)
        return list(columns)
    if _kind(node) == "Alias":
        _only(node, {"this", "alias"})
        _identifier(node.args["alias"])
        _column(catalog, node.this, columns, called)
        return [_folded(catalog, node.args["alias"])]
    _column(catalog, node, columns, called)
    return [_folded(catalog, node.this)]


def _folded(catalog: Catalog, identifier: Any) -> str:
    return catalog.folded(str(identifier.this), bool(identifier.args.get("quoted")))


def _identifier(node: Any) -> None:
    if _kind(node) != "Identifier":
        raise NotRowByRow("it has a name that cannot be checked")
    _only(node, {"this", "quoted"})


def _qualifier(node: Any, called: str) -> None:
    """Refuse a column of any other table than the one of the query."""
    table = node.args.get("table")
    if table is not None:
        _identifier(table)
        if small(str(table.this)) != small(called):
            raise NotRowByRow(f"'{table.this}' is not the table of the query")


def _column(catalog: Catalog, node: Any, columns: tuple[str, ...], called: str) -> None:
    """Refuse anything but an unchanged stored column.

    An expression may fail on one record (a cast, an overflow) or make it missing (CASE).  The error would
    then reveal that record without noise, at every query.
    """
    if _kind(node) != "Column":
        raise NotRowByRow(_refusal(node, catalog.dialect))
    _only(node, {"this", "table"})
    _identifier(node.this)
    _qualifier(node, called)
    name, quoted = str(node.this.this), bool(node.this.args.get("quoted"))
    unclear = not catalog.dialect and (quoted or small(name) in PSEUDO_COLUMNS)
    if unclear or _folded(catalog, node.this) not in columns:
        raise NotRowByRow(f"'{name}' is not a stored column of '{called}'")


def _refusal(node: Any, dialect: str) -> str:
    """Return why an expression is not a stored column."""
    from sqlglot import expressions

    if isinstance(node, expressions.Window):
        return "it combines several rows (OVER)"
    if isinstance(node, expressions.Query | expressions.Exists):
        return "it contains a query in an expression"
    written = str(node.sql(dialect=dialect or None))[:MAX_SHOWN]
    if isinstance(node, expressions.AggFunc):
        return f"it computes one value from many rows ({written})"
    if isinstance(node, expressions.UDTF | expressions.Explode | expressions.Unnest):
        return f"it makes several rows of one ({written})"
    return f"it computes a value, and an error would reveal the row on which it fails ({written})"


def small(name: str) -> str:
    """Return a name with its ASCII letters in lower case, as databases compare names."""
    return re.sub("[A-Z]+", lambda letters: letters[0].lower(), name)
