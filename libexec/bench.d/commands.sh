# shellcheck shell=bash disable=SC2154
# Commands as people and scripts run them, each its own process. `home` is the root of the checkout,
# `cluster` the running cluster.

# Milliseconds of a command, for the median of REPS.
command_milliseconds() {
  local began ended
  for _ in $(seq "$1"); do
    began=${EPOCHREALTIME/./}
    "$home/bin/${2}" "${@:3}" >/dev/null
    ended=${EPOCHREALTIME/./}
    echo $((ended - began))
  done | awk '{printf "%.2f\n", $1 / 1000}'
}

waiting_jobs() { "$home/bin/squeue" -h -r -t PD -o x | wc -l; }

# Fills the queue up to a number of pending jobs.
fill() {
  local more=$(($1 - $(waiting_jobs)))
  [ "$more" -le 0 ] || run_command bench-submit 4 "$more" -Q -o /dev/null -t 10 "${@:2}" --wrap true >/dev/null
}

# Every command often enough that the agent has compiled what it runs.
warm() {
  local i
  for i in $(seq "$1"); do
    "$home/bin/squeue" -t R
    "$home/bin/sinfo"
    "$home/bin/scontrol" show job 1
    "$home/bin/sbatch" -Q -o /dev/null -t 10 "${@:2}" --wrap true
    [ $((i % 10)) != 0 ] || "$home/bin/squeue"
    [ $((i % 15)) != 0 ] || "$home/bin/squeue" --json
  done >/dev/null
}

# The same of the other cluster's commands, which are those on PATH.
other_milliseconds() {
  local began ended
  for _ in $(seq "$1"); do
    began=${EPOCHREALTIME/./}
    SLURM_CONF=$BESIDE "${@:2}" >/dev/null
    ended=${EPOCHREALTIME/./}
    echo $((ended - began))
  done | awk '{printf "%.2f\n", $1 / 1000}'
}

other_waiting_jobs() { SLURM_CONF=$BESIDE squeue -h -r -t PD -o x | wc -l; }

fill_other() {
  local more=$(($1 - $(other_waiting_jobs)))
  [ "$more" -le 0 ] || seq "$more" | SLURM_CONF=$BESIDE xargs -P 4 -I{} sbatch -Q -o /dev/null -t 10 --wrap true
}

# One command: its median, and beside it that of the other cluster, in turns.
measure_command() {
  local turn reps=$1 label=${*:2}
  shift
  : >own
  : >others
  for turn in 1 2 3; do
    command_milliseconds $(((reps + 3 - turn) / 3)) "${@/#ID/$own_id}" >>own
    [ -z "${BESIDE:-}" ] || other_milliseconds $(((reps + 3 - turn) / 3)) "${@/#ID/$other_id}" >>others
  done
  printf '  %-42s %8.2f ms (median of %d)' "$label" "$(median <own)" "$reps"
  [ -z "${BESIDE:-}" ] || printf ', other %8.2f ms, ratio %.2f' "$(median <others)" \
    "$(echo "$(median <own) $(median <others)" | awk '{print $1 / $2}')"
  echo
}

bench_latency() {
  local pending reps line own_id other_id=
  block
  own_id=$("$home/bin/squeue" -h -n blocker -o %A)
  [ -z "${BESIDE:-}" ] || SLURM_CONF=$BESIDE sbatch -Q -J blocker --exclusive -N 4 -t 600 -o /dev/null --wrap 'exec sleep 36000'
  [ -z "${BESIDE:-}" ] || other_id=$(SLURM_CONF=$BESIDE squeue -h -n blocker -o %A | tail -1)
  for pending in ${PENDINGS:-0 1000 10000 50000}; do
    fill "$pending"
    [ -z "${BESIDE:-}" ] || fill_other "$pending"
    warm "${WARM:-100}"
    echo "$(waiting_jobs) pending jobs${BESIDE:+, the other has $(other_waiting_jobs)}, load $(load)"
    for line in "squeue" "squeue -t R" "squeue --json" "sinfo" "scontrol show job ID" \
      "sbatch -Q -o /dev/null -t 10 --wrap true"; do
      reps=${REPS:-21}
      [[ $line != squeue* ]] || [ "$pending" -lt 10000 ] || reps=$((reps / 2 + 1))
      # shellcheck disable=SC2086 # words of a command
      measure_command "$reps" $line
    done
  done
  [ -z "${BESIDE:-}" ] || SLURM_CONF=$BESIDE scancel -u "$(id -un)"
}

bench_sequential() {
  local began ended
  block
  warm "${WARM:-100}"
  for _ in $(seq "${REPS:-3}"); do
    began=${EPOCHREALTIME/./}
    for _ in $(seq "${COUNT:-1000}"); do "$home/bin/squeue"; done >/dev/null
    ended=${EPOCHREALTIME/./}
    echo $((ended - began))
  done | median | awk -v n="${COUNT:-1000}" -v r="${REPS:-3}" -v load_now="$(load)" \
    '{printf "seconds of %d squeue one after the other (median of %d): %.2f, load %s\n", n, r, $1 / 1e6, load_now}'
}

bench_processes() {
  local processes began ended
  block
  warm "${WARM:-100}"
  for processes in ${CONNECTIONS:-4 16}; do
    for _ in $(seq "${REPS:-3}"); do
      began=${EPOCHREALTIME/./}
      seq "${COUNT:-1000}" | xargs -P "$processes" -I{} \
        "$home/bin/sbatch" -Q -o /dev/null -t 10 --wrap true
      ended=${EPOCHREALTIME/./}
      echo $((ended - began))
    done | median | awk -v n="${COUNT:-1000}" -v r="${REPS:-3}" -v p="$processes" -v load_now="$(load)" \
      '{printf "submissions a second by %d parallel sbatch processes (median of %d x %d): %.0f, load %s\n",
        p, r, n, n * 1e6 / $1, load_now}'
  done
}
