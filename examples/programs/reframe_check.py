# pip: ReFrame-HPC
"""Runs a test of ReFrame in a job of its squeue backend."""

import subprocess
import sys
from pathlib import Path

Path("site.py").write_text("""
import os

site_configuration = {
    "systems": [{
        "name": "cluster", "hostnames": [".*"],
        "partitions": [{
            "name": "main", "scheduler": "squeue", "launcher": "local", "environs": ["builtin"],
            "access": ["--partition=" + os.environ["PROGRAMS_PARTITION"]],
        }],
    }],
    "environments": [{"name": "builtin"}],
}
""")
Path("check.py").write_text("""
import reframe
import reframe.utility.sanity as sanity

@reframe.simple_test
class Names(reframe.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "echo"
    executable_opts = ["job", "$SLURM_JOB_NAME"]

    @sanity_function
    def is_named(self):
        return sanity.assert_found("job rfm_Names", self.stdout)
""")
run = subprocess.run(["reframe", "-C", "site.py", "-c", "check.py", "-r"], capture_output=True, text=True)
print(run.stdout, run.stderr)
sys.exit(0 if run.returncode == 0 and "PASSED" in run.stdout else "no test passed")
