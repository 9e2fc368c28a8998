package io.dure.bench.scheduling;

import io.dure.cluster.ClusterState;
import io.dure.cluster.TextStorage;
import io.dure.controller.loop.DecisionListener;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.loop.JournalEventStore;
import io.dure.controller.loop.ReplyListener;
import io.dure.controller.loop.SchedulerLoop;
import io.dure.controller.loop.StateLoop;
import io.dure.insight.worker.ForecastLoop;
import io.dure.insight.worker.ForecastSource;
import io.dure.journal.JournalListener;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * The controller's own loop with a journal on this machine's disk, while its scheduler plans for
 * all of the queue again and again, and, where asked for, its forecasts are kept up.
 */
final class LiveControllerLoop implements AutoCloseable {
  private final Path directory = Files.createTempDirectory("dure-bench");
  private final Timings passes = new Timings();
  private final JournalEventStore store;
  private final StateLoop loop;
  private final Planner planner = new Planner();
  private final SchedulerLoop scheduling;
  private final @Nullable ForecastLoop foreseeing;
  private Planner.Memory memory = Planner.Memory.none();

  /**
   * One that runs.
   *
   * @param source makes forecasts of all that wait meanwhile; null for none
   */
  LiveControllerLoop(BenchCluster cluster, @Nullable ForecastSource source) throws IOException {
    Logger log = NOPLogger.NOP_LOGGER;
    long began = System.nanoTime();
    InstantSource clock = () -> cluster.now().plusNanos(System.nanoTime() - began);
    store =
        JournalEventStore.open(
                JournalEventStore.Place.of(
                    directory, () -> TextStorage.IN_MEMORY, EventFollower.NONE),
                cluster.state().config(),
                new Troubled(),
                log)
            .store();
    loop = new StateLoop(cluster.state(), store, clock, new Consequences(), log);
    scheduling =
        new SchedulerLoop(loop, (state, now) -> passes.time(() -> plan(state, now)), clock, log);
    foreseeing =
        source == null ? null : new ForecastLoop(loop::published, source, this::note, clock, log);
    loop.start();
    scheduling.start();
    if (foreseeing != null) {
      foreseeing.start();
    }
  }

  private SchedulingPlan plan(ClusterState state, Instant now) {
    Planner.Planned planned =
        planner.plan(
            state, now, (job, task) -> DependencyResolver.taskMayStart(state, job, task), memory);
    memory = planned.memory();
    return planned.plan();
  }

  StateLoop loop() {
    return loop;
  }

  /** How long the scheduler's passes took. To be read when this is closed. */
  Timings passes() {
    return passes;
  }

  private void note(Command.NoteForecasts told) {
    try {
      loop.submit(
          told,
          new Caller.Self(),
          new ReplyListener() {
            @Override
            public void decided(Reply reply) {}

            @Override
            public void failed(Throwable failure) {}
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    if (foreseeing != null) {
      foreseeing.close();
    }
    scheduling.close();
    loop.close();
    store.close();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** No nodes are there to be told anything. */
  private final class Consequences implements DecisionListener {
    @Override
    public void published(ClusterState state) {
      scheduling.wake();
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
      throw new UncheckedIOException(cause);
    }

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }
}
