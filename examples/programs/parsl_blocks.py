# pip: parsl
"""Runs functions in blocks that Parsl submits, with its simple launcher."""

import sys

import parsl
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.launchers import SimpleLauncher
from parsl.providers import SlurmProvider


@parsl.python_app
def square(x):
    return x * x


provider = SlurmProvider(
    "main", init_blocks=1, max_blocks=1, nodes_per_block=1, walltime="00:05:00",
    exclusive=False, launcher=SimpleLauncher(),
    worker_init=f"export PATH={sys.prefix}/bin:$PATH",
)
executor = HighThroughputExecutor(
    address="127.0.0.1", provider=provider, max_workers_per_node=1, cores_per_worker=1
)
with parsl.load(Config(executors=[executor], run_dir="parsl")):
    total = sum(one.result(timeout=120) for one in [square(x) for x in range(10)])
sys.exit(0 if total == 285 else f"total {total}")
