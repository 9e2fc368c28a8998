#!/usr/bin/env bash
# Runs programs that drive Slurm, each unchanged from its package, on the cluster of SLURM_CONF.
# Usage: examples/programs/run.sh [PROGRAM...]
# Needs python3 with venv and pip, and the commands of bin/ on PATH: eval "$(./dure env)".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${PROGRAMS_DIR:-$here/../../.dure/programs}
mkdir -p "$work/run"
work=$(cd "$work" && pwd)
packages=(simple_slurm ClusterShell submitit dask-jobqueue distributed parsl psij-python FireWorks PyYAML)

if ! [ -e "$work/installed" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q "${packages[@]}"
  touch "$work/installed"
fi
export PATH="$work/venv/bin:$PATH"
groups="$work/groups.conf"
{
  printf '[Main]\ndefault: slurmpart\nconfdir: %s\n' "$work/groups"
} > "$groups"
mkdir -p "$work/groups"
cp "$work/venv/etc/clustershell/groups.conf.d/slurm.conf.example" "$work/groups/slurm.conf"

programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
  for file in "$here"/*.py; do
    programs+=("$(basename "$file" .py)")
  done
fi
failed=0
for program in "${programs[@]}"; do
  if (cd "$work/run" && timeout 300 python "$here/$program.py" "$groups") \
    > "$work/$program.log" 2>&1; then
    echo "$program: ok"
  else
    failed=$((failed + 1))
    echo "$program: FAILED, see $work/$program.log"
    tail -n 3 "$work/$program.log"
  fi
done
exit $((failed > 0))
