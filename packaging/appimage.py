"""Make an AppImage of a bundle: ``python3 packaging/appimage.py [--out FOLDER]``.

FOLDER, in which ``bundle.py`` has put ``sensiscope``, gets ``Sensiscope.AppDir``: the tree of an AppImage,
which is a program as it stands (``AppRun``).  With ``appimagetool`` on the path, one file is made of it.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from bundle import NAME, megabytes, version
from setup_environment import ROOT

ID = "invalid.sensiscope.Sensiscope"


def make_tree(folder: Path, tree: Path) -> None:
    """Lay out the folder of a bundle as an AppImage wants it."""
    shutil.rmtree(tree, ignore_errors=True)
    place = tree / "usr" / "lib" / NAME
    shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns("share"))
    shutil.copytree(folder / "share", tree / "usr" / "share")
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / NAME).symlink_to(f"../lib/{NAME}/{NAME}")
    (tree / "AppRun").symlink_to(f"usr/bin/{NAME}")
    for link, target in (
        (f"{NAME}.desktop", f"usr/share/applications/{NAME}.desktop"),
        (f"{NAME}.png", f"usr/share/icons/hicolor/256x256/apps/{NAME}.png"),
        (".DirIcon", f"{NAME}.png"),
        (f"usr/share/metainfo/{ID}.appdata.xml", f"{ID}.metainfo.xml"),  # as its tools name it
    ):
        (tree / link).symlink_to(target)


def main() -> int:
    """Make the tree, and the file if that can be done here."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=ROOT / "dist")
    out = parser.parse_args().out.resolve()
    if not (out / NAME / NAME).is_file():
        print(f"no bundle in {out}; first: python3 packaging/bundle.py --out {out}", file=sys.stderr)
        return 1
    tree = out / "Sensiscope.AppDir"
    make_tree(out / NAME, tree)
    print(f"{tree}  {megabytes(tree)} MB")
    tool = shutil.which("appimagetool")
    if tool is None:
        print("appimagetool is not on the path: no single file is made of it", file=sys.stderr)
        return 0
    machine = platform.machine()
    file = out / f"Sensiscope-{version()}-{machine}.AppImage"
    subprocess.run([tool, tree, file], check=True, env={**os.environ, "ARCH": machine})
    print(f"{file}  {megabytes(file)} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
