"""Declared options: how a parser reads them, and how the help shows them."""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import difflib
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from app.commands.support.console import EXIT_STATUS
from app.model.wording.numbers import grouped, short
from engine.errors import DataError, ParameterError, SensiscopeError
from engine.parameters import Parameter, Parameterised, idle_parameters, plain_parameters

_NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)


class UsageError(SensiscopeError):
    """A mistake in the command itself; the command line points to the help."""


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a command; `add_option` adds it to a parser."""

    name: str  # as in ``--name``, without the hyphens
    help: str  # its purpose; `add_option` appends the default
    read: Callable[[str], Any] = str  # turns the text into a value, or raises `argparse.ArgumentTypeError`
    metavar: str = ""  # placeholder of the value in the help; the name in capitals without it
    default: Any = None  # None where the program chooses
    choices: Sequence[str] = ()  # the only possible values; any without them
    # flag, repeated, required: whether it takes no value, may be given several times, must be given
    flag: bool = False
    repeated: bool = False
    required: bool = False
    dest: str = ""  # attribute of the namespace; the name without it


JSON = Option("json", "print one JSON object and nothing else", flag=True)
"""An option of almost every verb."""
QUIET = Option("quiet", "print no notes and no progress", flag=True)
"""An option of every verb."""


@dataclasses.dataclass(frozen=True)
class VerbHelp:
    """The parts of a verb's help besides its options."""

    usage: str = ""  # the words after the verb
    first: Sequence[str] = ()  # names of the options that ``--help`` lists; all without them
    example: str = ""  # a command that works, without the name of the program
    notes: str = ""  # paragraphs for ``--help-all``


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Fills paragraphs to the width of the terminal, but for those with indented lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        filled = (one if "\n  " in one else textwrap.fill(one, width - len(indent)) for one in paragraphs)
        return textwrap.indent("\n\n".join(filled), indent)


class _PrintHelp(argparse.Action):
    """Prints the help about a topic and ends the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        if parser.brief and not (self.const == FIRST and parser.texts.first):
            parser.error("only the whole parser has this help")
        parser.print_topic(self.const)
        parser.exit()


FIRST, ALL = "", "all"
"""Topics of the help: the options for a beginning, and every option."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` where argparse prints and exits.

    A brief one imports only the `chosen` components for their options, and has only the help that needs no
    others. It reads whatever it accepts exactly as the whole parser does.
    """

    def __init__(
        self, *, brief: bool = False, chosen: Sequence[str] = (), texts: VerbHelp | None = None, **facts: Any
    ) -> None:
        facts = {"formatter_class": _Formatter, "add_help": not brief and texts is None, **facts}
        super().__init__(allow_abbrev=False, **facts)
        self.brief, self.chosen, self.texts = brief, chosen, texts or VerbHelp()
        if self.texts.usage:
            self.usage = f"{self.prog} {self.texts.usage}"

    def output_group(self) -> argparse._ActionsContainer:
        """Return the group of options about the output; the parser itself for a short help."""
        known = next((group for group in self._action_groups if _topic(group) == "output"), None)
        return known or (self.add_argument_group("output: notes") if self.texts.first else self)

    def add_help_topics(self) -> None:
        """Add ``--help``, ``--help-all``, and ``--help-TOPIC`` for each group of options."""
        self._add_topic("-h", "--help", help="show the options that you need first")
        titles = {_topic(group): str(group.title) for group in reversed(self._action_groups[2:])}
        for topic in reversed(titles) if self.texts.first else ():
            name, _, content = titles[topic].partition(": ")
            self._add_topic(f"--help-{topic}", topic=topic, help=content or name)
        self._add_topic("--help-all", topic=ALL, help="every option")

    def _add_topic(self, *names: str, help: str, topic: str = FIRST) -> None:
        nothing = argparse.SUPPRESS  # no attribute of the namespace
        group = self._optionals
        group.add_argument(
            *names, action=_PrintHelp, const=topic, nargs=0, help=help, dest=nothing, default=nothing
        )

    def print_topic(self, topic: str) -> None:
        """Print the help about one group of options, about all, or about the first."""
        texts, parts = self.texts, self._get_formatter()
        parts.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        helpers = [one for one in self._optionals._group_actions if isinstance(one, _PrintHelp)]
        if topic in (FIRST, ALL):
            parts.add_text(self.description)
            if texts.example:
                parts.add_text(f"example:\n  {self.prog.partition(' ')[0]} {texts.example}")
        if topic == FIRST and texts.first:
            known = {name: one for one in self._actions for name in one.option_strings}
            _add_section(parts, "arguments", self._positionals._group_actions)
            _add_section(parts, "options", [known[f"--{name}"] for name in texts.first])
            topics = ", ".join(one.option_strings[0].removeprefix("--help-") for one in helpers[1:-1])
            other = argparse.Action(["--help-TOPIC"], "", nargs=0, help=f"options about one topic: {topics}")
            _add_section(parts, "more options", [other, helpers[-1]])
        elif topic in (FIRST, ALL):
            parts.add_text(texts.notes)
            _add_section(parts, "arguments", self._positionals._group_actions)
            for group in self._action_groups[2:]:
                _add_section(parts, group.title, group._group_actions, group.description)
            own = [one for one in self._optionals._group_actions if one not in helpers]
            _add_section(parts, "options", [*own, helpers[0]])
            parts.add_text(f"Exit status: {EXIT_STATUS}.")
        else:
            for group in self._action_groups[2:]:
                if _topic(group) == topic:
                    _add_section(parts, group.title, group._group_actions, group.description)
        self._print_message(parts.format_help(), sys.stdout)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options, or raise `UsageError`."""
        joined = join_negative_numbers(arguments)
        known = {option for action in self._actions for option in action.option_strings}
        for word in joined[: joined.index("--") if "--" in joined else None]:
            # before argparse reports that a required option is missing: it may be the mistyped one
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


