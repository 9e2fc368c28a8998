# shellcheck shell=bash
# Sourced by record and compare: runs the cases of job steps on the cluster of a file with its environment.
# STEPS_USER and STEPS_OTHER are ordinary users who may submit; both matter only where root runs the cases. CASES names
# the cases, by words of the shell's patterns ("exit-* label-4"); without it all run.

steps=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
STEPS_USER=${STEPS_USER:-alice}
STEPS_OTHER=${STEPS_OTHER:-bob}
CASES=${CASES:-*}

fail() { echo "steps: $*" >&2; exit 2; }

# Reads the lines that put the commands on PATH and name the cluster, then looks whether it can run the cases.
use_cluster() {
  local nodes
  [ -r "${1:-}" ] || fail "name a file with the environment of a running cluster, as ./dure env prints it"
  # shellcheck source=/dev/null
  . "$1"
  [ -r "${SLURM_CONF:-}" ] || fail "$1 does not set SLURM_CONF to a file that can be read"
  nodes=$(sinfo -h -N -o %N | sort -u | sort -V | tr '\n' ' ') || fail "sinfo does not answer"
  prefix=${nodes%%1 *}
  [ "$nodes" = "${prefix}1 ${prefix}2 ${prefix}3 ${prefix}4 " ] ||
    fail "the cluster has the nodes ${nodes:-none}, the cases need four with the numbers 1 to 4: see cluster.conf"
  if [ "$(id -u)" != 0 ]; then
    STEPS_USER=$(id -un)
  fi
  work=$(mktemp -d)
  chmod 755 "$work"
  trap 'rm -rf "$work"' EXIT
  only_its_own_commands
}

# A command that the cluster's system lacks must not be found in that of another one on the same machine.
only_its_own_commands() {
  local folder command
  folder=$(dirname "$(command -v srun)")
  mkdir "$work/bin"
  for command in salloc sattach sbatch sbcast scancel scontrol squeue sstat; do
    if [ ! -x "$folder/$command" ]; then
      printf '#!/bin/sh\necho "%s: command not found" >&2\nexit 127\n' "$command" > "$work/bin/$command"
      chmod 755 "$work/bin/$command"
    fi
  done
  PATH=$work/bin:$PATH
}

# as USER COMMAND...: with nothing in the environment but what names the cluster
as() {
  local user=$1 home
  shift
  home=$(getent passwd "$user" | cut -d: -f6)
  set -- env -i PATH="$PATH" SLURM_CONF="$SLURM_CONF" HOME="$home" USER="$user" LOGNAME="$user" LANG=C.UTF-8 TERM=dumb \
    SHELL=/bin/bash OTHER_JOB="${other_job:-}" "$@"
  if [ "$(id -u)" = 0 ]; then
    runuser -u "$user" -- "$@"
  else
    "$@"
  fi
}

