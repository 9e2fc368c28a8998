# shellcheck shell=bash disable=SC2154
# How long a controller takes to start a queue of jobs on many nodes, which one process stands for. `home` is the root of
# the checkout, `cluster` the directory of the cluster.

emulation=
end_emulation() {
  [ -z "$emulation" ] || kill "$emulation" 2>/dev/null || true
  emulation=
}

# A directory for a cluster, `cluster`, and a port that is free, `port`, of those given.
new_cluster() {
  cluster=$(mktemp -d)
  chmod 755 "$cluster"
  mkdir -p "$cluster"/{run,log,state,spool}
  for port; do ! port_is_free "$port" || break; done
}

# Its controller and an agent, and no node daemon.
start_without_nodes() {
  dir=$cluster
  started=()
  start_controller
  "$home/sbin/dure-agent" -f "$dir/slurm.conf" -L "$dir/log/agent.log"
  export SLURM_CONF=$cluster/slurm.conf
  cd "$cluster"
}

# A cluster of so many nodes of 16 CPUs, of which no daemon runs, and the process that stands for them.
start_emulated() {
  local port dir
  new_cluster 27817 28817 29817 30817
  {
    run_command make-config bench "$cluster" "$port" 1 16 "$(id -un)" | grep -vE '^(NodeName|PartitionName)='
    printf '%s\n' MaxJobCount=2000000 MinJobAge=100000 \
      "NodeName=n[1-$1] CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000" \
      "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE"
  } >"$cluster/slurm.conf"
  start_without_nodes
  (find_jdk && exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx1g --enable-native-access=ALL-UNNAMED \
    -cp "$home/bench/target/lib/*:$home/bench/target/bench.jar" \
    io.dure.bench.emulatednodes.EmulatedNodesMain "$SLURM_CONF") >emulation &
  emulation=$!
  until grep -qs registered emulation; do
    kill -0 "$emulation" || fail "the process that stands for the nodes has ended"
    sleep 0.1
  done
}

# Options of jobs of mixed size, the same each time: 80 % one CPU, 14 % four, 5 % a node, 1 % two; 5 minutes to 8 hours.
mixed_jobs() {
  awk -v n="$1" 'BEGIN { srand(7); for (i = 0; i < n; i++) { r = rand(); s = "-n1"; if (r > .8) s = "-n4"
    if (r > .94) s = "-N1 -n16"; if (r > .99) s = "-N2 -n32"; print s, "-t", int(5 + rand() * 475) } }'
}

bench_starts() {
  local count=${COUNT:-5000} began at running=0 last=-1 looks=0
  start_emulated "${NODES:-1000}"
  "$home/bin/scontrol" update PartitionName=debug State=DOWN
  began=$(now)
  mixed_jobs "$count" | xargs -P 4 -L 1 "$home/bin/sbatch" -Q -o /dev/null --mem-per-cpu=100 --wrap 'sleep 3600'
  echo "$(now) $began $count" | awk '{printf "%d jobs submitted in %.1f s by processes, four at a time\n", $3, $1 - $2}'
  began=$(now)
  "$home/bin/scontrol" update PartitionName=debug State=UP
  while [ "$running" -lt "$count" ] && [ "$running" != "$last" ]; do
    # A pass takes less than the rest between two looks; what has not moved for four looks does not move.
    [ $((++looks % 4)) != 0 ] || last=$running
    sleep 0.5
    running=$("$home/bin/squeue" -h -t CF,R -o x | wc -l)
    at=$(now)
    echo "$at $began $running" | awk '{printf "  %.1f s: %d\n", $1 - $2, $3}'
  done
  echo "$at $began $running $count ${NODES:-1000}" \
    | awk '{printf "partition up: %d of %d jobs started on %d nodes after %.1f s\n", $3, $4, $5, $1 - $2}'
}
