# pip: dask-jobqueue dask[array] distributed
"""Estimates an integral and multiplies matrices on workers that dask-jobqueue submits, one of which is lost meanwhile."""

import os
import subprocess

import dask.array as da
import numpy as np
from dask.distributed import Client
from dask_jobqueue import SLURMCluster

with SLURMCluster(
    cores=1, memory="500MB", walltime="00:05:00", queue=os.environ["PROGRAMS_PARTITION"], interface="lo",
    local_directory="/tmp",
) as cluster:
    cluster.adapt(minimum_jobs=2, maximum_jobs=3)
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=120)
        x = da.linspace(0, 1, 4_000_001, chunks=250_000)
        area = 4 * da.sqrt(1 - x * x).mean().compute()
        assert abs(area - np.pi) < 1e-5, area

        lost = next(iter(cluster.workers.values())).job_id
        matrix = da.random.default_rng(1).random((1200, 1200), chunks=300)
        product = (matrix @ matrix.T).trace().persist()
        subprocess.run(["scancel", lost], check=True)
        assert np.isclose(product.compute(), (matrix**2).sum().compute())