def _topic(group: argparse._ArgumentGroup) -> str:
    """Return the first word of a title: "data" of "data: file and columns"."""
    return str(group.title).partition(":")[0].partition(" ")[0]


def _add_section(
    formatter: argparse.HelpFormatter,
    title: str | None,
    actions: Sequence[argparse.Action],
    description: str | None = None,
) -> None:
    name, _, content = str(title).partition(": ")
    formatter.start_section(f"{name} ({content})" if content else name)
    formatter.add_text(description)
    formatter.add_arguments(actions)
    formatter.end_section()


def _unknown_option(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, list(known), n=3)
    return f"there is no option '{name}'" + (f"; try {', '.join(nearest)}" if nearest else "")


def join_negative_numbers(arguments: Iterable[str]) -> list[str]:
    """Write ``--lower -5`` as ``--lower=-5``, so that argparse takes -5, -1e9 and -5,-3 for values.

    Missing values may be any text, such as "-" and "--".
    """
    joined: list[str] = []
    for word in arguments:
        previous = joined[-1] if joined else ""
        is_option = "--" not in joined and previous.startswith("--") and "=" not in previous
        if is_option and (previous == "--missing-values" or _NEGATIVE.match(word)):
            # argparse would lose a "--" without quotes
            joined[-1] = f"{previous}={word}" if word != "--" else f'{previous}="--"'
        else:
            joined.append(word)
    return joined


def number(text: str) -> float:
    """Read a number, without checking its bounds."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None


def check_number(name: str, value: float, limit: float, possible: str) -> None:
    """Raise `ParameterError` for a number that is not above 0 and below a limit."""
    if not 0 < value < limit:
        raise ParameterError(name, f"{short(value)} is not possible; it must be {possible}")


def whole(text: str) -> int:
    """Read a whole number that is not negative, such as 12 or 1e6."""
    try:
        value = int(text) if text.strip().isdecimal() else float(text)
        if value == int(value) >= 0:
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")


def up_to(most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers up to `most`, for costs in time or memory."""

    def read(text: str) -> int:
        value = whole(text)
        if value > most:
            raise argparse.ArgumentTypeError(f"'{text}' is too large; at most {grouped(most)} is possible")
        return value

    return read


def count_or_file(most: int) -> Callable[[str], int | str]:
    """Return a reader of whole numbers up to `most`; any other text is the name of a file."""
    count = up_to(most)

    def read(text: str) -> int | str:
        try:
            float(text)
        except ValueError:
            return text
        return count(text)

    return read


count = up_to(1_000_000)
"""Reads a whole number up to a million; more would exhaust time or memory."""


def list_of_numbers(text: str) -> str:
    """Return the text of a list of public numbers, from the file after an @ if there is one."""
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
    """Read labels separated by commas; double quotes enclose a label with a comma."""
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"'{text}' does not close its double quotes; write \"a, b\",c for two labels"
        ) from None
    return tuple(label for row in rows for label in row)


SEED = Option("seed", "simulate reproducibly with this seed; the result is no release", whole, "N")
"""The option that turns a release into a simulation."""

READERS: Mapping[str, Callable[[str], Any]] = {
    "choice": str,
    "float": number,
    "int": whole,
    "labels": labels,
    "numbers": numbers,
    "text": str,
}
"""The reader of values, by the kind of a parameter or of an option of data."""


def add_option(group: argparse._ActionsContainer, option: Option) -> None:
    """Add a declared option to a parser or a group."""
    facts: dict[str, Any] = {"required": option.required} if option.required else {}
    text, default = option.help.replace("%", "%%"), option.default
    if option.dest:
        facts["dest"] = option.dest
    if option.flag:
        facts |= {"action": "store_true", "default": None}
    elif option.repeated:
        facts["action"] = "append"
    if default is not None:
        facts["default"] = default
        text += f" (default {grouped(default) if isinstance(default, int) else default})"
    if option.choices:
        facts["choices"] = option.choices
    elif not option.flag:
        facts |= {"type": option.read, "metavar": option.metavar or option.name.upper()}
    group.add_argument(f"--{option.name}", help=text, **facts)


