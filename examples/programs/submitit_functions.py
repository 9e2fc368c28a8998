# pip: submitit
"""Has submitit submit its script. Dure has no srun, which the script calls and submitit looks for."""

import os
import pathlib
import subprocess
import sys
import tempfile

import submitit

directory = tempfile.mkdtemp(dir=os.getcwd())
srun = pathlib.Path(directory, "srun")
srun.write_text("#!/bin/sh\nexit 1\n")
srun.chmod(0o755)
os.environ["PATH"] += f":{directory}"
executor = submitit.SlurmExecutor(folder=directory)
executor.update_parameters(time=5, wckey="programs", job_name="submitit")
job = executor.submit(len, "four")
number = job.job_id
shown = subprocess.run(
    ["squeue", "-h", "-t", "all", "-j", number, "-o", "%j %w"], capture_output=True, text=True
).stdout
sys.exit(0 if shown == "submitit programs\n" else f"job {number}: {shown}")