# Prints "FILE NAME" of each case that CASES names.
case_list() {
  local pattern patterns name file
  read -ra patterns <<< "$CASES"
  for file in "$steps"/cases/*.txt; do
    while read -r name; do
      for pattern in "${patterns[@]}"; do
        # shellcheck disable=SC2053 # a pattern on purpose
        if [[ $name == $pattern ]]; then
          echo "$file $name"
          break
        fi
      done
    done < <(sed -n 's/^== //p' "$file")
  done
}

# Ids of the jobs of the cases' user that the controller still knows, oldest first.
job_ids() { squeue -h -u "$STEPS_USER" -t all -o %A 2>/dev/null | sort -nu; }

# Ends what a case left behind, and waits until its nodes are free.
clear_up() {
  local i
  for i in $(seq 1 150); do
    [ -n "$(squeue -h -u "$STEPS_USER" -o %A)" ] || return 0
    [ $((i % 50)) != 1 ] || scancel -u "$STEPS_USER" 2>/dev/null || true
    sleep 0.1
  done
  fail "jobs of $STEPS_USER do not end: $(squeue -h -u "$STEPS_USER" | head -3)"
}

# Output of a case on stdin -> without what differs from run to run. $1: the stream's number, before each line. Errors
# come from srun and from each node, in an order that nothing promises. Daemons that were given a node's name by -N add
# it to the name of their shepherd; others do not.
normal() {
  local script="$work/ids.sed"
  sed -E -f "$script" \
    -e "s#$work/case#DIR#g" \
    -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/g' \
    -e 's/slurmstepd-n[1-4]: /slurmstepd: /' \
    -e "s/\\b$(hostname -s)\\b/HOST/g" |
    if [ -n "$drop" ]; then sed -E "/$drop/d"; else cat; fi |
    if [[ $flags == *' ranges '* ]]; then expand; else cat; fi |
    if [[ $1 = 2 || $flags == *' sort '* ]]; then LC_ALL=C sort; else cat; fi |
    relinquished |
    awk -v s="$1" '{ print s " " $0 }'
}

# An allocation that salloc gave back is perhaps also reported as revoked, if salloc still runs when the controller says so.
relinquished() {
  awk '{ line[NR] = $0 } /^salloc: Relinquishing job allocation / { gone = 1 }
    END { for (i = 1; i <= NR; i++)
      if (!gone || line[i] !~ /^salloc: Job allocation [^ ]+ has been revoked[.]$/) print line[i] }'
}

# "srun: error: n1: tasks 0-1,3: X" -> a line for each task: how many ends one line reports is a matter of time
expand() {
  awk '{
    if (!match($0, /^srun: error: [^ ]+: tasks? [0-9,-]+: /)) { print; next }
    head = substr($0, 1, RLENGTH); rest = substr($0, RLENGTH + 1)
    list = head; sub(/^.*tasks? /, "", list); sub(/: $/, "", list); sub(/tasks? [0-9,-]+: $/, "", head)
    n = split(list, part, ",")
    for (i = 1; i <= n; i++) {
      m = split(part[i], end, "-")
      for (t = end[1]; t <= end[m]; t++) print head "task " t + 0 ": " rest
    }
  }'
}

# run_case FILE NAME: prints what the recording has of this case.
run_case() {
  local file=$1 name=$2 before after id n=0 code allocation drop since
  awk -v name="== $name" '/^== /{ on = $0 == name; next } on' "$file" > "$work/text"
  flags=" $(awk '/^! /{ printf "%s ", substr($0, 3) }' "$work/text")"
  allocation=$(sed -n 's/^! in //p' "$work/text")
  drop=$(sed -n 's/^! drop //p' "$work/text")
  # new files for each case: a srun that outlives its case still writes to the old ones
  rm -rf "$work/case" "$work/stdout" "$work/stderr" && mkdir "$work/case"
  grep -vE '^(#|!) ' "$work/text" > "$work/case.sh"
  other_job=
  if [[ $flags == *' other '* ]]; then
    [ "$(id -u)" = 0 ] || return 0
    other_job=$(cd / && as "$STEPS_OTHER" sbatch --parsable -n1 -t5 -o /dev/null --wrap 'sleep 60')
    for _ in $(seq 100); do
      [ "$(squeue -h -j "$other_job" -o %t)" != R ] || break
      sleep 0.1
    done
  fi
  if [ "$(id -u)" = 0 ]; then chown -R "$STEPS_USER" "$work/case"; fi
  before=$(job_ids)
  set -- bash "$work/case.sh"
  # shellcheck disable=SC2086 # words
  [ -z "$allocation" ] || set -- salloc -Q $allocation "$@"
  code=0 since=$SECONDS
  (cd "$work/case" && as "$STEPS_USER" timeout -k 2 30 "$@" < /dev/null > "$work/stdout" 2> "$work/stderr") || code=$?
  after=$(job_ids)
  # the newest first: no id is then part of what another one was replaced by
  : > "$work/ids.sed"
  for id in $(comm -13 <(sort <<< "$before") <(sort <<< "$after") | sort -n); do
    n=$((n + 1))
    echo "s/\\b$id\\b/JOB$n/g" >> "$work/ids.sed"
  done
  {
    [ -z "$other_job" ] || echo "s/\\b$other_job\\b/OTHER/g"
    echo "s/\\b$prefix(\\[?[1-4])/n\\1/g"
    echo "s/\\b$STEPS_USER\\b/USER/g"
    echo "s/\\b$(id -u "$STEPS_USER")\\b/UID/g"
  } >> "$work/ids.sed"
  echo "== $name"
  normal 1 < "$work/stdout"
  normal 2 < "$work/stderr"
  if [ $((SECONDS - since)) -ge 30 ]; then echo "hangs"; else echo "code $code"; fi
  [ -z "$other_job" ] || scancel "$other_job"
  clear_up
}
