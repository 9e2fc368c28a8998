"""Adds up the ranks of all workers with PyTorch's gloo: started by rendezvous.py as torch.distributed.run does it, or by srun itself."""

import os

import torch
import torch.distributed as dist

if "RANK" not in os.environ:  # by srun: what torch reads comes from what Slurm gives
    os.environ["RANK"] = os.environ["SLURM_PROCID"]
    os.environ["WORLD_SIZE"] = os.environ["SLURM_NTASKS"]
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
ranks = [torch.zeros(1, dtype=torch.int64) for _ in range(size)]
dist.all_gather(ranks, torch.tensor([rank]))
seen = sorted(int(one) for one in ranks)
if rank == 0:
    print("ranks of torch:", "right" if seen == list(range(size)) else seen, "of", size, flush=True)
dist.barrier()
dist.destroy_process_group()
