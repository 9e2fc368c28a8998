package io.dure.twin.trace;

import io.dure.cluster.ClusterState;
import io.dure.cluster.EventApplier;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalDump;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.TaskIndices;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a controller's journal how its cluster stood at a moment, and what came after. It only
 * reads, so the controller may run. Used once.
 */
public final class PointInTimeJournalReader implements JournalDump.Listener {
  private static final int TRIES = 3;

  private final Path directory;
  private final Instant at;
  private final SkippedRecordCounter left = new SkippedRecordCounter();
  private final JournalTraceReader after = new JournalTraceReader();
  private final TreeSet<Integer> cancelled = new TreeSet<>();
  private ClusterState state;
  private long known;
  private @Nullable Instant first;
  private @Nullable Instant newest;
  private boolean passed;

  /**
   * How a cluster stood, and what came of it.
   *
   * @param beginning what ran and waited, with the times that it ran where they are known; else as
   *     if it ran without end
   * @param came jobs that came after, in order
   * @param newest when the last thing happened that the journal tells of
   * @param left what was left out, by cause
   */
  public record PointInTime(
      InitialState beginning, List<TraceJob> came, Instant newest, List<SkippedRecords> left) {
    public PointInTime {
      came = List.copyOf(came);
      left = List.copyOf(left);
    }
  }

  private PointInTimeJournalReader(Path directory, Instant at, ClusterState state, long known) {
    this.directory = directory;
    this.at = at;
    this.state = state;
    this.known = known;
  }

  /**
   * Reads how a cluster stood.
   *
   * @param directory the StateSaveLocation of a controller
   * @param at the moment; {@link Instant#MAX} for the end of the journal
   * @throws TraceException if the journal cannot be read, or does not go back so far
   */
  public static PointInTime read(Path directory, Instant at) throws TraceException {
    for (int i = 1; ; i++) {
      try {
        return readOnce(directory, at);
      } catch (IOException | UncheckedIOException | UnreadableJournalException e) {
        // A controller that runs may have written, or deleted what is old, meanwhile.
        if (i == TRIES && e instanceof UnreadableJournalException unreadable) {
          throw new TraceException(unreadable.text());
        }
        if (i == TRIES && e instanceof JournalRefusedException) {
          throw new TraceException(String.valueOf(e.getMessage()));
        }
        if (i == TRIES) {
          throw new TraceException(
              directory.toString(),
              "the journal cannot be read: " + e.getMessage(),
              "name the StateSaveLocation of a controller, as a user who may read it");
        }
      }
    }
  }

  private static PointInTime readOnce(Path directory, Instant at)
      throws IOException, TraceException {
    List<JournalDump.State> snapshots = JournalDump.snapshots(directory);
    Instant goesBackTo = Instant.MAX;
    for (JournalDump.State snapshot : snapshots.reversed()) {
      PointInTimeJournalReader start =
          new PointInTimeJournalReader(directory, at, snapshot.state(), snapshot.sequence());
      JournalDump.each(directory, start);
      if (start.reachesBack() || at.equals(Instant.MAX)) {
        return start.found();
      }
      goesBackTo = earlier(goesBackTo, start.first);
    }
    if (snapshots.size() < 2) {
      ClusterState empty =
          ClusterState.initial(SlurmConfParser.parse("/slurm.conf", _ -> null).config());
      PointInTimeJournalReader start = new PointInTimeJournalReader(directory, at, empty, 0);
      JournalDump.each(directory, start);
      if (start.newest == null) {
        throw new TraceException(
            directory.toString(),
            "there is no journal of a controller in it",
            "name the StateSaveLocation of a controller");
      }
      if (start.reachesBack()) {
        return start.found();
      }
      goesBackTo = earlier(goesBackTo, start.first);
    }
    throw new TraceException(
        directory.toString(),
        "its journal goes back to " + goesBackTo.truncatedTo(ChronoUnit.SECONDS) + " only",
        "begin later, with --from; a journal keeps what is newer than its last snapshots but one");
  }

  private static Instant earlier(Instant a, @Nullable Instant b) {
    return b != null && b.isBefore(a) ? b : a;
  }

  /** Whether something is known of before the moment. */
  private boolean reachesBack() {
    return first != null && !first.isAfter(at);
  }

  @Override
  public void unknown(long sequence, int bytes, JournalRefusedException why) {
    if (sequence > known) {
      throw new UnreadableJournalException(String.valueOf(why.getMessage()));
    }
  }

  @Override
  public void event(long sequence, EventJournal.Timed timed) {
    if (newest == null && sequence > known + 1) {
      throw new UnreadableJournalException(
          directory
              + ": it begins with record "
              + sequence
              + ", and no snapshot that this program can read tells what was before; ask with the"
              + " release that wrote it, or restore the whole directory from a backup");
    }
    newest = timed.at();
    first = first == null && (sequence >= known) ? timed.at() : first;
    if (sequence <= known) {
      return;
    }
    if (!passed && timed.at().isAfter(at)) {
      pass();
    }
    if (passed) {
      after.event(sequence, timed);
    } else {
      apply(sequence, timed);
    }
  }

  /** An event that stands in the journal follows from those before it, unless some are gone. */
  private void apply(long sequence, EventJournal.Timed timed) {
    try {
      state = EventApplier.apply(state, timed.event());
    } catch (RuntimeException e) {
      throw new UnreadableJournalException(
          directory
              + ": record "
              + sequence
              + " does not follow from those before it ("
              + e
              + "); restore the whole directory from a backup");
    }
  }

