"""Submits a job with the queue adapter of FireWorks and counts it in the queue."""

import sys
import time
from pathlib import Path

from fireworks.user_objects.queue_adapters.common_adapter import CommonAdapter

script = Path("firework.sh")
script.write_text("#!/bin/sh\n#SBATCH --time=5 --job-name=firework\nsleep 5\n")
adapter = CommonAdapter("SLURM", "programs")
number = adapter.submit_to_queue(str(script))
before = adapter.get_njobs_in_queue()
end = time.monotonic() + 60
while time.monotonic() < end and adapter.get_njobs_in_queue() >= before:
    time.sleep(0.5)
sys.exit(0 if number and before and adapter.get_njobs_in_queue() < before else f"{number}: {before}")
