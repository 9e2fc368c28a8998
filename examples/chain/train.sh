#!/bin/bash
# Second of the chain: works on what the first has made.

#SBATCH --job-name=train
#SBATCH --mem=50M
#SBATCH --time=2
#SBATCH --output=train-%j.out

set -e
awk '{ sum += $1 * $1 } END { print sum }' numbers.txt >sum.txt
sleep 2
echo "the sum of the squares stands in $PWD/sum.txt"
