"""Pictures in the cache folder: what is chosen otherwise, or damaged, is as if it were not there."""

import stat

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from app.window import start_picture_cache
from app.window.start_picture_cache import MAX_FILES, PlacedImage, StartPictureCache

ABOUT = {"page": "median", "example": "salaries", "size": [1280, 800], "ratio": 2.0, "scale": 1.0}
OTHERS = {"page": "mean", "example": "ages", "size": [1280, 801], "ratio": 1.0, "scale": 1.5}
PLACE, ROOM = QRect(2, 2, 30, 20), QRect(205, 260, 34, 24)

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def drawn():
    """A picture with two pixels for each of the screen's."""
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(0x336699)
    image.setPixel(7, 9, 0xFF0000)
    image.setDevicePixelRatio(2.0)
    return PlacedImage(image, PLACE, ROOM)


@pytest.fixture
def cache(tmp_path, drawn):
    cache = StartPictureCache(tmp_path / "pictures")
    assert cache.keep(ABOUT, drawn)
    return cache


def only_file(folder):
    """Return the one file that is kept."""
    (path,) = (folder / "pictures").iterdir()
    return path


def test_what_was_kept_is_found_pixel_by_pixel_and_for_its_owner_alone(cache, drawn, tmp_path):
    found = cache.find(ABOUT)
    assert found.image == drawn.image
    assert found.image.devicePixelRatio() == 2.0
    assert (found.rect, found.panel) == (PLACE, ROOM)
    assert stat.S_IMODE(only_file(tmp_path).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "pictures").stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ABOUT)
def test_nothing_is_found_where_anything_is_chosen_otherwise(cache, name):
    assert cache.find({**ABOUT, name: OTHERS[name]}) is None
    assert cache.find(ABOUT) is not None


def test_another_program_finds_nothing(cache, monkeypatch):
    known = start_picture_cache.program()
    for place in range(len(known)):
        other = [*known[:place], "another", *known[place + 1 :]]
        monkeypatch.setattr(start_picture_cache, "program", lambda other=other: other)
        assert cache.find(ABOUT) is None


def test_a_program_of_which_a_file_was_written_anew_is_another_one(monkeypatch, tmp_path):
    source = tmp_path / "module.py"
    source.write_text("a = 1")
    before = list(start_picture_cache._stamps(tmp_path, within=True))
    source.write_text("a = 12")
    assert list(start_picture_cache._stamps(tmp_path, within=True)) != before


def test_a_file_that_was_renamed_to_pass_for_another_one_is_not_shown(cache, tmp_path):
    other = {**ABOUT, "example": "ages"}
    only_file(tmp_path).rename(cache._path(other))
    assert cache.find(other) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"IDAT", b"IDAX"),
        lambda content: content.replace(b"2 2 30 20", b"2 2 31 20"),
        lambda content: content.replace(b"205 260", b"205 x60"),
        lambda content: b"\0" * (start_picture_cache.MAX_BYTES + 1),
    ],
    ids=["empty", "half", "no pixels", "another size", "no place", "too large"],
)
def test_a_damaged_file_is_as_if_it_were_not_there(cache, tmp_path, damage):
    path = only_file(tmp_path)
    changed = damage(path.read_bytes())
    assert changed != path.read_bytes()
    path.write_bytes(changed)
    assert cache.find(ABOUT) is None


def test_few_files_are_kept_the_newest(cache, drawn):
    for page in range(MAX_FILES + 2):
        assert cache.keep({**ABOUT, "page": str(page)}, drawn)
    assert len(list(cache._folder.iterdir())) == MAX_FILES
    assert cache.find({**ABOUT, "page": str(MAX_FILES + 1)}) is not None
    assert cache.find(ABOUT) is None


def test_a_folder_that_cannot_be_written_to_keeps_nothing_and_says_nothing(drawn, tmp_path):
    (tmp_path / "pictures").write_text("a file where the folder should be")
    cache = StartPictureCache(tmp_path / "pictures")
    assert not cache.keep(ABOUT, drawn)
    assert cache.find(ABOUT) is None
