# shellcheck shell=bash disable=SC2154
# Three real controllers and four real node daemons on this machine, whose leader is killed under a constant load. `home`
# is the root of the checkout, `cluster` the directory in which all of it lives.

# "50% 99% most" of numbers.
spread() {
  sort -g | awk '{v[NR] = $1} END {printf "p50 %s, p99 %s, max %s", v[int(NR * 0.5 + 0.5)], v[int(NR * 0.99 + 0.99)], v[NR]}'
}

# The directory of a controller: the first has the cluster's own.
place() { if [ "$1" = "$first" ]; then echo "$cluster"; else echo "$cluster/$1"; fi; }

# Starts a controller that believes to be on a machine of that name.
start_member() {
  # shellcheck disable=SC2016 # for the shell in the namespace
  SLURM_CONF='' unshare --uts sh -c 'hostname "$1"; shift; exec "$@"' sh "$1" \
    "$home/sbin/slurmctld" -f "$(place "$1")/slurm.conf" || fail "the controller on $1 did not start"
}

# What an administrator copies to another machine: configuration, key, authority.
furnish() {
  mkdir -p "$cluster/$1"/{run,log,state}
  sed -e "/^StateSaveLocation/s|$cluster/|$cluster/$1/|; /^Slurmctld\(Pid\|Log\)File/s|$cluster/|$cluster/$1/|" \
    "$cluster/slurm.conf" >"$cluster/$1/slurm.conf"
  cp -p "$cluster/dure.key" "$cluster/$1/"
  cp -rp "$cluster/state/tls" "$cluster/$1/state/"
}

# Makes a group of the cluster that `start` has started, whose controller was alone.
start_group() {
  local host names pid
  unshare --uts true 2>/dev/null \
    || fail "several controllers on one machine take root and a host name for each (unshare --uts)"
  first=$(sed -n 's/^SlurmctldHost=\([^(]*\).*/\1/p' slurm.conf)
  names=("$first" c2 c3)
  cluster_down --dir "$cluster" >/dev/null
  sed -i '/^SlurmctldHost=/a SlurmctldHost=c2(127.0.0.2)\nSlurmctldHost=c3(127.0.0.3)' slurm.conf
  for host in c2 c3; do
    furnish "$host"
    start_member "$host"
  done
  cluster_up --dir "$cluster" >/dev/null
  members=("${names[@]}")
  until_true "all controllers have caught up" caught_up
}

end_group() {
  local host
  for host in "${members[@]:1}"; do
    end_daemon "$(place "$host")/run/controller.pid" slurmctld
  done
}

# Waits for a condition, at most two minutes.
until_true() {
  local tries=0
  until "${@:2}"; do
    tries=$((tries + 1))
    [ $tries -lt 2400 ] || fail "after two minutes still not: $1"
    sleep 0.05
  done
}

replicas() { "$home/bin/scontrol" show replicas 2>/dev/null; }

