# pip: lightning torch numpy
# torchrun on each of two nodes, started by srun: they meet at the first node and train a model in two workers each.
set -euo pipefail
cat >train.py <<'EOF'
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
assert world == 4 and int(os.environ["LOCAL_WORLD_SIZE"]) == 2, (world, os.environ["LOCAL_WORLD_SIZE"])
torch.manual_seed(rank)
weights = torch.tensor([[1.0, -2.0, 3.0]])
model = DistributedDataParallel(torch.nn.Linear(3, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for _ in range(200):
    x = torch.randn(64, 3)
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), x @ weights.T + 5).backward()
    optimizer.step()
places = [None] * world
dist.all_gather_object(places, (os.environ["SLURMD_NODENAME"], model.module.weight.tolist()))
assert len({node for node, _ in places}) == 2, places
assert all(found == places[0][1] for _, found in places), places
assert torch.allclose(model.module.weight, weights, atol=1e-3), model.module.weight
if rank == 0:
    print("trained on", world, flush=True)
dist.destroy_process_group()
EOF
cat >job.sh <<'EOF'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --cpus-per-task=2 --mem-per-cpu=900M --time=5
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
getent hosts "$first" >/dev/null || first=127.0.0.1 # nodes that share one machine
export OMP_NUM_THREADS=1
srun torchrun --nnodes="$SLURM_NNODES" --nproc-per-node="$SLURM_CPUS_PER_TASK" --rdzv-id="$SLURM_JOB_ID" \
  --rdzv-backend=c10d --rdzv-endpoint="$first:$((15000 + SLURM_JOB_ID % 10000))" train.py
EOF
sbatch --wait -p "$PROGRAMS_PARTITION" -o output job.sh || { cat output; exit 1; }
cat output
grep -x "trained on 4" output
