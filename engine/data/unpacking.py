"""Packed files: unpacked beside the system's other temporary files while they are read."""

from __future__ import annotations

import contextlib
import dataclasses
import pkgutil
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.data.formats.file_format import DataFile
from engine.errors import DataError
from engine.progress import Progress

PIECE = 1 << 20
FAULTS = (OSError, EOFError, RuntimeError, ValueError, zlib.error, zipfile.BadZipFile)
"""What is raised where a packed file is damaged or cut."""

SPARE = 1 << 28
"""Bytes of the disk that are left free."""


@dataclasses.dataclass(frozen=True)
class Packing:
    """A way to pack one file.

    Attributes
    ----------
    title : str
    suffixes : tuple of str
    magic : bytes
        How such files begin.
    opened : callable
        Returns a stream of what is in the file at a path.
    fault : str
        A reference to what is raised, beside `FAULTS`, where such a file is damaged or cut; "" for nothing.
    archive : bool
        Whether it may hold several files.
    """

    title: str
    suffixes: tuple[str, ...]
    magic: bytes
    opened: Callable[[Path], Any]
    fault: str = ""
    archive: bool = False

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What is raised where such a file is damaged or cut."""
        return (*FAULTS, pkgutil.resolve_name(self.fault)) if self.fault else FAULTS

    def members(self, path: Path) -> tuple[str, ...]:
        """Return the names of the files in an archive; none if it is damaged, or packs one alone."""
        try:
            stream = self.opened(path)
        except (OSError, ValueError, zipfile.BadZipFile):
            return ()
        with contextlib.closing(stream):
            return tuple(_names_in(stream)) if isinstance(stream, zipfile.ZipFile) else ()


def _gzip(path: Path) -> Any:
    import gzip

    return gzip.open(path)


def _bzip2(path: Path) -> Any:
    import bz2

    return bz2.open(path)


def _xz(path: Path) -> Any:
    import lzma  # which not every Python has

    return lzma.open(path)


def _zstd(path: Path) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")


PACKINGS = (
    Packing("gzip", (".gz",), b"\x1f\x8b", _gzip),
    Packing("zstd", (".zst",), b"\x28\xb5\x2f\xfd", _zstd),
    Packing("bzip2", (".bz2",), b"BZh", _bzip2),
    Packing("xz", (".xz",), b"\xfd7zXZ", _xz, fault="lzma:LZMAError"),
    Packing("zip", (".zip",), b"PK\x03\x04", zipfile.ZipFile, archive=True),
)


def packing_of(head: bytes) -> Packing | None:
    """Return how a file is packed, by its beginning; None if it is not."""
    return next((packing for packing in PACKINGS if head.startswith(packing.magic)), None)


@contextlib.contextmanager
def unpacked(file: DataFile, packing: Packing, head: int, progress: Progress) -> Iterator[DataFile]:
    """Unpack a file for as long as it is read; of an archive, the only file or the one that is stated.

    Raises
    ------
    DataError
        If it is cut or damaged, needs a password, holds several files, or the disk has no room for it.
    """
    with contextlib.ExitStack() as stack:
        try:
            stream = packing.opened(file.path)
            name = file.name.removesuffix(Path(file.name).suffix) or file.name
            stack.callback(stream.close)
            if isinstance(stream, zipfile.ZipFile):
                member = _member(stream, file)
                name, stream = Path(member).name, stack.enter_context(stream.open(member))
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sensiscope-"))
            target = Path(folder, "data" + Path(name).suffix)
            _copy(stream, target, file, progress)
        except packing.faults as error:
            if "password" in str(error):
                raise DataError("it needs a password; save it without one", source=file.name) from None
            reason = " ".join(str(error).split())
            raise DataError(
                f"it cannot be unpacked ({packing.title}); it is damaged or cut in the middle, "
                "get the whole file again",
                confidential=reason,
                source=file.name,
            ) from None
        with target.open("rb") as unpacked_file:
            beginning = unpacked_file.read(head)
        options = dataclasses.replace(file.options, table="") if packing.archive else file.options
        yield DataFile(target, name, beginning, options, file.asks)


def _member(archive: zipfile.ZipFile, file: DataFile) -> str:
    names = _names_in(archive)
    wanted = file.options.table
    if wanted:
        if wanted not in names:
            raise DataError(
                f"there is no file '{wanted}' in it; there are {', '.join(names)}", source=file.name
            )
        return wanted
    if len(names) != 1:
        listed = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
        what = f"{len(names)} files ({listed}); state which one as its table" if names else "no file"
        raise DataError(f"the archive holds {what}", source=file.name)
    return names[0]


def _names_in(archive: zipfile.ZipFile) -> list[str]:
    return [one.filename for one in archive.infolist() if not one.is_dir() and not _hidden(one.filename)]


def _hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or Path(name).name.startswith(".")


def _copy(stream: Any, target: Path, file: DataFile, progress: Progress) -> None:
    """Unpack piece by piece, and stop before the disk is full."""
    size = 0
    with target.open("wb") as there:
        while piece := stream.read(PIECE):
            size += len(piece)
            if size % (64 * PIECE) < PIECE and shutil.disk_usage(target.parent).free < SPARE:
                raise DataError(
                    f"it unpacks to more than {size / 1e9:.1f} GB, and the disk is full; unpack it elsewhere",
                    source=file.name,
                )
            there.write(piece)
            progress(0.0, f"unpacking {file.name}")