def add_options(group: argparse._ActionsContainer, options: Iterable[Option]) -> None:
    """Add declared options in their order."""
    for option in options:
        add_option(group, option)


@dataclasses.dataclass
class ParameterOptions:
    """The options for the declared parameters of queries, noises or mechanisms.

    The `owners` are classes by their names in the catalog, or by the option that chooses them. Every plain
    parameter has an option, except those in `without`; with `only`, just these.
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
        """Return the parameters of one owner that have options; none for an unknown owner."""
        return {
            parameter.name: parameter
            for parameter in (plain_parameters(self.owners[owner]) if owner in self.owners else ())
            if (self.only is None or parameter.name in self.only) and parameter.name not in self.without
        }

    def add_to(
        self, parser: argparse.ArgumentParser, title: str, among: Container[str] | None = None
    ) -> None:
        """Add one option for each parameter; with `among`, only where the first owner is one of these."""
        group, owners, read = parser.add_argument_group(title), self.owners, _reader
        if isinstance(parser, Parser) and parser.brief:
            read = _reader_of_some
            owners = {owner: self.owners[owner] for owner in parser.chosen if owner in self.owners}
        for name, declarations in dataclasses.replace(self, owners=owners).declarations().items():
            if among is not None and next(iter(declarations)) not in among:
                continue
            if _option(name) in parser._option_string_actions:
                continue  # a command has its own option of this name
            # the choices of all owners, or a placeholder
            values = dict.fromkeys(
                word for one in declarations.values() for word in one.choices or (name.upper(),)
            )
            text = _help(declarations, named=self.only is None)
            reader, metavar = read(declarations.values()), "|".join(values)
            option = Option(_option(name)[2:], text, reader, metavar, dest=_dest(name))
            add_option(group, option)

    def of(self, owner: str, options: argparse.Namespace) -> dict[str, Any]:
        """Return the values given for `owner`; refuse those of others, which would have no effect.

        An unknown owner has no parameters.
        """
        self.refuse_others((owner,), options)
        return self.values(owner, options)

    def values(self, owner: str, options: argparse.Namespace) -> dict[str, Any]:
        """Return the values given for `owner`; refuse those without effect beside the others."""
        declared = self.declarations_of(owner)
        given = {name: getattr(options, _dest(name), None) for name in declared}
        values = {name: value for name, value in given.items() if value is not None}
        for name in values.keys() & idle_parameters(self.owners[owner], values) if values else ():
            if not (needs := declared[name].needs):
                continue  # the noise decides it: `support.privacy` reports that
            other, choice = needs
            raise SensiscopeError(f"{_option(name)}: it has no effect without {_option(other)} {choice}")
        return values

    def given(self, options: argparse.Namespace) -> set[str]:
        return {
            key.removeprefix(_dest(""))
            for key, value in vars(options).items()
            if key.startswith(_dest("")) and value is not None
        }

    def refuse_others(
        self, chosen: Sequence[str], options: argparse.Namespace, apart: Collection[str] = ()
    ) -> None:
        """Raise for a given value that none of the `chosen` owners has, except for those `apart`."""
        own = (name for owner in chosen for name in self.declarations_of(owner))
        others = self.given(options).difference(apart, own)
        for name, declarations in self.declarations().items() if others else ():
            if name in others:
                belongs = ", ".join(declarations)
                *first, last = dict.fromkeys(chosen)
                who = f"{', '.join(first)} and {last} have" if first else f"{last} has"
                raise SensiscopeError(f"{_option(name)}: {who} no such parameter; it belongs to {belongs}")


def _reader(declared: Iterable[Parameter]) -> Callable[[str], Any]:
    """Return the reader of a parameter; where its owners differ, it takes a number if it can, else a text."""
    readers = {list_of_numbers if one.in_file else READERS.get(one.kind, number): None for one in declared}
    if len(readers) == 1:
        return next(iter(readers))

    def read(text: str) -> Any:
        for reader in sorted(readers, key=lambda one: one is str):  # text last: it accepts anything
            with contextlib.suppress(argparse.ArgumentTypeError):
                return reader(text)
        return text  # the component reports the mistake

    return read


def _reader_of_some(declared: Iterable[Parameter]) -> Callable[[str], Any]:
    """Return a reader that rejects numbers as texts, since another owner may read them as numbers."""
    reader = _reader(declared)

    def read(text: str) -> Any:
        with contextlib.suppress(ValueError):
            float(text)
            if reader is str:
                raise argparse.ArgumentTypeError(text)
        return reader(text)

    return read


def _help(declarations: Mapping[str, Parameter], *, named: bool) -> str:
    """Return the help of a parameter; where its owners differ, one sentence for each."""
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
    """Return the defaults, with their owners where there are several or where `named`."""
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
