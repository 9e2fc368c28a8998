package io.dure.core.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.core.config.PartitionConfig;
import io.dure.testkit.Cases;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A single task goes the short way to the node that it would get the long way. */
@Tag("pure")
class PlacerTest {
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
      Ledger ledger = Ledger.loaded(view, Estimates.LIMITS);
      PartitionConfig partition = view.partitions().getFirst();
      Need need = Feasibility.need(view, partition, new JobBuilder().spec().resources(), 1001);
      Candidates candidates = new Candidates();
      for (int i = 0; i < count; i++) {
        Slot slot = ledger.slot(i);
        if (slot.room(need) > 0) {
          candidates.add(i, slot.room(need), slot.freeCpus(), 0);
        }
      }
      if (candidates.count() > 0) {
        candidates.update(candidates.index(random.nextInt(candidates.count())), 0, 0, 0);
      }
      if (candidates.roomy() > 0) {
        assertEquals(
            Placer.general(need, ledger, candidates, ledger::slot),
            Placer.place(need, ledger, candidates, ledger::slot),
            "run " + run);
      }
    }
  }
}
