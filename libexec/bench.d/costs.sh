# shellcheck shell=bash disable=SC2154
# What a node and a cluster cost: one table, Dure's figure, that of another cluster where there is one, and the goal. `home`
# is the root of the checkout, `cluster` the running cluster. Uses the functions of node.sh, commands.sh and starts.sh.

# Ends a throw-away cluster, so that the next part measures its own alone.
end_cluster() {
  end_emulation
  end_blocker
  cluster_down --dir "$cluster" >/dev/null
  cd /
  rm -rf "$cluster"
  cluster=
}

seconds_of() {
  local began=${EPOCHREALTIME/./}
  "$@" >/dev/null
  echo $((${EPOCHREALTIME/./} - began)) | awk '{printf "%.2f\n", $1 / 1e6}'
}

beside() { SLURM_CONF=$BESIDE "$@"; }

# The controller's pid of the other cluster.
other_controller() { cat "$(sed -n 's/^SlurmctldPidFile=//p' "$BESIDE")"; }

# sbatch of daemons that have just been started, and when they have done it often.
cost_submissions() {
  local young old other=
  young=$(command_milliseconds 30 sbatch -Q -o /dev/null --wrap true | median)
  command_milliseconds "${WARM:-300}" sbatch -Q -o /dev/null --wrap true >/dev/null
  : >own
  : >others
  for _ in 1 2 3 4 5; do
    command_milliseconds 20 sbatch -Q -o /dev/null --wrap true >>own
    [ -z "${BESIDE:-}" ] || other_milliseconds 20 sbatch -Q -o /dev/null --wrap true >>others
  done
  old=$(median <own)
  [ -z "${BESIDE:-}" ] || other=$(median <others)
  node_row "sbatch on an empty queue, ms: the first 30 of young daemons" "$young" "$other" "other's"
  node_row "sbatch on an empty queue, ms: later" "$old" "$other" "other's"
}

# scancel of many jobs that wait, and of the tasks of one array.
cost_cancellation() {
  local count=${COUNT:-30000} own other=
  block >/dev/null
  run_command bench-submit 4 "$count" -Q -J many -o /dev/null -t 10 --wrap true >/dev/null
  own=$(seconds_of "$home/bin/scancel" -n many)
  if [ -n "${BESIDE:-}" ]; then
    beside sbatch -Q -J blocker --exclusive -N 4 -t 600 -o /dev/null --wrap 'exec sleep 36000'
    seq $((count / 10)) | beside xargs -P 4 -I{} sbatch -Q -J many -o /dev/null -t 10 --wrap true
    other=$(seconds_of beside scancel -n many)
  fi
  node_row "scancel of $count waiting jobs, s${BESIDE:+ (the other: of $((count / 10)))}" "$own" "$other"
  "$home/bin/sbatch" -Q -J many -o /dev/null -t 10 -a "1-$count" --wrap true
  own=$(seconds_of "$home/bin/scancel" -n many)
  if [ -n "${BESIDE:-}" ]; then
    beside sbatch -Q -J many -o /dev/null -t 10 -a "1-$count" --wrap true
    other=$(seconds_of beside scancel -n many)
    beside scancel -n blocker
  fi
  node_row "scancel of an array of $count waiting tasks, s" "$own" "$other"
}

# Options of jobs of which no two are alike.
different_jobs() {
  awk -v n="$1" 'BEGIN { srand(3); for (i = 0; i < n; i++)
    print "-n" 1 + int(rand() * 15), "--mem=" 100 + i, "-t", 5 + int(rand() * 900) }'
}

submit_different() { different_jobs "$1" | xargs -P 4 -L 1 "$2" -Q -J different -o /dev/null --wrap true; }

# A long queue in which nothing changes, and a question about it. The other cluster has four nodes.
cost_waiting() {
  local jobs=${PENDINGS:-4000} other= agent
  start_emulated 20
  "$home/bin/sbatch" -Q -J blocker --exclusive -N 20 -t 6000 -o /dev/null --wrap 'exec sleep 36000'
  submit_different "$jobs" "$home/bin/sbatch"
  node_row "forecast worker while jobs come: MiB in memory" "$(forecast_worker)" - none
  if [ -n "${BESIDE:-}" ]; then
    beside sbatch -Q -J blocker --exclusive -N 4 -t 600 -o /dev/null --wrap 'exec sleep 36000'
    SLURM_CONF=$BESIDE submit_different "$jobs" sbatch
  fi
  sleep "${SETTLE:-60}"
  [ -z "${BESIDE:-}" ] || other=$(idle_costs "$(other_controller)" | cut -d' ' -f1)
  node_row "controller, $jobs different jobs wait, nothing changes: % of a CPU" \
    "$(idle_costs "$(cat run/controller.pid)" | cut -d' ' -f1)" "$other" "<= 5"
  node_row "  its forecast worker then: MiB in memory" "$(forecast_worker)" - none
  agent=$(cat run/agent.pid)
  node_row "  the agent then: MiB in memory" "$(resident "$agent" | cut -d' ' -f1)"
  node_row "dure-why of the last of them, s: first, again" \
    "$(why_last), $(why_last)" - "<= 1"
  [ -z "${BESIDE:-}" ] || { beside scancel -n different; beside scancel -n blocker; }
  end_cluster
}

# MiB of the controller's worker, or "ended".
forecast_worker() {
  local worker
  worker=$(pgrep -P "$(cat run/controller.pid)" -f ForecastWorkerMain || true)
  if [ -n "$worker" ]; then resident "$worker" | cut -d' ' -f1; else echo ended; fi
}

why_last() { seconds_of "$home/bin/dure-why" "$("$home/bin/squeue" -h -n different -S -i -o %i | head -n 1)"; }

# All nodes of a cluster on this machine.
cost_many_nodes() {
  local place
  place=$(mktemp -d)
  chmod 755 "$place"
  node_row "./dure up --nodes 64, s" \
    "$(seconds_of cluster_up --dir "$place" --nodes 64 --cpus 1 --port 26117)" - "works"
  node_row "  nodes that are idle then" "$(SLURM_CONF=$place/slurm.conf "$home/bin/sinfo" -h -t idle -o %D)" - 64
  cluster_down --dir "$place" >/dev/null
  rm -rf "$place"
}

# Plans of a queue, and of one twice as long.
cost_plans() {
  (run_simulator -Xmx6g -XX:-UseSerialGC -XX:+UseG1GC io.dure.bench.scheduling.SchedulerBenchMain \
    NODES=1000 'JOBS=100000 200000' EVENTS=20 SUBMISSIONS=20) >"$1"
  awk '$1 == 1000 {plan[++n] = $4} END {printf "%.2f\n", plan[2] / plan[1]}' "$1"
}

# Whether a part is to be done.
is_wanted() { [ -z "${ONLY:-}" ] || [[ " $ONLY " = *" $1 "* ]]; }

bench_costs() {
  local plans
  echo "load $(load); $(nproc) CPUs"
  node_row "" Dure "${BESIDE:+other}" goal
  if is_wanted 1; then start; cost_submissions; cost_cancellation; end_cluster; fi
  if is_wanted 2; then start; COUNT=${JOBS:-1000} bench_node; end_cluster; fi
  if is_wanted 3; then cost_waiting; fi
  if is_wanted 4; then cost_many_nodes; fi
  if is_wanted 5; then
    plans=$(mktemp)
    node_row "plan of 200,000 jobs on 1,000 nodes: times that of 100,000" "$(cost_plans "$plans")" - "about 2"
    rm -f "$plans"
  fi
  echo "load $(load)"
}
