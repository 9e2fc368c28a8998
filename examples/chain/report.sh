#!/bin/bash
# Third of the chain: says what came of it.

#SBATCH --job-name=report
#SBATCH --mem=50M
#SBATCH --time=2
#SBATCH --output=report-%j.out

set -e
echo "the squares of 1 to 1000 sum up to $(cat sum.txt)"
