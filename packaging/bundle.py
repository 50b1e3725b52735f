"""Make the program that needs no Python: ``python3 packaging/bundle.py [--out FOLDER]``.

A folder ``sensiscope`` by PyInstaller, its bill of materials and, on Debian and its family, a ``.deb``.  They
have the locked packages, from an environment in ``build``.  Other installers: see the workflow ``bundles``.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import system_packages
from licences import copy_licences
from one_package import write_package
from setup_environment import ROOT, say
from slim import slim

BUILD = ROOT / "build" / "bundle"
LOCK = ROOT / "packaging" / "requirements-bundle.lock"
NAME = "sensiscope"

CONTROL = """\
Package: {name}
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Maintainer: The Sensiscope authors <noreply@invalid>
Installed-Size: {size}
Depends: libc6, {depends}
Description: workbench for data-dependent noise in differential privacy
 Load a dataset, see its local, smooth and global sensitivity and the noise that would be added, run and
 compare sanitizations, audit them, and teach with the lessons that are in it.
"""


def environment() -> Path:
    """Return the interpreter of an environment with the locked packages and PyInstaller."""
    folder = BUILD / "environment"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / "stamp", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != wanted:
        say("installing the locked packages and PyInstaller into build/bundle/environment")
        venv.create(folder, clear=True, with_pip=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*command, "--require-hashes", "-r", LOCK], check=True)
        stamp.write_text(wanted)
    return python


def version() -> str:
    """Return the version of the program, as the engine states it."""
    text = (ROOT / "engine" / "__init__.py").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("__version__")).split('"')[1]


def debian_version() -> str:
    """Return the version as Debian sorts it: a development version precedes its release."""
    return version().replace(".dev", "~dev")


def make_folder(python: Path, out: Path) -> Path:
    """Make the folder with the executable, and what a desktop wants of it; return it."""
    share = BUILD / "share"
    shutil.rmtree(share, ignore_errors=True)
    tree = BUILD / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    write_package(ROOT, tree / NAME)
    shutil.copy(ROOT / "packaging" / "frozen.py", tree)
    scripts = {**os.environ, "PYTHONPATH": str(ROOT), "SENSISCOPE_SHARE": str(share)}
    scripts["SENSISCOPE_TREE"] = str(tree)
    subprocess.run([python, ROOT / "packaging" / "share.py", "--out", share], check=True, env=scripts)
    command = [python, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", out, "--workpath", BUILD / "work", ROOT / "packaging" / "sensiscope.spec"]
    subprocess.run(command, check=True, env=scripts)
    folder = out / NAME
    shutil.copy(ROOT / "LICENSE", folder)
    if sys.platform.startswith("linux"):
        (folder / "notices.txt").symlink_to("lib/sensiscope/resources/notices.txt")
        slim(folder / "lib")
        copy_licences(folder / "lib", folder / "licences")
        shutil.copytree(share / "share", folder / "share")
    else:
        shutil.copy(ROOT / "resources" / "notices.txt", folder)
    return folder


def make_deb(folder: Path, out: Path) -> Path:
    """Make a Debian package of the folder: /opt/sensiscope, a command, and what desktops look for."""
    tree = BUILD / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    place = tree / "opt" / NAME
    shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns("share"))
    shutil.copytree(folder / "share", tree / "usr" / "share")
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / NAME).symlink_to(f"/opt/{NAME}/{NAME}")
    rights = tree / "usr" / "share" / "doc" / NAME / "copyright"
    rights.parent.mkdir(parents=True)
    rights.write_text(
        (ROOT / "LICENSE").read_text() + f"\nLibraries: /opt/{NAME}/notices.txt and /opt/{NAME}/licences\n"
    )
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
    ).stdout.strip()
    control = tree / "DEBIAN" / "control"
    control.parent.mkdir()
    control.write_text(
        CONTROL.format(
            name=NAME,
            version=debian_version(),
            architecture=architecture,
            size=megabytes(tree) * 1024,
            depends=", ".join(either(each) for each in (*system_packages.OFFSCREEN, *system_packages.X11)),
        )
    )
    package = out / f"{NAME}_{debian_version()}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", tree, package], check=True)
    return package


def either(package: str) -> str:
    """Return a dependency as newer releases name it, too."""
    return f"{package} | {package}t64" if package == "libglib2.0-0" else package


def megabytes(place: Path) -> int:
    """Return the size of a file, or of a folder with all that is in it."""
    files = (
        [place]
        if place.is_file()
        else [one for one in place.rglob("*") if one.is_file() and not one.is_symlink()]
    )
    return round(sum(file.stat().st_size for file in files) / 2**20)


def main() -> int:
    """Make all that this system can make, and say how large it is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=ROOT / "dist")
    parser.add_argument("--version", action="version", version=version())
    out = parser.parse_args().out.resolve()
    absent = system_packages.missing((*system_packages.OFFSCREEN, *system_packages.X11))
    if absent and os.geteuid() == 0:
        say(f"installing what the bundle takes along: {' '.join(absent)}")
        if complaint := system_packages.install(absent):
            say(complaint)
            return 1
    elif absent:
        say(f"what the bundle takes along is missing; first: {system_packages.install_line(absent)}")
        return 1
    python = environment()
    made = [make_folder(python, out)]
    if system_packages.is_debian():
        made.append(make_deb(made[0], out))
    made.append(out / f"{NAME}-{version()}-{sys.platform}.cdx.json")
    subprocess.run([python, ROOT / "packaging" / "sbom.py", made[0] / "lib", made[-1]], check=True)
    for place in made:
        print(f"{place}  {megabytes(place)} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
