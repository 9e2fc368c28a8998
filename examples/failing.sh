#!/bin/bash
# A job that ends with exit code 3: state FAILED, ExitCode 3:0.
#
#   sbatch examples/failing.sh

#SBATCH --job-name=failing
#SBATCH --mem=50M
#SBATCH --time=2
#SBATCH --output=failing-%j.out

echo "looking for data.csv"
echo "data.csv is not there: giving up" >&2
exit 3
