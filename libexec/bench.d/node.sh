# shellcheck shell=bash disable=SC2154
# What a node daemon takes from the jobs of its node. `home` is the root of the checkout, `cluster` the running cluster.

# MiB that a process has in memory, and how much of that is its own alone.
resident() { awk '$1 == "Rss:" {all = $2} /^Private_/ {own += $2} END {printf "%.1f %.1f\n", all / 1024, own / 1024}' "/proc/$1/smaps_rollup"; }

# Nanoseconds of CPU and voluntary switches of all threads that a process has.
spent() {
  cat "/proc/$1"/task/*/schedstat 2>/dev/null | awk '{sum += $1} END {printf "%.0f ", sum}'
  cat "/proc/$1"/task/*/status 2>/dev/null | awk '$1 == "voluntary_ctxt_switches:" {sum += $2} END {print sum}'
}

# "percent-of-a-CPU wake-ups-a-second" of a process that has nothing to do.
idle_costs() {
  local before after
  before=$(spent "$1")
  sleep "${IDLE:-60}"
  after=$(spent "$1")
  echo "$before $after ${IDLE:-60}" | awk '{printf "%.4f %.2f\n", ($3 - $1) / 1e7 / $5, ($4 - $2) / $5}'
}

# The daemon of a cluster: the first of its pid files.
peer_daemon() {
  local file
  file=$(sed -n 's/^SlurmdPidFile=//p' "$BESIDE")
  cat "${file//%n/n1}"
}

# Has so many jobs of `true` run on the first node of a cluster, by the sbatch of that folder.
run_jobs() {
  SLURM_CONF=$2 "$1" -Q -W -o /dev/null -t 1 --mem=10 -w n1 -a "1-$3" --wrap true
}

node_row() { printf '%-66s %14s %14s %12s\n' "$1" "$2" "${3:--}" "${4:--}"; }

bench_node() {
  local count=${COUNT:-1000} mine theirs=- row name
  # As on a compute node: what several daemons have mapped together is nobody's to give back.
  for name in n4 n3 n2 n1; do end_daemon "run/node-$name.pid" slurmd; done
  "$home/sbin/slurmd" -N n1 -f "$SLURM_CONF" || fail "the node daemon did not start"
  until_registered
  mine=$(cat run/node-n1.pid)
  [ -z "${BESIDE:-}" ] || theirs=$(peer_daemon)
  node_row "MiB in memory (of these its own)" "Dure" "${BESIDE:+other}" goal
  node_row "  just started" "$(of resident "$mine")" "$(of resident "$theirs")"
  run_jobs "$home/bin/sbatch" "$SLURM_CONF" "$count"
  [ "$theirs" = - ] || run_jobs sbatch "$BESIDE" "$count"
  node_row "  after $count jobs" "$(of resident "$mine")" "$(of resident "$theirs")"
  fail_over
  node_row "  after the controller was killed" "$(of resident "$mine")" - "<= 64"
  row=$(idle_costs "$mine")
  [ "$theirs" = - ] || row="$row $(idle_costs "$theirs")"
  # shellcheck disable=SC2086 # words
  set -- $row
  node_row "idle: percent of a CPU" "$1" "${3:--}" "< 0.02"
  node_row "idle: wake-ups a second" "$2" "${4:--}" "<= 2"
  bench_beside "$mine" "$theirs"
}

# "all (own)" of a process, where there is one.
of() { [ "$2" = - ] && echo - || "$1" "$2" | awk '{print $1 " (" $2 ")"}'; }

# The controller is killed and started again; the daemon has found it.
fail_over() {
  kill -9 "$(cat run/controller.pid)"
  "$home/sbin/slurmctld" -f "$SLURM_CONF" || fail "the controller did not come back"
  until_registered
}

# The daemon has registered, and has given back what it needs no more.
until_registered() {
  local tries=0
  until [ "$("$home/bin/sinfo" -h -n n1 -o %T 2>/dev/null)" = idle ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "the node does not come back"
    sleep 0.1
  done
  sleep 5
}

# Every thread of a process on these CPUs.
pin() { taskset -apc "$1" "$2" >/dev/null; }

# Benchmarks on the last CPU, with a daemon there and with none, in turns.
bench_beside() {
  local last other program turn pid pids=() names=()
  last=$(($(nproc) - 1))
  other=$((last > 0 ? last - 1 : 0))
  for program in triad noise; do
    cc -O2 -std=gnu17 -Wall -Wextra -o "$program" "$home/libexec/bench.d/$program.c" || fail "cannot compile $program.c"
  done
  names=(none Dure)
  pids=(- "$1")
  [ "$2" = - ] || { names+=(beside); pids+=("$2"); }
  for pid in "${pids[@]}"; do [ "$pid" = - ] || pin "$other" "$pid"; done
  for _ in $(seq "${REPS:-5}"); do
    for turn in "${!names[@]}"; do
      [ "${pids[turn]}" = - ] || pin "$last" "${pids[turn]}"
      taskset -c "$last" ./triad 5 >>"triad.${names[turn]}"
      taskset -c "$last" ./noise 5 >>"noise.${names[turn]}"
      [ "${pids[turn]}" = - ] || pin "$other" "${pids[turn]}"
    done
  done
  echo "on the CPU of a benchmark, median of ${REPS:-5} (least to most):"
  for turn in "${names[@]}"; do
    printf '  daemon there: %-8s memory-bound %s GB/s, lost to others %s parts of a million, longest delay %s us\n' "$turn" \
      "$(span "triad.$turn" 1)" "$(span "noise.$turn" 1)" "$(span "noise.$turn" 2)"
  done
}

# "median (least to most)" of a column of a file.
span() {
  awk -v column="$2" '{print $column}' "$1" | sort -g \
    | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)] " (" v[1] " to " v[NR] ")"}'
}
