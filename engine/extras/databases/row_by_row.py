"""Tells whether each row of an answer is one row of one stored table: some of its columns, as they are.

Only then does one person's row change one record, so that a release may be made.  Statements are parsed by
sqlglot, and whatever is not known to be such a choice of columns is refused.  A view counts as its
definition.
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
"""Views and queries within each other."""

MAX_LENGTH = 10_000
"""Letters of a statement or of the definition of a view."""

REMEDY = "choose a stored table by its name and a column of it, or store a table with one row for each person"

MAX_SHOWN = 60
"""Letters of an expression in a message."""

UNCLEAR = re.compile(r"--|/\*|[\\$#@?{}]")
"""Comments, and letters that databases read differently."""

PSEUDO_COLUMNS = frozenset({"rownum", "rowid", "level", "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"})
"""Names that servers give a meaning of their own: refused by ODBC, which hides which server answers."""

CLAUSES = {
    "with": "it names queries within itself (WITH)",
    "joins": "it joins tables, so that one row may count several times",
    "laterals": "it makes several rows of one (LATERAL)",
    "where": "it keeps rows by a condition, so that even their number is confidential",
    "having": "it keeps rows by a condition, so that even their number is confidential",
    "qualify": "it keeps rows by a condition, so that even their number is confidential",
    "prewhere": "it keeps rows by a condition, so that even their number is confidential",
    "group": "it puts several rows together (GROUP BY)",
    "distinct": "it leaves out rows that are alike (DISTINCT)",
    "windows": "it looks at several rows at once (WINDOW)",
    "order": "it sorts the rows, so that which of them is the first depends on all others",
    "limit": "it takes a part of the rows (LIMIT)",
    "offset": "it takes a part of the rows (OFFSET)",
    "sample": "it draws a part of the rows",
    "pivots": "it turns rows into columns (PIVOT)",
}
"""Why a clause makes an answer that is not row by row, by what sqlglot calls it."""


class NotRowByRow(SensiscopeError):
    """Says why an answer is not row by row."""


@dataclasses.dataclass(frozen=True)
class Relation:
    """A table or a view, as the catalog of its database describes it."""

    columns: tuple[str, ...] = ()
    name: str = ""  # of a stored table, by which it can be read alone; "" where it cannot
    definition: str | None = None  # the statement of a view; None of a stored table
    problem: str = ""  # why its rows are not stored, or not all of them are shown


class Origin(NamedTuple):
    """Where the rows of an answer come from."""

    # Why no release may be made of it: one line that depends on the statement and on the catalog, and on no
    # row.  "" where each row is made of one row of one stored table.
    release_problem: str
    table: str = ""  # that stored table; "" where there is none, or it cannot be read by its name


class Rows(NamedTuple):
    """The columns of an answer, if their names are known, and the stored table that it is made of."""

    columns: tuple[str, ...]
    table: str


Names = tuple[tuple[str, bool], ...]
"""The parts of the name of a table (catalog, schema, table), and whether each stood between quotes."""


class Catalog(Protocol):
    """Answers for a database, on the connection that reads."""

    @property
    def dialect(self) -> str:
        """The name by which sqlglot knows its language; "" for a server that is not known well."""

    def relation(self, names: Names) -> Relation | None:
        """Return the table or view that the database means by a name; None if there is none."""

    def folded(self, name: str, quoted: bool) -> str:
        """Return the name of a column as the database compares it."""


def origin_of(catalog: Catalog, query: str, table: str) -> Origin:
    """Return where the rows of a table or view come from, or those of a query where no table is named."""
    subject = f"'{table}'" if table else "this query"
    try:
        if table:
            rows = _relation(catalog, ((table, True),), 0)
        else:
            rows = _query(catalog, _parsed(catalog, query), 0)
    except RecursionError:
        return Origin(f"no release may be made of {subject}: it is too long to be checked; {REMEDY}")
    except NotRowByRow as error:
        return Origin(f"no release may be made of {subject}: {error}; {REMEDY}")
    return Origin("", rows.table)


@cache
def _sqlglot() -> Any:
    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # else it warns of statements that it leaves alone
    return sqlglot


def _parsed(catalog: Catalog, query: str) -> Expression:
    """Return the one statement in a text, or say why it cannot be understood."""
    if len(query) > MAX_LENGTH:
        raise NotRowByRow("it is too long to be checked")
    strange = next((char for char in query if not (char.isascii() or char.isalnum())), None)
    unclear = UNCLEAR.search(query)
    if strange is not None or unclear is not None or not all(c.isprintable() or c in "\t\r\n" for c in query):
        sign = f" ({unclear[0]})" if unclear else ""
        raise NotRowByRow(f"it has comments or signs{sign} that databases read differently; leave them out")
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
    """Refuse whatever else is stated of a part of a statement."""
    for name, value in node.args.items():
        plain = name.rstrip("_")  # sqlglot avoids Python's own words
        if value and plain not in allowed:
            raise NotRowByRow(
                CLAUSES.get(plain, f"it has a part that is not known to be row by row ({plain})")
            )


def _query(catalog: Catalog, node: Any, depth: int) -> Rows:
    """Check a query."""
    if depth > MAX_DEPTH:
        raise NotRowByRow("views or queries stand within each other too deeply")
    while _kind(node) in ("Subquery", "Paren"):
        _only(node, {"this"})
        node = node.this
    if _kind(node) in ("Union", "Intersect", "Except"):
        raise NotRowByRow("it puts several answers together, so that one row may count several times")
    if _kind(node) == "Values":
        raise NotRowByRow("its rows come from no stored table (VALUES)")
    if _kind(node) != "Select":
        raise NotRowByRow("it is no plain SELECT of columns from one table")
    _only(node, {"expressions", "from"})
    source = node.args.get("from_") or node.args.get("from")
    if source is None:
        raise NotRowByRow("its rows come from no stored table")
    _only(source, {"this"})
    rows, called = _source(catalog, source.this, depth)
    names: list[str] = []
    for expression in node.expressions:
        names += _projected(catalog, expression, rows.columns, called)
    return Rows(tuple(names), rows.table)


def _source(catalog: Catalog, node: Any, depth: int) -> tuple[Rows, str]:
    """Check what stands after FROM; return its rows, and what it is called."""
    alias = node.args.get("alias")
    if alias is not None:
        _only(alias, {"this"})
    if _kind(node) == "Subquery":
        _only(node, {"this", "alias"})
        return _query(catalog, node.this, depth + 1), node.alias
    if _kind(node) != "Table" or _kind(node.this) != "Identifier":
        raise NotRowByRow("its rows come from a function or a file, and from no stored table")
    _only(node, {"this", "db", "catalog", "alias"})
    parts = [part for part in (node.args.get("catalog"), node.args.get("db"), node.this) if part is not None]
    for part in parts:
        _identifier(part)
    names = tuple((str(part.this), bool(part.args.get("quoted"))) for part in parts)
    if not catalog.dialect and any(quoted for _, quoted in names):
        raise NotRowByRow("it has quotes, which servers read differently; leave them out")
    return _relation(catalog, names, depth), node.alias or str(node.this.this)


def _relation(catalog: Catalog, names: Names, depth: int) -> Rows:
    """Check a table or a view."""
    called = names[-1][0]
    relation = catalog.relation(names)
    if relation is None:
        raise NotRowByRow(f"'{called}' is no stored table of the database")
    if relation.problem:
        raise NotRowByRow(f"'{called}' {relation.problem}")
    if relation.definition is not None:
        try:
            return _view(catalog, _parsed(catalog, relation.definition), depth + 1)
        except NotRowByRow as error:
            raise NotRowByRow(f"the view '{called}' is not row by row ({error})") from None
    return Rows(tuple(catalog.folded(name, True) for name in relation.columns), relation.name)


def _view(catalog: Catalog, node: Any, depth: int) -> Rows:
    """Check the definition of a view, which may be the statement that makes it."""
    if _kind(node) != "Create":
        return _query(catalog, node, depth)
    rows = _query(catalog, node.expression, depth)
    if _kind(node.this) != "Schema":
        return rows
    for name in node.this.expressions:
        _identifier(name)
    return Rows(tuple(_folded(catalog, name) for name in node.this.expressions), rows.table)


def _projected(catalog: Catalog, node: Any, columns: tuple[str, ...], called: str) -> list[str]:
    """Check one of the expressions of a SELECT; return the names of its columns, as far as they are known."""
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
    """Refuse a column of anything but the one table."""
    table = node.args.get("table")
    if table is not None:
        _identifier(table)
        if small(str(table.this)) != small(called):
            raise NotRowByRow(f"'{table.this}' is not the table of the query")


def _column(catalog: Catalog, node: Any, columns: tuple[str, ...], called: str) -> None:
    """Check that what is selected is a stored column as it is.

    An expression may fail on one record (a cast, a number that is too large) or leave it empty (CASE): the
    error then tells of it without noise, as often as it is asked.
    """
    if _kind(node) != "Column":
        raise NotRowByRow(_refusal(node, catalog.dialect))
    _only(node, {"this", "table"})
    _identifier(node.this)
    _qualifier(node, called)
    name, quoted = str(node.this.this), bool(node.this.args.get("quoted"))
    unclear = not catalog.dialect and (quoted or small(name) in PSEUDO_COLUMNS)
    if unclear or _folded(catalog, node.this) not in columns:
        raise NotRowByRow(f"'{name}' is no stored column of '{called}'")


def _refusal(node: Any, dialect: str) -> str:
    """Say why an expression is not a stored column."""
    from sqlglot import expressions

    if isinstance(node, expressions.Window):
        return "it looks at several rows at once (OVER)"
    if isinstance(node, expressions.Query | expressions.Exists):
        return "it asks a query within an expression"
    written = str(node.sql(dialect=dialect or None))[:MAX_SHOWN]
    if isinstance(node, expressions.AggFunc):
        return f"it works out one value of many rows ({written})"
    if isinstance(node, expressions.UDTF | expressions.Explode | expressions.Unnest):
        return f"it makes several rows of one ({written})"
    return f"it works out a value, which may fail on one row and so tell of it ({written})"


def small(name: str) -> str:
    """Return a name in small letters, as databases compare it: of ASCII alone."""
    return re.sub("[A-Z]+", lambda letters: letters[0].lower(), name)
