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

bench_latency() {
  local pending reps line
  block
  for pending in ${PENDINGS:-0 1000 10000 50000}; do
    fill "$pending"
    warm "${WARM:-30}"
    echo "$(waiting_jobs) pending jobs, load $(load)"
    for line in "squeue" "squeue -t R" "squeue --json" "sinfo" "scontrol show job 1" \
      "sbatch -Q -o /dev/null -t 10 --wrap true"; do
      reps=${REPS:-20}
      [[ $line != squeue* ]] || [ "$pending" -lt 10000 ] || reps=$((reps / 2 + 1))
      # shellcheck disable=SC2086 # words of a command
      printf '  %-42s %8.2f ms (median of %d)\n' "$line" "$(command_milliseconds "$reps" $line | median)" "$reps"
    done
  done
}

bench_sequential() {
  local began ended
  block
  warm "${WARM:-30}"
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
  warm "${WARM:-30}"
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
