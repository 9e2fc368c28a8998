package io.dure.controller.stored;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.RecentReplies;
import io.dure.cluster.RequestId;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.codec.RecordCodec;
import io.dure.testkit.cluster.ClusterBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A long queue fits into a small heap. */
@Tag("process")
class StateSizeTest {
  private static final int JOBS = 50_000;
  private static final int MOST_BYTES = 400;

  /** Only one in four leaves no dead wood behind. */
  private static final int COLLECTIONS = 4;

  private static final int MOST_BYTES_NAMED = 400;

  private final List<ClusterState> held = new ArrayList<>();
  private final RecordCodec<Command> commands = RecordCodec.of(Command.class);
  private final RecordCodec<Event> events = RecordCodec.of(Event.class);

  @Test
  void jobsAlikeShareWhatTheySay() {
    System.out.println("heap of a pending job: " + bytesOfAJob(false) + " bytes");
  }

  @Test
  void aSubmissionThatMayBeRepeatedTakesLittleMore() {
    System.out.println("heap of a pending job and its name: " + bytesOfAJob(true) + " bytes");
  }

  private long bytesOfAJob(boolean named) {
    held.add(queue(named));
    long bytes = bytesHeld() / JOBS;
    assertTrue(bytes < (named ? MOST_BYTES_NAMED : MOST_BYTES), bytes + " bytes a pending job");
    return bytes;
  }

  private ClusterState queue(boolean named) {
    String[] variables = new String[60];
    for (int i = 0; i < variables.length; i++) {
      variables[i] = "VARIABLE_" + i + "=" + "x".repeat(40);
    }
    Command.SubmitJob submission = job().held().environment(variables).submission();
    byte[] request = commands.encode(submission);
    ClusterState state =
        ClusterBuilder.of(1).set("MaxJobCount", String.valueOf(2 * JOBS)).start().state();
    for (int i = 0; i < JOBS; i++) {
      // As over the wire and out of the journal: nothing is the same object.
      Instant now = Instant.ofEpochSecond(1_800_000_000L + i);
      Command command = commands.decode(request);
      if (named && command instanceof Command.SubmitJob(var spec, var batch, var texts, _)) {
        String name = new RequestId(i * 0x9E3779B97F4A7C15L, i).toString();
        command = new Command.SubmitJob(spec, batch, texts, name);
      }
      List<Event> decided = CommandDecider.decide(state, command, ALICE, now).events();
      for (Event event : decided) {
        state = EventApplier.apply(state, events.decode(events.encode(event)));
      }
    }
    assertTrue(state.pending().size() == JOBS, "all are queued");
    return state;
  }

  @Test
  void anAnswerThatIsRememberedTakesLittle() {
    held.add(answers());
    long bytes = bytesHeld() / JOBS;
    assertTrue(bytes < 200, bytes + " bytes an answer");
    System.out.println("heap of an answer that is remembered: " + bytes + " bytes");
  }

  private ClusterState answers() {
    Instant at = Instant.ofEpochSecond(1_800_000_000L);
    ClusterState state = ClusterBuilder.of(1).start().state();
    for (int i = 0; i < JOBS; i++) {
      long random = i * 0x9E3779B97F4A7C15L;
      RequestId id = new RequestId(random, Long.rotateLeft(random, 32));
      Event event =
          new Event.ChangeAnswered(
              new RecentReplies.Entry(id, 1001, "HoldJob", new Reply.Done(), at.plusMillis(i)));
      state = EventApplier.apply(state, events.decode(events.encode(event)));
    }
    assertTrue(state.answers().all().size() == JOBS, "all are remembered");
    return state;
  }

  /** How much is free once what is held is not: earlier tests may leave something behind, too. */
  private long bytesHeld() {
    long with = used();
    held.clear();
    return with - used();
  }

  private static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
