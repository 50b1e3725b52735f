"""The command line: finds the command, and turns whatever goes wrong into one line.

Exit status: 0 done; 2 the user's input; 1 internal error; 130 Ctrl+C.  Only
what a command needs is imported: asking for help or the version loads no numpy, and no
command without a window loads Qt.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gc
import importlib
import io
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.commands.support.console import PROGRAM, forget, remark, say
from app.commands.support.display import display_problem
from app.commands.support.interrupt import INTERRUPTED, orderly_end, plain_interrupt, prompt_interrupt
from app.commands.support.options import Parser, UsageError, join_negative_numbers
from app.commands.support.plugins import start_plugins
from app.model.additions import added_options
from app.model.chosen_numbers import use_on_console
from app.model.theme import PALETTES
from app.model.wording.neighbours import WORDS
from engine import __version__
from engine.errors import NamesInDoubt, SensiscopeError
from engine.progress import Cancelled

DONE, FAULT, USER = 0, 1, 2
DEBUG = "SENSISCOPE_DEBUG"

COMMANDS = {
    "catalog": "what there is: queries, noises, mechanisms, bundled examples",
    "sensitivity": "local, smooth and global sensitivity of a query, and A^(k)",
    "noise": "admissible (alpha, beta) of a noise family, quantiles, certificate",
    "bounds": "suggest bounds for a column privately, for a share of epsilon",
    "run": "one sanitization: release a value",
    "budget": "what is spent on each dataset, and how much may be",
    "compare": "simulated errors of several mechanisms, side by side",
    "audit": "an empirical lower bound on epsilon, from two neighbouring databases",
    "plan": "how many blocks, how much noise, how many records or points are needed; without data",
    "lessons": "list the lessons, or check the file of one",
    "screenshot": "a page of the window as a PNG",
}
"""Name and summary of every command, in the order of the help."""

EXAMPLES = {
    "a release": "run median --example salaries --epsilon 1",
    "a picture": "sensitivity median --example salaries --epsilon 1 --plot sensiscope-median.png",
}
"""What is made where there is no display, and nothing else is asked for."""


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
    except NamesInDoubt as error:
        remark("error", str(error.spelled("--header {}")))
        return USER
    except SensiscopeError as error:
        asked = f"{PROGRAM} {argv[0]}" if argv and argv[0] in COMMANDS else PROGRAM
        text = error.curator_text if error.confidential and _shows_records(argv) else str(error)
        remark("error", f"{text} (see {asked} --help)" if isinstance(error, UsageError) else text)
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


def _shows_records(argv: Sequence[str]) -> bool:
    """Tell whether what a command prints is confidential, so that its errors may show cells, too."""
    if not argv or argv[0] not in COMMANDS:
        return False
    try:
        options = _options_of(argv[0], argv[1:])
    except Exception:  # it is not understood, so that it shows nothing
        return False
    return argv[0] == "sensitivity" or bool(getattr(options, "show_private", False))


def _dispatch(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        use_on_console()
        with prompt_interrupt(), orderly_end():
            with pause_gc():
                start_plugins()
                command = importlib.import_module(f"app.commands.{argv[0]}")
                options = _options_of(argv[0], argv[1:])
            with _extras_running(options):
                status: int = command.run(options)
            return status
    if argv and argv[0] == "demo" and not Path(argv[0]).is_file():
        released, drawn = (f"{PROGRAM} {line}" for line in EXAMPLES.values())
        raise UsageError(f"there is no verb 'demo' any more; try {released}, or {drawn}")
    if argv and not argv[0].startswith("-") and not Path(argv[0]).exists():
        raise _unknown_word(argv[0])  # before its options are found strange
    options = program_parser().parse(argv)
    if options.file is not None and not Path(options.file).exists():
        raise _unknown_word(options.file)
    if problem := display_problem():
        if not argv:
            return _run_examples(problem)
        raise SensiscopeError(
            f"{problem}; start it where there is one (ssh -X, or xvfb-run), "
            f"or work without it: {PROGRAM} {EXAMPLES['a release']}, {PROGRAM} --help"
        )
    with _extras_running(options):
        return _open_window(options.file, options.theme, options.ledger)


def _run_examples(problem: str) -> int:
    """Show how to work without a display: make a release and a picture of a bundled example."""
    remark("note", f"{problem}; {PROGRAM} --help lists what works without one, for instance:")
    for title, line in EXAMPLES.items():
        remark("note", f"{title}: {PROGRAM} {line}")
        if (status := _dispatch(line.split())) != DONE:
            return status
        say()
    return DONE


@contextlib.contextmanager
def _extras_running(options: argparse.Namespace) -> Iterator[None]:
    """Hold the contexts of those who added options."""
    with contextlib.ExitStack() as stack:
        for extra in added_options():
            stack.enter_context(extra.running(options))
        yield


def _options_of(verb: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Read the words after a verb; no component is imported for its options unless it is named."""
    with contextlib.suppress(UsageError):
        return verb_parser(verb, brief=True).parse(arguments)
    with contextlib.suppress(SensiscopeError):
        from app.commands.support.mechanism_options import owners_of

        first, _ = verb_parser(verb, brief=True).parse_known_args(join_negative_numbers(arguments))
        return verb_parser(verb, brief=True, chosen=owners_of(first)).parse(arguments)
    return verb_parser(verb).parse(arguments)


def verb_parser(name: str, *, brief: bool = False, chosen: Sequence[str] = ()) -> Parser:
    """Return what reads the words after a verb; manual and completion are made from it, too."""
    command = importlib.import_module(f"app.commands.{name}")
    parser = Parser(prog=f"{PROGRAM} {name}", description=command.__doc__, brief=brief, chosen=chosen)
    command.configure(parser)
    return parser


def program_parser() -> Parser:
    """Return what reads the words where there is no verb."""
    width = max(map(len, COMMANDS)) + 2
    listed = "\n".join(f"  {name:{width}}{summary}" for name, summary in COMMANDS.items())
    meant = ",\n  or ".join(wording.between for wording in WORDS.values())
    parser = Parser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [FILE] | {PROGRAM} VERB [options] | {PROGRAM} VERB --help",
        description="See, run and compare data-dependent noise in differential privacy.\n"
        "Without a verb the window opens: on FILE, else on the last session or an example.",
        epilog=f"verbs, which need no display:\n{listed}\n\n"
        f"Every epsilon is meant\n  {meant}.\n"
        "A file that is called like a verb: ./run",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the data or the session to open in the window"
    )
    parser.add_argument("--theme", choices=tuple(PALETTES), help="colours of the window")
    parser.add_argument("--ledger", metavar="LEDGER", help="where releases are written down")
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
    """Look for garbage neither while modules are imported, which took a fifth of it, nor in them later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _unknown_word(word: str) -> SensiscopeError:
    """Tell a mistyped command from a missing file."""
    if word in COMMANDS:
        return UsageError(f"'{word}' stands after an option; the verb comes first: {PROGRAM} {word} …")
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
        remark("error", "there is not enough memory for this; try fewer records or runs")
    else:
        # its message may hold a cell
        what = f"{type(error).__name__}: {error}" if shows_records else type(error).__name__
        remark("error", f"{what} (internal error; {DEBUG}=1 shows where, and may show records)")
    return FAULT
