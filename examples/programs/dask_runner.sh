# pip: dask-jobqueue dask[array] distributed
# Dask's SLURMRunner: one srun of four tasks, of which one is the scheduler, one the client and two are workers.
set -euo pipefail
cat >runner.py <<'EOF'
import os
import dask.array as da
from dask.distributed import Client
from dask_jobqueue.slurm import SLURMRunner

with SLURMRunner(scheduler_file="scheduler-{job_id}.json") as runner:
    with Client(runner) as client:
        client.wait_for_workers(runner.n_workers, timeout=120)
        names = client.run(lambda: os.environ["SLURM_PROCID"])
        x = da.arange(3_000_000, chunks=100_000)
        print("workers", *sorted(names.values()), "sum", (x * x).sum().compute())
EOF
srun -p "$PROGRAMS_PARTITION" -N2 --ntasks-per-node=2 -t 5 --mem=2G python runner.py | tee output
grep -x "workers 2 3 sum 8999995500000500000" output
