"""How options are read: one line for a mistake, negative numbers, declared parameters."""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import difflib
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from app.model.wording.numbers import grouped
from engine.errors import DataError, SensiscopeError
from engine.parameters import Parameter, Parameterised, idle_parameters, plain_parameters

_NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)


class UsageError(SensiscopeError):
    """The command itself is wrong; the command line adds how to see what would be right."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` where argparse prints and exits.

    A brief one has no help, and of the options of components, which would have to be imported, only those of
    the `chosen` ones: whatever it understands, the whole one understands in the same way.
    """

    def __init__(self, *, brief: bool = False, chosen: Sequence[str] = (), **facts: Any) -> None:
        facts.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **{"add_help": not brief} | facts)
        self.brief, self.chosen = brief, chosen

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options, or raise `UsageError`."""
        joined = join_negative_numbers(arguments)
        known = {option for action in self._actions for option in action.option_strings}
        for word in joined[: joined.index("--") if "--" in joined else None]:
            # a mistyped option is said before argparse misses the right one
            if word.startswith("--") and word.partition("=")[0] not in known:
                self.error(_unknown_option(word.partition("=")[0], known))
        options, unknown = self.parse_known_args(joined)
        if unknown:
            self.error(
                _unknown_option(unknown[0], known)
                if unknown[0].startswith("-")
                else f"'{unknown[0]}' is one argument too many"
            )
        return options

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with argparse's words, without its decoration."""
        raise UsageError(message.removeprefix("argument "))


def is_brief(parser: object) -> bool:
    """Tell whether a parser, or a group of one, is to know nothing that would have to be imported."""
    return getattr(parser, "brief", False)


def _unknown_option(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, list(known), n=3)
    return f"there is no option '{name}'" + (f"; try {', '.join(nearest)}" if nearest else "")


def join_negative_numbers(arguments: Iterable[str]) -> list[str]:
    """Write ``--lower -5`` as ``--lower=-5``, so that -5, -1e9 and -5,-3 are no options."""
    joined: list[str] = []
    for word in arguments:
        previous = joined[-1] if joined else ""
        if "--" not in joined and previous.startswith("--") and "=" not in previous and _NEGATIVE.match(word):
            joined[-1] = f"{previous}={word}"
        else:
            joined.append(word)
    return joined


def number(text: str) -> float:
    """Read a number; its bounds are the business of whoever uses it."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None


def whole(text: str) -> int:
    """Read a whole number that is not negative; 1e6 is one."""
    try:
        value = int(text) if text.strip().isdecimal() else float(text)
        if value == int(value) >= 0:
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")


def up_to(most: int) -> Callable[[str], int]:
    """Return what reads a whole number of at most `most`, for what takes time or room."""

    def read(text: str) -> int:
        value = whole(text)
        if value > most:
            raise argparse.ArgumentTypeError(f"'{text}' is too large; at most {grouped(most)} is possible")
        return value

    return read


def count_or_file(most: int) -> Callable[[str], int | str]:
    """Return what reads a whole number of at most `most`; what is no number at all is the name of a file."""
    count = up_to(most)

    def read(text: str) -> int | str:
        try:
            float(text)
        except ValueError:
            return text
        return count(text)

    return read


count = up_to(1_000_000)
"""Reads a whole number; more would take all memory or all day."""


def list_of_numbers(text: str) -> str:
    """Return a list of public numbers as it was written, or as it stands in the file after an @."""
    if not text.startswith("@"):
        return text
    from engine.mechanisms.number_lists import numbers_in_file

    try:
        return numbers_in_file(Path(text[1:]).expanduser())
    except DataError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def numbers(text: str) -> tuple[float, ...]:
    """Read numbers separated by commas."""
    return tuple(number(part) for part in text.split(","))


def labels(text: str) -> tuple[str, ...]:
    """Read labels separated by commas; one that holds a comma stands in double quotes."""
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"'{text}' does not close its double quotes; write \"a, b\",c for two labels"
        ) from None
    return tuple(label for row in rows for label in row)


READERS: Mapping[str, Callable[[str], Any]] = {
    "choice": str,
    "float": number,
    "int": whole,
    "labels": labels,
    "numbers": numbers,
    "text": str,
}
"""How values are read, by the kind of their parameter, or of their option of data."""


def add_option(
    group: argparse._ArgumentGroup,
    option: str,
    help: str,
    read: Callable[[str], Any] = str,
    *,
    metavar: str = "",
    choices: Sequence[str] = (),
    **facts: Any,
) -> None:
    """Add an option that a component, a kind of data, a file or a figure declares."""
    facts |= {"choices": choices} if choices else {"type": read, "metavar": metavar or option[2:].upper()}
    group.add_argument(option, help=help.replace("%", "%%"), **facts)


@dataclasses.dataclass
class ParameterOptions:
    """The options of some queries, noises or mechanisms, as their classes declare them.

    The `owners` of parameters are classes by their names in the catalog, or by the option that chooses them.
    All parameters that are plain values have options, or `only` some, `without` those with options of their
    own.
    """

    owners: Mapping[str, type[Parameterised]]
    only: Sequence[str] | None = None
    without: Sequence[str] = ()

    def declarations(self) -> dict[str, dict[str, Parameter]]:
        """Return, for every parameter's name, its declarations by owner."""
        declarations: dict[str, dict[str, Parameter]] = {}
        for owner in self.owners:
            for name, parameter in self.declarations_of(owner).items():
                declarations.setdefault(name, {})[owner] = parameter
        return declarations

    def declarations_of(self, owner: str) -> dict[str, Parameter]:
        """Return the parameters of one owner that are wanted; none of what is no owner."""
        return {
            parameter.name: parameter
            for parameter in (plain_parameters(self.owners[owner]) if owner in self.owners else ())
            if (self.only is None or parameter.name in self.only) and parameter.name not in self.without
        }

    def add_to(
        self, parser: argparse.ArgumentParser, title: str, among: Container[str] | None = None
    ) -> None:
        """Add one option for every declared parameter; `among` are the owners who come first here."""
        group, owners, read = parser.add_argument_group(title), self.owners, _reader
        if isinstance(parser, Parser) and parser.brief:
            read = _reader_of_some
            owners = {owner: self.owners[owner] for owner in parser.chosen if owner in self.owners}
        for name, declarations in dataclasses.replace(self, owners=owners).declarations().items():
            if among is not None and next(iter(declarations)) not in among:
                continue
            # its value, or the choices that any owner has
            values = dict.fromkeys(
                word for one in declarations.values() for word in one.choices or (name.upper(),)
            )
            text = _help(declarations, named=self.only is None)
            reader, metavar = read(declarations.values()), "|".join(values)
            add_option(group, _option(name), text, reader, metavar=metavar, dest=_dest(name))

    def of(self, owner: str, options: argparse.Namespace) -> dict[str, Any]:
        """Return the values given for `owner`; refuse those of others, which would be ignored.

        The owner need not be one of the classes: then all are refused.
        """
        self.refuse_others((owner,), options)
        return self.values(owner, options)

    def values(self, owner: str, options: argparse.Namespace) -> dict[str, Any]:
        """Return the values given for `owner`; refuse those that do nothing beside the others."""
        declared = self.declarations_of(owner)
        given = {name: getattr(options, _dest(name), None) for name in declared}
        values = {name: value for name, value in given.items() if value is not None}
        for name in values.keys() & idle_parameters(self.owners[owner], values) if values else ():
            if not (needs := declared[name].needs):
                continue  # the noise decides it, which stands among other options: `support.privacy`
            other, choice = needs
            raise SensiscopeError(f"{_option(name)}: it does nothing without {_option(other)} {choice}")
        return values

    def refuse_others(
        self, chosen: Sequence[str], options: argparse.Namespace, apart: Collection[str] = ()
    ) -> None:
        """Raise for a value that is given and that none of the `chosen` owners has; not for those `apart`."""
        given = {
            key for key, value in vars(options).items() if key.startswith(_dest("")) and value is not None
        }
        own = (name for owner in chosen for name in self.declarations_of(owner))
        others = {key.removeprefix(_dest("")) for key in given}.difference(apart, own)
        for name, declarations in self.declarations().items() if others else ():
            if name in others:
                belongs = ", ".join(declarations)
                *first, last = dict.fromkeys(chosen)
                who = f"{', '.join(first)} and {last} have" if first else f"{last} has"
                raise SensiscopeError(f"{_option(name)}: {who} no such parameter; it belongs to {belongs}")


