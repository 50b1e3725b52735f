"""Run a function on every block, in threads, processes or a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait

import numpy as np

from engine.aggregation.blocks import Blocks
from engine.aggregation.function import Applicable, BlockFunction
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.errors import ExecutionError, SensiscopeError
from engine.progress import Progress, part, silent
from engine.runners import runner
from engine.shown import ShownInALine

IN_FLIGHT = 64
"""Largest number of simultaneous calls, which limits copies of the points in memory."""

CHECK_SECONDS = 0.05
"""Seconds between two checks for cancellation."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Outputs(ShownInALine):
    """The outputs of the blocks (all private)."""

    values: Floats  # shape (m, D); in the public box of outputs
    fell_back: int  # number of rows with the public default instead of the output of a failed block


def outputs(
    function: BlockFunction,
    points: Points,
    blocks: Blocks,
    executor: Executor | None = None,
    *,
    seed: int,
    progress: Progress = silent,
) -> Outputs:
    """Apply a function to every block.

    Outputs do not depend on the executor or the batches: each depends only on the points of its block, and a
    seed derived from `seed` and the block's number.
    """
    space = function.space(points.domain)
    result = np.full((blocks.m, space.dimension), np.nan)
    done = 0
    count, most = _places(function, blocks)
    dealt = points.in_order(blocks.order, count, most, part(progress, 0.0, points.dealing))
    progress = part(progress, points.dealing, 1.0)
    with _open(executor) as runner, function.opened() as applicable, dealt as hand:
        waiting = _tasks(function, blocks, seed)
        running: dict[Future[Floats], slice] = {}
        try:
            while True:
                for rows, (start, stop), seeds in itertools.islice(waiting, IN_FLIGHT - len(running)):
                    some = hand(start, stop).reshape(len(seeds), -1, points.domain.dimension)
                    with _executing():
                        running[runner.submit(_apply, applicable, some, seeds, space.dimension)] = rows
                if not running:
                    break
                for task in wait(running, CHECK_SECONDS, FIRST_COMPLETED).done:
                    rows = running.pop(task)
                    with _executing():
                        result[rows] = task.result()
                    done += rows.stop - rows.start
                progress(done / blocks.m, "blocks")
        finally:
            for task in running:
                task.cancel()
    failed = ~np.isfinite(result).all(axis=1)
    result[failed] = function.default(points.domain)
    return Outputs(space.box.clamp(result), int(np.count_nonzero(failed)))


@contextlib.contextmanager
def _executing() -> Iterator[None]:
    """Report errors of the executor; the function itself raises nothing here."""
    try:
        yield
    except SensiscopeError:
        raise
    except Exception as error:
        raise ExecutionError(
            f"the executor of the blocks has failed ({type(error).__name__}); free some memory or "
            "use fewer processes, and run again"
        ) from None


@contextlib.contextmanager
def _open(executor: Executor | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    if runner().is_elsewhere:
        with runner().opened() as elsewhere:
            yield elsewhere
        return
    threads = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="blocks")
    try:
        yield threads
    finally:
        # after cancellation some call may still run; it is not waited for
        threads.shutdown(wait=False, cancel_futures=True)


def _places(function: BlockFunction, blocks: Blocks) -> tuple[int, int]:
    """Return the total number of records in all blocks, and the most per task."""
    count = sum(count * size for count, size in blocks.shapes)
    return count, max(min(count * size, max(size, function.batch_size)) for count, size in blocks.shapes)


def _tasks(
    function: BlockFunction, blocks: Blocks, seed: int
) -> Iterator[tuple[slice, tuple[int, int], Ints]]:
    """Yield rows of the outputs, the positions of their blocks' records, and their seeds."""
    # a separate random stream, independent of other draws with the same seed
    drawn = np.random.SeedSequence(seed, spawn_key=(1,)).generate_state(blocks.m, np.uint64)
    seeds = (drawn >> np.uint64(1)).astype(np.int64)
    start = end = 0
    for count, size in blocks.shapes:
        together = max(1, function.batch_size // size)
        for first in range(0, count, together):
            rows = slice(start, start + min(together, count - first))
            start, begin = rows.stop, end
            end += (rows.stop - rows.start) * size
            yield rows, (begin, end), seeds[rows]


def _apply(applicable: Applicable, blocks: Floats, seeds: Ints, dimension: int) -> Floats:
    """Return outputs of shape (B, dimension), NaN for blocks on which the function fails.

    A failing block must not affect the others: if a batch fails, each of its blocks is tried alone.
    """
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(applicable.apply(blocks, seeds), dtype=np.float64)
        if result.shape == (len(blocks), dimension):
            return result
    except SensiscopeError:  # the function itself is unavailable, whatever the data
        raise
    except Exception:  # which could reveal the data
        pass
    if len(blocks) == 1:
        return np.full((1, dimension), np.nan)
    alone = [_apply(applicable, blocks[i : i + 1], seeds[i : i + 1], dimension) for i in range(len(blocks))]
    return np.concatenate(alone)
