# pip: submitit
"""Runs functions by submitit: an array of them, one in four tasks on two nodes, and one that raises an exception.

submitit starts each by srun, and learns that it has ended from the file with its result. What became of a job that left
none, it asks sacct.
"""

import math
import os
import tempfile

import submitit


def primes(first, last):
    """How many numbers of a range are prime."""
    return sum(all(n % d for d in range(2, math.isqrt(n) + 1)) for n in range(max(first, 2), last))


def place():
    task = submitit.JobEnvironment()
    return task.global_rank, task.local_rank, task.node, task.num_tasks, os.environ["SLURMD_NODENAME"]


def refuse():
    raise ValueError("no such number")


def executor(**parameters):
    made = submitit.AutoExecutor(folder=tempfile.mkdtemp(dir=os.getcwd()), cluster="slurm")
    made.update_parameters(timeout_min=5, slurm_partition=os.environ["PROGRAMS_PARTITION"], **parameters)
    return made


array = executor(slurm_array_parallelism=4).map_array(
    primes, range(0, 80000, 10000), range(10000, 90000, 10000)
)
assert sum(job.result() for job in array) == 7837, [job.result() for job in array]

tasks = executor(nodes=2, tasks_per_node=2).submit(place).results()
assert [task[0] for task in tasks] == [0, 1, 2, 3], tasks
assert [task[1:4] for task in tasks] == [(0, 0, 4), (1, 0, 4), (0, 1, 4), (1, 1, 4)], tasks
assert len({task[4] for task in tasks}) == 2, tasks

failed = executor().submit(refuse)
assert "ValueError: no such number" in str(failed.exception()), failed.exception()
