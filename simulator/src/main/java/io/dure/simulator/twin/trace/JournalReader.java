package io.dure.simulator.twin.trace;

import io.dure.controller.journal.EventJournal;
import io.dure.controller.journal.JournalDump;
import io.dure.core.controller.Event;
import io.dure.core.model.JobSpec;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads the jobs of a cluster's own journal: what was asked for, when nothing but resources and
 * order kept it any more, and how long the last run took. Used once.
 */
final class JournalReader implements JournalDump.Listener {
  private final Map<Integer, Draft> drafts = new TreeMap<>();
  private final List<Draft> over = new ArrayList<>();
  private final SkipCount skips = new SkipCount();

  /** What is known of a job so far. */
  private record Draft(
      String name,
      String user,
      Instant submit,
      JobSpec spec,
      @Nullable Instant start,
      @Nullable Duration run) {

    Draft asking(JobSpec next) {
      return new Draft(name, user, submit, next, start, run);
    }

    Draft eligible(Instant at) {
      return new Draft(name, user, at, spec, start, run);
    }

    Draft started(Instant at) {
      return new Draft(name, user, submit, spec, at, null);
    }

    Draft ended(Instant at) {
      Duration lasted = start == null ? null : Duration.between(start, at);
      return new Draft(name, user, submit, spec, start, lasted);
    }

    Draft named(String next) {
      return new Draft(next, user, submit, spec, null, null);
    }
  }

  /** Reads what the journal in a directory still holds. */
  Trace read(Path directory) throws IOException, TraceException {
    JournalDump.each(directory, this);
    for (Draft draft : drafts.values()) {
      settle(draft);
    }
    String name = String.valueOf(directory.getFileName());
    if (over.isEmpty()) {
      throw new TraceException(
          directory.toString(),
          "no job in the journal came and ended",
          "a journal keeps what is newer than its last snapshots but one");
    }
    over.sort(Comparator.comparing(Draft::submit));
    List<TraceJob> jobs = new ArrayList<>(over.size());
    for (Draft draft : over) {
      jobs.add(job(draft));
    }
    return new Trace(name, jobs.getFirst().submit(), jobs, null, skips.all());
  }

  private static TraceJob job(Draft draft) {
    Duration run = draft.run() == null ? Duration.ZERO : draft.run();
    return new TraceJob(
        draft.name(),
        draft.submit().truncatedTo(ChronoUnit.SECONDS),
        Duration.ofSeconds(Math.max(0, run.plusMillis(500).toSeconds())),
        draft.user(),
        new Demand.Submission(draft.spec()));
  }

  private void settle(Draft draft) {
    if (draft.run() != null) {
      over.add(draft);
    } else {
      skips.add(draft.start() == null ? "never started" : "had not ended yet", 0);
    }
  }

  @Override
  public void unknown(long sequence, int bytes) {
    skips.add("a record of the journal that holds no events", 0);
  }

  @Override
  public void event(long sequence, EventJournal.Timed timed) {
    if (timed.event() instanceof Event.JobSubmitted e) {
      String user = e.owner().userName();
      drafts.put(
          e.jobId(), new Draft(Integer.toString(e.jobId()), user, e.at(), e.spec(), null, null));
    } else if (timed.event() instanceof Event.ArrayTaskSplit e) {
      Draft array = drafts.get(e.arrayJobId());
      if (array != null) {
        drafts.put(e.taskJobId(), array.named(e.arrayJobId() + "_" + e.taskIndex()));
      }
    } else if (timed.event() instanceof Event.JobUpdated e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.asking(e.spec()));
    } else if (timed.event() instanceof Event.JobEligible e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.eligible(e.at()));
    } else if (timed.event() instanceof Event.JobStarted e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.started(e.at()));
    } else if (timed.event() instanceof Event.JobEnding e) {
      drafts.computeIfPresent(e.jobId(), (_, draft) -> draft.ended(e.at()));
    } else if (timed.event() instanceof Event.JobsPurged e) {
      for (int id : e.jobIds()) {
        Draft draft = drafts.remove(id);
        if (draft != null) {
          settle(draft);
        }
      }
    }
  }
}
