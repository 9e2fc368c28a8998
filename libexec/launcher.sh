# shellcheck shell=bash disable=SC2154
# Functions of the launcher. `home` is the root of the checkout.

fail() {
  echo "dure: $*" >&2
  exit 1
}

# Sets JAVA_HOME to a JDK 25 or newer: the one it names, the one on PATH, or one in the usual places.
find_jdk() {
  local candidate javac
  javac=$(command -v javac || true)
  for candidate in "${JAVA_HOME:-}" ${javac:+"$(dirname "$(dirname "$(readlink -f "$javac")")")"} \
    /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/jdk* /opt/java/* "$HOME"/.sdkman/candidates/java/*; do
    if [ -x "$candidate/bin/javac" ] && [ -f "$candidate/release" ] \
      && grep -qE '^JAVA_VERSION="(2[5-9]|[3-9][0-9])' "$candidate/release"; then
      export JAVA_HOME=$candidate
      return
    fi
  done
  fail "no JDK 25 found. Install one (Temurin 25, or your distribution's openjdk-25-jdk) or set JAVA_HOME."
}

# True if something that is built from is newer than the last build.
stale() {
  [ -f "$home/target/built" ] || return 0
  if [ -f /usr/include/security/pam_modules.h ] && [ ! -f "$home/node/target/pam_slurm_adopt.so" ]; then
    return 0
  fi
  [ -n "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main -newer "$home/target/built" -print -quit)" ]
}

# Builds the programs if something is stale; one build at a time.
build() {
  stale || return 0
  find_jdk
  command -v mvn >/dev/null || fail "Maven is missing. Debian: apt-get install maven"
  command -v cc >/dev/null || fail "a C compiler is missing (the node daemon's shepherd is written in C). Debian: apt-get install gcc libc6-dev"
  mkdir -p "$home/target/jvm"
  exec {lock}>"$home/target/build.lock"
  flock "$lock"
  if stale; then
    echo "Building Dure (the first time takes a minute or two) ..." >&2
    local log=$home/target/build.log begun=$home/target/begun
    touch "$begun"
    if ! (cd "$home" && mvn -q -B -ntp package -Dmaven.test.skip=true -Dspotless.check.skip=true \
      -pl controller,node,cli,agent,restd,bench -am) >"$log" 2>&1; then
      tail -n 40 "$log" >&2
      fail "the build failed; all of its output is in $log"
    fi
    [ -f "$home/node/target/pam_slurm_adopt.so" ] || sed -n '/build-shepherd: pam/,/apk add/{s/.*build-shepherd: //;p}' "$log" >&2
    # Each build copies every jar anew; one of a module that is gone would stay on the class path.
    find "$home/bench/target/lib" -name '*.jar' ! -cnewer "$begun" -delete
    # The kernel names a process after the file it was started from, so each role has its own copy of Java's
    # small launcher, which looks for its library in ../lib.
    local name
    ln -sfn "$JAVA_HOME/lib" "$home/target/lib"
    for name in slurmctld slurmdbd slurmd slurmrestd dure-command dure-agent; do
      cp "$JAVA_HOME/bin/java" "$home/target/jvm/$name.new"
      mv -f "$home/target/jvm/$name.new" "$home/target/jvm/$name"
    done
    make_man_pages
    record
    mv "$begun" "$home/target/built"
  fi
  exec {lock}>&-
}

# Writes the manual pages. Without them everything works as well, so no failure counts.
make_man_pages() {
  mkdir -p "$home/target/man/man1" "$home/target/man/man5"
  run_command make-man-pages "$home/target/man" "$home/docs/reference/settings.md" >>"$home/target/build.log" 2>&1 \
    || echo "There are no manual pages, as writing them failed; see $home/target/build.log" >&2
}

# Shows a manual page.
show_manual() {
  command -v man >/dev/null || fail "there is no man(1) on this machine; the pages are below $home/target/man"
  exec man -M "$home/target/man" "$@"
}

# True if the fault tests' programs are as new as what they are built from.
faults_built() {
  [ -f "$home/target/faults/built" ] || return 1
  [ -z "$(find "$home/faults/src/test/java" "$home/cluster/src/test/java" "$home/target/built" \
    -newer "$home/target/faults/built" -print -quit)" ]
}

# Compiles the fault tests' programs, which are no part of the build, against the built jars: some seconds.
build_faults() {
  build
  local classes=$home/target/faults sources=$home/faults/src/test/java
  local programs=$sources/io/dure/faults
  ! faults_built || return 0
  find_jdk
  exec {lock}>"$home/target/build.lock"
  flock "$lock"
  if faults_built; then
    exec {lock}>&-
    return 0
  fi
  rm -rf "$classes"
  mkdir -p "$classes"
  touch "$classes/begun"
  "$JAVA_HOME/bin/javac" -nowarn -proc:none -parameters -d "$classes" -sourcepath "$sources:$home/cluster/src/test/java" \
    -cp "$home/bench/target/lib/*" "$programs/ChaosMain.java" "$programs"/corruption/{CorruptionMain,ReleaseFixture}.java \
    >"$home/target/faults.log" 2>&1 || { cat "$home/target/faults.log" >&2; fail "the fault tests do not compile"; }
  mv "$classes/begun" "$classes/built"
  exec {lock}>&-
}

# Lets each program run once, in a cluster that is thrown away, and keeps what it had loaded by then: with that it starts
# in half the time. Without it everything works as well, so no failure counts. In a process of its own, which an
# interrupt ends together with what it has started.
record() {
  rm -f "$home"/target/jvm/*.aot "$home"/target/jvm/*.aot.new*
  (
    set +e
    place=$(mktemp -d) || exit 1
    trap 'end_recording "$place" KILL; trap - INT TERM HUP; kill -INT "$BASHPID"' INT TERM HUP
    (use_everything "$place")
    end_recording "$place" TERM
  ) >>"$home/target/build.log" 2>&1 </dev/null || true
  local cache missing=
  for cache in slurmctld slurmd dure-agent dure-command simulator; do
    cache=$home/target/jvm/$cache.aot
    [ -s "$cache.new" ] && mv "$cache.new" "$cache" || missing=1
  done
  rm -f "$home"/target/jvm/*.aot.new*
  [ -z "$missing" ] || echo "Some programs will start more slowly: a run that should show what they load failed; see $home/target/build.log" >&2
}

use_everything() {
  local i port
  unset_callers
  for port in 26417 27417 28417 29417 30417; do ! port_is_free "$port" || break; done
  DURE_RECORD=1 cluster_up --dir "$1" --nodes 1 --port "$port"
  export SLURM_CONF=$1/slurm.conf
  for i in $(seq 10); do
    "$home/bin/squeue"
    "$home/bin/squeue" --json
    "$home/bin/sinfo"
    "$home/bin/sbatch" -o /dev/null --wrap true
    "$home/bin/scontrol" show job "$i"
    "$home/bin/sbatch" -o /dev/null -H --wrap true
    "$home/bin/scancel" "$((i * 2))"
  done
  DURE_RECORD=1 DURE_AGENT='' "$home/bin/squeue"
  some_jobs >"$1/jobs.swf"
  (DURE_RECORD=1 run_simulate --trace "$1/jobs.swf" --order fcfs,sjf,dure --backfill easy --json >/dev/null)
}

# A log of a busy machine, in the standard workload format.
some_jobs() {
  awk 'BEGIN {
    srand(1); print "; MaxProcs: 100"
    for (i = 1; i <= 6000; i++) {
      run = int(exp(rand() * 10)) + 1; procs = 2 ^ int(rand() * 6)
      print i, time += int(rand() * 3000), -1, run, procs, -1, -1, procs, run * int(1 + rand() * 5), -1, 1, i % 40, 1, -1, 1, 1, -1, -1
    }
  }'
}

# What a user has set for his commands is not meant for those of the launcher.
unset_callers() {
  local name
  for name in $(compgen -e); do
    case $name in
      SLURM_* | SBATCH_* | SQUEUE_* | SINFO_* | SCONTROL_* | SCANCEL_* | DURE_AGENT | DURE_REQUEST_ID) unset "$name" ;;
    esac
  done
}

# Ends the cluster of a folder with a signal, and removes it. Writing the caches, all at once, takes some seconds.
end_recording() {
  local file pid pids=()
  for file in "$1"/run/*.pid; do
    read -r pid <"$file" && kill "-$2" "$pid" && pids+=("$pid")
  done
  for pid in ${pids[@]+"${pids[@]}"}; do
    for _ in $(seq 600); do
      runs "$pid" || break
      sleep 0.1
    done
    kill -KILL "$pid"
  done
  rm -rf "$1"
}

# Runs a function of the cli module by name.
run_command() {
  local name=$1
  shift
  "$home/target/jvm/dure-command" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    --enable-native-access=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
    -cp "$home/cli/target/lib/*:$home/cli/target/cli.jar" io.dure.cli.CliMain "$name" "$@"
}

# Whether books, records and journal of the controller of this machine agree.
run_accounting() {
  local own=${DURE_DIR:-$home/.dure/cluster}/slurm.conf
  [ -n "${SLURM_CONF:-}" ] || [ ! -f "$own" ] || export SLURM_CONF=$own
  find_jdk
  exec "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    -cp "$home/controller/target/lib/*:$home/controller/target/controller.jar" io.dure.controller.AccountingMain "$@"
}

# A whole cluster in one process, on virtual time.
run_chaos() { run_fault_test ChaosMain "$@"; }

# A program of the fault tests.
run_fault_test() {
  build_faults
  added=$home/target/faults run_simulator "io.dure.faults.$1" "${@:2}"
}

# The scheduler on a trace. Whoever looks at standard error sees how far it is.
run_simulate() { run_watched io.dure.twin.simulate.SimulateMain "$@"; }

# The scheduler from a moment on, as it is and as it would be: seconds, in which compiling well is not worth its time.
run_whatif() { run_watched -XX:TieredStopAtLevel=1 io.dure.whatif.WhatIfMain "$@"; }

run_watched() {
  local watched=false
  [ ! -t 2 ] || watched=true
  run_simulator -Ddure.watched=$watched "$@"
}

# A program of the simulator; `added` is where more of its classes are.
run_simulator() {
  find_jdk
  local cache=$home/target/jvm/simulator.aot learned=()
  if [ -n "${DURE_RECORD:-}" ]; then
    learned=("-XX:AOTCacheOutput=$cache.new")
  elif [ -s "$cache" ]; then
    learned=("-XX:AOTCache=$cache" "-Xlog:aot*=off" "-Xlog:cds*=off")
  fi
  # Without that bound the second compiler takes a quarter of a minute for each of three methods of the scheduler.
  exec "$JAVA_HOME/bin/java" ${learned[@]+"${learned[@]}"} -XX:+UseSerialGC -Xmx2g -XX:EscapeAnalysisTimeout=1 \
    --enable-native-access=ALL-UNNAMED \
    -cp "$home/bench/target/lib/*:$home/bench/target/bench.jar${added:+:$added}" "$@"
}

dure_version() {
  echo "dure $(sed -n 's/.*DURE = "\(.*\)".*/\1/p' "$home/protocol/src/main/java/io/dure/protocol/DureVersion.java")"
}

