# pip: PyYAML
"""Reads the documents of the commands with parsers of JSON and YAML that know nothing of Dure."""

import json
import subprocess
import sys
import time

import yaml

COMMANDS = [["squeue"], ["sinfo"], ["sdiag"], ["scontrol", "show", "nodes"], ["scontrol", "show", "jobs"]]


def without_times(document):
    """What does not differ between two calls: the names of all members."""
    if isinstance(document, dict):
        return {name: without_times(value) for name, value in document.items()}
    return [without_times(document[0])] if isinstance(document, list) and document else type(document)


def output(command, option):
    return subprocess.run([*command, option], check=True, stdout=subprocess.PIPE, text=True).stdout


subprocess.run(["sbatch", "--wckey=a: 'b'", "-o", "/dev/null", "--wrap", "sleep 30"], check=True)
while not output(["squeue", "-h", "--me", "-t", "R"], "-o%i"):
    time.sleep(0.2)
for command in COMMANDS:
    for number in range(42, 46):
        as_json = json.loads(output(command, f"--json=v0.0.{number}"))
        as_yaml = yaml.safe_load(output(command, f"--yaml=v0.0.{number}"))
        if as_json["meta"]["plugin"]["data_parser"] != f"data_parser/v0.0.{number}":
            sys.exit(f"{command}: {as_json['meta']}")
        if as_json["meta"]["command"] != [*command, f"--json=v0.0.{number}"]:
            sys.exit(f"{command}: {as_json['meta']['command']}")
        if without_times(as_json) != without_times(as_yaml):
            sys.exit(f"{command}: JSON and YAML of v0.0.{number} differ")
