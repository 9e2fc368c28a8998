package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Command;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepConsumption.OfTask;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a script has used is told with its end, though it was over before the first sample. */
@Tag("process")
class EndedUsageTest {
  private static final String READS = "head -c 20000000 /dev/zero > zeros; cat zeros | md5sum";

  @TempDir private Path root;

  private StepConsumption used(String script, String... lines) throws Exception {
    TestNode node = new TestNode(root, lines);
    FakeController controller = new FakeController();
    node.start(controller);
    try {
      controller.welcomeAll();
      controller.launch(new TestJob(12, script, node).build());
      return controller.hear(Command.StepEnded.class, _ -> true).end().consumption();
    } finally {
      node.end();
    }
  }

  private static void assertBetween(long least, long most, long amount) {
    assertTrue(least <= amount && amount <= most, () -> least + " <= " + amount + " <= " + most);
  }

  @Test
  void processorTimeIsToldByItself() throws Exception {
    StepConsumption used = used(READS);
    assertBetween(5_000L, 5_000_000L, used.userMicros() + used.systemMicros());
    assertNull(used.tasks());
  }

  @Test
  void aSiteThatGathersHasTheRest() throws Exception {
    StepConsumption used = used(READS, "JobAcctGatherType=jobacct_gather/linux");
    StepConsumption.TaskSums script = used.tasks();
    assertNotNull(script);
    assertEquals(1, script.count());
    OfTask most = script.memory().most();
    assertEquals("n10", most.node() + most.task());
    assertBetween(500L << 10, 100L << 20, most.amount());
    assertBetween(5_000L, used.userMicros() + used.systemMicros(), script.cpu().total());
    assertBetween(60_000_000L, 80_000_000L, script.read().total());
    assertBetween(40_000_000L, 50_000_000L, script.written().total());
  }
}
