"""The command line: runs the verb and reports every error in one line.

Imports are lazy.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gc
import importlib
import inspect
import io
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.commands.support.console import EXIT_STATUS, PROGRAM, be_quiet, forget, remark, say
from app.commands.support.display import display_problem, library_problem
from app.commands.support.interrupt import INTERRUPTED, orderly_end, plain_interrupt, prompt_interrupt
from app.commands.support.options import (
    QUIET,
    Option,
    Parser,
    UsageError,
    VerbHelp,
    add_option,
    join_negative_numbers,
)
from app.commands.support.plugins import start_plugins
from app.model.additions import added_options
from app.model.chosen_numbers import use_on_console
from app.model.wording.neighbours import WORDS
from engine import __version__
from engine.errors import SensiscopeError
from engine.optional_packages import not_installed
from engine.progress import Cancelled
from engine.user_data import default_format

DONE, FAULT, USER = 0, 1, 2
DEBUG = "SENSISCOPE_DEBUG"

COMMANDS = {
    "catalog": "list queries, noises, mechanisms and bundled examples",
    "sensitivity": "show local, smooth and global sensitivity of a query, and A^(k)",
    "noise": "show the pair (alpha, beta) of a noise family, its quantiles and certificate",
    "bounds": "suggest bounds for a column privately, for a share of epsilon",
    "run": "release a value with differential privacy",
    "ask": "ask several questions about one table, within one budget",
    "budget": "show the budget spent on each dataset, and set limits",
    "compare": "simulate several mechanisms and compare their errors",
    "audit": "find a lower bound on epsilon from two neighboring databases",
    "plan": "plan blocks, noise and the number of records needed, without data",
    "lessons": "list the lessons, or check lesson files",
    "screenshot": "save a page of the window as a PNG",
}
"""Name and summary of every command, in the order of the help."""

EXAMPLES = {
    "a release": "run median --example salaries --epsilon 1",
    "a picture": "sensitivity median --example salaries --epsilon 1 --plot sensiscope-median.png",
}
"""The commands that run without arguments where there is no display."""

WITHOUT_WINDOW = f"{PROGRAM} {EXAMPLES['a release']}, {PROGRAM} --help"


def main(argv: Sequence[str]) -> int:
    """Run the program with the arguments `argv` (without its name); return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a stream may be closed, or no file
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _dispatch(list(argv))
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as leave:  # --help and --version
        return leave.code if isinstance(leave.code, int) else DONE
    except BrokenPipeError:
        forget(sys.stdout)  # whoever reads has had enough, as in `sensiscope catalog | head`
        return DONE
    except SensiscopeError as error:
        remark("error", _error_text(error, argv))
        return USER
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        remark("error", f"{file}{error.strerror or error}")
        forget(sys.stdout)
        return USER
    except (KeyboardInterrupt, Cancelled):
        remark("cancelled", "stopped by Ctrl+C")
        return INTERRUPTED
    except Exception as error:
        return _fault(error, _shows_records(argv))
    return status


def _error_text(error: SensiscopeError, argv: Sequence[str]) -> str:
    """Return the message with the options that mend it, and with cells where the command shows them."""
    verb = argv[0] if argv and argv[0] in COMMANDS else ""
    if isinstance(error, UsageError):
        return f"{error} (see {f'{PROGRAM} {verb}'.rstrip()} --help)"
    if not verb:
        return str(error)
    from app.commands.support.remedies import with_options

    known: set[str] = set()
    with contextlib.suppress(Exception):  # a plug-in may fail once more
        known.update(name for action in verb_parser(verb)._actions for name in action.option_strings)
    text = with_options(error, known, argv)
    if error.confidential and _shows_records(argv):
        text += f" (confidential: {error.confidential})"
    return text


def _shows_records(argv: Sequence[str]) -> bool:
    """Tell whether the output of a command is confidential; then its errors may show cells, too."""
    if not argv or argv[0] not in COMMANDS:
        return False
    try:
        options = _options_of(argv[0], argv[1:])
    except Exception:  # such a command prints no results
        return False
    return argv[0] == "sensitivity" or bool(getattr(options, "show_private", False))


