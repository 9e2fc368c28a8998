# pip: snakemake snakemake-executor-plugin-slurm
# A workflow of Snakemake with its executor for Slurm: four rules that run side by side, one that sums up, one of two
# MPI-like tasks that the executor starts by srun, and one that fails. It asks sacct how jobs ended, and writes its report of how
# well they used what they had.
set -euo pipefail
rm -rf flow && mkdir flow && cd flow
# Inside a job the executor takes SLURM_CONF from srun, which then reads the file at the default place: a srun that knows better.
if [ -n "${SLURM_CONF:-}" ]; then
  mkdir bin
  printf '#!/bin/sh\nSLURM_CONF=%s exec %s "$@"\n' "$SLURM_CONF" "$(command -v srun)" >bin/srun
  chmod +x bin/srun
  PATH=$PWD/bin:$PATH
fi
cat >Snakefile <<'EOF'
rule all:
    input: "sum.txt", "tasks.txt"
rule count:
    output: "part{n}.txt"
    threads: 2
    resources: mem_mb=200, runtime=5
    shell: "seq $(( {wildcards.n} * 1000 + 1 )) $(( {wildcards.n} * 1000 + 1000 )) | awk '{{s += $1}} END {{print s}}' > {output}; "
           "test $SLURM_CPUS_PER_TASK = 2"
rule total:
    input: expand("part{n}.txt", n=range(4))
    output: "sum.txt"
    resources: mem_mb=200, runtime=5
    shell: "cat {input} | awk '{{s += $1}} END {{print s}}' > {output}"
rule tasks:
    output: "tasks.txt"
    resources: tasks=4, nodes=2, mpi="srun", mem_mb_per_cpu=100, runtime=5
    shell: "{resources.mpi} -n {resources.tasks} sh -c 'echo $SLURM_PROCID' | sort > {output}"
rule broken:
    output: "never.txt"
    resources: mem_mb=200, runtime=5
    shell: "exit 3"
EOF
run() {
  snakemake --executor slurm --slurm-init-seconds-before-status-checks 2 \
    --seconds-between-status-checks 1 --slurm-no-account --slurm-efficiency-report --slurm-efficiency-report-path report --jobs 8 --latency-wait 20 \
    --default-resources "slurm_partition=$PROGRAMS_PARTITION" -- "$1"
}
run all
[ "$(cat sum.txt)" = 8002000 ]
[ "$(tr '\n' ' ' <tasks.txt)" = "0 1 2 3 " ]
if run broken >broken.log 2>&1; then
  echo "a rule that fails was not noticed"
  exit 1
fi
grep -q "status is: 'FAILED'" broken.log
