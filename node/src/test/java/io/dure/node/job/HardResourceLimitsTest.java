package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.node.launch.StepRlimit;
import io.dure.node.launch.StepRlimit.Resource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits that travel with a job meet those of the daemon. */
@Tag("pure")
class HardResourceLimitsTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max cpu time              unlimited            unlimited            seconds
      Max stack size            8388608              unlimited            bytes
      Max open files            1024                 4096                 files
      Max locked memory         65536                65536                bytes
      """;

  private static io.dure.model.request.PropagatedRlimit asked(String name, long soft) {
    return new io.dure.model.request.PropagatedRlimit(name, soft);
  }

  @Test
  void softLimitsGoNoHigherThanTheDaemonsHardOnes() {
    List<StepRlimit> limits =
        HardResourceLimits.parse(LIMITS)
            .lower(
                List.of(
                    asked("NOFILE", 100_000),
                    asked("MEMLOCK", -1),
                    asked("STACK", -1),
                    asked("CPU", 60),
                    asked("UNHEARD_OF", 1)));
    assertEquals(
        List.of(
            new StepRlimit(Resource.NOFILE, 4096, 4096),
            new StepRlimit(Resource.MEMLOCK, 65536, 65536),
            new StepRlimit(Resource.STACK, -1, -1),
            new StepRlimit(Resource.CPU, 60, -1)),
        limits);
  }

  @Test
  void ownLimitsCanBeRead() throws Exception {
    assertEquals(1, HardResourceLimits.ofThisProcess().lower(List.of(asked("CORE", 0))).size());
  }
}