  /** What follows is later than the moment. */
  private void pass() {
    passed = true;
    List<Job> jobs = new ArrayList<>(state.pending().values());
    jobs.addAll(state.active().values());
    after.goOn(jobs);
  }

  private PointInTime found() {
    if (!passed) {
      pass();
    }
    Instant end = newest == null ? Instant.EPOCH : newest;
    Instant moment = at.equals(Instant.MAX) ? end : at;
    Map<String, TraceJob> ran = new TreeMap<>();
    TreeSet<Integer> here = new TreeSet<>();
    List<TraceJob> came = new ArrayList<>();
    for (Job job : known()) {
      here.add(job.id());
    }
    for (JournalTraceReader.PartialJob draft : after.all()) {
      boolean array = draft.spec().arrayTasks() != null && !isTask(draft);
      if (after.isDropped(draft)) {
        cancelled.add(draft.id());
        continue;
      }
      TraceJob job = after.job(draft, end);
      if (draft.start() != null) {
        ran.put(key(draft), job);
      }
      TraceJob.Origin origin = draft.origin();
      boolean old = here.contains(draft.id()) || isTask(draft) && isKnown(here, origin);
      if (!old && !array && draft.ready()) {
        came.add(job);
      }
    }
    came.sort(Comparator.comparing(TraceJob::submit));
    List<InitialState.InitialJob> begun = new ArrayList<>();
    for (Job job : known()) {
      take(begun, job, ran, moment);
    }
    return new PointInTime(new InitialState(moment, state, begun), came, end, left.all());
  }

  private static boolean isKnown(Set<Integer> here, TraceJob.@Nullable Origin origin) {
    return origin != null && here.contains(origin.number());
  }

  private static boolean isTask(JournalTraceReader.PartialJob draft) {
    return draft.origin() != null && draft.origin().task() != null;
  }

  private static String key(JournalTraceReader.PartialJob draft) {
    TraceJob.Origin origin = draft.origin();
    return origin == null || origin.task() == null
        ? Integer.toString(draft.id())
        : key(origin.number(), origin.task());
  }

  private static String key(int array, int task) {
    return array + "_" + task;
  }

  /** What runs and waits, by id. */
  private List<Job> known() {
    List<Job> all = new ArrayList<>(state.pending().values());
    all.addAll(state.active().values());
    all.sort(Comparator.comparingInt(Job::id));
    return all;
  }

  private void take(
      List<InitialState.InitialJob> begun, Job job, Map<String, TraceJob> ran, Instant moment) {
    switch (job.state()) {
      case JobState.Pending pending -> {
        if (pending.hold() != Hold.NONE) {
          left.add("job that is held", 0);
        } else if (pending.dependencyFailed()) {
          left.add("job whose dependency can never be satisfied", 0);
        } else {
          wait(begun, job, ran, moment);
        }
      }
      case JobState.Running _ -> begun.add(one(job, job.displayId(), ran, moment));
      case JobState.Suspended stood -> {
        if (stood.cause() == JobState.Suspended.Cause.TIME_SLICE) {
          left.add("turns on shared cores: the job is taken to run on", 0);
          begun.add(one(job.withState(stood.run()), job.displayId(), ran, moment));
        } else {
          begun.add(one(job, job.displayId(), ran, moment));
        }
      }
      case JobState.Completing over -> {
        // Its nodes are taken to be clean.
        boolean waits =
            over.afterwards() != PostRunAction.END && over.afterwards() != PostRunAction.RECUR;
        if (waits && over.hold() == Hold.NONE) {
          JobState again = new JobState.Pending(Hold.NONE, null, List.of(), false, true);
          begun.add(one(job.withState(again), job.displayId(), ran, moment));
        }
      }
      case JobState.Ended _ -> {}
    }
  }

  /** A job that waits, or one for each task where the record stands for several. */
  private void wait(
      List<InitialState.InitialJob> begun, Job job, Map<String, TraceJob> ran, Instant moment) {
    if (cancelled.contains(job.id())) {
      left.add("job that was cancelled while it waited", 0);
    } else if (job.array() instanceof ArrayPart.Waiting waiting) {
      TaskIndices indices = waiting.waiting();
      for (int index : indices.toList()) {
        ArrayPart.Task task =
            new ArrayPart.Task(waiting.arrayJobId(), waiting.shape(), index, waiting.throttle());
        String name = key(waiting.arrayJobId(), index);
        begun.add(one(job.withArray(job.id(), task), name, ran, moment));
      }
    } else {
      begun.add(one(job, job.displayId(), ran, moment));
    }
  }

  private static InitialState.InitialJob one(
      Job job, String name, Map<String, TraceJob> ran, Instant moment) {
    Instant from = job.eligibleTime() == null ? job.submitTime() : job.eligibleTime();
    Instant submit = from.isAfter(moment) ? moment : from;
    String key =
        job.array() instanceof ArrayPart.Task task
            ? key(task.arrayJobId(), task.index())
            : Integer.toString(job.id());
    TraceJob known = ran.get(key);
    TraceJob traced =
        new TraceJob(
            name,
            submit.truncatedTo(ChronoUnit.SECONDS),
            known == null ? TraceJob.ENDLESS : known.run(),
            job.owner().userName(),
            new TraceJobRequest.SbatchRequest(job.spec()),
            JournalTraceReader.PartialJob.originOf(job),
            known == null ? Duration.ZERO : known.least());
    return new InitialState.InitialJob(traced, job);
  }
}
