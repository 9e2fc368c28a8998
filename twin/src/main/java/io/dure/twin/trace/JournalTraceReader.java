package io.dure.twin.trace;

import io.dure.cluster.Event;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalDump;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.rules.ArrayThrottle;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the jobs of a cluster's own journal: what was asked for, when nothing but resources and
 * order kept it any more, and how long the last run took; and whom they were charged to. Used once.
 */
final class JournalTraceReader implements JournalDump.Listener {
  private final Map<Integer, PartialJob> drafts = new TreeMap<>();
  private final Map<Integer, Integer> throttles = new TreeMap<>();
  private final List<PartialJob> over = new ArrayList<>();
  private final TreeSet<Integer> dropped = new TreeSet<>();
  private final SkippedRecordCounter skips = new SkippedRecordCounter();
  private AccountingTree accounts = AccountingTree.initial();
  private boolean charged;
  private long known;

  /**
   * What is known of a job so far.
   *
   * @param start of its last run, null before the first
   * @param stopped since when that run stands still, null if it does not
   * @param stood how long it has stood still
   * @param run how long its last run took, null while it is not over
   * @param ready whether nothing but resources and order kept it, once at least
   */
  @RecordBuilder
  record PartialJob(
      int id,
      String name,
      String user,
      Instant submit,
      JobSpec spec,
      TraceJob.@Nullable Origin origin,
      @Nullable Instant start,
      @Nullable Instant stopped,
      Duration stood,
      @Nullable Duration run,
      boolean ready)
      implements JournalTraceReaderPartialJobBuilder.With {

    static PartialJob of(Event.JobSubmitted e) {
      HetComponent het = e.het();
      TraceJob.Origin origin =
          het == null
              ? null
              : new TraceJob.Origin(
                  het.leader(), null, 0, new TraceJob.Component(het.offset(), het.size()));
      String name = Integer.toString(e.jobId());
      String user = e.owner().userName();
      return new PartialJob(
          e.jobId(), name, user, e.at(), e.spec(), origin, null, null, Duration.ZERO, null, false);
    }

    static PartialJob of(Job job) {
      Instant from = job.eligibleTime() == null ? job.submitTime() : job.eligibleTime();
      JobState.Running run = job.state().runningOrSuspended();
      Instant stopped =
          job.state() instanceof JobState.Suspended suspended ? suspended.since() : null;
      JobState.SuspensionTotals pauses = run == null ? null : run.pauses();
      Duration stood = pauses == null ? Duration.ZERO : pauses.total();
      return new PartialJob(
          job.id(),
          job.displayId(),
          job.owner().userName(),
          from,
          job.spec(),
          originOf(job),
          run == null ? null : run.start(),
          stopped,
          stood,
          null,
          job.eligibleTime() != null);
    }

    /** Where a job comes from, by the number that others know it by. */
    static TraceJob.Origin originOf(Job job) {
      HetComponent het = job.het();
      TraceJob.Component place =
          het == null ? null : new TraceJob.Component(het.offset(), het.size());
      Integer task = job.array() instanceof ArrayPart.Task one ? one.index() : null;
      return new TraceJob.Origin(job.baseId(), task, ArrayThrottle.limit(job.array()), place);
    }

    /** A requeued job arrived before. */
    PartialJob eligible(Instant at) {
      return start == null ? with().submit(at).ready(true).build() : this;
    }

    PartialJob started(Instant at) {
      return with().start(at).stopped(null).stood(Duration.ZERO).run(null).ready(true).build();
    }

    PartialJob suspended(Instant at) {
      return stopped == null ? withStopped(at) : this;
    }

    PartialJob resumed(Instant at) {
      Duration sum = stopped == null ? stood : stood.plus(Duration.between(stopped, at));
      return with().stopped(null).stood(sum).build();
    }

    PartialJob ended(Instant at) {
      PartialJob last = resumed(at);
      Duration lasted = start == null ? null : Duration.between(start, at).minus(last.stood);
      return last.withRun(lasted);
    }

    /** How long its last run has lasted that is not over by then. */
    Duration lasted(Instant then) {
      Instant from = start;
      if (from == null || run != null) {
        return Duration.ZERO;
      }
      Duration lasted = Duration.between(from, stopped == null ? then : stopped).minus(stood);
      return lasted.isNegative() ? Duration.ZERO : lasted;
    }

    PartialJob task(int next, int array, int index) {
      TraceJob.Origin task = new TraceJob.Origin(array, index, 0);
      String its = array + "_" + index;
      return new PartialJob(
          next, its, user, submit, spec, task, null, null, Duration.ZERO, null, ready);
    }
  }

  /** Whether a job went without having run; ids are those of the newest job of that number. */
  boolean isDropped(PartialJob draft) {
    return draft.start() == null && dropped.contains(draft.id());
  }

