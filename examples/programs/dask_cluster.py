# pip: dask-jobqueue distributed
"""Computes on workers that dask-jobqueue submits."""

import sys

from dask.distributed import Client
from dask_jobqueue import SLURMCluster

with SLURMCluster(
    cores=1, memory="500MB", walltime="00:05:00", queue="main", interface="lo", local_directory="/tmp"
) as cluster:
    cluster.scale(jobs=2)
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=120)
        total = client.gather(client.map(lambda x: x * x, range(10)))
sys.exit(0 if sum(total) == 285 else f"total {total}")
