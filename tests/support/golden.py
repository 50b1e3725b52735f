"""Keeps what the program shows and answers as text, and compares with what was kept.

Run ``python tests/support/golden.py write`` or ``compare``, with ``--only commands`` or another of the
`PARTS` for one alone, and a folder unless it is ``tests/golden``.  ``compare`` prints what differs and
ends with status 1.  A change that is meant is written again, and is then seen in the commit.
"""

import argparse
import difflib
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
FOLDER = HOUSE / "tests" / "golden"
PARTS = {
    "commands": "golden_commands",
    "pictures": "golden_pictures",
    "sanitizations": "golden_sanitizations",
    "scripts": "golden_scripts",
}
"""What can be asked for alone, and who dumps it."""
PERSONAL = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def dumps(part: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file of a part; `folder` takes what is written on the way."""
    yield from importlib.import_module(PARTS[part]).dump(folder)


def alone(folder: Path) -> None:
    """Leave no trace in the person's own folders, and let none of theirs change anything."""
    for name in PERSONAL:
        os.environ[name] = str(folder)
    os.environ.pop("SENSISCOPE_DEBUG", None)
    os.environ["LC_ALL"] = "C.UTF-8"
    os.environ["QT_QPA_PLATFORM"], os.environ["MPLBACKEND"] = "offscreen", "Agg"
    os.environ["QT_LOGGING_RULES"] = "*.warning=false"  # of what a platform without a display cannot do


def write(folder: Path, parts: list[str], work: Path) -> int:
    """Write all files of these parts anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        for old in folder.glob(f"{part}-*.txt"):
            old.unlink()
        for name, text in dumps(part, work):
            (folder / name).write_text(text, encoding="utf-8")
    return 0


def compare(folder: Path, parts: list[str], work: Path) -> int:
    """Print what differs from the files of these parts; return 1 if anything does."""
    differs = False
    for part in parts:
        missing = {path.name for path in folder.glob(f"{part}-*.txt")}
        for name, text in dumps(part, work):
            kept = (folder / name).read_text(encoding="utf-8") if name in missing else ""
            missing.discard(name)
            if kept != text:
                differs = True
                sides = kept.splitlines(keepends=True), text.splitlines(keepends=True)
                sys.stdout.writelines(difflib.unified_diff(*sides, f"kept/{name}", f"now/{name}"))
                sys.stdout.flush()
        for name in sorted(missing):
            differs = True
            sys.stdout.write(f"{name} is kept, and nothing like it is dumped any more\n")
    return int(differs)


def main() -> int:
    """Write or compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=PARTS, help="this part alone")
    options = parser.parse_args()
    parts = [options.only] if options.only else list(PARTS)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        alone(Path(work))
        act = write if options.what == "write" else compare
        status = act(options.folder.resolve(), parts, Path(work).resolve())
    sys.stderr.write(f"{', '.join(parts)}: {time.monotonic() - begun:.0f} seconds\n")
    return status


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(HOUSE)]
    sys.exit(main())
