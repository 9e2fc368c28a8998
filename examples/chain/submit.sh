#!/bin/bash
# Three jobs, each of which waits for the one before it to end well. Prints their ids.
# Not a batch script: run it where the results shall lie.
#
#   mkdir -p ~/chain && cd ~/chain && PATH_TO/examples/chain/submit.sh

set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

prepare=$(sbatch --parsable "$here/prepare.sh")
train=$(sbatch --parsable --dependency="afterok:$prepare" "$here/train.sh")
report=$(sbatch --parsable --dependency="afterok:$train" "$here/report.sh")
echo "$prepare $train $report"
