"""Check everything: ``python3 packaging/test.py [--fix] [--benchmarks] [pytest arguments]``.

Runs the formatter (which only checks), the linter, the type checker, the import contracts and
the tests; says at the end which of them failed.

--fix         let the formatter and the linter repair what they can
--benchmarks  install the libraries to compare with, and run the benchmarks and nothing else
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (this is what tells people with an older one)
    sys.exit("Sensiscope needs Python 3.11 or newer; this is Python " + sys.version.split()[0])

import os
import subprocess

import setup_environment

# Without arguments everything runs, on all cores; what was chosen runs in one process, in order.
# There are two processes more than cores, up to four: tests of windows and of other processes wait a lot.
PROCESSES = min(4, (os.cpu_count() or 1) + 2)
# A file stays in one process, for what its tests share, and is read there when its turn has come; long
# files come first. How many tests there are is known at the end only, so no share of them is told.
EVERYTHING = [f"--numprocesses={PROCESSES}", "--dist=loadfile", "--no-loadscope-reorder"]
EVERYTHING += ["--override-ini=console_output_style=classic"]

# The type checker's processes must begin within three seconds by the clock; on a busy machine they do not.
CRASHED = 2

IMPORT_CONTRACTS = "from importlinter.cli import lint_imports_command as check; check(['--no-logo'])"


def steps(fix: bool, benchmarks: bool, tests: list[str]) -> dict[str, list[str]]:
    """Return what is to be run, by name: arguments of the environment's Python."""
    if benchmarks:
        return {"benchmarks": ["-m", "pytest", "-m", "benchmark", "-s", *tests]}
    return {
        "format": ["-m", "ruff", "format", *([] if fix else ["--check"]), "."],
        "lint": ["-m", "ruff", "check", *(["--fix"] if fix else []), "."],
        "types": ["-m", "mypy"],
        "imports": ["-c", IMPORT_CONTRACTS],
        "tests": ["-m", "pytest", *(tests or EVERYTHING)],
    }


def from_here(argument: str) -> str:
    """Return a test's path as seen from the project's folder, where pytest runs; others unchanged."""
    path, separator, test = argument.partition("::")
    looks_like_path = os.sep in path or "/" in path or path.endswith(".py")
    if argument.startswith("-") or not looks_like_path or not os.path.exists(path):
        return argument
    return os.path.abspath(path) + separator + test


def main(arguments: list[str]) -> int:
    """Set up, run every step, and return 0 only if all of them passed."""
    if "-h" in arguments or "--help" in arguments:
        print(__doc__)
        return 0
    fix, benchmarks = "--fix" in arguments, "--benchmarks" in arguments
    tests = [from_here(argument) for argument in arguments if argument not in ("--fix", "--benchmarks")]
    # Set before set-up, which installs what Qt needs for this platform.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("MPLBACKEND", "Agg")
    # Tests start many interpreters, and each would compile everything anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    lock = setup_environment.BENCHMARKS if benchmarks else setup_environment.DEV
    try:
        python = setup_environment.prepare(lock)
    except setup_environment.SetupError as error:
        setup_environment.say(f"error: {error}")
        return 1
    failed = []
    for name, command in steps(fix, benchmarks, tests).items():
        print(f"\n== {name}: {' '.join(command[1:])}", flush=True)
        # -P: nothing in the project's folder but the installed packages is importable.
        status = subprocess.run([python, "-P", *command], cwd=setup_environment.ROOT).returncode
        if name == "types" and status == CRASHED:
            print("once more, in one process", flush=True)
            alone = {**os.environ, "MYPY_NUM_WORKERS": "0"}
            status = subprocess.run(
                [python, "-P", *command], cwd=setup_environment.ROOT, env=alone
            ).returncode
        if status:
            failed.append(name)
    print(f"\nFAILED: {', '.join(failed)}" if failed else "\nall passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
