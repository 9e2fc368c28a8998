# shellcheck shell=bash disable=SC2154
# What it costs that three controllers keep each submission instead of one: a cluster of each kind, measured in turns.
# `home` is the root of the checkout, `cluster` the cluster that runs; `lone` is the other.

# Rate, median and 99th percentile of acknowledgements, in milliseconds. The first of the controllers leads, so that both
# clusters are asked over a unix socket.
submission_rate() {
  SLURM_CONF=$1/slurm.conf run_command bench-submit "$2" "${COUNT:-20000}" -Q -H -o /dev/null --wrap true \
    | awk '{print $4, $5, $6}'
}

# Another scheduler's rate, by its own parallel sbatch processes.
other_rate() {
  local began=${EPOCHREALTIME/./}
  seq "${1:-1000}" | SLURM_CONF=$BESIDE xargs -P 16 -I{} sbatch -Q -H -o /dev/null --wrap true
  echo "$(($1 * 1000000 / (${EPOCHREALTIME/./} - began)))"
}

bench_replicas() {
  local connections turn other=
  lone=$cluster
  start
  start_group
  "$home/bin/scontrol" takeover 0 >/dev/null 2>&1 || true
  until_true "the first controller leads" first_leads
  # Young programs are slow ones.
  submission_rate "$lone" 16 >/dev/null
  submission_rate "$cluster" 16 >/dev/null
  for connections in ${CONNECTIONS:-1 4 16 64}; do
    : >rates
    for turn in $(seq "${REPS:-3}"); do
      [ -z "${BESIDE:-}" ] || other=$(other_rate 1000)
      echo "$turn $(submission_rate "$lone" "$connections") $(submission_rate "$cluster" "$connections") $other" >>rates
    done
    awk -v c="$connections" -v load_now="$(load)" '
      function middle(column,   i, j, t, v) {
        for (i = 1; i <= NR; i++) v[i] = all[i, column]
        for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (v[j] < v[i]) {t = v[i]; v[i] = v[j]; v[j] = t}
        return v[int((NR + 1) / 2)]
      }
      {for (i = 1; i <= NF; i++) all[NR, i] = $i; fields = NF}
      END {
        printf "%d connections, median of %d turns, load %s: one controller %.0f a second (p50 %.2f ms, p99 %.2f), ", c, NR, load_now, middle(2), middle(3), middle(4)
        printf "three %.0f (p50 %.2f, p99 %.2f), %.2f of it", middle(5), middle(6), middle(7), middle(5) / middle(2)
        if (fields > 7) printf "; the other %d by 16 parallel sbatch", middle(8)
        printf "\n"
      }' rates
  done
}

first_leads() { [ "$(leader)" = "$first" ]; }
