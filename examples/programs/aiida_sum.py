# pip: aiida-core
"""Adds two numbers in a job that AiiDA's plugin for Slurm submits, follows and reads."""

import os
import subprocess
import sys

os.environ["AIIDA_PATH"] = os.path.abspath("aiida")
os.makedirs("aiida", exist_ok=True)
subprocess.run(["verdi", "presto"], check=True)

from aiida import engine, load_profile, orm  # noqa: E402  AIIDA_PATH is read when it is imported

load_profile()
created, computer = orm.Computer.collection.get_or_create(
    label="cluster", hostname="localhost", transport_type="core.local", scheduler_type="core.slurm",
    workdir=os.path.abspath("aiida/work"),
)
if created:
    computer.store()
    computer.set_minimum_job_poll_interval(1)
    computer.set_default_mpiprocs_per_machine(1)
    computer.configure(safe_interval=0, use_login_shell=False)  # a login may set another PATH
code = orm.InstalledCode(
    computer=computer, filepath_executable="/bin/bash", default_calc_job_plugin="core.arithmetic.add"
)
builder = code.get_builder()
builder.x, builder.y = orm.Int(20), orm.Int(22)
builder.metadata.options.update(
    {"resources": {"num_machines": 1}, "queue_name": os.environ["PROGRAMS_PARTITION"], "max_wallclock_seconds": 300, "withmpi": False}
)
results, node = engine.run_get_node(builder)
sys.exit(0 if node.is_finished_ok and results["sum"] == 42 else f"{node.exit_status}: {results}")
