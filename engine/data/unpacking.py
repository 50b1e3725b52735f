"""Unpack files into temporary files while they are read."""

from __future__ import annotations

import contextlib
import dataclasses
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.data.formats.damage import reason_of
from engine.data.formats.file_format import DataFile, imported
from engine.data.formats.strangers import strange_archive
from engine.free_memory import growth_limit, size_in_words
from engine.progress import Progress

PIECE = 1 << 20
SPARE = 1 << 28
"""Bytes of disk space to leave free."""


@dataclasses.dataclass(frozen=True)
class Packing:
    """A compression or archive format: its first bytes, and a function that opens a stream."""

    title: str
    suffixes: tuple[str, ...]
    magic: bytes
    opened: Callable[[Path], Any]
    archive: bool = False

    def members(self, path: Path) -> tuple[str, ...]:
        """Return the names of the files in an archive; none if it is damaged, or holds a single file."""
        try:
            stream = self.opened(path)
            with contextlib.closing(stream):
                return tuple(_names_in(stream)) if isinstance(stream, zipfile.ZipFile) else ()
        except Exception:  # the reader reports the error
            return ()


def _zstd(path: Path) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")


PACKINGS = (
    Packing("gzip", (".gz",), b"\x1f\x8b", imported("gzip:open")),
    Packing("zstd", (".zst",), b"\x28\xb5\x2f\xfd", _zstd),
    Packing("bzip2", (".bz2",), b"BZh", imported("bz2:open")),
    Packing("xz", (".xz",), b"\xfd7zXZ", imported("lzma:open")),
    Packing("zip", (".zip",), b"PK\x03\x04", zipfile.ZipFile, archive=True),
)


def packing_of(head: bytes) -> Packing | None:
    """Return how a file is packed, from its first bytes; None if it is not packed."""
    return next((packing for packing in PACKINGS if head.startswith(packing.magic)), None)


@contextlib.contextmanager
def unpack(file: DataFile, packing: Packing, head: int, *, progress: Progress) -> Iterator[DataFile]:
    """Unpack a file while it is read; from an archive, the only or the stated file."""
    with contextlib.ExitStack() as stack:
        with _refusing(file, packing):
            stream = stack.enter_context(contextlib.closing(packing.opened(file.path)))
            names = _names_in(stream) if packing.archive else []
        name = file.name.removesuffix(Path(file.name).suffix) or file.name
        if packing.archive:
            member = _member(names, file)
            name = Path(member).name
            with _refusing(file, packing):
                stream = stack.enter_context(stream.open(member))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sensiscope-"))
        target = Path(folder, "data" + Path(name).suffix)
        _copy(stream, target, file, packing, progress=progress)
        with target.open("rb") as unpacked_file:
            beginning = unpacked_file.read(head)
        options = dataclasses.replace(file.options, table="") if packing.archive else file.options
        yield DataFile(target, name, beginning, options, file.asks, file.size, file.edges)


@contextlib.contextmanager
def _refusing(file: DataFile, packing: Packing) -> Iterator[None]:
    """Convert exceptions of a library about a packed file into `DataError`."""
    try:
        yield
    except Exception as error:
        if "password" in str(error):
            raise file.error("it needs a password; save it without one") from None
        raise file.error(
            f"it cannot be unpacked ({packing.title}); it is damaged or truncated; get the whole file again",
            confidential=reason_of(error),
        ) from None


def _member(names: list[str], file: DataFile) -> str:
    what = strange_archive(names)
    if what:
        raise file.error(f"it is {what}")
    wanted = file.options.table
    if wanted:
        if wanted not in names:
            raise file.error(f"there is no file '{wanted}' in it; there are {', '.join(names)}")
        return wanted
    if len(names) != 1:
        listed = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
        what = f"{len(names)} files ({listed}); state which one as its table" if names else "no file"
        raise file.error(f"the archive holds {what}")
    return names[0]


def _names_in(archive: zipfile.ZipFile) -> list[str]:
    names = [one.filename for one in archive.infolist() if not one.is_dir()]
    return [name for name in names if not name.startswith("__MACOSX/") and Path(name).name[:1] != "."]


def _copy(stream: Any, target: Path, file: DataFile, packing: Packing, *, progress: Progress) -> None:
    """Unpack in batches; stop before the disk is full, or above the limit for a file of this size."""
    size, limit = 0, growth_limit(file.size)
    with target.open("wb") as there:
        while True:
            with _refusing(file, packing):
                piece = stream.read(PIECE)
            if not piece:
                return
            size += len(piece)
            if size > limit:
                raise file.error(
                    f"it unpacks to more than {size_in_words(limit)}, the limit for a file of "
                    f"{size_in_words(file.size)}; if you trust it, unpack it yourself"
                )
            if size % (64 * PIECE) < PIECE and shutil.disk_usage(target.parent).free < SPARE:
                raise file.error(
                    f"it unpacks to more than {size / 1e9:.1f} GB, and the disk is full; unpack it elsewhere"
                )
            there.write(piece)
            progress(0.0, f"unpacking {file.name}")
