# pip: lightning torch numpy
# Lightning's SLURMEnvironment: trains a model by DDP in two tasks on each of two nodes. Meanwhile the job's tasks receive
# SIGUSR1, as before the end of its time: Lightning writes a checkpoint and requeues the job, whose second run goes on from there.
set -euo pipefail
rm -rf run && mkdir run && cd run
cat >train.py <<'EOF'
import os
import time

import lightning
import torch
from lightning.fabric.plugins.environments import SLURMEnvironment

WEIGHTS = torch.tensor([[2.0, -3.0, 0.5, 1.0]])


class Line(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, _):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.layer(x), y)
        self.log("loss", loss, sync_dist=True, on_step=False, on_epoch=True)
        return loss

    def on_train_epoch_start(self):
        run = os.environ.get("SLURM_RESTART_COUNT", "0")
        if self.trainer.is_global_zero:
            print("run", run, "epoch", self.current_epoch, flush=True)
        if run == "0" and self.current_epoch == 3:
            # Lightning handles the signal wherever a task is, and its checkpoint needs all of them.
            torch.distributed.barrier()
            time.sleep(60)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.2)


lightning.seed_everything(1)
x = torch.randn(4096, 4)
data = torch.utils.data.TensorDataset(x, x @ WEIGHTS.T + 7)
model = Line()
trainer = lightning.Trainer(
    accelerator="cpu", devices=2, num_nodes=2, strategy="ddp", max_epochs=40, logger=False,
    enable_progress_bar=False, enable_checkpointing=False, use_distributed_sampler=True,
)
assert isinstance(trainer.strategy.cluster_environment, SLURMEnvironment), trainer.strategy.cluster_environment
trainer.fit(model, torch.utils.data.DataLoader(data, batch_size=64))
assert trainer.world_size == 4 and trainer.current_epoch == 40, (trainer.world_size, trainer.current_epoch)
all_weights = trainer.strategy.all_gather(model.layer.weight.detach())
for weights in all_weights:
    assert torch.allclose(weights.reshape(1, 4), WEIGHTS, atol=1e-3), all_weights
if trainer.is_global_zero:
    print("trained", len(all_weights), "loss below 1e-4:", bool(trainer.callback_metrics["loss"] < 1e-4), flush=True)
EOF
cat >job.sh <<'EOF'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --mem-per-cpu=900M --time=10 --requeue --open-mode=append --output=output
# Nodes that share one machine have names that nothing resolves.
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
getent hosts "$first" >/dev/null || export MASTER_ADDR=127.0.0.1
export OMP_NUM_THREADS=1
srun python train.py
EOF
job=$(sbatch --parsable -p "$PROGRAMS_PARTITION" job.sh)
trap 'scancel "$job"' EXIT
# Waits until a line is in the output; not longer than the job lives.
await() {
  until grep -qs "$1" output; do
    [ -n "$(squeue -h -j "$job" 2>/dev/null)" ] || { cat output; echo "the job ended before '$1'"; exit 1; }
    sleep 0.5
  done
}
await "^run 0 epoch 3$"
scancel --signal=USR1 "$job"
await "^run 1 epoch"
if grep -q "^run 1 epoch 0$" output; then echo "the second run did not go on from the checkpoint"; exit 1; fi
await "^trained"
cat output
grep -x "trained 4 loss below 1e-4: True" output
