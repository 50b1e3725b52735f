"""The window's thread: the meter notices a stall, and work in a job is none."""

import time

import numpy as np
from lateness import Turns


def test_a_stall_is_noticed(lateness):
    lateness.start()
    lateness.pump(0.05)
    time.sleep(0.12)
    lateness.pump(0.05)
    assert lateness.stop() >= 100


def test_work_in_a_job_does_not_stall_the_window(window):
    def busy(task):
        total = 0.0
        for step in range(400):
            total += float(np.sort(np.random.default_rng(step).random(20_000)).sum())
            total += sum(range(5_000))
            task(step / 400, "busy")
        return total

    channel, turns = window.jobs.channel("test"), Turns()
    whole = time.process_time()
    channel.request(busy)
    turns.until(lambda: not channel.busy)
    whole = time.process_time() - whole
    assert len(turns.busy) > 20
    # of CPU time, since the machine may have other work; how late timers are is measured in the benchmarks
    assert max(turns.busy) / 1e3 < whole / 4, turns
