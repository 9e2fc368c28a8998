#!/usr/bin/env bash
# The Prometheus exporter of Rivos: what it says about the nodes, from the lines of JSON that it has sinfo print.
set -euo pipefail
"${BASH_SOURCE%/*}/exporter" github.com/rivosinc/prometheus-slurm-exporter -web.listen-address 127.0.0.1:18992 \
  -- '^slurm_cpus_total [1-9]' '^slurm_node_scrape_error 0'