# Reads --dir, --nodes, --cpus, --port into dir, nodes, cpus, port.
cluster_options() {
  dir=${DURE_DIR:-$home/.dure/cluster} nodes=1 cpus=- port=
  while [ $# -gt 0 ]; do
    case $1 in
      --dir | --nodes | --cpus | --port)
        [ $# -ge 2 ] || fail "option $1 requires an argument"
        printf -v "${1#--}" '%s' "$2"
        shift 2
        ;;
      --dir=* | --nodes=* | --cpus=* | --port=*)
        local word=${1#--}
        printf -v "${word%%=*}" '%s' "${word#*=}"
        shift
        ;;
      *) fail "unknown option $1 (see ./dure help)" ;;
    esac
  done
  dir=$(readlink -m "$dir")
  [[ $nodes =~ ^[1-9][0-9]{0,3}$ ]] || fail "--nodes $nodes: give a number from 1 to 9999"
  [[ $cpus =~ ^(-|[1-9][0-9]*)$ ]] || fail "--cpus $cpus: give a number of CPUs"
  if [ -n "$port" ]; then
    if ! [[ $port =~ ^[1-9][0-9]{0,4}$ ]] || [ $((port + nodes)) -gt 65535 ]; then
      fail "--port $port: give a port, with room for the nodes' after it up to 65535"
    fi
  fi
}

