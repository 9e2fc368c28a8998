# pip: parsl
"""Counts primes in a block of two nodes that Parsl submits, whose workers its SrunLauncher starts on both."""

import os
import sys

import parsl
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.launchers import SrunLauncher
from parsl.providers import SlurmProvider


@parsl.python_app
def primes(first, last):
    import math
    import os
    import time

    time.sleep(0.2)  # so that no worker takes all
    count = sum(all(n % d for d in range(2, math.isqrt(n) + 1)) for n in range(max(first, 2), last))
    return count, os.environ["SLURMD_NODENAME"]


@parsl.bash_app
def words(text, outputs=(), stdout=("words.txt", "w")):
    return f"echo {text} | wc -w"


provider = SlurmProvider(
    os.environ["PROGRAMS_PARTITION"], init_blocks=1, max_blocks=1, nodes_per_block=2, walltime="00:05:00",
    mem_per_node=1, exclusive=False, launcher=SrunLauncher(),
    worker_init=f"export PATH={sys.prefix}/bin:$PATH",
)
executor = HighThroughputExecutor(
    address="127.0.0.1", provider=provider, max_workers_per_node=2, cores_per_worker=1
)
with parsl.load(Config(executors=[executor], run_dir="parsl", strategy="none")):
    counted = [one.result(timeout=120) for one in [primes(x, x + 2500) for x in range(0, 80000, 2500)]]
    words("a real shell command").result(timeout=60)
assert sum(count for count, _ in counted) == 7837, counted
assert len({node for _, node in counted}) == 2, counted
with open("words.txt") as file:
    assert file.read().strip() == "4"
