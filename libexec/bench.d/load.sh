# shellcheck shell=bash disable=SC2154
# What the rest feels while many poll, and what the agent keeps. `home` is the root of the checkout,
# `cluster` the running cluster.

# "50% 99%" of numbers.
percentiles() {
  sort -g | awk '{v[NR] = $1} END {printf "%.1f %.1f\n", v[int(NR * 0.5 + 0.5)], v[int(NR * 0.99 + 0.5)]}'
}

pollers=()
start_pollers() {
  local i
  for i in $(seq "$1"); do
    (
      trap - EXIT
      while [ -e polling ]; do
        "$home/bin/squeue" >/dev/null
        echo
      done >"polls.$i"
    ) &
    pollers+=($!)
  done
}

end_pollers() {
  rm -f polling
  [ ${#pollers[@]} = 0 ] || wait "${pollers[@]}" || true
  pollers=()
}

# "p50 p99 starts-a-second": submissions, one after the other, and after them an array on nodes of its own.
measure_others() {
  local p50 p99
  read -r p50 p99 < <(command_milliseconds "${COUNT:-300}" sbatch -Q -o /dev/null -t 10 -p waiting --wrap true | percentiles)
  echo "$p50 $p99 $(array_rate "${STARTS:-500}" -p busy)"
}

# One pair: "alone... among... listings-a-second".
measure_pair() {
  local alone among began polls
  alone=$(measure_others)
  : >polling
  start_pollers "${CLIENTS:-50}"
  sleep "${SETTLE:-5}"
  cat polls.* | wc -l >polls-before
  began=${EPOCHREALTIME/./}
  among=$(measure_others)
  polls=$((($(cat polls.* | wc -l) - $(cat polls-before)) * 1000000 / (${EPOCHREALTIME/./} - began)))
  end_pollers
  echo "$alone $among $polls"
}

# The median of a column of the pairs.
column() { awk -v c="$1" '{print $c}' pairs | median; }

bench_poll() {
  local i
  "$home/bin/sbatch" -Q -J blocker --exclusive -N 2 -p waiting -t 600 -o /dev/null --wrap 'exec sleep 36000'
  fill "${PENDINGS:-10000}" -p waiting
  warm "${WARM:-100}" -p waiting
  array_rate 200 -p busy >/dev/null
  echo "$(waiting_jobs) pending jobs, load $(load)"
  # In turns, for what the machine can do differs from minute to minute.
  for i in $(seq "${REPS:-5}"); do
    measure_pair >>pairs
    awk -v i="$i" 'NR == i {printf "  pair %d: jobs started a second %.1f, alone %.1f (x %.2f)\n", i, $6, $3, $6 / $3}' pairs
  done
  awk '{print $6 / $3}' pairs >ratios
  echo "${CLIENTS:-50} clients poll squeue, $(column 7) listings a second; medians of ${REPS:-5} pairs:"
  printf '  sbatch p50 %.1f ms, alone %.1f ms\n  sbatch p99 %.1f ms, alone %.1f ms\n' \
    "$(column 4)" "$(column 1)" "$(column 5)" "$(column 2)"
  printf '  jobs started a second %.1f, alone %.1f, with to without %.2f\n' "$(column 6)" "$(column 3)" "$(median <ratios)"
}

# What a process keeps: "MiB, files, threads".
kept() {
  awk '$1 == "VmRSS:" {rss = $2 / 1024} $1 == "VmHWM:" {top = $2 / 1024} $1 == "Threads:" {threads = $2}
    END {printf "%.0f MiB resident (most ever %.0f), %d threads", rss, top, threads}' "/proc/$1/status"
  find "/proc/$1/fd" -mindepth 1 | wc -l | sed 's/.*/, & open files/'
}

bench_memory() {
  local agent count=${COUNT:-100000}
  agent=$(cat run/agent.pid)
  block
  fill "${PENDINGS:-1000}"
  sleep "${SETTLE:-5}"
  echo "agent idle, before: $(kept "$agent")"
  "$home/bin/squeue" -i 60 >/dev/null &
  sleep 1
  echo "a client: $(kept $!)"
  kill $!
  # Of a hundred commands 40 are squeue, 20 sinfo, 20 scontrol, 20 sbatch.
  # shellcheck disable=SC2016 # for the shell that xargs starts
  seq "$((count / 5))" | xargs -P 4 -n 50 sh -c 'cd "$1"; shift
    for i do
      ./squeue; ./squeue -t R; ./sinfo; ./scontrol show job 1
      ./sbatch -Q -o /dev/null -t 10 --wrap true
    done >/dev/null' sh "$home/bin"
  echo "agent after $count commands, $(waiting_jobs) pending jobs: $(kept "$agent")"
  sleep "${IDLE:-65}"
  echo "agent a minute later: $(kept "$agent")"
}

# Heap in use after a collection, in MiB.
heap_after_collection() {
  "$JAVA_HOME/bin/jcmd" "$1" GC.run >/dev/null
  "$JAVA_HOME/bin/jcmd" "$1" GC.heap_info | sed -n 's/.* used \([0-9]*\)K.*/\1/p' | head -n 1 | awk '{print $1 / 1024}'
}

bench_restart() {
  local began pid before texts=()
  find_jdk
  pid=$(cat run/controller.pid)
  before=$(heap_after_collection "$pid")
  block
  [ -z "${TEXT:-}" ] || texts=("--text=$TEXT")
  run_command bench-submit 16 "${COUNT:-1000000}" ${texts[@]+"${texts[@]}"} -Q -o /dev/null -t 10 --wrap true
  heap_after_collection "$pid" | awk -v before="$before" -v n="${COUNT:-1000000}" \
    '{printf "heap for each pending job: %.0f bytes\n", ($1 - before) * 1048576 / n}'
  echo "state directory: $(du -sm state | cut -f1) MiB"
  for _ in $(seq "${REPS:-3}"); do
    kill -9 "$pid"
    # The kernel takes seconds to free many GiB, and the pid counts until then.
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    began=$(now)
    "$home/sbin/slurmctld" -f "$SLURM_CONF"
    "$home/bin/sinfo" -h >/dev/null
    echo "$(now) $began" | awk '{printf "%.2f\n", $1 - $2}'
    pid=$(cat run/controller.pid)
  done | median | sed "s/^/seconds from the start of the controller to its first answer (median of ${REPS:-3}): /"
  echo "$("$home/bin/squeue" -h -r -t PD -o x | wc -l) pending jobs recovered"
  echo "the controller: $(kept "$(cat run/controller.pid)"); heap in use after a collection: $(heap_after_collection "$(cat run/controller.pid)") MiB"
}
