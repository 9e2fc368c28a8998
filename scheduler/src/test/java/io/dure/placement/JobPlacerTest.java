package io.dure.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.config.PartitionConfig;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.dure.scheduler.JobBuilder;
import io.dure.scheduler.TestCluster;
import io.dure.scheduler.TestView;
import io.dure.testkit.Cases;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A single task goes the short way to the node that it would get the long way. */
@Tag("pure")
class JobPlacerTest {
  @Test
  void theShortWayLeadsWhereTheLongOneDoes() throws Exception {
    Random random = new Random(7 + Cases.seeds());
    for (int run = 0; run < Cases.of(3000); run++) {
      TestCluster cluster = new TestCluster();
      int count = random.nextInt(1, 12);
      for (int i = 1; i <= count; i++) {
        cluster.node("n" + i, 1, random.nextInt(1, 5), 1, 1000, random.nextInt(1, 3));
      }
      for (int i = random.nextInt(2 * count); i > 0; i--) {
        cluster.submit(j -> j);
      }
      cluster.schedule();
      TestView view = cluster.view();
      AllocationLedger ledger = AllocationLedger.loaded(view, RunTimeEstimates.LIMITS);
      PartitionConfig partition = view.partitions().getFirst();
      NodeDemand need =
          JobFeasibility.need(view, partition, new JobBuilder().spec().resources(), 1001);
      CandidateNodes candidates = new CandidateNodes();
      for (int i = 0; i < count; i++) {
        NodeLoad slot = ledger.slot(i);
        if (slot.taskCapacity(need) > 0) {
          candidates.add(i, slot.taskCapacity(need), slot.freeCpus(), 0);
        }
      }
      if (candidates.count() > 0) {
        candidates.update(candidates.index(random.nextInt(candidates.count())), 0, 0, 0);
      }
      if (candidates.roomy() > 0) {
        assertEquals(
            JobPlacer.general(need, ledger, candidates, ledger::slot),
            JobPlacer.place(need, ledger, candidates, ledger::slot),
            "run " + run);
      }
    }
  }
}
