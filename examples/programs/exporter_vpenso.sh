#!/usr/bin/env bash
# The Prometheus exporter of vpenso: what it says about the nodes and the queue.
set -euo pipefail
"${BASH_SOURCE%/*}/exporter" github.com/vpenso/prometheus-slurm-exporter \
  -listen-address 127.0.0.1:18991 -- '^slurm_nodes_idle ' '^slurm_cpus_total [1-9]' '^slurm_queue_pending ' '^slurm_scheduler_threads '
