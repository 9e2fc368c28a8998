# pip: simple_slurm
"""Submits a job with simple_slurm and waits for what it writes."""

import os
import sys
import tempfile
import time

from simple_slurm import Slurm

directory = tempfile.mkdtemp(dir=os.getcwd())
job = Slurm(job_name="simple", time="5", output=f"{directory}/%j.out")
number = job.sbatch("echo says $SLURM_JOB_NAME")
path = f"{directory}/{number}.out"
end = time.monotonic() + 60
while time.monotonic() < end and not (os.path.exists(path) and os.path.getsize(path)):
    time.sleep(0.2)
sys.exit(0 if open(path).read() == "says simple\n" else "no output")