# All vote, and none is behind by more than the load makes in a moment.
caught_up() { [ "$(replicas | grep -cE 'Voting=YES Lag=[0-9]{1,2}$')" = ${#members[@]} ]; }

leader() { replicas | sed -n 's/^SlurmctldHost=\([^ ]*\) Role=LEADER.*/\1/p'; }

somebody_leads() { [ -n "$(leader)" ]; }

acknowledged() { cat acks.* 2>/dev/null | wc -l; }

acknowledged_at_least() { [ "$(acknowledged)" -ge "$1" ]; }

# The milliseconds from a time to the first acknowledgement of what was submitted after it.
first_after() {
  cat acks.* | awk -v since="$1" '$2 >= since && $3 != "" && (!found || $3 < found) {found = $3}
    END {if (found) printf "%.0f\n", (found - since) / 1000}'
}

# The milliseconds from a time to the moment in which another was elected.
elected_after() {
  local stamp
  stamp=$(cat "$cluster"/log/controller.log "$cluster"/c?/log/controller.log \
    | sed -n 's/^\[\([^]]*\)\] this controller leads, .*/\1/p' | sort | tail -n 1)
  echo $((($(date -d "$stamp" +%s%6N) - $1) / 1000))
}

acknowledged_after() { [ -n "$(first_after "$1")" ]; }

# Submissions through sbatch itself, each a process of its own.
sbatch_load() {
  local id asked
  trap - EXIT
  while [ -e loading ]; do
    asked=${EPOCHREALTIME/./}
    if id=$("$home/bin/sbatch" --parsable -o /dev/null -t 10 --mem=10 --wrap "echo \$SLURM_JOB_ID >> $cluster/ran"); then
      echo "$id $asked ${EPOCHREALTIME/./}"
    fi
    sleep 0.2
  done >"$1"
}

loaders=()
start_load() {
  local i
  : >ran
  chmod 666 ran
  : >loading
  run_command bench-load "${CLIENTS:-8}" "${PAUSE:-200}" loading -Q -o /dev/null -t 10 --mem=10 \
    --wrap "echo \$SLURM_JOB_ID >> $cluster/ran" >acks.open 2>complaints.open &
  loaders+=($!)
  for i in 1 2; do
    sbatch_load "acks.sbatch$i" 2>"complaints.sbatch$i" &
    loaders+=($!)
  done
}

end_load() {
  rm -f loading
  [ ${#loaders[@]} = 0 ] || wait "${loaders[@]}" || true
  loaders=()
}

# Jobs that run through all of it, one on each node, and what of them must stay as it is.
start_sleepers() {
  # shellcheck disable=SC2016 # for the job
  "$home/bin/sbatch" -Q -J sleeper -a 1-4 -N 1 -o /dev/null -t 600 --mem=10 \
    --wrap 'echo $SLURM_ARRAY_TASK_ID $$ >> sleepers; exec sleep 36000'
  until_true "the long jobs run" sleepers_run
  sleepers_seen >sleepers.before
}

sleepers_run() { [ -e sleepers ] && [ "$(wc -l <sleepers)" = 4 ]; }

sleepers_seen() {
  local task pid
  "$home/bin/scontrol" -o show job "$("$home/bin/squeue" -h -n sleeper -o %F | head -n 1)" \
    | sed 's/.*ArrayTaskId=\([0-9]*\).*JobState=\([A-Z]*\).*Restarts=\([0-9]*\).*StartTime=\([^ ]*\).*NodeList=\(n[0-9]\).*/\1 \2 \3 \4 \5/' | sort
  sort sleepers | while read -r task pid; do
    echo "$task runs as $pid since $(awk '{print $22}' "/proc/$pid/stat" 2>/dev/null || echo never)"
  done
}

end_sleepers() { [ ! -s sleepers ] || "$home/bin/scancel" -n sleeper; }

queue_is_empty() { [ "$("$home/bin/squeue" -h -r -o %j | grep -cv '^sleeper$')" = 0 ]; }

# One kill: waits for a moment under load, kills, measures, starts the dead again.
kill_leader() {
  local victim before since took elected next ready
  until_true "all controllers have caught up" caught_up
  before=$(acknowledged)
  until_true "the load goes on" acknowledged_at_least $((before + 20 + RANDOM % 60))
  until_true "somebody leads" somebody_leads
  victim=$(leader)
  before=$(cat "$(place "$victim")/run/controller.pid")
  since=${EPOCHREALTIME/./}
  kill -9 "$before"
  until_true "a submission is acknowledged" acknowledged_after "$since"
  took=$(first_after "$since")
  elected=$(elected_after "$since")
  next=$(leader)
  start_member "$victim"
  until_true "all controllers have caught up" caught_up
  ready=$(((${EPOCHREALTIME/./} - since) / 1000))
  echo "$took" >>failovers
  echo "kill $1: $victim; another elected after $elected ms, ${next:-?} leads; first new acknowledgement after $took ms, all three caught up after $ready ms, load $(load)"
}

elections() { cat "$cluster"/log/controller.log "$cluster"/c?/log/controller.log | grep -c 'this controller leads'; }

# Full load and no fault: nobody has a reason to elect another.
bench_elections() {
  local before clients
  start_group
  before=$(elections)
  : >loading
  run_command bench-load "${CLIENTS:-16}" 0 loading -Q -H -o /dev/null --wrap true >acks.open 2>complaints.open &
  clients=$!
  sleep "${SETTLE:-120}"
  echo "in ${SETTLE:-120} s $(acknowledged) acknowledged submissions over ${CLIENTS:-16} connections, load $(load); leaderships that nothing explains: $(($(elections) - before))"
  rm -f loading
  wait "$clients"
}

bench_failover() {
  local i seed=${SEED:-$RANDOM} lost twice reused unasked noticed needless
  RANDOM=$seed
  echo "seed $seed: ${KILLS:-50} kills of the leader, ${CLIENTS:-8} connections and 2 loops of sbatch submit meanwhile"
  start_group
  start_sleepers
  start_load
  for i in $(seq "${KILLS:-50}"); do
    kill_leader "$i"
  done
  end_load
  until_true "the queue is empty" queue_is_empty
  cat acks.* | cut -d' ' -f1 | sort >acknowledged
  sort ran >ran.sorted
  lost=$(comm -23 acknowledged ran.sorted | wc -l)
  unasked=$(comm -13 <(uniq acknowledged) <(uniq ran.sorted) | wc -l)
  twice=$(uniq -d ran.sorted | wc -l)
  reused=$(uniq -d acknowledged | wc -l)
  sleepers_seen >sleepers.after
  noticed=$(diff sleepers.before sleepers.after | grep -c '^[<>]' || true)
  needless=$(($(elections) - 1 - ${KILLS:-50}))
  end_sleepers
  echo "milliseconds from kill -9 to the first new acknowledgement: $(spread <failovers)"
  echo "${KILLS:-50} kills, $(wc -l <acknowledged) acknowledged jobs: lost $lost, ran twice $twice, ids given out again $reused, submitted twice $unasked"
  echo "4 jobs ran through all of it: changes of state, start, restarts, node or process $noticed; leaderships that no kill explains $needless"
  [ $((lost + twice + reused + unasked + noticed)) != 0 ] || return 0
  # shellcheck disable=SC2034 # read by what cleans up
  keep=1
  fail "a promise is broken: logs and records are in $cluster"
}
