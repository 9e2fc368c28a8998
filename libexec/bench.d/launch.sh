# shellcheck shell=bash disable=SC2154
# How long a step takes to start and end on many nodes, whose daemons share one process, as far as its open files allow (a
# daemon has a dozen); each node has a port, a spool, a spawner and a connection to the controller of its own, and starts real
# processes. `home` is the root of the checkout.
# The spools are in memory where that is possible: thousands of nodes that share one disk wait for each other in its file
# system (ext4 looks at each inode that was given free in the last five seconds before it takes one), which nodes with disks
# of their own do not.

many_daemons= pids_before= spools=
end_many() {
  # shellcheck disable=SC2086 # one word for each process
  if [ -n "$many_daemons" ]; then
    kill $many_daemons 2>/dev/null || true
    wait $many_daemons 2>/dev/null || true
  fi
  many_daemons=
  [ -z "$pids_before" ] || echo "$pids_before" >/proc/sys/kernel/pid_max
  pids_before=
  [ -z "$spools" ] || rm -rf "$spools"
  spools=
}

# A cluster of so many nodes of one CPU.
start_many() {
  local port dir most nodes=$1 each first last pid
  # Threads and processes of 5,000 daemons are more than the usual 32,768.
  most=$((nodes * 12 + 8192))
  if [ "$(cat /proc/sys/kernel/pid_max)" -lt "$most" ]; then
    pids_before=$(cat /proc/sys/kernel/pid_max)
    echo "$most" >/proc/sys/kernel/pid_max || fail "$nodes nodes need kernel.pid_max=$most: set it as root"
  fi
  new_cluster 20000 21000 22000 23000
  spools=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
  chmod 755 "$spools"
  {
    run_command make-config bench "$cluster" "$port" 1 16 "$(id -un)" \
      | grep -vE '^(NodeName|PartitionName|SlurmdPort|TreeWidth|SlurmdLogFile|SlurmdSpoolDir|DefMemPerCPU)='
    printf '%s\n' "SlurmdLogFile=$cluster/log/nodes.log" "SlurmdSpoolDir=$spools/%n" ProctrackType=proctrack/linuxproc TaskPlugin=task/none \
      "NodeName=n[1-$nodes] NodeHostname=$(uname -n) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=1 RealMemory=1000" \
      "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE"
  } >"$cluster/slurm.conf"
  # Root may have more open files than its limit; others share the nodes among several processes. The hard limit stays as it is:
  # one that was lowered for few nodes cannot always be raised again for more.
  ulimit -Sn $((nodes * 14 + 4096)) 2>/dev/null || ulimit -Sn "$(ulimit -Hn)"
  start_without_nodes
  each=$(ulimit -Sn)
  [ "$each" != unlimited ] || each=1000000
  each=$((each / 14))
  for ((first = 1; first <= nodes; first += each)); do
    last=$((first + each - 1 < nodes ? first + each - 1 : nodes))
    DURE_HEAP=${HEAP:-4g} "$home/sbin/slurmd" -D -f "$SLURM_CONF" -N "n[$first-$last]" >>"$cluster/log/out" 2>&1 &
    many_daemons="$many_daemons $!"
  done
  until [ "$("$home/bin/sinfo" -h -o %D -t idle)" = "$nodes" ]; do
    for pid in $many_daemons; do
      kill -0 "$pid" || fail "the node daemons have ended (log: $cluster/log/nodes.log)"
    done
    sleep 0.2
  done
}

# CPU seconds of a process so far.
cpu_of() {
  awk -v ticks="$(getconf CLK_TCK)" '{sub(/.*\) /, ""); print ($12 + $13) / ticks}' "/proc/$1/stat"
}

# CPU seconds that a process uses in a second while its cluster does nothing.
idle_of() {
  local began before
  before=$(cpu_of "$1") began=$(date +%s%N)
  sleep 10
  awk -v a="$(cpu_of "$1")" -v b="$before" -v t=$(($(date +%s%N) - began)) 'BEGIN {print (a - b) * 1e9 / t}'
}

# Steps over all nodes of one allocation: the median of the time, and the controller's CPU time for each without what it uses
# while nodes do nothing, seen before and after.
measure_launch() {
  local nodes=$1 reps=$2 controller began first ended before after idle times=() i
  start_many "$nodes"
  controller=$(cat "$cluster/run/controller.pid")
  "$home/bin/salloc" -Q -N "$nodes" --no-shell
  SLURM_JOB_ID=$("$home/bin/squeue" -h -o %A)
  export SLURM_JOB_ID
  for i in 1 2 3; do
    "$home/bin/srun" -Q -N "$nodes" -n "$nodes" true || fail "a step failed (log: $cluster/log)"
  done
  idle=$(idle_of "$controller")
  before=$(cpu_of "$controller") first=$(date +%s%N)
  for ((i = 0; i < reps; i++)); do
    began=$(date +%s%N)
    "$home/bin/srun" -Q -N "$nodes" -n "$nodes" true || fail "a step failed (log: $cluster/log)"
    ended=$(date +%s%N)
    times+=($(((ended - began) / 1000)))
    until [ -z "$("$home/bin/squeue" -h -s | grep -vE '\.(extern|batch|interactive) ')" ]; do sleep 0.5; done
  done
  after=$(cpu_of "$controller") ended=$(date +%s%N)
  idle="$idle $(idle_of "$controller")"
  printf '%s\n' "${times[@]}" | sort -n | awk -v n="$nodes" -v r="$reps" -v b="$before" -v a="$after" \
    -v s=$((ended - first)) -v i="$idle" '
    {t[NR] = $1}
    END {split(i, each, " "); spare = (each[1] + each[2]) / 2
         printf "%6d nodes: srun true %9.1f ms (fastest %.1f), controller %7.2f ms of CPU a step\n",
         n, t[int((NR + 1) / 2)] / 1000, t[1] / 1000, (a - b - spare * s / 1e9) * 1000 / r}'
  unset SLURM_JOB_ID
  end_many
  cluster_down --dir "$cluster" >/dev/null
  cd "$home"
  rm -rf "$cluster"
  cluster=
}

bench_launch() {
  local nodes

  for nodes in ${NODES:-10 100 1000}; do
    measure_launch "$nodes" "${REPS:-5}"
  done
}
