"""Whether a task has the variables that frameworks read to find their place, and whether they agree: prints what is wrong."""

import os
import re
import subprocess
import sys

READ = {
    "torchrun scripts, Ray": ["SLURM_JOB_NODELIST", "SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_NODEID", "SLURM_PROCID"],
    "JAX": ["SLURM_JOB_ID", "SLURM_STEP_NODELIST", "SLURM_STEP_NUM_NODES", "SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID"],
    "Lightning": ["SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_NODELIST", "SLURM_JOB_ID",
                  "SLURM_JOB_NAME", "SLURM_NTASKS_PER_NODE"],
    "Dask": ["SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID"],
    "Horovod": ["SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE"],
    "Open MPI": ["SLURM_JOB_ID", "SLURM_NODELIST", "SLURM_TASKS_PER_NODE"],
}

wrong = []
for reader, names in READ.items():
    wrong += [f"{reader}: no {name}" for name in names if not os.environ.get(name)]


def number(name):
    return int(os.environ.get(name, "-1"))


def hosts(text):
    found = subprocess.run(["scontrol", "show", "hostnames", text], capture_output=True, text=True, check=True)
    return found.stdout.split()


def tasks_per_node(text):
    counts = []
    for part in text.split(","):
        count, times = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part).groups()
        counts += [int(count)] * int(times or 1)
    return counts


if not wrong:
    nodes = hosts(os.environ["SLURM_STEP_NODELIST"])
    counts = tasks_per_node(os.environ["SLURM_STEP_TASKS_PER_NODE"])
    if len(nodes) != number("SLURM_STEP_NUM_NODES") or len(counts) != len(nodes):
        wrong.append(f"{len(nodes)} nodes, {counts} tasks on them, SLURM_STEP_NUM_NODES={number('SLURM_STEP_NUM_NODES')}")
    elif sum(counts) != number("SLURM_NTASKS"):
        wrong.append(f"{counts} tasks on nodes, SLURM_NTASKS={number('SLURM_NTASKS')}")
    elif nodes[number("SLURM_NODEID")] != os.environ.get("SLURMD_NODENAME"):
        wrong.append(f"node {number('SLURM_NODEID')} of {nodes} is not SLURMD_NODENAME={os.environ.get('SLURMD_NODENAME')}")
    elif number("SLURM_PROCID") != sum(counts[: number("SLURM_NODEID")]) + number("SLURM_LOCALID"):
        wrong.append(f"rank {number('SLURM_PROCID')} is not task {number('SLURM_LOCALID')} of node {number('SLURM_NODEID')}")
print("\n".join(f"rank {os.environ.get('SLURM_PROCID')}: {text}" for text in wrong) or "variables: right")
sys.exit(bool(wrong))
