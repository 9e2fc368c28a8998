package io.dure.twin.trace;

import io.dure.cluster.Event;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.NodeShare;
import io.dure.model.job.PostRunAction;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The journal of a cluster of two nodes with four cores each, which ran some jobs. */
public final class WrittenJournal {
  /** When it begins: a midnight of UTC. */
  public static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");

  private static final UserIdentity ANN = new UserIdentity(7, 7, "ann", "users");
  private static final String CONF =
      """
      ClusterName=site
      SlurmctldHost=head
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core
      NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4
      NodeName=n2 CPUs=4 Sockets=1 CoresPerSocket=4
      PartitionName=main Nodes=ALL Default=YES MaxTime=10:00:00
      """;

  private final List<Event> events = new ArrayList<>();
  private final List<Instant> times = new ArrayList<>();

  private WrittenJournal() {}

  /** So many seconds after the begin. */
  public static Instant at(long second) {
    return BEGIN.plusSeconds(second);
  }

  private void add(long second, Event event) {
    events.add(event);
    times.add(at(second));
  }

  /** Writes it into a directory. */
  public static void write(Path directory) throws Exception {
    WrittenJournal journal = new WrittenJournal();
    journal.fill();
    JournalSettings settings = new JournalSettings(1 << 20, 1 << 24, Duration.ofMillis(10));
    try (Journal open = RecoveredJournal.open(directory, settings, new Quiet()).journal()) {
      for (int i = 0; i < journal.events.size(); i++) {
        List<Event> one = List.of(journal.events.get(i));
        var _ = open.append(EventJournal.records(journal.times.get(i), one)).get();
      }
    }
  }

  private void fill() throws Exception {
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", CONF).config();
    add(0, new Event.Configured(config, at(0)));
    add(0, new Event.NodeRegistered("n1", facts("n1"), at(0)));
    add(0, new Event.NodeRegistered("n2", facts("n2"), at(0)));
    submit(1, 10, "-n 4");
    start(1, 10, "n1");
    submit(2, 60, "-n 8");
    submit(3, 70, "-n 8");
    add(150, new Event.JobDropped(3, cancelled(), at(150), null));
    submit(4, 200, "-n 1");
    end(1, 310);
    start(2, 310, "n1");
    end(2, 360);
    start(4, 360, "n1");
    end(4, 420);
    submit(5, 300, "-n 4");
    start(5, 430, "n2");
    submitted(6, 500, "-n 1", Hold.USER);
    submit(7, 600, "-n 4 --array=3-5%2");
    add(610, new Event.ArrayTaskSplit(7, 3, 8));
    start(8, 610, "n1");
    end(8, 630);
    add(1000, new Event.JobWarned(5, 1));
  }

  private static JobOutcome cancelled() {
    return new JobOutcome.Cancelled(ExitStatus.OK, 0);
  }

  private void submit(int job, long second, String arguments) throws Exception {
    submitted(job, second, arguments, Hold.NONE);
    add(second, new Event.JobEligible(job, at(second)));
  }

  private void submitted(int job, long second, String arguments, Hold hold) throws Exception {
    Workload.BatchSpec batch = Workload.BatchSpec.nothing("/");
    long priority = hold == Hold.NONE ? 1000 - job : 0;
    add(
        second,
        new Event.JobSubmitted(
            job, at(second), ANN, spec(arguments), batch, priority, hold, List.of(), null, null));
  }

  private static JobSpec spec(String arguments) throws Exception {
    String line =
        "-dt 0 -e submit_batch_job | -sim-walltime 1 -J sum -p main -t 60 " + arguments + " x.sh\n";
    ByteArrayInputStream in = new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8));
    WorkloadTrace trace = TraceOpener.read("one.events", in, SwfReadOptions.PLAIN);
    return ((TraceJobRequest.SbatchRequest) trace.jobs().getFirst().demand()).spec();
  }

  private void start(int job, long second, String node) {
    Allocation place =
        new Allocation("main", List.of(new NodeShare(node, List.of(0, 1, 2, 3), 4, 0, 4)));
    Instant limit = at(second + 3600);
    add(second, new Event.JobStarted(job, 1, place, at(second), limit, false, false));
  }

  private void end(int job, long second) {
    JobOutcome outcome = new JobOutcome.Completed(ExitStatus.OK);
    add(
        second,
        new Event.JobEnding(job, 1, outcome, at(second), List.of(), PostRunAction.END, false));
    add(second, new Event.JobFinished(job));
  }

  private static NodeFacts facts(String name) {
    return new NodeFacts(
        "1", name, null, "x86_64", "Linux", 4, 1, 4, 1, 1, 0, List.of(), BEGIN, "boot", BEGIN,
        "none", List.of(), List.of(), List.of(), null);
  }

  /** Nothing happens that anybody would have to hear of. */
  static final class Quiet implements JournalListener {
    @Override
    public void failed(IOException cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable bug) {
      throw new AssertionError(bug);
    }
  }
}
