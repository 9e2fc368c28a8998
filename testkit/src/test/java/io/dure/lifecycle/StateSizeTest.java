package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.decide.Decider;
import io.dure.protocol.codec.RecordCodec;
import io.dure.testkit.cluster.ClusterBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A long queue fits into a small heap. */
class StateSizeTest {
  private static final int JOBS = 50_000;
  private static final int MOST_BYTES = 400;

  private final RecordCodec<Command> commands = RecordCodec.of(Command.class);
  private final RecordCodec<Event> events = RecordCodec.of(Event.class);

  @Test
  void jobsAlikeShareWhatTheySay() {
    String[] variables = new String[60];
    for (int i = 0; i < variables.length; i++) {
      variables[i] = "VARIABLE_" + i + "=" + "x".repeat(40);
    }
    Command.SubmitJob submission = job().held().environment(variables).submission();
    byte[] request = commands.encode(submission);
    ClusterState state =
        ClusterBuilder.of(1).set("MaxJobCount", String.valueOf(2 * JOBS)).start().state();
    long before = used();
    for (int i = 0; i < JOBS; i++) {
      // As over the wire and out of the journal: nothing is the same object.
      Instant now = Instant.ofEpochSecond(1_800_000_000L + i);
      List<Event> decided = Decider.decide(state, commands.decode(request), ALICE, now).events();
      for (Event event : decided) {
        state = Apply.apply(state, events.decode(events.encode(event)));
      }
    }
    long bytes = (used() - before) / JOBS;
    assertTrue(state.pending().size() == JOBS, "all are queued");
    assertTrue(bytes < MOST_BYTES, bytes + " bytes a pending job");
    System.out.println("heap of a pending job: " + bytes + " bytes");
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
