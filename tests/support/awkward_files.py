"""Files as people have them, each with where its like comes from, and what is expected of it.

Texts stand in ``awkward_files.toml``.  ``python tests/support/awkward_files.py FOLDER`` writes all files,
to be tried in the window.
"""

import bz2
import dataclasses
import gzip
import io
import lzma
import sys
import tomllib
import zipfile
from pathlib import Path

PLAIN = b"name,pay\nAnn,1.5\nBo,2.5\n"
PAY = {"pay": [1.5, 2.5]}


@dataclasses.dataclass(frozen=True)
class AwkwardFile:
    """A file: `numbers` are what columns hold, or else `fault` is in the line that is said instead."""

    name: str
    origin: str
    content: bytes
    numbers: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    fault: str = ""
    options: dict[str, str] = dataclasses.field(default_factory=dict)
    types: dict[str, str] = dataclasses.field(default_factory=dict)


def _texts() -> list[AwkwardFile]:
    stated = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [
        AwkwardFile(name, content=facts.pop("text").encode(facts.pop("encoding", "utf-8")), **facts)
        for name, facts in stated.items()
    ]


def _zip(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return packed.getvalue()


TWO = _zip(people_csv=PLAIN, readme_txt=b"hello")

FILES = [
    *_texts(),
    AwkwardFile("people.csv.gz", "Large files are sent packed.", gzip.compress(PLAIN), PAY),
    AwkwardFile("people.csv.bz2", "Encyclopedias and astronomers pack so.", bz2.compress(PLAIN), PAY),
    AwkwardFile("people.csv.xz", "Linux packs so.", lzma.compress(PLAIN), PAY),
    AwkwardFile(
        "cut.csv.gz",
        "A download that broke off.",
        gzip.compress(PLAIN * 500)[:-12],
        fault="it is damaged or truncated",
    ),
    AwkwardFile("people.zip", "Mail programs pack what they send.", _zip(people_csv=PLAIN), PAY),
    AwkwardFile(
        "two.zip",
        "Open data come with a description.",
        TWO,
        fault="the archive holds 2 files (people.csv, readme.txt); state which one",
    ),
    AwkwardFile(
        "two-stated.zip", "The same, with the file stated.", TWO, PAY, options={"table": "people.csv"}
    ),
    AwkwardFile(
        "report.pdf", "A report instead of its data.", b"%PDF-1.7 rest", fault="it is a PDF document"
    ),
]


def write_all(folder: Path) -> None:
    """Write the files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        (folder / file.name).write_bytes(file.content)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
