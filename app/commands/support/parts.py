"""Questions about parts of a table on the command line: conditions, groups, records without a value."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.data import readers
from app.commands.support.options import ParameterOptions, UsageError
from app.commands.support.privacy import noise_options
from app.model.kinds.kind import DROP
from app.model.kinds.registry import KINDS
from engine.components import asked_of
from engine.data.conditions import read_condition
from engine.data.look_only import REFUSE
from engine.data.rows import COUNTED, read_row_condition
from engine.errors import ParameterError, UnknownName
from engine.parameters import plain_parameters
from engine.primitives.counts import FAMILIES

if TYPE_CHECKING:
    from engine.mechanisms.parts import PartsMechanism

BY_RANK = "choice-in-parts"

METHODS = {
    "median": BY_RANK,
    "quantile": BY_RANK,
    "mean": "sums-in-parts",
    "sum": "sums-in-parts",
    "count": "sums-in-parts",
}
"""The method for each query that can ask about parts."""

COUNT = "count"
TABLE = "contingency-table"

ADVICE = {"histogram-noisy": "sensiscope ask answers 'histogram of age where …'"}
"""Advice for mechanisms that cannot ask about parts."""

PUBLIC = "public"


@dataclasses.dataclass(frozen=True)
class PartsReader:
    """A query that reads parts of a table; a `DataReader`."""

    name: str
    reads: str = "parts"


def reader_of(mechanism: Any) -> Any:
    """Return the query or mechanism that decides which kind of data is read; a `DataReader`."""
    asked = asked_of(mechanism)
    return PartsReader(asked.name) if mechanism.reads == PartsReader.reads else asked


def with_parts(options: argparse.Namespace, name: str) -> argparse.Namespace:
    """Return the options of a command about `name`, with every choice about parts made.

    A text of ``--where`` without a column is the condition of a count on its own column.
    """
    if name == TABLE:
        options = _as_count(options)
        name = options.mechanism
    own, rows = _conditions(options, name)
    resolved = argparse.Namespace(**vars(options) | {"where": rows or None, "counts_rows": name == COUNT})
    if own is not None:
        resolved.parameter_where = own
    if options.person is not None and options.person[1] == "count" and not options.column:
        resolved.column = [COUNTED]
    asked = "where" if rows else "by" if options.by is not None else ""
    if options.membership is not None and options.by is None:
        raise UsageError("--membership: it belongs to --by")
    if options.membership == PUBLIC:
        _check_public(options, name, rows)
    elif asked and name not in METHODS:
        others = ADVICE.get(name, f"{', '.join(METHODS)} do not")
        raise UsageError(f"--{asked}: {name} needs the number of records; {others}")
    is_method = name in METHODS and getattr(options, "method", None) == METHODS[name]
    resolved.parts = bool(asked) or is_method or _drops(options, name)
    if resolved.parts:
        resolved.missing = options.missing or (REFUSE if options.membership == PUBLIC else DROP)
        if options.complete is not None:
            raise UsageError("--complete: a question about parts needs no number; leave it out")
    return resolved


def _as_count(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options of a table by group; as a count by group if the number of its records is unknown."""
    columns = [*(options.column or ()), *(options.by or ())]
    drops = options.missing == DROP and options.complete is None and not _is_public(options)
    if not options.where and not drops:
        more = {"column": columns, "by": None} if options.by and options.membership is None else {}
        return argparse.Namespace(**vars(options) | more)
    given = any(name.startswith("parameter_") and value is not None for name, value in vars(options).items())
    if given or not columns:
        return options
    return argparse.Namespace(**vars(options) | {"mechanism": COUNT, "column": None, "by": columns})


def _check_public(options: argparse.Namespace, name: str, rows: list[str]) -> None:
    """Refuse whatever makes groups depend on confidential values, if their membership is public."""
    from engine.queries import QUERIES

    if name not in QUERIES or QUERIES[name].reads != "column":
        raise UsageError(f"--membership public: {name} is no query about one column")
    if rows:
        raise UsageError(
            "--where: with --membership public the records of a group are public, and a condition may "
            "depend on confidential values; leave one of the two out"
        )
    if options.missing == DROP:
        raise UsageError(
            "--missing drop: with --membership public the records of a group are public, so none is left "
            "out; use --missing fill"
        )


