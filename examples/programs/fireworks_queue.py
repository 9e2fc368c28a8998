# pip: FireWorks[mongomock]
"""Has FireWorks submit a job that takes a firework off the launch pad and runs it."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

place = tempfile.mkdtemp(dir=os.getcwd())
# The launch pad is a file that each process reads when it begins and writes when it ends.
pad = os.environ["MONGOMOCK_SERVERSTORE_FILE"] = f"{place}/pad.json"
Path(pad).write_text("{}")
SUBMIT = """
from fireworks import Firework, LaunchPad, ScriptTask
pad = LaunchPad(strm_lvl="ERROR")
pad.reset("", require_password=False)
pad.to_file("pad.yaml")
pad.add_wf(Firework(ScriptTask.from_str("echo $SLURM_JOB_ID > ran")))
"""
Path(place, "adapter.yaml").write_text(json.dumps({
    "_fw_name": "CommonAdapter", "_fw_q_type": "SLURM", "queue": os.environ["PROGRAMS_PARTITION"], "ntasks": 1, "walltime": "00:05:00",
    "pre_rocket": "while pgrep -f 'qlaunch.*singleshot' >/dev/null; do sleep 0.2; done",
    "rocket_launch": f"{sys.prefix}/bin/rlaunch -l {place}/pad.yaml singleshot",
}))
subprocess.run([sys.executable, "-c", SUBMIT], cwd=place, check=True)
subprocess.run(["qlaunch", "-l", "pad.yaml", "-q", "adapter.yaml", "singleshot"], cwd=place, check=True)
end = time.monotonic() + 120
while time.monotonic() < end and '"state": "COMPLETED"' not in Path(pad).read_text():
    time.sleep(0.5)
ran = list(Path(place).glob("**/ran"))
sys.exit(0 if ran and ran[0].read_text().strip().isdigit() else f"nothing has run in {place}")
