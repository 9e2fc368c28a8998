package io.dure.controller.completion;

import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.EndedJobReader;
import io.dure.model.command.Command;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.config.ControllerPrograms.Completion;
import io.dure.model.hook.HookBook;
import io.dure.surface.completion.CompletedJob;
import io.dure.surface.completion.CompletionDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Brings each job that ended to the place of JobCompType, in order, on a thread of its own: from
 * the position that the cluster's state has, which moves behind what is recorded. A place that does
 * not answer is tried again until it does.
 */
public final class CompletionDelivery implements AutoCloseable {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final EndedJobReader jobs;
  private final Supplier<ClusterState> state;
  private final Notes notes;
  private final InstantSource clock;
  private final Logger log;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;

  /** What the target was made from; of the thread, as what follows. */
  private @Nullable ControllerPrograms made;

  private @Nullable CompletionTarget target;
  private Instant noted = Instant.MIN;
  private String told = "";

  /** Where positions are kept. */
  public interface Notes {
    /** Returns once it is kept, or this controller leads no more. */
    void keep(Command.InternalCommand note) throws InterruptedException;
  }

  /** Delivers nothing before {@link #start}. */
  public CompletionDelivery(
      EndedJobReader jobs,
      Supplier<ClusterState> state,
      Notes notes,
      InstantSource clock,
      Logger log) {
    this.jobs = jobs;
    this.state = state;
    this.notes = notes;
    this.clock = clock;
    this.log = log;
    thread = Thread.ofPlatform().name("job-completions").daemon().unstarted(this::run);
  }

  /** This controller leads from now on. */
  public void start() {
    thread.start();
  }

  private void run() {
    Duration pause = SHORTEST;
    try {
      while (true) {
        try {
          follow();
          return;
        } catch (IOException | RuntimeException e) {
          log.error("JobCompType: the records of ended jobs cannot be read: " + e);
          Thread.sleep(pause);
          pause = longer(pause);
        }
      }
    } catch (InterruptedException e) {
      // closing
    } finally {
      discard();
    }
  }

  private void follow() throws IOException, InterruptedException {
    long seen = 0;
    long now = jobs.await(seen);
    long recorded = state.get().hooks().completed();
    long back = jobs.reachesBackTo();
    if (recorded > 0 && back > recorded) {
      log.error(
          "JobCompType: jobs are recorded up to event {}, and this controller's records reach back to"
              + " event {} alone: jobs that ended in between are left out",
          recorded,
          back);
    }
    try (EndedJobReader.Cursor cursor = jobs.behind(recorded)) {
      while (now > seen) {
        seen = now;
        List<EndedJobReader.Ended> next = cursor.next();
        while (next != null) {
          deliver(next);
          next = cursor.next();
        }
        now = jobs.await(seen);
      }
    }
  }

  private void deliver(List<EndedJobReader.Ended> ended) throws IOException, InterruptedException {
    int done = 0;
    Duration pause = SHORTEST;
    while (done < ended.size()) {
      if (over.getCount() == 0) {
        throw new InterruptedException("another controller may lead");
      }
      ControllerPrograms settings = state.get().settings().programs();
      if (settings.completion() == Completion.NONE) {
        return;
      }
      try {
        CompletionTarget place = target(settings);
        int next = (int) Math.min(ended.size(), (long) done + place.most());
        place.record(ended.subList(done, next).stream().map(one -> completed(one)).toList());
        done = next;
        if (!told.isEmpty()) {
          log.info("JobCompLoc takes records again");
          told = "";
        }
        pause = SHORTEST;
        if (done == ended.size() || !clock.instant().isBefore(noted.plus(SHORTEST))) {
          note(ended.get(done - 1).position(), place.fileLength());
        }
      } catch (IOException | RuntimeException e) {
        fail(settings, e);
        Thread.sleep(pause);
        pause = longer(pause);
      }
    }
  }

  private void note(long position, long fileLength) throws IOException, InterruptedException {
    noted = clock.instant();
    notes.keep(new Command.NoteCompletions(position, fileLength));
    jobs.release(position);
  }

  private void fail(ControllerPrograms settings, Exception e) {
    String why = e.getMessage() == null ? e.toString() : e.getMessage();
    // The same failure may tell other numbers each time.
    String kind = why.replaceAll("[0-9]+", "0");
    if (!kind.equals(told)) {
      log.error(
          "JobCompLoc ({}): {}: {}; ended jobs are kept and recorded later",
          settings.completionPlace(),
          e.getClass().getSimpleName(),
          why);
    }
    told = kind;
  }

  private CompletedJob completed(EndedJobReader.Ended ended) {
    ClusterState now = state.get();
    return CompletedJob.of(
        ended.job(),
        now.settings().controller().clusterName(),
        now.settings().resources().trackedTres(),
        ZoneId.systemDefault());
  }

  private CompletionTarget target(ControllerPrograms settings) throws IOException {
    CompletionTarget known = target;
    if (known != null && settings.equals(made)) {
      return known;
    }
    discard();
    HookBook book = state.get().hooks();
    boolean ownerOnly = !state.get().settings().controller().privateData().isEmpty();
    CompletionTarget fresh =
        switch (settings.completion()) {
          case FILE ->
              new FileTarget(place(settings), CompletedJob::line, book.fileLength(), ownerOnly);
          case JSON_LINES ->
              new FileTarget(place(settings), CompletionDocument::of, book.fileLength(), ownerOnly);
          case SCRIPT -> new ProgramTarget(settings.completionPlace(), log);
          case DOCUMENT, TOPIC -> new HttpTarget(settings, log);
          case NONE -> throw new IllegalStateException("there is no place");
        };
    made = settings;
    target = fresh;
    return fresh;
  }

  private static Path place(ControllerPrograms settings) {
    return Path.of(settings.completionPlace());
  }

  private void discard() {
    if (target != null) {
      target.close();
    }
    target = null;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
  }

  /** Ends; what is not recorded is so by the next one. */
  @Override
  public void close() {
    over.countDown();
    thread.interrupt();
    try {
      var _ = !thread.isAlive() || thread.join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
