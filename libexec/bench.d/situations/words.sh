# shellcheck shell=bash
# The words of situations beside the commands themselves; the same for both clusters, which differ by PATH and SLURM_CONF.

# A command of another user.
as() {
  local user=$1
  shift
  runuser -u "$user" -- env PATH="$PATH" SLURM_CONF="$SLURM_CONF" "$@"
}

# job NAME [OPTIONS]: a job that runs until it is ended. job_of USER NAME [OPTIONS]: another user's.
job() { sbatch -Q -J "$1" -o /dev/null "${@:2}" --wrap 'exec sleep 36000' >/dev/null; }
job_of() { as "$1" sbatch -Q -J "$2" -o /dev/null "${@:3}" --wrap 'exec sleep 36000' >/dev/null; }

id() { squeue -h -n "$1" -o %A | head -n 1; }

# The job that leads a heterogeneous one.
leader() { squeue -h -n "$1" -O HetJobId:20 | head -n 1 | tr -d ' '; }

# Until a job is in a state (R, PD), or there is none of the name (gone).
is() {
  local state
  for _ in $(seq 75); do
    state=$(squeue -h -n "$1" -o %t | sort -u)
    [ "${state:-gone}" != "$2" ] || return 0
    sleep 0.2
  done
  echo "$1 is not $2 but ${state:-gone}" >&2
  return 1
}

# Name, state, reason or nodes of each job by name.
jobs_now() { squeue -h -r -o '%j %T %R' | sort; }

nodes_of() { squeue -h -n "$1" -o '%j %T %D %N %C'; }

# Chosen fields of a job, in their order here.
fields() {
  local name=$1 shown field
  shift
  shown=$(scontrol -d show job "$(id "$name")" | tr '\n' ' ')
  for field in "$@"; do
    grep -oE "(^| )$field=[^ ]*" <<<"$shown" | tr -d ' ' | paste -sd' '
  done
}

# Where each node's share of a job lies.
shares() { scontrol -d show job "$(id "$1")" | grep -oE 'Nodes=.*CPU_IDs=.*'; }

# Times become tens of minutes from now, numbers of jobs their names.
plain() {
  local names
  names=$(squeue -h -a -o '%A %j')
  NAMES=$names perl -MPOSIX=mktime,floor -pe '
    BEGIN { %names = map { split / /, $_, 2 } split /\n/, $ENV{NAMES} }
    s/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/"+" . 10 * floor((mktime($6, $5, $4, $3, $2 - 1, $1 - 1900) - time) \/ 600 + 0.5) . "min"/ge;
    s/\b(\d{6,})\b/exists $names{$1} ? $names{$1} : $1/ge if %names && !/Nodes=.*CPU_IDs=/;
    s/\bJob \d+ to start/Job to start/; s/\bjob \d+\b/job/g; s/\s+$/\n/'
}

# When jobs begin that wait, by name.
starts() { squeue -h -t PD -r -o '%j %S' | sort; }

# What a submission would do.
trial() { sbatch --test-only -o /dev/null "$@" --wrap true 2>&1; }

# What a refusal says.
refusal() {
  local status=0
  sbatch -Q -o /dev/null "$@" --wrap true 2>&1 >/dev/null || status=$?
  echo "exit code $status"
}
refusal_of() {
  local user=$1 status=0
  shift
  as "$user" sbatch -Q -o /dev/null "$@" --wrap true 2>&1 >/dev/null || status=$?
  echo "exit code $status"
}

# Ends all, and brings back what situations change.
clean() {
  local left
  for _ in $(seq 100); do
    left=$(squeue -h -a -o %A)
    [ -n "$left" ] || return 0
    # shellcheck disable=SC2086
    # Slurm ends no job that stands still.
    scontrol resume "$(tr ' ' , <<<"$left")" >/dev/null 2>&1
    scancel $left 2>/dev/null
    sleep 0.3
  done
  echo "jobs do not end: $left" >&2
  return 1
}

# Until both have counted usage and made priorities anew, which they do once in a minute.
next_period() { sleep 66; }
