"""Make the environment that Sensiscope runs in: ``.venv`` with exactly the locked packages.

Standard library only. A stamp inside ``.venv`` lists the facts it was made from; when all facts
wanted now are in it there is nothing to do, which takes a few milliseconds. A stamp that says
"unfinished" is what an interrupted set-up leaves behind: the next start begins afresh.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path

import system_packages

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
# Each lock holds all of the one before it.
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-benchmarks.lock")
RUN, DEV, BENCHMARKS = LOCKS
UNFINISHED = "unfinished"

# What pip prints when it cannot get out, in the words of urllib3, OpenSSL and the C libraries.
NO_NETWORK = (
    "NewConnectionError",
    "ConnectTimeout",
    "ReadTimeout",
    "NameResolutionError",
    "ProxyError",
    "Connection refused",
    "Network is unreachable",
    "name resolution",
    "Name or service not known",
    "getaddrinfo failed",
    "nodename nor servname",
)


class SetupError(Exception):
    """Set-up cannot go on; the message is one line that says why and what to do."""


def say(line: str) -> None:
    """Tell the person at the terminal; standard output belongs to the program."""
    print(f"sensiscope set-up: {line}", file=sys.stderr, flush=True)


def venv_python() -> Path:
    """Return the interpreter of ``.venv``."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def prepare(lock: str) -> Path:
    """Make sure that ``.venv`` holds the packages of a lock and Sensiscope itself.

    Parameters
    ----------
    lock : str
        One of `LOCKS`.

    Returns
    -------
    Path
        The interpreter of the environment.

    Raises
    ------
    SetupError
        With one line to show, when that is impossible.
    """
    try:
        ready = is_ready(lock)
        provide_system_packages(for_building=not ready)
        if not ready:
            with only_one_at_a_time():
                if not is_ready(lock):  # another start may have done it while this one waited
                    build(lock)
    except OSError as error:
        raise SetupError(f"cannot write {error.filename or VENV}: {error.strerror}") from error
    return venv_python()


def provide_system_packages(for_building: bool) -> None:
    """Install what is needed from the system, or say how; go on in any case."""
    absent = system_packages.missing(system_packages.needed(os.environ))
    if for_building and not has_ensurepip() and system_packages.is_debian():
        absent.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if not absent:
        return
    if os.geteuid() != 0:
        say(f"system packages are missing; install them with: {system_packages.install_line(absent)}")
        return
    say(f"installing system packages: {' '.join(absent)}")
    if complaint := system_packages.install(absent):
        say(f"{complaint} Later: {system_packages.install_line(absent)}")


def has_ensurepip() -> bool:
    """Return whether Python has the part that puts pip into environments; Debian packs it apart."""
    invalidate_caches()
    return find_spec("ensurepip") is not None


# --- the stamp --------------------------------------------------------------------------------


def digest(path: Path) -> str:
    """Return a short fingerprint of a file's contents."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def origin() -> set[str]:
    """Return the facts without which ``.venv`` must be made anew: interpreter and place."""
    return {
        f"python {sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} {sys.platform}",
        f"place {VENV}",
    }


def contents(lock: str) -> set[str]:
    """Return the facts about what is installed; a lock stands for the smaller ones too."""
    locks = LOCKS[: LOCKS.index(lock) + 1]
    files = [Path(__file__), ROOT / "pyproject.toml", *(ROOT / "packaging" / name for name in locks)]
    return {f"{file.name} {digest(file)}" for file in files}


def read_stamp() -> set[str]:
    """Return the facts that ``.venv`` was made from; nothing if it is not there or not ours."""
    try:
        return set((VENV / "sensiscope-stamp").read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def write_stamp(facts: set[str]) -> None:
    """Replace the stamp at one stroke."""
    draft = VENV / "sensiscope-stamp.new"
    draft.write_text("".join(f"{fact}\n" for fact in sorted(facts)), encoding="utf-8")
    draft.replace(VENV / "sensiscope-stamp")


def is_ready(lock: str) -> bool:
    """Return whether everything wanted is in place. Costs a few milliseconds."""
    return origin() | contents(lock) <= read_stamp() and venv_python().exists()


# --- building ---------------------------------------------------------------------------------


@contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold the set-up lock; wait, and say so, while another process holds it.

    The lock file is inherited by the commands started meanwhile: should this process be killed,
    the lock lasts until its pip has ended too, and nobody builds over a pip that still writes.
    """
    with open(ROOT / ".venv.lock", "a+b") as file:
        os.set_inheritable(file.fileno(), True)
        told = False
        while not try_lock(file.fileno()):
            if not told:
                say("waiting for another set-up to finish")
                told = True
            time.sleep(0.2)
        yield


