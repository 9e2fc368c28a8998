package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where GPUs lie does not hang on what the planner has seen before. */
@Tag("pure")
class GpuPlacementMemoryTest {
  private static final List<String> CLUSTER =
      List.of(
          "SchedulerParameters=gpu_placement=dure",
          "NodeName=a[1-3] CPUs=32 RealMemory=64000 Gres=gpu:a100:4,shard:16",
          "NodeName=t[1-3] CPUs=16 RealMemory=32000 Gres=gpu:t4:2");
  private static final List<String> DEVICES =
      List.of(
          "NodeName=a[1-3] Name=gpu Type=a100 Count=4",
          "NodeName=a[1-3] Name=shard Count=16",
          "NodeName=t[1-3] Name=gpu Type=t4 Count=2");
  private static final List<String> ASKED =
      List.of(
          "--gres=gpu:1",
          "--gres=gpu:a100:2",
          "--gres=gpu:t4:1",
          "--gres=gpu:4",
          "--gres=shard:1",
          "--gres=shard:3",
          "-N2 -n2 --gres=gpu:1",
          "--gpus=2 -N1");

  @Test
  void aPlannerThatHasSeenAllPlansLikeOneThatHasSeenNothing() {
    int started = 0;
    for (int world = 0; world < Cases.of(40); world++) {
      Random random = new Random(world + Cases.seeds());
      Site site = new Site(CLUSTER, DEVICES, List.of());
      Planner planner = new Planner();
      Planner.Memory memory = Planner.Memory.none();
      for (int step = 0; step < 40; step++) {
        String asked = ASKED.get(random.nextInt(ASKED.size())) + " -c" + (1 + random.nextInt(8));
        site.submit("alice", asked + " --mem=" + (1 + random.nextInt(8)) + "G");
        List<Integer> running = running(site);
        if (running.size() > 4) {
          site.end(running.get(random.nextInt(running.size())));
          site.end(running.getFirst());
        }
        SchedulingPlan fresh = Planner.once(site.state(), FakeContext.NOW);
        Planner.Planned planned =
            planner.plan(site.state(), FakeContext.NOW, ArrayTaskGate.OPEN, memory);
        memory = planned.memory();
        assertEquals(fresh.starts(), planned.plan().starts());
        started += fresh.starts().size();
        site.schedule();
      }
    }
    assertTrue(started > Cases.of(30), "only " + started + " starts were compared");
  }

  private static List<Integer> running(Site site) {
    List<Integer> running = new ArrayList<>();
    for (Job job : site.state().active().values()) {
      if (job.state() instanceof JobState.Running) {
        running.add(job.id());
      }
    }
    return running;
  }
}