  /** Reads what the journal in a directory still holds. */
  WorkloadTrace read(Path directory) throws IOException, TraceException {
    JournalDump.State before = JournalDump.snapshot(directory);
    if (before != null) {
      known = before.sequence();
      accounts = before.state().accounts();
      charged = true;
    }
    JournalDump.each(directory, this);
    for (PartialJob draft : drafts.values()) {
      settle(draft);
    }
    String name = String.valueOf(directory.getFileName());
    if (over.isEmpty()) {
      throw new TraceException(
          directory.toString(),
          "no job in the journal came and ended",
          "a journal keeps what is newer than its last snapshots but one");
    }
    over.sort(Comparator.comparing(PartialJob::submit).thenComparingInt(PartialJob::id));
    List<TraceJob> jobs = new ArrayList<>(over.size());
    for (PartialJob draft : over) {
      jobs.add(job(draft, Instant.MAX));
    }
    AccountingTree tree = charged ? accounts : null;
    return new WorkloadTrace(name, jobs.getFirst().submit(), jobs, null, tree, skips.all());
  }

  /** Goes on from jobs that run or wait. */
  void goOn(List<Job> jobs) {
    for (Job job : jobs) {
      drafts.put(job.id(), PartialJob.of(job));
      if (job.array() != null) {
        throttles.put(job.baseId(), ArrayThrottle.limit(job.array()));
      }
    }
  }

  /** All jobs that it knows of: those that are over, then the others. */
  List<PartialJob> all() {
    List<PartialJob> all = new ArrayList<>(over);
    all.addAll(drafts.values());
    return all;
  }

  /**
   * The job of a trace that runs without end while that is not known.
   *
   * @param then when the journal ends
   */
  TraceJob job(PartialJob draft, Instant then) {
    Duration run = draft.run() == null ? TraceJob.ENDLESS : draft.run();
    return new TraceJob(
        draft.name(),
        draft.submit().truncatedTo(ChronoUnit.SECONDS),
        Duration.ofSeconds(Math.max(0, run.plusMillis(500).toSeconds())),
        draft.user(),
        new TraceJobRequest.SbatchRequest(draft.spec().unconditional()),
        origin(draft),
        draft.lasted(then));
  }

  /** With as many tasks at a time as the array allowed at last. */
  private TraceJob.@Nullable Origin origin(PartialJob draft) {
    TraceJob.Origin origin = draft.origin();
    return origin == null || origin.task() == null
        ? origin
        : new TraceJob.Origin(
            origin.number(), origin.task(), throttles.getOrDefault(origin.number(), 0));
  }

  private void settle(PartialJob draft) {
    if (draft.run() != null) {
      over.add(draft);
    } else {
      skips.add(draft.start() == null ? "never started" : "had not ended yet", 0);
    }
  }

  @Override
  public void unknown(long sequence, int bytes, JournalRefusedException why) {
    throw new UnreadableJournalException(String.valueOf(why.getMessage()));
  }

  @Override
  public void event(long sequence, EventJournal.Timed timed) {
    if (timed.event() instanceof Event.JobSubmitted e) {
      drafts.put(e.jobId(), PartialJob.of(e));
      throttle(e.jobId(), e.spec());
    } else if (timed.event() instanceof Event.ArrayTaskSplit e) {
      PartialJob array = drafts.get(e.arrayJobId());
      if (array != null) {
        drafts.put(e.taskJobId(), array.task(e.taskJobId(), e.arrayJobId(), e.taskIndex()));
      }
    } else if (timed.event() instanceof Event.ArrayThrottled e) {
      throttles.put(e.arrayJobId(), e.throttle());
    } else if (timed.event() instanceof Event.JobsPurged e) {
      for (int id : e.jobIds()) {
        PartialJob draft = drafts.remove(id);
        if (draft != null) {
          settle(draft);
        }
      }
    } else if (timed.event() instanceof Event.AccountingChanged e && sequence > known) {
      charge(e.changes());
    } else {
      run(timed.event());
    }
  }

  private void run(Event event) {
    if (event instanceof Event.JobUpdated e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.withSpec(e.spec()));
    } else if (event instanceof Event.JobEligible e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.eligible(e.at()));
    } else if (event instanceof Event.JobStarted e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.started(e.at()));
    } else if (event instanceof Event.JobSuspended e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.suspended(e.at()));
    } else if (event instanceof Event.JobResumed e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.resumed(e.at()));
    } else if (event instanceof Event.JobEnding e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.ended(e.at()));
    } else if (event instanceof Event.JobDropped e) {
      dropped.add(e.jobId());
    }
  }

  private void throttle(int id, JobSpec spec) {
    if (spec.arrayTasks() != null) {
      throttles.put(id, spec.arrayTasks().throttle());
    }
  }

  private void charge(List<AccountingChange> changes) {
    try {
      accounts = accounts.with(changes);
      charged = true;
    } catch (InvalidAccountingException e) {
      // What it builds on came before what the journal still holds.
      skips.add("a change of accounts: " + e.text(), 0);
    }
  }
}
