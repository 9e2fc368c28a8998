package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.record.AttemptId;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Tells slurmdbd which jobs that are not over in the books this cluster does not have, whenever
 * somebody asks for them on another cluster. A thread of its own, of the controller that leads.
 */
public final class RunawayTeller implements AutoCloseable {
  private static final Duration MARGIN = Duration.ofSeconds(20);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** After a failure; a slurmdbd of an older release fails always. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final SlurmdbdClient client;
  private final Supplier<ClusterState> states;
  private final RunawayJobs jobs;
  private final Logger log;
  private final Thread thread = new Thread(this::run, "runaway-teller");

  /** A teller that begins with {@link #start}. */
  public RunawayTeller(
      SlurmdbdClient client, Supplier<ClusterState> states, RunawayJobs jobs, Logger log) {
    this.client = client;
    this.states = states;
    this.jobs = jobs;
    this.log = log;
    thread.setDaemon(true);
  }

  /** Begins to wait for questions. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!Thread.interrupted()) {
        try {
          await();
        } catch (IOException e) {
          // That slurmdbd is away is said where records and accounts wait for it.
          log.debug("{} asks for no runaway jobs: {}", client.name(), e.getMessage());
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  private void await() throws IOException {
    ClusterState now = states.get();
    String cluster = now.settings().controller().clusterName();
    SlurmdbdReply reply =
        client.ask(
            new SlurmdbdRequest.AwaitRunawayQuestion(cluster, now.origin().name()),
            SlurmdbdReply.class,
            WireCodecs.LONGEST_WAIT.plus(MARGIN));
    // One that does not lead any more leaves it to the one that does, which is asked the same.
    boolean over = Thread.currentThread().isInterrupted();
    if (!over && reply instanceof SlurmdbdReply.RunawaysWanted(long question)) {
      var _ = client.ask(told(cluster, question), SlurmdbdReply.Done.class, LIMIT);
    }
  }

  private SlurmdbdRequest told(String cluster, long question) {
    long position = position(); // what it says is no older
    try {
      List<AttemptId> found = jobs.own().jobs().stream().map(RecordedJob::attempt).toList();
      return new SlurmdbdRequest.TellRunaways(question, cluster, found, null, position);
    } catch (IOException e) {
      return new SlurmdbdRequest.TellRunaways(
          question, cluster, List.of(), String.valueOf(e.getMessage()), position);
    }
  }

  private long position() {
    return states.get().origin().events();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
