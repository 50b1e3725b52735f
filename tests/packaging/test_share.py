"""Icons, the kind of file, AppStream data, manual page and completions: what a desktop and a shell want."""

import gzip
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from app.commands.main import COMMANDS, verb_parser
from app.documents import SUFFIX

KIND = "application/vnd.sensiscope.session+json"


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script makes."""
    out = tmp_path_factory.mktemp("made")
    command = [sys.executable, root / "packaging" / "share.py", "--out", out]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.mark.slow
def test_there_is_an_icon_of_every_size_and_for_every_system(made: Path) -> None:
    sizes = {}
    for file in (made / "share" / "icons").rglob("*.png"):
        with Image.open(file) as picture:
            sizes[file.parts[-3]] = picture.size
            assert picture.getpixel((0, 0))[3] == 0, "the corners are clear"
            width = picture.width
            assert picture.getpixel((width // 8, width // 2))[3] == 255
    assert sizes == {f"{side}x{side}": (side, side) for side in (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)}
    with Image.open(made / "sensiscope.ico") as picture:
        assert {(16, 16), (32, 32), (48, 48), (256, 256)} <= picture.ico.sizes()
    with Image.open(made / "sensiscope.icns") as picture:
        assert max(size[0] * size[2] for size in picture.info["sizes"]) == 1024


def test_sessions_have_a_kind_that_the_desktop_entry_opens(made: Path) -> None:
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = ET.parse(made / "share" / "mime" / "packages" / "sensiscope.xml").find("m:mime-type", space)
    assert kind.get("type") == KIND
    assert kind.find("m:glob", space).get("pattern") == f"*{SUFFIX}"
    entry = (made / "share" / "applications" / "sensiscope.desktop").read_text()
    assert KIND in entry.partition("MimeType=")[2].split(";")
    component = ET.parse(made / "share" / "metainfo" / "invalid.sensiscope.Sensiscope.metainfo.xml").getroot()
    assert component.find("launchable").text == "sensiscope.desktop"
    assert component.find("provides/mediatype").text == KIND


@pytest.mark.skipif(not shutil.which("appstreamcli"), reason="AppStream's own judge is not installed")
def test_appstream_finds_no_error(made: Path) -> None:
    file = made / "share" / "metainfo" / "invalid.sensiscope.Sensiscope.metainfo.xml"
    command = ["appstreamcli", "validate", "--no-net", file]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert not [line for line in said.splitlines() if line.startswith(("E:", "W:"))]


@pytest.mark.parametrize(
    "words",
    [
        ("desktop-file-validate", "sensiscope.desktop"),
        ("flatpak-builder", "--show-manifest", "invalid.sensiscope.Sensiscope.yml"),
    ],
)
def test_the_readers_of_other_recipes_have_nothing_to_say(
    root: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    if not shutil.which(words[0]):
        pytest.skip(f"{words[0]} is not installed")
    command = [*words[:-1], root / "packaging" / "linux" / words[-1]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_manual_has_every_verb_and_option(made: Path) -> None:
    text = gzip.decompress((made / "share" / "man" / "man1" / "sensiscope.1.gz").read_bytes()).decode()
    for verb in COMMANDS:
        part = text.partition(f".SS {verb}\n")[2].partition(".SS ")[0].replace("\\-", "-")
        options = [name for action in verb_parser(verb)._actions for name in action.option_strings]
        assert options
        assert [name for name in options if f"\\fB{name}\\fR" not in part] == []


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_has_nothing_to_say_against_the_manual(made: Path) -> None:
    text = gzip.decompress((made / "share" / "man" / "man1" / "sensiscope.1.gz").read_bytes())
    command = ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", "-z"]
    assert subprocess.run(command, input=text, capture_output=True, check=False).stderr == b""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["comp"], ["compare"]),
        (["run", "--exa"], ["--example"]),
        (["run", "--missing", "f"], ["fill"]),
        (["--the"], ["--theme"]),
        (["--theme", "da"], ["dark"]),
        (["catalog", "--theme"], []),
    ],
)
def test_bash_completes_verbs_options_and_choices(made: Path, words: list[str], found: list[str]) -> None:
    script = made / "share" / "bash-completion" / "completions" / "sensiscope"
    typed = " ".join(["sensiscope", *words])
    code = (
        f'cd /; source "{script}"; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _sensiscope; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    said = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert (said.stdout.split(), said.stderr) == (found, "")


def test_the_other_shells_know_every_verb_and_option(made: Path) -> None:
    fish = (made / "share" / "fish" / "vendor_completions.d" / "sensiscope.fish").read_text("utf-8")
    zsh = (made / "share" / "zsh" / "site-functions" / "_sensiscope").read_text("utf-8")
    for verb, summary in COMMANDS.items():
        assert f"-a {verb} -d '{summary}'" in fish
        assert f"'{verb}:{summary}'" in zsh
        for action in verb_parser(verb)._actions:
            for name in action.option_strings:
                assert f"{name}[" in zsh
                assert name.startswith("--") <= (f"-l {name[2:]} " in fish)
    assert all(line.count("'") % 2 == 0 for line in [*fish.splitlines(), *zsh.splitlines()])
