"""The licences of what a bundle takes along from the system it is made on: Python and libraries.

Those of the packages from the index stand in ``resources/notices.txt``.
"""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path


def copy_licences(libraries: Path, out: Path) -> None:
    """Copy into a folder the licence of Python, and on Debian those of the libraries' packages."""
    out.mkdir(exist_ok=True)
    ours = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if ours.is_file():
        shutil.copy(ours, out / "python.txt")
    for package in packages(libraries):
        rights = Path("/usr/share/doc") / package / "copyright"
        if rights.is_file():
            shutil.copy(rights, out / f"{package}.txt")


def packages(libraries: Path) -> list[str]:
    """Return the Debian packages of the libraries at the top of a folder; none where there is no dpkg."""
    names = [file.name for file in libraries.glob("*.so*") if not file.is_symlink()]
    if not names or shutil.which("dpkg-query") is None:
        return []
    command = ["dpkg-query", "--search", *(f"*/{name}" for name in names)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return sorted(
        {name for line in listed.splitlines() for name in re.findall(r"^([\w.+-]+)(?::\w+)?:", line)}
    )
