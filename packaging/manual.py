"""The manual page and the completions of shells, from the parsers of the command line itself.

``manual.py FOLDER`` writes them into a tree such as ``/usr/share``; the builder of wheels does so.
"""

import argparse
import functools
import gzip
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.commands.main import COMMANDS, program_parser, verb_parser
from app.commands.support.console import EXIT_STATUS
from engine import __version__
from engine.catalog import kinds
from engine.data import EXAMPLES
from engine.mechanisms import PLANTED

SUMMARY = "see, run and compare data-dependent noise in differential privacy"
FILES = ("FILE", "DATA", "DIR", "LEDGER", "PATH")
"""What is written where a path is expected."""


@dataclass(frozen=True)
class Option:
    """An option: its names, what follows it, what can be chosen, and its help."""

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    help: str

    @property
    def takes_file(self) -> bool:
        """Tell whether a path follows."""
        return any(word in self.value for word in FILES)


@functools.cache
def names() -> dict[str, tuple[str, ...]]:
    """Return the names that can be chosen, by the attribute of an option or argument."""
    queries, noises, mechanisms = (tuple(kinds()[family]) for family in ("query", "noise", "mechanism"))
    asked = (*queries, *mechanisms)
    chosen = {"noise": noises, "family": noises, "query": queries, "example": tuple(EXAMPLES)}
    return chosen | {"mechanism": asked, "mechanisms": asked, "planted": tuple(PLANTED)}


def options_of(parser: argparse.ArgumentParser) -> Iterator[Option]:
    """Yield the options and arguments of a parser; arguments have no names."""
    for action in parser._actions:
        choices = tuple(map(str, action.choices or ()))
        value = (
            action.metavar if isinstance(action.metavar, str) else "|".join(choices) or action.dest.upper()
        )
        if not choices and not value.isupper() and re.fullmatch(r"[\w-]+(\|[\w-]+)+", value):
            choices = tuple(value.split("|"))
        if not choices and action.nargs != 0:
            choices = names().get(action.dest, ())
        told = " ".join(((action.help or "") % {"prog": parser.prog, "default": action.default}).split())
        takes = action.nargs != 0
        yield Option(tuple(action.option_strings), value if takes else "", choices if takes else (), told)


def write(share: Path) -> None:
    """Write all of them into a folder."""
    for name, content in (
        ("man/man1/sensiscope.1.gz", gzip.compress(manual().encode(), mtime=0)),
        ("bash-completion/completions/sensiscope", bash().encode()),
        ("fish/vendor_completions.d/sensiscope.fish", fish().encode()),
        ("zsh/site-functions/_sensiscope", zsh().encode()),
    ):
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_bytes(content)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return all parsers by verb; that of the window by ""."""
    return {"": program_parser(), **{name: verb_parser(name) for name in COMMANDS}}


def manual() -> str:
    """Return the manual page, in the language of `man`."""
    known = parsers()
    lines = [
        f'.TH SENSISCOPE 1 "" "Sensiscope {__version__}" "User Commands"',
        *(".SH NAME", _roff(f"sensiscope - {SUMMARY}")),
        *(".SH SYNOPSIS", ".B sensiscope", "[\\fIFILE\\fR] [\\fIoptions\\fR]", ".br"),
        *(".B sensiscope", "\\fIVERB\\fR [\\fIoptions\\fR]"),
        *(
            ".SH DESCRIPTION",
            "Without a verb the window opens: on a file or a session, else on the last session.",
        ),
        "Every verb works without a display.",
        *(".SH OPTIONS", *_listed(known[""])),
        ".SH VERBS",
    ]
    for name, summary in COMMANDS.items():
        lines += [f".SS {name}", _roff(f"{summary[:1].upper()}{summary[1:]}."), *_listed(known[name])]
    lines += [
        *(
            ".SH EXIT STATUS",
            f"{EXIT_STATUS}.",
        ),
        *(
            ".SH ENVIRONMENT",
            ".TP",
            ".B SENSISCOPE_DEBUG",
            "Set to 1, internal errors show where they come from.",
        ),
        *(".TP", ".B SENSISCOPE_PLUGINS", "Set to off, no plug\\-in is loaded."),
        *(".TP", ".B SENSISCOPE_LEDGER", "The file that records all releases."),
        *(".TP", ".B SENSISCOPE_FORMAT", "text or json, without \\-\\-json."),
        *(".TP", ".B SENSISCOPE_LIMIT_EPSILON, SENSISCOPE_LIMIT_DELTA", "The limit of each new dataset."),
        *(
            ".SH FILES",
            ".TP",
            ".B ~/.config/Sensiscope/settings.toml",
            "The same settings: ledger, format, limit_epsilon, limit_delta. The environment comes first.",
        ),
    ]
    return "\n".join(lines) + "\n"


def _listed(parser: argparse.ArgumentParser) -> Iterator[str]:
    for one in options_of(parser):
        names = ", ".join(f"\\fB{_roff(name)}\\fR" for name in one.names)
        yield ".TP"
        yield f"{names} \\fI{_roff(one.value)}\\fR".strip() if one.value else names
        yield _roff(one.help or "No more is to be said.")


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def bash() -> str:
    """Return the completion for bash."""
    cases, values = [], []
    for verb, parser in parsers().items():
        options = list(options_of(parser))
        words = " ".join(name for one in options for name in one.names)
        free = " ".join(choice for one in options if not one.names for choice in one.choices)
        cases.append(f'        {verb or "*"}) words="{words}"; free="{free}" ;;')
        for one in options:
            if one.names and one.choices:
                chosen = " ".join(one.choices)
                values += [
                    f'        "{verb} {name}") words="{chosen}"; previous=chosen ;;' for name in one.names
                ]
            elif one.names and one.value:
                values += [f'        "{verb} {name}") previous=value ;;' for name in one.names]
    return f"""# bash completion for sensiscope, made by packaging/manual.py
