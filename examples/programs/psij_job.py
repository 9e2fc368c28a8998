# pip: psij-python
"""Submits a job through PSI/J and waits for its state."""

import datetime
import os
import sys

from psij import Job, JobAttributes, JobExecutor, JobSpec

spec = JobSpec(
    executable="/bin/date",
    launcher="single",
    attributes=JobAttributes(queue_name=os.environ["PROGRAMS_PARTITION"], duration=datetime.timedelta(minutes=5)),
)
job = Job(spec)
JobExecutor.get_instance("slurm").submit(job)
state = job.wait(datetime.timedelta(seconds=120))
sys.exit(0 if state and state.state.name == "COMPLETED" else f"state {state}")
