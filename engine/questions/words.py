"""Read a question in words: "median of salary by department where age >= 30"."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from engine.data.rows import read_row_condition
from engine.errors import ParameterError
from engine.questions.question import STATISTICS, Question

EXAMPLE = "write for instance: median of salary by department where age >= 30"

_TOKEN = re.compile(r"""`[^`]*`|"[^"]*"|'[^']*'|[^\s`"']+""")
_NEEDS = {"median": 1, "quantile": 1, "mean": 1, "sum": 1, "histogram": 1, "count": 0, "share": 0}


def read_question(text: str, columns: Sequence[str] = ()) -> Question:
    """Read a question in words.

    Parameters
    ----------
    text : str
        A statistic, then in any order ``of COLUMN``, ``by COLUMN`` and ``where CONDITION``.  A quantile has
        its share after its name: ``quantile 0.9 of salary``.  A name that contains one of these words stands
        between backquotes.
    columns : sequence of str, optional
        The columns of the table, to refuse unknown ones.

    Raises
    ------
    ParameterError
        For the field "ask": what is wrong, and what would be right.
    DataError
        If a condition names an unknown column.

    Examples
    --------
    >>> question = read_question("median of salary by department where age >= 30")
    >>> question.statistic, question.columns, question.by, question.where
    ('median', ('salary',), 'department', ('age >= 30',))
    """
    question = parse_question(text)
    check_question(question, columns)
    return question


def parse_question(text: str, q: float | None = None) -> Question:
    """Read a question in words, which may lack a part that is stated apart; `q` is that of a quantile."""
    sections = _sections(text)
    statistic, q = _statistic(sections.pop(""), q)
    named = _names(sections.get("of", ""))
    groups = _names(sections.get("by", ""))
    where = sections.get("where", "").strip()
    if len(groups) > 1:
        raise ParameterError("ask", f"there are {len(groups)} columns of groups; name one")
    return Question(statistic, named, q, groups[0] if groups else "", (where,) if where else ())


def check_question(question: Question, columns: Sequence[str] = ()) -> None:
    """Raise `ParameterError` for the field "ask" if a question lacks something, or has too much."""
    needed, named = _NEEDS.get(question.statistic), len(question.columns)
    statistic = question.statistic
    if needed is None and not named:
        raise ParameterError("ask", f"a {statistic} needs columns; write {statistic} of department and city")
    if needed == 1 and named != 1:
        many = "names no column" if not named else f"names {named} columns"
        raise ParameterError("ask", f"the {statistic} {many}; write {statistic} of one column")
    if needed == 0 and named:
        raise ParameterError("ask", f"a {statistic} reads no column; write {statistic} where … or by …")
    if statistic == "share" and not question.where:
        raise ParameterError("ask", "a share needs a condition; write share where age >= 30")
    if statistic == "count" and not (question.where or question.by):
        raise ParameterError("ask", "the number of rows is public; write count by … or count where …")
    for text in question.where:
        read_row_condition(text, columns)
    for name in (*question.columns, *((question.by,) if question.by else ())):
        if columns and name not in columns:
            raise ParameterError("ask", f"there is no column '{name}'{_near(name, columns)}")


def _sections(text: str) -> dict[str, str]:
    """Return the text after each of the words "of", "by" and "where"; under "" the text before."""
    ends, key, start = [], "", 0
    for match in _TOKEN.finditer(text):
        word = match.group().lower()
        if (word in ("of", "by", "where") and key != "where") or (word == "by" and key == "where"):
            ends.append((key, start, match.start()))
            key, start = word, match.end()
    ends.append((key, start, len(text)))
    sections: dict[str, str] = {}
    for name, first, last in ends:
        if name in sections:
            raise ParameterError("ask", f"'{name}' stands twice in '{text.strip()}'; {EXAMPLE}")
        sections[name] = text[first:last].strip()
        if name and not sections[name]:
            raise ParameterError("ask", f"nothing follows '{name}' in '{text.strip()}'; {EXAMPLE}")
    return sections


def _statistic(text: str, q: float | None) -> tuple[str, float]:
    """Return the statistic and the share of a quantile, which `q` may state apart."""
    name, _, rest = text.strip().partition(" ")
    statistic = {"average": "mean", "number": "count"}.get(name.lower(), name.lower())
    if not statistic:
        raise ParameterError("ask", f"is empty; {EXAMPLE}")
    if statistic not in STATISTICS:
        near = _near(statistic, STATISTICS) or f"; there are {', '.join(STATISTICS)}"
        raise ParameterError("ask", f"'{name}' is no statistic{near}")
    rest = rest.strip()
    if statistic != "quantile":
        if rest:
            raise ParameterError("ask", f"'{rest}' is not understood after {statistic}; {EXAMPLE}")
        return statistic, 0.5
    if not rest and q is not None:
        return statistic, q
    try:
        return statistic, float(rest)
    except ValueError:
        raise ParameterError("ask", "a quantile needs its share; write quantile 0.9 of salary") from None


def _names(text: str) -> tuple[str, ...]:
    """Return names that are separated by "and" or commas, without their quotes."""
    names: list[list[str]] = [[]]
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word.lower() == "and" or word == ",":
            names.append([])
        elif word[0] in "`\"'":
            names[-1].append(word[1:-1])
        elif word.endswith(","):
            names[-1].append(word[:-1])
            names.append([])
        else:
            names[-1].append(word)
    return tuple(" ".join(parts) for parts in names if parts)


def _near(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, 2)
    return f"; did you mean {' or '.join(close)}?" if close else ""
