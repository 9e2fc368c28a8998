package io.dure.simulator.scheduling;

import io.dure.controller.journal.JournalListener;
import io.dure.controller.loop.JournalStore;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.loop.Ticker;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.decide.DependencyRules;
import io.dure.core.model.Identity;
import io.dure.core.model.text.JobTexts;
import io.dure.core.scheduler.plan.Planner;
import io.dure.host.log.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Submissions to the controller's own loop, stored in a journal on this machine's disk, while its
 * scheduler plans for all of the queue again and again.
 */
final class LiveSubmissions {
  private static final long PAUSE_MILLIS = 5;

  private final BenchCluster cluster;
  private @Nullable Ticker ticker;

  LiveSubmissions(BenchCluster cluster) {
    this.cluster = cluster;
  }

  /** So many, 5 ms between one's answer and the next: how long each waited for its answer. */
  Timings run(int count) throws IOException, InterruptedException {
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
                  planner.plan(
                      state, now, (job, task) -> DependencyRules.taskMayStart(state, job, task)),
              clock,
              log);
      ticker = scheduling;
      loop.start();
      scheduling.start();
      try {
        return submit(loop, count);
      } finally {
        scheduling.close();
      }
    } finally {
      delete(directory);
    }
  }

  private Timings submit(StateLoop loop, int count) throws InterruptedException {
    Timings timings = new Timings();
    Caller who =
        new Caller.User(new Identity(1000, 100, "user0", "users"), List.of("users"), false);
    for (int i = 0; i < count; i++) {
      Command submission =
          new Command.SubmitJob(
              cluster.next(),
              BenchCluster.batch(),
              JobTexts.of("#!/bin/sh\nsleep 60\n", List.of("HOME=/home/user0")),
              null);
      long began = System.nanoTime();
      try {
        // A job that is too wide for a small cluster is refused, which takes as long to decide.
        loop.submit(submission, who).get();
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
