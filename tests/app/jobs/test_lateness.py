"""The window's thread: the meter notices a stall, and work in a job is none."""

import time

import numpy as np


def test_a_stall_is_noticed(lateness):
    lateness.start()
    lateness.pump(0.05)
    time.sleep(0.12)
    lateness.pump(0.05)
    assert lateness.stop() >= 100


def test_work_in_a_job_does_not_stall_the_window(window, lateness):
    def busy(task):
        total = 0.0
        for step in range(400):
            total += float(np.sort(np.random.default_rng(step).random(20_000)).sum())
            total += sum(range(5_000))
            task(step / 400, "busy")
        return total

    channel = window.jobs.channel("test")
    lateness.start()
    channel.request(busy)
    while channel.busy:
        lateness.pump(0.02)
    late = sorted(lateness.late_ms)
    lateness.stop()
    assert len(late) > 5
    # a median, since the machine may have other work
    assert late[len(late) // 2] < 50
