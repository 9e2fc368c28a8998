#!/usr/bin/env bash
# pip: reportseff
# A job that computes for some seconds, and how well it used its processor and its time by reportseff, which asks sacct.
set -euo pipefail
job=$(sbatch --parsable --wait -J efficient -t 1 -o efficient-%j.out \
  --wrap 'srun timeout 6 sh -c "while :; do :; done" || true')
for _ in $(seq 100); do
  row=$(reportseff --no-color --parsable --format jobid,state,cpueff,timeeff "$job" | tail -n 1)
  case $row in *'|COMPLETED|'*) break ;; esac
  sleep 0.2
done
echo "$row"
IFS='|' read -r id state processor limit <<<"$row"
[ "$id" = "$job" ] && [ "$state" = COMPLETED ]
[ "${processor%.*}" -ge 50 ] && [ "${limit%.*}" -ge 5 ]
