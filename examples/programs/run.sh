#!/usr/bin/env bash
# Runs programs that drive Slurm, each unchanged from its package, on the cluster of SLURM_CONF.
# Usage: examples/programs/run.sh [PROGRAM...]
# Needs python3 with venv and pip, and the commands of bin/ on PATH: eval "$(./dure env)". Nextflow needs Maven and a
# JDK, the exporters Go, ood_core Ruby. Lightning and torchrun need 6 GB for PyTorch. Four nodes are wanted, two do.
# PROGRAMS_DIR is where packages and logs go, PROGRAMS_PARTITION the partition, if not the default one.
# A program whose package cannot be had is named, with why. At the end a table with versions and results. Exit code: 0 if
# all ran well, 1 if one failed, 77 if none failed but some did not run.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${PROGRAMS_DIR:-$here/../../.dure/programs}
mkdir -p "$work"
work=$(cd "$work" && pwd)
command -v sbatch >/dev/null || { echo "run.sh: the commands are not on PATH: eval \"\$(./dure env)\"" >&2; exit 2; }

PROGRAMS_PARTITION=${PROGRAMS_PARTITION:-$(sinfo -h -o %P | sed -n 's/[*]$//p')}
export PROGRAMS_PARTITION

packages_of() { sed -n 's/^# pip: //p' "$1"; }

# Where the packages of a program are: those that want the same ones share them.
venv_of() { echo "$work/venv-$(packages_of "$1" | tr -cs 'a-zA-Z0-9\n' -)"; }

# The versions of the packages that a program names.
versions() {
  local package
  for package in $(packages_of "$1"); do
    "$(venv_of "$1")/bin/pip" show "${package%%[*}" 2>/dev/null | awk '/^Name:/ {n = $2} /^Version:/ {printf " %s %s", n, $2}'
  done
}

# Runs a program in a folder of its own, with its packages. 77: they cannot be had.
run() {
  local file=$1 packages venv
  cd "$2"
  packages=$(packages_of "$file") venv=$(venv_of "$file")
  if [ -n "$packages" ]; then
    if ! [ -e "$venv/installed" ]; then
      python3 -m venv "$venv"
      # shellcheck disable=SC2086 # words
      "$venv/bin/pip" install -q $packages || { echo "pip cannot install $packages"; return 77; }
      touch "$venv/installed"
    fi
    PATH=$venv/bin:$PATH
  fi
  case $file in
    *.py) timeout 300 python3 "$file" ;;
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
table=$(mktemp)
trap 'rm -f "$table"' EXIT
for program in "${programs[@]}"; do
  file=$(find "$here" -name "$program.py" -o -name "$program.sh")
  [ -n "$file" ] || { echo "run.sh: there is no program '$program'" >&2; exit 2; }
  mkdir -p "$work/$program"
  code=0 from=$SECONDS
  (set -e; run "$file" "$work/$program") >"$work/$program.log" 2>&1 || code=$?
  case $code in
    0) ok=$((ok + 1)) result=ok; echo "$program: ok" ;;
    77) missing+=("$program") result="not run"; echo "$program: NOT RUN: $(tail -n 1 "$work/$program.log")" ;;
    *)
      failed=$((failed + 1)) result=FAILED
      echo "$program: FAILED, see $work/$program.log"
      tail -n 3 "$work/$program.log"
      ;;
  esac
  printf '%-8s %4s s  %-22s%s\n' "$result" "$((SECONDS - from))" "$program" "$(versions "$file")" >>"$table"
done
echo
scontrol version
cat "$table"
echo "$ok ran, $failed failed, ${#missing[@]} not run${missing[*]:+: ${missing[*]}}"
[ "$failed" = 0 ] || exit 1
if [ ${#missing[@]} -gt 0 ]; then
  echo "run.sh: nothing is known of the programs that did not run" >&2
  exit 77
fi
