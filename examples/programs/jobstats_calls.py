"""What jobstats and job-efficiency reports ask sacct, and what they make of the answers. They are not installed themselves."""

import csv
import io
import json
import os
import subprocess
import time


def ask(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


FIELDS = (
    "jobidraw,start,end,cluster,alloctres,admincomment,user,account,state,nnodes,ncpus,reqmem,qos,partition,timelimit,jobname"
)

job = ask(
    "sbatch", "--parsable", "-p", os.environ["PROGRAMS_PARTITION"], "-n2", "--mem-per-cpu=100", "-t", "00:05:00", "-J", "stats",
    "-o", "/dev/null", "--wrap", "srun -n2 sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'",
).strip()
env = {**os.environ, "SLURM_TIME_FORMAT": "%s"}
while True:
    text = subprocess.run(
        ["sacct", "-P", "-X", "-o", FIELDS, "-j", job], check=True, capture_output=True, text=True, env=env
    ).stdout
    rows = list(csv.DictReader(io.StringIO(text), delimiter="|"))
    if rows and rows[0]["State"] == "COMPLETED":
        break
    assert not rows or rows[0]["State"] in ("PENDING", "RUNNING", "COMPLETING"), text
    time.sleep(0.3)
row = rows[0]
assert list(row) == [
    "JobIDRaw", "Start", "End", "Cluster", "AllocTRES", "AdminComment", "User", "Account", "State", "NNodes", "NCPUS", "ReqMem",
    "QOS", "Partition", "Timelimit", "JobName",
], list(row)
assert int(row["End"]) >= int(row["Start"]) > 1_000_000_000, row
tres = dict(one.split("=") for one in row["AllocTRES"].split(","))
assert tres["cpu"] == "2" and tres["node"] == "1" and tres["mem"] == "200M", tres
assert row["JobIDRaw"] == job and row["JobName"] == "stats" and row["Timelimit"] == "00:05:00", row

# Efficiency of CPUs and memory from the steps, in seconds and bytes.
steps = ask(
    "sacct", "-j", job, "-P", "-n", "--units=K", "-o", "JobID,TotalCPU,Elapsed,MaxRSS,NCPUS,NTasks,State"
).splitlines()
assert [line.split("|")[0] for line in steps][:2] == [job, job + ".batch"], steps
for line in steps:
    cells = line.split("|")
    assert len(cells) == 7 and ":" in cells[1], line
    assert not cells[3] or cells[3].endswith("K"), line

document = json.loads(ask("sacct", "-j", job, "--json"))
[found] = document["jobs"]
assert found["job_id"] == int(job) and found["state"]["current"] == ["COMPLETED"], found["state"]
assert found["time"]["elapsed"] == int(row["End"]) - int(row["Start"]), found["time"]
assert {"allocated", "requested"} <= set(found["tres"]), found["tres"]
print(row)
