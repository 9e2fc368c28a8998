#!/bin/bash
# First of the chain: makes the data.

#SBATCH --job-name=prepare
#SBATCH --mem=50M
#SBATCH --time=2
#SBATCH --output=prepare-%j.out

set -e
seq 1 1000 >numbers.txt
sleep 2
echo "$(wc -l <numbers.txt) numbers stand in $PWD/numbers.txt"