def _reader(declared: Iterable[Parameter]) -> Callable[[str], Any]:
    """Return what reads the values of a parameter: where one is a number and one is not, whatever fits."""
    readers = {list_of_numbers if one.in_file else READERS.get(one.kind, number): None for one in declared}
    if len(readers) == 1:
        return next(iter(readers))

    def read(text: str) -> Any:
        for reader in sorted(readers, key=lambda one: one is str):  # as text, anything can be read
            with contextlib.suppress(argparse.ArgumentTypeError):
                return reader(text)
        return text  # none of these: the component says what it takes

    return read


def _reader_of_some(declared: Iterable[Parameter]) -> Callable[[str], Any]:
    """Return a reader that leaves numbers among words to the whole parser, as some owner may want numbers."""
    reader = _reader(declared)

    def read(text: str) -> Any:
        with contextlib.suppress(ValueError):
            float(text)
            if reader is str:
                raise argparse.ArgumentTypeError(text)
        return reader(text)

    return read


def _help(declarations: Mapping[str, Parameter], *, named: bool) -> str:
    """Return the help of a parameter; of one that is not the same for all its owners, what it is for each."""
    by_text: dict[tuple[str, str], dict[str, Parameter]] = {}
    for owner, parameter in declarations.items():
        limits = "|".join(parameter.choices) or parameter.bounds()
        by_text.setdefault((parameter.help.rstrip("."), limits), {})[owner] = parameter
    if len(by_text) == 1:
        [((text, limits), owners)] = by_text.items()
        limits = "" if next(iter(owners.values())).choices else f"{limits}; "
        return f"{text} ({limits}default {_defaults(owners, named=named)})"
    return ". ".join(
        f"{', '.join(owners)}: {text} ({limits}; default {_defaults(owners, named=False)})"
        for (text, limits), owners in by_text.items()
    )


def _defaults(owners: Mapping[str, Parameter], *, named: bool) -> str:
    """Return every default that the owners have, with who has it where there are several, or `named`."""
    by_default: dict[str, list[str]] = {}
    for owner, parameter in owners.items():
        default = "empty" if parameter.default in (None, "") else str(parameter.default)
        by_default.setdefault(default, []).append(owner)
    if not named and len(by_default) == 1:
        return next(iter(by_default))
    return ", ".join(f"{default} for {', '.join(whose)}" for default, whose in by_default.items())


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _dest(name: str) -> str:
    return f"parameter_{name}"
