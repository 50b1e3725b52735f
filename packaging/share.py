"""What a desktop wants of a program, as a tree: ``.venv/bin/python packaging/share.py --out FOLDER``.

FOLDER gets ``share/`` as it lies under /usr or ~/.local (desktop entry, icons, kind of file, AppStream data,
manual page, completions), and sensiscope.ico and sensiscope.icns for installers of other systems.  The wheel
brings the first four of them itself.
"""

import argparse
import gzip
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
        (LINUX / "sensiscope.metainfo.xml", "metainfo"),
        (LINUX / "sensiscope.xml", "mime/packages"),
        (icons.DRAWING, "icons/hicolor/scalable/apps"),
    ):
        (share / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, share / place)
    for place, text in (
        ("bash-completion/completions/sensiscope", manual.bash()),
        ("fish/vendor_completions.d/sensiscope.fish", manual.fish()),
        ("zsh/site-functions/_sensiscope", manual.zsh()),
    ):
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(text, encoding="utf-8")
    page = share / "man" / "man1" / "sensiscope.1.gz"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(gzip.compress(manual.manual().encode(), mtime=0))
    return share


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    print(write_share(parser.parse_args().out))
