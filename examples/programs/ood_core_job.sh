#!/usr/bin/env bash
# Submits, follows and ends jobs with ood_core, the library of Open OnDemand.
set -euo pipefail

command -v gem >/dev/null || { echo "ruby is not installed"; exit 77; }
export GEM_HOME=$PWD/gems
[ -d gems/specifications ] || gem install --no-document ood_core || { echo "ood_core cannot be had: gem install failed"; exit 77; }
ruby - <<'RUBY'
require 'ood_core'

cluster = `scontrol show config`[/^ClusterName *= (\S+)/, 1]
adapter = OodCore::Job::Factory.build(adapter: 'slurm', cluster: cluster, conf: ENV.fetch('SLURM_CONF'), bin: File.dirname(`command -v sbatch`.strip))
script = OodCore::Job::Script.new(content: "#!/bin/sh\necho $SLURM_JOB_NAME\n", job_name: 'ood', queue_name: ENV['PROGRAMS_PARTITION'],
                                  wall_time: 300, output_path: "#{Dir.pwd}/ood.out")
ran = adapter.submit(script)
held = adapter.submit(OodCore::Job::Script.new(content: "#!/bin/sh\nsleep 60\n", submit_as_hold: true))
abort "held: #{adapter.info(held).status}" unless adapter.info(held).status.held? || adapter.info(held).status.queued_held?
adapter.delete(held)
deadline = Time.now + 60
sleep 0.5 until adapter.status(ran).completed? || Time.now > deadline
abort "job #{ran}: #{adapter.status(ran)}" unless adapter.status(ran).completed? && File.read('ood.out') == "ood\n"
abort 'no nodes' if adapter.cluster_info.total_nodes.zero?
RUBY
