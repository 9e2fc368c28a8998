#!/bin/bash
# A job that would work for ten minutes and has asked for one: state TIMEOUT.
# Ten seconds or so before its end it is told by SIGUSR1 and saves what it has.
#
#   sbatch examples/overtime.sh

#SBATCH --job-name=overtime
#SBATCH --mem=50M
#SBATCH --time=1
#SBATCH --signal=B:USR1@10
#SBATCH --output=overtime-%j.out

done=0
trap 'echo "time is nearly over: saved after $done rounds"' USR1
while [ $done -lt 600 ]; do
  done=$((done + 1))
  sleep 1
done
echo "all 600 rounds done"
