"""What a desktop wants of a program, as a tree: ``.venv/bin/python packaging/share.py --out FOLDER``.

FOLDER gets ``share/`` as it lies under /usr or ~/.local (desktop entry, icons, kind of file, AppStream data,
manual page, completions), and sensiscope.ico and sensiscope.icns for installers of other systems.  The wheel
has all but the icons in single sizes.
"""

import argparse
import shutil
from pathlib import Path

import icons
import manual

LINUX = icons.ROOT / "packaging" / "linux"


def write_share(out: Path) -> Path:
    """Write everything into a folder; return its ``share``."""
    share = out / "share"
    hicolor = share / "icons" / "hicolor"
    icons.write_icons(hicolor, out)
    for source, place in (
        (LINUX / "sensiscope.desktop", "applications"),
        (LINUX / "invalid.sensiscope.Sensiscope.metainfo.xml", "metainfo"),
        (LINUX / "sensiscope.xml", "mime/packages"),
        (icons.DRAWING, "icons/hicolor/scalable/apps"),
    ):
        (share / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, share / place)
    manual.write(share)
    return share


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    print(write_share(parser.parse_args().out))
