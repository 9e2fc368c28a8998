#!/usr/bin/env bash
# Runs programs that drive Slurm, each unchanged from its package, on the cluster of SLURM_CONF.
# Usage: examples/programs/run.sh [PROGRAM...]
# Needs python3 with venv and pip, and the commands of bin/ on PATH: eval "$(./dure env)". Nextflow needs Maven and a
# JDK, the exporters Go, ood_core Ruby. A program whose package cannot be had is named, with why. Exit code: 0 if all ran
# well, 1 if one failed, 77 if none failed but some did not run.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${PROGRAMS_DIR:-$here/../../.dure/programs}
mkdir -p "$work"
work=$(cd "$work" && pwd)
command -v sbatch >/dev/null || { echo "run.sh: the commands are not on PATH: eval \"\$(./dure env)\"" >&2; exit 2; }

# Runs a program in a folder of its own, with its packages. 77: they cannot be had.
run() {
  local file=$1 packages
  cd "$2"
  packages=$(sed -n 's/^# pip: //p' "$file")
  if [ -n "$packages" ]; then
    if ! [ -e installed ]; then
      python3 -m venv venv
      # shellcheck disable=SC2086 # words
      venv/bin/pip install -q $packages || { echo "pip cannot install $packages"; return 77; }
      touch installed
    fi
    PATH=$PWD/venv/bin:$PATH
  fi
  case $file in
    *.py) timeout 300 python "$file" ;;
    *) timeout 600 bash "$file" ;;
  esac
}

programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
  for file in "$here"/*_*.{py,sh} "$here"/documents.py; do
    programs+=("$(basename "${file%.*}")")
  done
fi
ok=0 failed=0
missing=()
for program in "${programs[@]}"; do
  file=$(find "$here" -name "$program.py" -o -name "$program.sh")
  [ -n "$file" ] || { echo "run.sh: there is no program '$program'" >&2; exit 2; }
  mkdir -p "$work/$program"
  code=0
  (set -e; run "$file" "$work/$program") >"$work/$program.log" 2>&1 || code=$?
  case $code in
    0) ok=$((ok + 1)); echo "$program: ok" ;;
    77) missing+=("$program"); echo "$program: NOT RUN: $(tail -n 1 "$work/$program.log")" ;;
    *)
      failed=$((failed + 1))
      echo "$program: FAILED, see $work/$program.log"
      tail -n 3 "$work/$program.log"
      ;;
  esac
done
echo "$ok ran, $failed failed, ${#missing[@]} not run${missing[*]:+: ${missing[*]}}"
[ "$failed" = 0 ] || exit 1
if [ ${#missing[@]} -gt 0 ]; then
  echo "run.sh: nothing is known of the programs that did not run" >&2
  exit 77
fi
