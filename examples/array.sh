#!/bin/bash
# One script, many inputs: a task for each index, at most three at a time.
#
#   sbatch examples/array.sh
#   squeue -r                             # a line for each task
#   scancel JOBID_4                       # one of them

#SBATCH --job-name=array
#SBATCH --array=1-6%3
#SBATCH --mem=50M
#SBATCH --time=2
#SBATCH --output=array-%A_%a.out

inputs=(spring summer autumn winter noon midnight)
input=${inputs[$((SLURM_ARRAY_TASK_ID - 1))]}
echo "task $SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT works on $input"
sleep 3