def try_lock(descriptor: int) -> bool:
    """Take the lock if it is free; closing the file gives it back."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def build(lock: str) -> None:
    """Bring ``.venv`` up to date, from scratch if it is not sound; never fewer packages than before."""
    stamp = read_stamp()
    had = [name for name in LOCKS if any(fact.startswith(f"{name} ") for fact in stamp)]
    lock = max([lock, *had], key=LOCKS.index)
    started = time.monotonic()
    if not is_sound(stamp):
        create_venv()
    write_stamp({UNFINISHED})
    count = sum("==" in line for line in (ROOT / "packaging" / lock).read_text(encoding="utf-8").splitlines())
    say(f"installing about {count} pinned packages into .venv (a few minutes on a slow line)")
    pip("install", "--require-hashes", "--only-binary=:all:", "--requirement", f"packaging/{lock}")
    say("installing Sensiscope itself, editable")
    pip("install", "--no-deps", "--no-build-isolation", "--editable", ".")
    write_stamp(origin() | contents(lock))
    say(f"ready after {time.monotonic() - started:.0f} s")


def is_sound(stamp: set[str]) -> bool:
    """Return whether the environment found can be built upon: made here, whole, by this Python."""
    if UNFINISHED in stamp or (stamp and not origin() <= stamp):
        return False
    probe = "import pip, sys; print(sys.implementation.cache_tag)"
    try:
        done = subprocess.run(
            [venv_python(), "-I", "-c", probe], capture_output=True, text=True, check=False, close_fds=False
        )
    except OSError:
        return False
    return done.stdout.strip() == sys.implementation.cache_tag


def create_venv() -> None:
    """Make an empty environment, in place of whatever is there."""
    if not has_ensurepip():
        raise SetupError("this Python lacks ensurepip; install the system's package for virtual environments")
    say(f"creating .venv with Python {sys.version.split()[0]}")
    VENV.mkdir(exist_ok=True)
    # Mark first, clear then: wherever this is interrupted, the next start sees that it was.
    write_stamp({UNFINISHED})
    for entry in VENV.iterdir():
        if entry.name == "sensiscope-stamp":
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    # Started from inside a virtual environment (perhaps this one), use the Python beneath it.
    base = getattr(sys, "_base_executable", sys.executable)
    output = run([base, "-I", "-m", "venv", str(VENV)])
    if not venv_python().exists():
        raise SetupError(f"python -m venv failed: {last_line(output)}")


def pip(*arguments: str) -> None:
    """Run the environment's pip; raise `SetupError` in one line when it fails."""
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries=2"]
    command = [str(venv_python()), "-I", "-m", "pip", *options, *arguments]
    # Settings for other installations that pip would refuse or obey to our harm.
    harmful = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_HASHES")
    environment = {name: value for name, value in os.environ.items() if name not in harmful}
    run(command, environment, explain_pip)


def run(
    command: list[str], environment: dict[str, str] | None = None, explain: Callable[[str], str] | None = None
) -> str:
    """Run a command in the project's folder, silently; return its output or raise `SetupError`."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        close_fds=False,  # hands on the set-up lock; Python's other files are not inheritable
    )
    if done.returncode:
        raise SetupError((explain or last_line)(done.stdout))
    return done.stdout


def explain_pip(output: str) -> str:
    """Return in one line why pip failed."""
    if any(sign in output for sign in NO_NETWORK):
        return "no network: the Python package index cannot be reached; connect and start again"
    if "CERTIFICATE_VERIFY_FAILED" in output:
        return (
            "the certificate of the package index is not trusted here; install ca-certificates, or name "
            "those of your network in PIP_CERT"
        )
    if "No matching distribution" in output:
        package = output.split("No matching distribution found for ")[-1].split()[0]
        version = sys.version.split()[0]
        return f"{package} is not available for Python {version} on this system; try Python 3.11 to 3.14"
    if "No space left" in output:
        return f"the disk is full: {VENV} needs about 1 GB"
    errors = [line for line in output.splitlines() if line.startswith("ERROR")]
    return f"pip failed: {last_line(chr(10).join(errors) or output)}"


def last_line(output: str) -> str:
    """Return the last line that says something."""
    return next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "no output")