_sensiscope() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} verb="" words="" free=""
    if [ "$COMP_CWORD" -gt 1 ]; then
        case " {" ".join(COMMANDS)} " in *" ${{COMP_WORDS[1]}} "*) verb=${{COMP_WORDS[1]}} ;; esac
    fi
    case "$verb $previous" in
{chr(10).join(values)}
    esac
    if [ "$previous" = value ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
    if [ "$previous" = chosen ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
    case "$verb" in
{chr(10).join([*cases[1:], cases[0]])}
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then free="{" ".join(COMMANDS)}"; fi
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$free" -- "$current") $(compgen -f -- "$current")) ;;
    esac
}}
complete -o filenames -F _sensiscope sensiscope
"""


def fish() -> str:
    """Return the completion for fish."""
    lines = ["# fish completion for sensiscope, made by packaging/manual.py"]
    for name, summary in COMMANDS.items():
        lines.append(f"complete -c sensiscope -n __fish_use_subcommand -a {name} -d {_quoted(summary)}")
    for verb, parser in parsers().items():
        where = f"'__fish_seen_subcommand_from {verb}'" if verb else "__fish_use_subcommand"
        for one in options_of(parser):
            if one.choices and not one.names:
                lines.append(f"complete -c sensiscope -n {where} -a {_quoted(' '.join(one.choices))}")
            long = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one.names]
            if long:
                chosen = [f"-x -a {_quoted(' '.join(one.choices))}"] if one.choices else []
                takes = ["-r"] if one.value and not chosen else []
                words = [
                    "complete -c sensiscope -n",
                    where,
                    *long,
                    *takes,
                    *chosen,
                    "-d",
                    _quoted(_short(one)),
                ]
                lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def zsh() -> str:
    """Return the completion for zsh."""
    verbs = "\n".join(f"    {_quoted(f'{name}:{summary}')}" for name, summary in COMMANDS.items())
    cases = []
    for verb, parser in parsers().items():
        specs = [_zsh_spec(one, name) for one in options_of(parser) for name in one.names]
        free = " ".join(choice for one in options_of(parser) if not one.names for choice in one.choices)
        rest = f"'*:name:({free})'" if free else "'*:file:_files'"
        cases.append(f"    {verb or '*'}) _arguments {' '.join(specs)} {rest} ;;")
    return f"""#compdef sensiscope
# zsh completion for sensiscope, made by packaging/manual.py
local -a verbs
verbs=(
{verbs}
)
if (( CURRENT == 2 )); then
    _describe verb verbs
    _files
    return
fi
case $words[2] in
{chr(10).join([*cases[1:], cases[0]])}
esac
"""


def _zsh_spec(one: Option, name: str) -> str:
    told = re.sub(r"[\[\]:]", " ", _short(one))
    after = f":{re.sub('[^A-Za-z]', ' ', one.value)}:{_zsh_values(one)}" if one.value else ""
    return _quoted(f"{name}[{told}]{after}")


def _zsh_values(one: Option) -> str:
    if one.choices:
        return f"({' '.join(one.choices)})"
    return "_files" if one.takes_file else " "


def _short(one: Option) -> str:
    return re.split(r"[;(]", one.help)[0].strip()[:70]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "’") + "'"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
