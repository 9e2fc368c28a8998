package io.dure.simulator.scheduling;

import io.dure.controller.journal.JournalListener;
import io.dure.controller.loop.Foresight;
import io.dure.controller.loop.JournalStore;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.loop.Ticker;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Reply;
import io.dure.core.controller.decide.DependencyRules;
import io.dure.core.model.Batch;
import io.dure.core.model.Identity;
import io.dure.core.model.text.JobTexts;
import io.dure.core.scheduler.plan.Planner;
import io.dure.host.log.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Submissions to the controller's own loop, stored in a journal on this machine's disk, while its
 * scheduler plans for all of the queue again and again.
 */
final class LiveSubmissions {
  private static final long PAUSE_MILLIS = 5;
  private static final Caller WHO =
      new Caller.User(new Identity(1000, 100, "user0", "users"), List.of("users"), false);

  private final BenchCluster cluster;
  private final Foresight.@Nullable Seer seer;
  private final Timings passes = new Timings();
  private @Nullable Ticker ticker;
  private @Nullable Foresight foresight;

  LiveSubmissions(BenchCluster cluster) {
    this(cluster, null);
  }

  /**
   * Submissions to such a cluster.
   *
   * @param seer makes forecasts of all that wait meanwhile; null for none
   */
  LiveSubmissions(BenchCluster cluster, Foresight.@Nullable Seer seer) {
    this.cluster = cluster;
    this.seer = seer;
  }

  /** What is done with a loop whose scheduler plans meanwhile. */
  private interface Work {
    Timings on(StateLoop loop) throws InterruptedException;
  }

  /** How long the scheduler's passes took. */
  Timings passes() {
    return passes;
  }

  /** So many, 5 ms between one's answer and the next: how long each waited for its answer. */
  Timings run(int count) throws IOException, InterruptedException {
    return run((StateLoop loop) -> submit(loop, count));
  }

  /** So many, all at once: one time, of all together. */
  Timings rush(int count) throws IOException, InterruptedException {
    return run((StateLoop loop) -> submitAtOnce(loop, count));
  }

  private Timings run(Work work) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("dure-bench");
    Log log = Log.silent();
    long began = System.nanoTime();
    InstantSource clock = () -> cluster.now().plusNanos(System.nanoTime() - began);
    try (JournalStore store =
            JournalStore.open(
                    JournalStore.Place.of(directory), cluster.state().config(), new Troubled(), log)
                .store();
        StateLoop loop = new StateLoop(cluster.state(), store, clock, new Consequences(), log)) {
      Planner planner = new Planner();
      Ticker scheduling =
          new Ticker(
              loop,
              (state, now) ->
                  passes.time(() ->
                      planner.plan(
                          state,
                          now,
                          (job, task) -> DependencyRules.taskMayStart(state, job, task))),
              clock,
              log);
      ticker = scheduling;
      loop.start();
      scheduling.start();
      Foresight foreseeing =
          seer == null
              ? null
              : new Foresight(loop::published, seer, told -> note(loop, told), clock, log);
      foresight = foreseeing;
      try {
        if (foreseeing != null) {
          foreseeing.start();
        }
        return work.on(loop);
      } finally {
        if (foreseeing != null) {
          foreseeing.close();
        }
        scheduling.close();
      }
    } finally {
      delete(directory);
    }
  }

  private static void note(StateLoop loop, Command.NoteForecasts told) {
    try {
      loop.submit(told, new Caller.Self()).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("forecasts could not be stored", e);
    }
  }

  private Timings submitAtOnce(StateLoop loop, int count) throws InterruptedException {
    List<Future<Reply>> answers = new ArrayList<>(count);
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      answers.add(loop.submit(submission(), WHO));
    }
    try {
      for (Future<Reply> answer : answers) {
        answer.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a submission could not be stored", e);
    }
    Timings all = new Timings();
    all.add(System.nanoTime() - began);
    return all;
  }

  private Command submission() {
    return new Command.SubmitJob(
        cluster.next(),
        Batch.nothing("/tmp"),
        JobTexts.of("#!/bin/sh\nsleep 60\n", List.of("HOME=/home/user0")),
        null);
  }

  private Timings submit(StateLoop loop, int count) throws InterruptedException {
    Timings timings = new Timings();
    for (int i = 0; i < count; i++) {
      Command submission = submission();
      long began = System.nanoTime();
      try {
        // A job that is too wide for a small cluster is refused, which takes as long to decide.
        loop.submit(submission, WHO).get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a submission could not be stored", e);
      }
      timings.add(System.nanoTime() - began);
      Thread.sleep(PAUSE_MILLIS);
    }
    return timings;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** No nodes are there to be told anything. */
  private final class Consequences implements StateLoop.Consequences {
    @Override
    public void published(ClusterState state) {
      Ticker scheduling = ticker;
      if (scheduling != null) {
        scheduling.wake();
      }
      Foresight foreseeing = foresight;
      if (foreseeing != null) {
        foreseeing.wake();
      }
    }

    @Override
    public void perform(Effect effect, ClusterState state) {}
  }

  /** A disk that refuses ends the measurement. */
  private static final class Troubled implements JournalListener {
    @Override
    public void failed(IOException cause) {
      throw new java.io.UncheckedIOException(cause);
    }

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }
}
