#!/bin/bash
# A computation of some seconds on one core: how many primes are there below a limit?
#
#   sbatch examples/compute.sh            # below 2,000,000
#   sbatch examples/compute.sh 5000000    # words after the script are the script's own

#SBATCH --job-name=compute
#SBATCH --ntasks=1
#SBATCH --mem=100M
#SBATCH --time=5
#SBATCH --output=compute-%j.out

limit=${1:-2000000}
echo "job $SLURM_JOB_ID on $SLURMD_NODENAME: primes below $limit"
awk -v limit="$limit" 'BEGIN {
  for (n = 2; n < limit; n++) {
    for (i = 1; i <= count && prime[i] * prime[i] <= n; i++) if (n % prime[i] == 0) break
    if (i > count || prime[i] * prime[i] > n) prime[++count] = n
  }
  print count
}'
