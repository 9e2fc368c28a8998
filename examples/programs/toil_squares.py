# pip: toil
"""Computes squares in jobs that Toil submits, and their sum in a job that follows them."""

import sys
import tempfile

from toil.common import Toil
from toil.job import Job


def square(job, x):
    return x * x


def total(job, numbers):
    return sum(numbers)


def start(job):
    squares = [job.addChildJobFn(square, x, **SMALL).rv() for x in range(5)]
    return job.addFollowOnJobFn(total, squares, **SMALL).rv()


SMALL = {"cores": 1, "memory": "200M", "disk": "10M"}

if __name__ == "__main__":
    place = tempfile.mkdtemp(dir=".")
    options = Job.Runner.getDefaultOptions(f"file:{place}/store")
    options.batchSystem = "slurm"
    with Toil(options) as toil:
        result = toil.start(Job.wrapJobFn(start, **SMALL))
    sys.exit(0 if result == 30 else f"total {result}")
