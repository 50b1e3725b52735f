"""Make libraries of a bundle for Linux smaller, where what is taken out cannot be reached: see `slim`.

The tools are those of binutils (``as``, ``ld``, ``strip``), which building Python packages needs anyway.
"""

import os
import re
import struct
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

OF_LANGUAGES = re.compile(r"(\w+/)?(?!en[_.]|res_)[a-z]{2,3}(_\w+)?\.res")
"""ICU's names, collations, units and time zones of one language; English and what all share stay."""

UNREAD = re.compile(
    r".*\.(cnv|dict|spp)"  # old encodings, dictionaries of languages without spaces, rules of host names
    r"|(translit|rbnf)/.*|unames\.icu"  # other scripts, numbers in words, names of characters
)
"""What neither Qt nor the program asks ICU for."""

PADDING = b"\xaa"
"""What ICU's own tools put between items."""

UNUSED = "libarrow_substrait.so.*"
"""All of pyarrow names this library, and only a module that is left out takes anything from it."""


def slim(libraries: Path) -> None:
    """Make a folder of libraries smaller: unread data of ICU, a library of nothing, twins, symbols."""
    for file in libraries.rglob("libicudata.so.*"):
        if not file.is_symlink():
            replace_library(file, icu_data(file.read_bytes()))
    for file in libraries.rglob(UNUSED):
        if not file.is_symlink():
            replace_library(file, b"")
    link_twins(libraries)
    strip(libraries)


def icu_data(library: bytes, is_read: Callable[[str], bool] | None = None) -> bytes:
    """Return the package of data in ICU's library with only the items that are read.

    The format: a header, which says how long it is; the number of items; for each, where its name and its
    content are, counted from that number; the names; the contents, each on a multiple of 16.  Names are
    sorted, as ICU looks for them by halves.
    """
    start = library.index(b"CmnD") - 12
    table = start + struct.unpack_from("<H", library, start)[0]
    count = struct.unpack_from("<I", library, table)[0]
    places = [struct.unpack_from("<II", library, table + 4 + 8 * i) for i in range(count)]
    names = [library[table + at : library.index(0, table + at)] for at, _ in places]
    ends = [at for _, at in places[1:]] + [symbol_end(library, start) - table]
    kept: list[tuple[bytes, bytes]] = []
    for name, (_, begin), end in zip(names, places, ends, strict=True):
        if (is_read or needed)(name.decode().partition("/")[2]):
            kept.append((name + b"\0", library[table + begin : table + end]))
    at = 4 + 8 * len(kept)
    base = place = aligned(at + sum(len(name) for name, _ in kept))
    entries = [struct.pack("<I", len(kept))]
    for name, item in kept:
        entries.append(struct.pack("<II", at, place))
        at, place = at + len(name), place + aligned(len(item))
    head = b"".join([*entries, *(name for name, _ in kept)]).ljust(base, PADDING)
    items = [item.ljust(aligned(len(item)), PADDING) for _, item in kept]
    return b"".join([library[start:table], head, *items])


def needed(item: str) -> bool:
    """Tell whether an item of ICU's data stays."""
    return not (UNREAD.fullmatch(item) or OF_LANGUAGES.fullmatch(item))


def aligned(size: int) -> int:
    """Return the next multiple of 16."""
    return -(-size // 16) * 16


def symbol_end(library: bytes, start: int) -> int:
    """Return where the data end: with the loaded segment of the file that they are in."""
    table, size, count = (
        struct.unpack_from(kind, library, at)[0] for kind, at in (("<Q", 32), ("<H", 54), ("<H", 56))
    )
    segments = [struct.unpack_from("<IIQQQQ", library, table + size * i) for i in range(count)]
    return next(at + long for kind, _, at, _, _, long in segments if kind == 1 and at <= start < at + long)


def replace_library(file: Path, data: bytes) -> None:
    """Write a shared library of the same name with nothing in it but ICU's data, if any."""
    version = "".join(re.findall(r"\d+", file.name)[:1])
    source = '.section .note.GNU-stack,"",%progbits\n'
    with tempfile.TemporaryDirectory() as folder:
        if data:
            (Path(folder) / "data").write_bytes(data)
            name = f"icudt{version}_dat"
            source += f".section .rodata\n.globl {name}\n.type {name}, %object\n.size {name}, {len(data)}\n"
            source += f'.balign 16\n{name}: .incbin "data"\n'
        subprocess.run(["as", "-o", "part.o", "-"], input=source, text=True, check=True, cwd=folder)
        command = ["ld", "-shared", "-soname", file.name, "-o", "made.so", "part.o"]
        subprocess.run(command, check=True, cwd=folder)
        file.write_bytes((Path(folder) / "made.so").read_bytes())


def link_twins(libraries: Path) -> None:
    """Let libraries that two wheels bring alike be one file."""
    first: dict[tuple[str, bytes], Path] = {}
    for file in sorted(libraries.glob("*.libs/*.so*")):
        if file.is_symlink():
            continue
        twin = first.setdefault((file.name, file.read_bytes()), file)
        if twin != file:
            file.unlink()
            file.symlink_to(os.path.relpath(twin, file.parent))


def strip(libraries: Path) -> None:
    """Take out what only debuggers read; libraries that wheels have renamed would not survive it."""
    files = [file for file in libraries.rglob("*.so*") if not file.is_symlink()]
    plain = [file for file in files if not file.parent.name.endswith(".libs")]
    subprocess.run(["strip", "--strip-unneeded", *plain], check=True)