def whole_or_public_groups(options: argparse.Namespace, name: str) -> argparse.Namespace:
    """Return the options of a command that needs the number of records: in all, or of each public group.

    With public membership, a condition on the columns of groups chooses among the groups.
    """
    own, rows = _conditions(options, name)
    if options.membership == PUBLIC and options.by is not None:
        _check_public(options, name, [])
        for text in rows:
            others = [one for one in read_row_condition(text).columns if one not in options.by]
            if others:
                problem = f"'{others[0]}' may be confidential; name only {' and '.join(options.by)}"
                raise UsageError(
                    f"--where: with --membership public it chooses among the groups, and {problem}"
                )
        missing = options.missing or REFUSE
        given = {"where": rows or None, "parts": True, "missing": missing, "counts_rows": False}
        return argparse.Namespace(**vars(options) | given)
    if rows or options.by is not None:
        asked = "where" if rows else "by"
        public = (
            "add --membership public if everyone may know the group of each record, or " if options.by else ""
        )
        raise UsageError(
            f"--{asked}: a sensitivity needs the number of records, which is confidential in a part; "
            f"{public}ask about the whole table"
        )
    given = {"where": None} | ({} if own is None else {"parameter_where": own})
    return argparse.Namespace(**vars(options) | given)


def _conditions(options: argparse.Namespace, name: str) -> tuple[str | None, list[str]]:
    """Return the condition that is a parameter of `name`, and the conditions on rows."""
    given: list[str] = options.where or []
    if given and name != COUNT and _takes_condition(name):
        return "; ".join(given), []
    own = [text for text in given if name == COUNT and not _names_column(text)]
    if len(own) > 1:
        raise UsageError(f'--where: a count has one condition on its column; write "{" and ".join(own)}"')
    rows = [text for text in given if text not in own]
    for text in rows:
        read_row_condition(text)
    return own[0] if own else None, rows


def _takes_condition(name: str) -> bool:
    """Return whether a query or mechanism has a condition as its own parameter."""
    known = readers()
    return name in known and any(one.name == "where" for one in plain_parameters(known[name]))


def _names_column(text: str) -> bool:
    """Return whether a condition names a column: not "> 100", "10..20" or "empty"."""
    try:
        read_row_condition(text)
    except ParameterError:
        return False
    with contextlib.suppress(ParameterError):
        return read_condition(text, number=True) is None
    return True


def _drops(options: argparse.Namespace, name: str) -> bool:
    """Return whether records without a value are a part that is left out."""
    if name not in METHODS or options.missing != DROP or options.complete is not None:
        return False
    method = getattr(options, "method", None)
    return not _is_public(options) and method in (None, "auto", METHODS[name])


def _is_public(options: argparse.Namespace) -> bool:
    from engine.data import EXAMPLES

    return options.example in EXAMPLES and EXAMPLES[options.example].public


def check_complete(options: argparse.Namespace, mechanism: Any) -> None:
    """Refuse to leave out records where a release needs the number of the others."""
    if options.complete is not None and options.missing != DROP:
        raise UsageError("--complete: it belongs to --missing drop")
    if (
        options.missing != DROP
        or getattr(options, "parts", False)
        or options.complete is not None
        or _is_public(options)
    ):
        return
    if KINDS[mechanism.reads].drop_tells:
        raise UsageError(
            f"--missing drop: {asked_of(mechanism).name} needs the number of rows that "
            "are left, which is confidential; state it with --complete N if it is public, or use --missing "
            "fill"
        )


def parts_mechanism(options: argparse.Namespace, declared: ParameterOptions) -> PartsMechanism:
    """Return the mechanism that answers a question about parts."""
    from engine.mechanisms.parts.methods import method_in_parts
    from engine.queries import QUERIES

    name, noise = options.mechanism, options.noise
    if name not in METHODS:
        raise UsageError(f"{name} needs the number of records in each part, which is confidential")
    usual, share = METHODS[name], 0.0
    if usual == BY_RANK:
        if noise is not None:
            raise UsageError(f"--noise: {usual} draws a value by its rank and adds no noise; leave it out")
        # the only parameter that it shares with methods of one number
        share = getattr(options, "parameter_error_share", None) or 0.0
        options = argparse.Namespace(**vars(options) | {"parameter_error_share": None})
    elif noise not in (None, "auto", *FAMILIES):
        raise UnknownName("noise", noise, FAMILIES)
    declared.refuse_others([name, usual], options)
    noise_options().refuse_others([usual], options)
    query = QUERIES[name](**declared.values(name, options))
    chosen = method_in_parts(options.method or "auto", query, share)
    return method_in_parts(noise, query) if noise in FAMILIES else chosen
