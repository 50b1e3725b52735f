"""A user's own function on blocks.  Only the bounds of its output are known.

This module imports the engine; `worker` must not, since it starts often and runs sandboxed.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.function import Applicable
from engine.aggregation.functions.vector import VectorFunction
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.sandbox.modules_beside import digest_of_modules, modules_beside
from engine.extras.sandbox.process import FileFunction
from engine.extras.sandbox.starting import left_open
from engine.parameters import parameter
from engine.sampling.exactness import APART

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclasses.dataclass(frozen=True)
class BlackBox(VectorFunction):
    """A Python function in a file: from an array (rows, columns) to a vector of fixed length.

    Each block has its own process, with a time limit and, under Linux, a memory limit.  If the function
    fails on a block, the output is the center of the declared bounds.  The cause stays hidden, since an
    error message would reveal something of the data.  The block's public seed seeds the common generators
    of ``random`` and ``numpy.random``.

    Each process is sandboxed before it loads the file, by all protections that the system offers
    (`engine.extras.sandbox`; a current Linux offers all of them).  It descends from no process that has
    run the file.  It sees only Python, installed packages, the file and the modules beside it that the file
    imports: neither the data nor other processes.  It may use only the system calls that computing needs.
    So its output is its only channel, but for time: a function can take longer on some data than on
    others, and the total time shows that.  Only run files that you trust.

    Set the time limit far above what a block needs, so that outputs stay the same on a busy machine.  Each
    block loads the file anew, but not `numpy`, `scipy`, `sklearn`, `pandas` and `statsmodels`.  On a
    cluster the file must have the same path on every machine.

    Making a `BlackBox` and asking for its `problem` run nothing of the file.

    Parameters
    ----------
    path : str
        The file.
    function_name : str
        The function in it.
    lower, upper : sequence of float
        Public bounds of each number of the output, one pair per number.

    Raises
    ------
    ParameterError
        If the bounds are invalid, or a parameter is outside its own bounds.

    Examples
    --------
    The middle of a column, by a function in a file.  The last two arguments declare the bounds of its output.

    >>> function = BlackBox("middle.py", "middle", lower=(0.0,), upper=(10.0,))
    >>> function.function_name, function.upper, function.seconds
    ('middle', (10.0,), 10.0)
    """

    name: ClassVar[str] = "black-box"
    label: ClassVar[str] = "Function from a file"
    summary: ClassVar[str] = "any Python function of a block, in its own process"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4"
    exact_because: ClassVar[str] = APART
    batch_size: ClassVar[int] = 1
    runs_file: ClassVar[bool] = True

    path: str
    function_name: str
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    seconds: float = parameter(
        default=10.0,
        lower=0.01,
        upper=86_400,
        label="Time limit",
        unit="s",
        help="A block that takes longer gets the center of the declared bounds as its output.",
    )
    memory_mb: int = parameter(
        default=1024,
        lower=1,
        upper=1 << 20,
        label="Memory limit",
        unit="MB",
        help="How much memory a block may use beyond the loaded modules. Only Linux enforces it.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("lower", "upper"):
            object.__setattr__(self, name, tuple(map(float, getattr(self, name))))
        Box.of(self.lower, self.upper)

    @classmethod
    def named(
        cls, target: str, lower: Sequence[float], upper: Sequence[float], **parameters: Any
    ) -> BlackBox:
        """Return the function that ``FILE.py:NAME`` names."""
        path, colon, name = target.rpartition(":")
        if not (colon and path and name.isidentifier()):
            raise ParameterError("function", f"'{target}' names no function; write FILE.py:NAME")
        return cls(path, name, tuple(lower), tuple(upper), **parameters)

    def settings(self) -> dict[str, Any]:
        return {
            "function": f"{Path(self.path).name}:{self.function_name}",
            "output_lower": list(self.lower),
            "output_upper": list(self.upper),
            **super().settings(),
        }

    @property
    def version(self) -> str:
        """The digest of the file and the modules beside it that it imports; "" if it cannot be read."""
        with contextlib.suppress(OSError, ValueError):
            return self.digest_of(self.modules())
        return ""

    def modules(self) -> dict[str, bytes]:
        return modules_beside(self.path)

    def digest_of(self, modules: Mapping[str, bytes]) -> str:
        return digest_of_modules(modules)

    def left_open(self) -> str:
        return left_open()

    def range(self, box: Box) -> Box:
        return Box.of(self.lower, self.upper)

    def problem(self, box: Box) -> tuple[str, str] | None:
        message = self._problem()
        return None if message is None else ("function", message)

    def apply(self, blocks: _Floats, seeds: _Ints) -> _Floats:
        """Return the outputs, shape (B, D), using processes for this call alone."""
        return self._in_file().apply(blocks, seeds)

    @contextlib.contextmanager
    def opened(self) -> Iterator[Applicable]:
        """Yield a pool of processes for many calls, from any number of threads; end them all after."""
        with self._in_file().opened() as pool:
            yield pool

    def _in_file(self) -> FileFunction:
        try:
            modules = tuple(self.modules().items())
        except OSError:
            raise ParameterError("function", str(self._problem())) from None
        return FileFunction(modules, self.function_name, len(self.lower), self.seconds, self.memory_mb)

    def _problem(self) -> str | None:
        name = Path(self.path).name
        try:
            tree = ast.parse(Path(self.path).read_bytes())
        except OSError as error:
            return f"{self.path} cannot be read ({error.strerror}); give the path of a Python file"
        except SyntaxError as error:
            return f"line {error.lineno} of {name} is not valid Python: {error.msg}"
        except ValueError:
            return f"{name} is not a Python file; choose one"
        if self.function_name in _names(tree):
            return None
        functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        nearest = difflib.get_close_matches(self.function_name, functions, cutoff=0.4) or functions[:3]
        others = f"; it has {', '.join(nearest)}" if nearest else ""
        return f"{name} has no function '{self.function_name}'{others}"


def _names(tree: ast.Module) -> set[str]:
    """Return every name that the file may bind."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names