def _dispatch(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        use_on_console()
        with prompt_interrupt(), orderly_end():
            with pause_gc():
                start_plugins()
                command = importlib.import_module(f"{__package__}.{argv[0]}")
                options = _options_of(argv[0], argv[1:])
            be_quiet(bool(options.quiet))
            if getattr(options, "json", True) is None and default_format() == "json":
                options.json = True
            with _extras_running(options):
                status: int = command.run(options)
            return status
    if argv and argv[0] == "demo" and not Path(argv[0]).is_file():
        released, drawn = (f"{PROGRAM} {line}" for line in EXAMPLES.values())
        raise UsageError(f"the verb 'demo' no longer exists; try {released}, or {drawn}")
    if argv and not argv[0].startswith("-") and not Path(argv[0]).exists():
        raise _unknown_word(argv[0])  # before an error about its options
    options = program_parser().parse(argv)
    if options.file is not None and not Path(options.file).exists():
        raise _unknown_word(options.file)
    if missing := not_installed("PySide6", "the window"):
        raise SensiscopeError(f"{missing}; {PROGRAM} --help lists the verbs that work without")
    if problem := display_problem():
        if not argv:
            return _run_examples(problem)
        raise SensiscopeError(
            f"{problem}; start it on a display (ssh -X, or xvfb-run), "
            f"or work without the window: {WITHOUT_WINDOW}"
        )
    if problem := library_problem():
        raise SensiscopeError(f"{problem}, or work without the window: {WITHOUT_WINDOW}")
    with _extras_running(options):
        return _open_window(options.file, options.theme, options.ledger)


def _run_examples(problem: str) -> int:
    """Show how to work without a display: make a release and a picture of a bundled example."""
    remark("note", f"{problem}; {PROGRAM} --help lists the verbs that need none, for instance:")
    for title, line in EXAMPLES.items():
        remark("note", f"{title}: {PROGRAM} {line}")
        if (status := _dispatch(line.split())) != DONE:
            return status
        say()
    return DONE


@contextlib.contextmanager
def _extras_running(options: argparse.Namespace) -> Iterator[None]:
    """Enter the contexts of all extras that added options."""
    with contextlib.ExitStack() as stack:
        for extra in added_options():
            stack.enter_context(extra.running(options))
        yield


def _options_of(verb: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Read the arguments of a verb; import only the components that they name."""
    with contextlib.suppress(UsageError):
        return verb_parser(verb, brief=True).parse(arguments)
    with contextlib.suppress(SensiscopeError):
        from app.commands.support.mechanism_options import owners_of

        first, _ = verb_parser(verb, brief=True).parse_known_args(join_negative_numbers(arguments))
        return verb_parser(verb, brief=True, chosen=owners_of(first)).parse(arguments)
    return verb_parser(verb).parse(arguments)


def verb_parser(name: str, *, brief: bool = False, chosen: Sequence[str] = ()) -> Parser:
    """Return the parser of a verb; manual and completions use it, too."""
    command = importlib.import_module(f"{__package__}.{name}")
    parser = Parser(
        prog=f"{PROGRAM} {name}",
        description=inspect.cleandoc(command.__doc__ or ""),
        brief=brief,
        chosen=chosen,
        texts=getattr(command, "HELP", VerbHelp()),
    )
    command.configure(parser)
    add_option(parser.output_group(), QUIET)
    parser.add_help_topics()
    return parser


def program_parser() -> Parser:
    """Return the parser of a command without a verb."""
    from app.model.theme import PALETTES

    width = max(map(len, COMMANDS)) + 2
    listed = "\n".join(f"  {name:{width}}{summary}" for name, summary in COMMANDS.items())
    meanings = ",\n  or ".join(wording.between for wording in WORDS.values())
    parser = Parser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [FILE] | {PROGRAM} VERB [options] | {PROGRAM} VERB --help",
        description="See, run and compare data-dependent noise in differential privacy.\n"
        "Without a verb the window opens, on FILE, the last session or an example.",
        epilog=f"verbs (they need no display):\n{listed}\n\n"
        f"Every epsilon holds\n  {meanings}.\n\n"
        "Write ./run for a file with the name of a verb.\n\n"
        f"Exit status: {EXIT_STATUS}.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="data or session to open in the window")
    add_option(parser, Option("theme", "colors of the window", choices=tuple(PALETTES)))
    add_option(parser, Option("ledger", "file that records all releases"))
    for extra in added_options():
        extra.configure(parser)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser


def _open_window(file: str | None, theme: str | None, ledger: str | None) -> int:
    with pause_gc():
        start_plugins()
        from app.window.application import open_window

    with plain_interrupt():
        return open_window(file, theme, None if ledger is None else Path(ledger))


@contextlib.contextmanager
def pause_gc() -> Iterator[None]:
    """Pause garbage collection during imports (a fifth of their time), and exclude their objects later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _unknown_word(word: str) -> SensiscopeError:
    """Return the error for a mistyped verb or a missing file."""
    if word in COMMANDS:
        return UsageError(f"'{word}' follows an option; the verb comes first: {PROGRAM} {word} …")
    looks_like_path = os.sep in word or "/" in word or Path(word).suffix
    nearest = difflib.get_close_matches(word, COMMANDS, n=3, cutoff=0.5)
    if looks_like_path or (not nearest and not word.replace("-", "").isalpha()):
        return SensiscopeError(f"{word}: there is no such file")
    return UsageError(f"there is no verb and no file '{word}'; try {', '.join(nearest or COMMANDS)}")


def _fault(error: Exception, shows_records: bool) -> int:
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
        return FAULT
    if isinstance(error, MemoryError):
        remark("error", "there is not enough memory; try fewer records or runs")
    else:
        # its message may hold a cell
        what = f"{type(error).__name__}: {error}" if shows_records else type(error).__name__
        remark("error", f"{what} (internal error; {DEBUG}=1 shows where, and may show records)")
    return FAULT