# Whether a thread of a process runs. One that is dead and not buried yet does not, and in
# containers that may last; a process whose first thread is dead may have others at work. A thread
# for which SIGKILL waits (the ninth bit) is as good as dead. One that ends while it is looked at is no reason to fail.
runs() {
  { cat "/proc/$1/task/"*/status 2>/dev/null || true; } | awk '
    $1 == "State:" { living = $2 !~ /[ZX]/ }
    $1 == "SigPnd:" && living && $2 !~ /[13579bdf]..$/ { found = 1 }
    END { exit !found }'
}

# The pid in a file if that process lives and has the name, else nothing.
live_pid() {
  local pid
  [ -s "$1" ] || return 0
  read -r pid <"$1" || true
  if [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] && runs "$pid"; then echo "$pid"; fi
}

node_names() {
  run_command node-names "$dir/slurm.conf"
}

port_is_free() {
  ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# A port with room for the nodes' after it.
choose_port() {
  local candidate
  if [ -n "$port" ]; then
    port_is_free "$port" || fail "port $port is in use: end whoever has it or choose another with --port"
    return
  fi
  for candidate in 6817 16817 26817 36817 46817; do
    if port_is_free "$candidate"; then
      port=$candidate
      return
    fi
  done
  fail "none of the usual ports is free: choose one with --port"
}

make_cluster() {
  mkdir -p "$dir" 2>/dev/null || fail "cannot make $dir: no permission? Choose another with --dir"
  [ -w "$dir" ] || fail "no permission to write in $dir: choose another with --dir"
  local free
  free=$(df -Pm "$dir" | awk 'NR==2{print $4}')
  [ "$free" -ge 200 ] || fail "only $free MiB are free in $dir, at least 200 are needed: make room or choose another with --dir"
  choose_port
  mkdir -p "$dir/run" "$dir/log" "$dir/state" "$dir/spool"
  chmod 755 "$dir" "$dir/run" "$dir/spool"
  run_command make-config dure "$dir" "$port" "$nodes" "$cpus" "$(id -un)" >"$dir/slurm.conf.new" \
    || fail "could not describe this machine"
  mv "$dir/slurm.conf.new" "$dir/slurm.conf"
}

# Starts controller and node daemons that do not run; says so if all do. Nothing stays half started.
cluster_up() {
  local dir nodes cpus port names reading started=()
  cluster_options "$@"
  [ -f "$dir/slurm.conf" ] || make_cluster
  # One JVM more, while the controller's starts.
  names=$dir/run/names
  node_names >"$names.new" && mv "$names.new" "$names" &
  reading=$!
  start_controller
  wait "$reading" || fail "the names of the nodes cannot be read from $dir/slurm.conf"
  start_missing
  await_nodes
  if [ ${#started[@]} -eq 0 ]; then
    echo "The cluster in $dir is whole: nothing to start."
  else
    echo "Started in $dir: ${started[*]}"
  fi
  echo "Next: eval \"\$($home/dure env$([ "$dir" = "$home/.dure/cluster" ] || printf ' --dir %q' "$dir"))\" && sinfo"
}

start_controller() {
  [ -z "$(live_pid "$dir/run/controller.pid" slurmctld)" ] || return 0
  "$home/sbin/slurmctld" -f "$dir/slurm.conf" || fail "the controller did not start (log: $dir/log)"
  started+=(controller)
}

# Starts what does not run, and adds its names to `started`: the controller first, which makes the key that all others
# need, then the others at once.
start_missing() {
  local name failed=() begun=() i
  local -a pids=()
  start_controller
  if [ -z "$(live_pid "$dir/run/agent.pid" dure-agent)" ]; then
    "$home/sbin/dure-agent" -f "$dir/slurm.conf" -L "$dir/log/agent.log" &
    pids+=($!) begun+=(agent)
  fi
  while read -r name; do
    if [ -z "$(live_pid "$dir/run/node-$name.pid" slurmd)" ]; then
      "$home/sbin/slurmd" -N "$name" -f "$dir/slurm.conf" &
      pids+=($!) begun+=("$name")
    fi
  done <"$names"
  for i in "${!pids[@]}"; do
    wait "${pids[i]}" || failed+=("${begun[i]}")
  done
  if [ ${#failed[@]} -gt 0 ]; then
    [ "${started[0]:-}" != controller ] || cluster_down --dir "$dir" >&2
    fail "${failed[*]} did not start (log: $dir/log); what this command had started is stopped"
  fi
  for name in "${begun[@]}"; do
    [ "$name" = agent ] && [ "${started[0]:-}" = controller ] || started+=("$name")
  done
}

# Waits until each node has registered, and starts what dies meanwhile.
await_nodes() {
  local wanted seen before tries=0
  wanted=$(wc -l <"$names")
  while [ $tries -lt 300 ]; do
    seen=$(unset_callers; SLURM_CONF=$dir/slurm.conf "$home/bin/sinfo" -h -N -o '%N %T' 2>/dev/null | sort -u | grep -vcE '[*]|unk' || true)
    before=${#started[@]}
    start_missing
    [ "$seen" -ge "$wanted" ] && [ "$before" -eq ${#started[@]} ] && return
    tries=$((tries + 1))
    sleep 0.1
  done
  echo "dure: not all nodes have registered yet; see $dir/log" >&2
}

end_daemon() {
  local pid
  pid=$(live_pid "$1" "$2")
  [ -n "$pid" ] || return 0
  kill -TERM "$pid" 2>/dev/null || ! runs "$pid" || fail "no permission to stop $2 (process $pid)"
  local tries=0
  while runs "$pid" && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
  done
  kill -KILL "$pid" 2>/dev/null || true
}

cluster_down() {
  local dir nodes cpus port name
  cluster_options "$@"
  [ -f "$dir/slurm.conf" ] || fail "there is no cluster in $dir"
  for name in $(node_names); do
    end_daemon "$dir/run/node-$name.pid" slurmd
  done
  end_daemon "$dir/run/agent.pid" dure-agent
  end_daemon "$dir/run/controller.pid" slurmctld
  echo "Stopped the cluster in $dir. Jobs that ran go on; ./dure up finds them again."
}

cluster_env() {
  local dir nodes cpus port
  cluster_options "$@"
  [ -f "$dir/slurm.conf" ] || fail "there is no cluster in $dir: ./dure up starts one"
  # shellcheck disable=SC2016
  printf 'export PATH=%q:%q:"$PATH"\n' "$home/bin" "$home/sbin"
  # The colon at the end stands for where pages are in any case.
  # shellcheck disable=SC2016
  printf 'export MANPATH=%q:"${MANPATH:-}"\n' "$home/target/man"
  printf 'export SLURM_CONF=%q\n' "$dir/slurm.conf"
  # shellcheck disable=SC2016
  printf 'case ${BASH_VERSION:+$-} in *i*) . %q ;; esac\n' "$home/share/bash-completion/dure"
}
