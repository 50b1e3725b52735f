"""Which modules belong to a file, by what the import statement itself runs."""

import os
import py_compile
import subprocess
import sys

import pytest
from black_boxes import blocks, data, outputs

from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.modules_beside import digest_of_modules, modules_beside

FILES = {
    "mine.py": """
import importlib, json, plain, package.inner as inner
from package import member, value
def f(block):
    import within
    importlib.import_module("called")
    return block.mean() * 0 + plain.value + within.value
""",
    "plain.py": "import further\nvalue = 0.25",
    "further.py": "import plain",
    "within.py": "value = 0.5",
    "called.py": "",
    "package/__init__.py": "value = 1",
    "package/inner.py": "from . import sibling",
    "package/member.py": "from .deep.er import value",
    "package/sibling.py": "",
    "package/deep/er.py": "value = 1",
    "package/other.py": "",
    "unused.py": "",
    "data.csv": "1,2",
}
NOT_IMPORTED = {"unused.py", "package/other.py", "data.csv"}

IMPORTED = """
import os, sys, numpy, mine
mine.f(numpy.zeros(1))
files = (getattr(module, "__file__", None) or "" for module in sys.modules.values())
print(*(file for file in files if file.startswith(os.getcwd())))
"""


@pytest.fixture
def file(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(content)
    return tmp_path / "mine.py"


def result_of(file):
    """Return what the function gives, for blocks of which all give the same."""
    found = outputs(BlackBox(str(file), "f", (0.0,), (1.0,)), data(6), blocks(6, 3), 1)
    assert found.fell_back == 0
    assert len(set(found.values[:, 0])) == 1
    return found.values[0, 0]


def test_they_are_what_python_itself_imports(file):
    found = {path.removeprefix(f"{file.parent}/") for path in modules_beside(file)}
    assert found == FILES.keys() - NOT_IMPORTED
    run = subprocess.run(
        [sys.executable, "-B", "-c", IMPORTED], cwd=file.parent, capture_output=True, text=True, check=True
    )
    assert set(run.stdout.split()) == modules_beside(file).keys()


def test_the_file_is_the_first_and_what_was_read_counts(file):
    assert next(iter(modules_beside(file))) == str(file)
    assert list(modules_beside(file, b"x = 1")) == [str(file)]
    assert modules_beside(file, b"no python:")[str(file)] == b"no python:"


@pytest.mark.parametrize("name", sorted(FILES.keys() - NOT_IMPORTED))
def test_a_change_of_any_of_them_is_another_digest(file, name):
    before = digest_of_modules(modules_beside(file))
    (file.parent / name).write_text(FILES[name] + "\n# changed")
    assert digest_of_modules(modules_beside(file)) != before
    (file.parent / name).write_text(FILES[name])
    for other in NOT_IMPORTED:
        (file.parent / other).write_text("changed")
    assert digest_of_modules(modules_beside(file)) == before


def test_it_runs_with_them(file):
    assert result_of(file) == 0.75


def test_what_is_not_among_them_cannot_be_imported(file):
    file.write_text("import importlib\nname = 'unused'\nimportlib.import_module(name)\ndef f(x): return 1")
    with pytest.raises(ParameterError, match=r"line 3 of mine\.py: ModuleNotFoundError"):
        result_of(file)


def test_a_helper_is_never_taken_from_its_bytecode(file):
    """A compiled file of the same size and second would pass for current."""
    plain = file.parent / "plain.py"
    py_compile.compile(str(plain))
    state = plain.stat()
    plain.write_text(FILES["plain.py"].replace("0.25", "0.50"))
    os.utime(plain, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert result_of(file) == 1.0


def test_a_helper_may_be_called_like_a_package_of_ours(file):
    (file.parent / "engine.py").write_text("value = 0.125")
    file.write_text("import engine\ndef f(x): return engine.value")
    assert result_of(file) == 0.125
