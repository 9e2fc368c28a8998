# shellcheck shell=bash disable=SC2154
# The same situation set up on another scheduler and on Dure, and what each says of it. `home` is the root of the checkout,
# `BESIDE` the other's slurm.conf; its commands are those on PATH.
#
# A file of situations is blocks: "== TITLE"; commands, each of which must succeed; "! COMMAND", run once among these, and
# what it prints is compared; "? COMMAND", run until it prints the same again, which is compared too (without one: the
# jobs, their states and reasons); "- COMMAND", which undoes afterwards.

scenes=$home/libexec/bench.d/situations

# Lines of the shared configuration, as a cluster of this machine has them, with ports from one on.
situation_lines() {
  awk -v host="$(hostname -s)" -v port="$1" \
    '/^#/ { next } /^NodeName=/ { $0 = $0 " NodeHostname=" host " NodeAddr=127.0.0.1 Port=" ++port } { print }' \
    "$scenes/cluster.conf"
}

# The other cluster must be the one that the situations are about.
check_other() {
  local line
  while read -r line; do
    [[ $line = '#'* ]] || sed -E 's/ (NodeHostname|NodeAddr|Port)=[^ ]*//g' "$BESIDE" | grep -qxF -- "$line" \
      || fail "bench: $BESIDE lacks a line of $scenes/cluster.conf: $line"
  done <"$scenes/cluster.conf"
  SLURM_CONF=$BESIDE scontrol ping | grep -q UP || fail "bench: the cluster of $BESIDE does not answer"
}

start_situations() {
  local keys port
  cluster=$(mktemp -d)
  chmod 755 "$cluster"
  mkdir -p "$cluster"/{run,log,state,spool}
  for port in 27817 28817 29817 30817; do ! port_is_free "$port" || break; done
  keys=$(grep -oE '^[A-Za-z]+=' "$scenes/cluster.conf" | sort -u | paste -sd'|')
  {
    run_command make-config "$(sed -n 's/^ClusterName=//p' "$BESIDE")" "$cluster" "$port" 1 16 "$(id -un)" \
      | grep -vE "^($keys)"
    situation_lines "$port"
  } >"$cluster/slurm.conf"
  cp "$(dirname "$BESIDE")/gres.conf" "$cluster/gres.conf"
  cluster_up --dir "$cluster" >/dev/null
}

# on_dure / on_other COMMAND...: in a shell of its own, with that cluster's commands.
on_dure() { (cd / && export PATH=$home/bin:$PATH SLURM_CONF=$cluster/slurm.conf && trap - EXIT && "$@"); }
on_other() { (cd / && export SLURM_CONF=$BESIDE && trap - EXIT && "$@"); }

# One side of a situation: the commands of a file; what they say that is compared to standard output.
play() {
  local line ready=1
  # shellcheck source=libexec/bench.d/situations/words.sh
  . "$scenes/words.sh"
  set +e
  while read -r line; do
    case $line in
      '? '* | '- '*) ;;
      '! '*) eval "${line#! }" 2>&1 </dev/null | plain ;;
      *) eval "$line" >"$3.said" 2>&1 </dev/null || complain "CANNOT BE SET UP: $line" "$3.said" || ready= ;;
    esac
    [ -n "$ready" ] || break
  done < <(cat "$1")
  [ -z "$ready" ] || watch_situation "$(sed -n 's/^? //p' "$1")" "$2"
  clean || echo "CANNOT BE CLEANED"
  while read -r line; do
    eval "$line" >"$3.said" 2>&1 </dev/null || complain "CANNOT BE UNDONE: $line" "$3.said"
  done < <(sed -n 's/^- //p' "$1")
}

complain() {
  echo "$1: $(tail -n 2 "$2" | paste -sd' ')"
  return 1
}

# What a command prints once it stays the same, after some seconds.
watch_situation() {
  local seen='' last same=0
  sleep "$2"
  for _ in $(seq 40); do
    last=$seen
    seen=$(eval "${1:-jobs_now}" 2>&1 </dev/null | plain)
    [ "$seen" = "$last" ] && same=$((same + 1)) || same=0
    [ $same -lt 2 ] || break
    sleep 0.4
  done
  echo "$seen"
  [ $same -ge 2 ] || echo "DOES NOT COME TO REST"
  [ -z "$1" ] || [ -n "$seen" ] || echo "SAYS NOTHING"
}

# Accounts and limits of both clusters. What is there already is no fault: the first situation compares the outcome.
furnish_both() {
  local line
  while read -r line; do
    eval "$line" </dev/null
  done <"$scenes/cluster.txt"
}

# The jobs of a run that was interrupted: they would go on without the clusters' being asked.
end_situations() {
  [ "${what:-}" = situations ] && [ -s "$cluster/run/controller.pid" ] || return 0
  # shellcheck source=libexec/bench.d/situations/words.sh
  (. "$scenes/words.sh" && on_dure clean && on_other clean) >/dev/null 2>&1 || true
}

bench_situations() {
  local scene title agreed=0 all=0 failures='CANNOT BE |DOES NOT COME|SAYS NOTHING' work
  [ -n "${BESIDE:-}" ] || fail "bench: situations needs BESIDE=/path/slurm.conf of the cluster to compare with"
  [ "$(id -u)" = 0 ] || fail "bench: situations runs commands of alice and bob, so it needs root"
  check_other
  start_situations
  work=$cluster/scenes
  mkdir -p "$work"
  on_dure furnish_both >"$work/furnished" 2>&1 || true
  on_other furnish_both >>"$work/furnished" 2>&1 || true
  awk -v at="$work/" '/^== / { file = sprintf("%s%03d", at, ++n); print substr($0, 4) >(file ".title"); next }
    NF && !/^#/ { print >file }' "$scenes"/[0-9]*.txt
  for scene in "$work"/???; do
    title=$(cat "$scene.title")
    [[ -z "${ONLY:-}" || " $ONLY " = *" $((10#${scene##*/})) "* ]] || continue
    all=$((all + 1))
    on_other play "$scene" "${SETTLE:-2}" "$scene.other" >"$scene.theirs" 2>&1 &
    on_dure play "$scene" "${SETTLE:-2}" "$scene.dure" >"$scene.ours" 2>&1 || true
    wait $! || true
    if cmp -s "$scene.ours" "$scene.theirs" && ! grep -qE "$failures" "$scene.ours"; then
      agreed=$((agreed + 1))
      echo "agree   $((10#${scene##*/})) $title"
    else
      echo "DIFFER  $((10#${scene##*/})) $title"
      sed 's/^/          other: /' "$scene.theirs"
      sed 's/^/          dure:  /' "$scene.ours"
    fi
    [ -z "${VERBOSE:-}" ] || sed 's/^/          /' "$scene.ours"
  done
  echo "$agreed of $all agree"
  [ $((agreed * 100)) -ge $((all * ${FLOOR:-95})) ]
}
