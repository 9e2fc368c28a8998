# pip: jax
# JAX finds its processes by Slurm's variables: four on two nodes, which add up an array that is spread over them.
set -euo pipefail
cat >add.py <<'EOF'
import os
import subprocess

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

first = os.environ["SLURM_STEP_NODELIST"]
first = subprocess.run(["scontrol", "show", "hostnames", first], capture_output=True, text=True).stdout.split()[0]
known = subprocess.run(["getent", "hosts", first], capture_output=True).returncode == 0
port = 20000 + int(os.environ["SLURM_JOB_ID"]) % 10000
jax.distributed.initialize(coordinator_address=None if known else f"127.0.0.1:{port}")  # else: one machine's nodes
assert jax.process_count() == 4 and jax.process_index() == int(os.environ["SLURM_PROCID"])
mesh = Mesh(np.array(jax.devices()), ("x",))
spread = NamedSharding(mesh, PartitionSpec("x"))
numbers = jax.make_array_from_callback((4000,), spread, lambda index: np.arange(4000, dtype=np.float32)[index])
total = jax.jit(lambda x: jnp.sum(x), out_shardings=NamedSharding(mesh, PartitionSpec()))(numbers)
if jax.process_index() == 0:
    print("sum", float(total), "of", len(jax.devices()), flush=True)
EOF
srun -p "$PROGRAMS_PARTITION" -N2 --ntasks-per-node=2 --mem-per-cpu=900M -t 5 env JAX_PLATFORMS=cpu python add.py | tee output
grep -x "sum 7998000.0 of 4" output
