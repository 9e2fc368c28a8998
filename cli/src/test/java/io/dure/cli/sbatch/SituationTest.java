package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.command.PendingReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The situations are what they say: the job in question waits, and for what it is about. */
@Tag("pure")
class SituationTest {
  @Test
  void eachWaitsForWhatItIsAbout() throws IOException {
    List<String> found = new ArrayList<>();
    for (String name : Situation.NAMES) {
      Situation situation = Situation.of(name);
      found.add(name + " " + situation.site().seen(Integer.parseInt(situation.asked())));
    }
    assertEquals(
        List.of(
            "full-cluster [waits Resources]",
            "wide-ahead [waits Priority]",
            "gpu-type [waits Resources]",
            "account-limit [waits AssocGrpGRES]",
            "licences [waits Licenses]",
            "drained-nodes [waits " + PendingReason.NODES_DOWN + "]",
            "maintenance [waits ReqNodeNotAvail, Reserved for maintenance]",
            "held [waits JobHeldAdmin]",
            "dependency [waits Dependency]",
            "array-throttle [waits JobArrayTaskLimit]",
            "partition-limit [waits PartitionTimeLimit]",
            "own-order [waits Priority]"),
        found);
  }
}
