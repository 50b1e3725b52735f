"""What is taken out of the libraries of a bundle for Linux: nothing that is asked for."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("ld"), reason="bundles for Linux, with binutils"
)

ASK = """
import ctypes, sys
folder, version, language = sys.argv[1:]
for name in ("icudata", "icuuc", "icui18n"):
    library = ctypes.CDLL(f"{folder}/lib{name}.so.{version}", ctypes.RTLD_GLOBAL)
status = ctypes.c_int(0)
order = getattr(library, f"ucol_open_{version}")
order.restype = ctypes.c_void_p
found = order(language.encode(), ctypes.byref(status))
compare = getattr(library, f"ucol_strcollUTF8_{version}")
text = (ctypes.c_char_p, ctypes.c_int)
compare.argtypes = [ctypes.c_void_p, *text, *text, ctypes.c_void_p]
opened = status.value
print(opened, compare(found, "éa".encode(), -1, b"ez", -1, ctypes.byref(status)), status.value)
"""


@pytest.fixture(scope="module")
def qt() -> Path:
    """The folder of Qt's own libraries."""
    folder = Path(pytest.importorskip("PySide6").__file__).parent / "Qt" / "lib"
    if not list(folder.glob("libicudata.so.*")):
        pytest.skip("this Qt brings no ICU")
    return folder


@pytest.mark.parametrize("language", ["en", "de"])
def test_icu_works_with_what_is_left(
    qt: Path, script: Callable[[str], ModuleType], tmp_path: Path, language: str
) -> None:
    for file in qt.glob("libicu*"):
        os.symlink(file, tmp_path / file.name)
    (data,) = tmp_path.glob("libicudata.so.*")
    whole = data.read_bytes()
    data.unlink()
    data.touch()
    slim = script("slim")
    slim.replace_library(data, slim.icu_data(whole))
    assert data.stat().st_size < 0.15 * len(whole)
    command = [sys.executable, "-I", "-c", ASK, tmp_path, data.suffix[1:], language]
    room = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=room).stdout
    opened, order, failed = map(int, said.split())
    assert opened <= 0, "above are ICU's errors, below that it takes what all languages share"
    assert order == -1, "an accent counts less than the next letter"
    assert failed <= 0


def test_with_all_items_icu_s_package_is_as_it_was(qt: Path, script: Callable[[str], ModuleType]) -> None:
    (file,) = qt.glob("libicudata.so.*")
    whole = file.read_bytes()
    again = script("slim").icu_data(whole, lambda item: True)
    start = whole.index(b"CmnD") - 12
    same = whole[start : start + len(again)] == again
    assert same  # not in one line: pytest would compare them byte by byte


@pytest.mark.parametrize(
    ("item", "stays"),
    [
        ("root.res", True),
        ("pool.res", True),
        ("res_index.res", True),
        ("en_GB.res", True),
        ("coll/ucadata.icu", True),
        ("de.res", False),
        ("zone/sr_Cyrl.res", False),
        ("brkitr/thaidict.dict", False),
        ("ibm-37_P100-1995.cnv", False),
    ],
)
def test_english_and_what_all_languages_share_stays(
    script: Callable[[str], ModuleType], item: str, stays: bool
) -> None:
    assert script("slim").needed(item) is stays


def test_an_unused_library_can_still_be_loaded(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    file = tmp_path / "libnobody.so.7"
    file.write_bytes(b"x" * 100_000)
    script("slim").replace_library(file, b"")
    assert file.stat().st_size < 20_000
    ctypes.CDLL(str(file))


def test_twins_become_one_file(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    for wheel, text in (("a", "same"), ("b", "same"), ("c", "other")):
        (tmp_path / f"{wheel}.libs").mkdir()
        (tmp_path / f"{wheel}.libs" / "libfort.so.5").write_text(text)
    script("slim").link_twins(tmp_path)
    assert (tmp_path / "b.libs" / "libfort.so.5").readlink() == Path("../a.libs/libfort.so.5")
    assert not (tmp_path / "c.libs" / "libfort.so.5").is_symlink()
