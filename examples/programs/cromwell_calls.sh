#!/usr/bin/env bash
# Cromwell's backend for Slurm: the calls that its configuration has for submit, check-alive, kill and return codes. Cromwell itself
# is not started.
set -euo pipefail

submit() { # job name, command
  sbatch --job-name="$1" --chdir="$PWD" --output="$1.stdout" --error="$1.stderr" -t 5 -p "$PROGRAMS_PARTITION" \
    --cpus-per-task=1 --mem-per-cpu=50 --wrap "/bin/bash $2" | sed -nE 's/^Submitted batch job ([0-9]+).*$/\1/p'
}

printf 'echo cromwell; exit 0\n' > good.sh
printf 'exit 7\n' > bad.sh
printf 'sleep 600\n' > long.sh
good=$(submit cromwell_1_good good.sh)
bad=$(submit cromwell_2_bad bad.sh)
long=$(submit cromwell_3_long long.sh)

# Checks whether a job is alive as its wiki says: by squeue, and by sacct for one that the controller has forgotten.
alive() { squeue -h -j "$1" -o %T 2>/dev/null | grep -qE 'PENDING|CONFIGURING|RUNNING|COMPLETING'; }
state() { sacct -j "$1" --noheader --parsable2 --allocations --format=State,ExitCode; }

alive "$long"
for job in "$good" "$bad"; do
  for _ in $(seq 100); do alive "$job" || break; sleep 0.3; done
done
scancel "$long"
until_state() { # job, pattern
  for _ in $(seq 100); do
    [[ $(state "$1") =~ $2 ]] && return
    sleep 0.3
  done
  echo "job $1: $(state "$1")"
  return 1
}
until_state "$good" '^COMPLETED\|0:0$'
until_state "$bad" '^FAILED\|7:0$'
until_state "$long" '^CANCELLED by [0-9]+\|0:0$'
grep -qx cromwell cromwell_1_good.stdout
