package io.dure.controller.script;

import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Programs of the controller that nothing waits for: so many at a time, so many behind them, and
 * what is more than that is left out and logged. Any thread may call; nothing blocks.
 */
public final class BackgroundPrograms implements AutoCloseable {
  private final String kind;
  private final ThreadPoolExecutor threads;
  private final Logger log;

  /**
   * One to run.
   *
   * @param title what to call it in messages: {@code ResumeProgram}
   * @param program its path
   * @param arguments what it is called with
   * @param environment all that it gets
   * @param timeout after which it is ended; null for never
   */
  public record Program(
      String title,
      String program,
      List<String> arguments,
      Map<String, String> environment,
      @Nullable Duration timeout) {}

  /**
   * Runs nothing yet.
   *
   * @param kind what threads and messages call the programs
   * @param atATime how many run beside each other
   * @param waiting how many wait
   */
  public BackgroundPrograms(String kind, int atATime, int waiting, Logger log) {
    this.kind = kind;
    this.log = log;
    threads =
        new ThreadPoolExecutor(
            atATime,
            atATime,
            5,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            Thread.ofVirtual().name(kind + "-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** Runs a program, at once or behind others; one too many is logged and left out. */
  public void run(Program program) {
    run(program.program() + " " + program.arguments(), () -> perform(program));
  }

  /**
   * The same for a program that something blocking is to be done for.
   *
   * @param what which program it is, for messages
   * @param task calls {@link #perform}
   */
  void run(String what, Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      if (!threads.isShutdown()) {
        log.error(
            "%s: %s is left out, %d wait already; check for programs that hang"
                .formatted(kind, what, threads.getQueue().size()));
      }
    }
  }

  /** Runs a program and waits for its end; of a task of these threads. */
  void perform(Program program) {
    ScriptRun run =
        new ScriptRun(
            program.title(),
            List.of(program.program()),
            program.arguments(),
            program.environment(),
            program.timeout(),
            null);
    try {
      switch (run.run()) {
        case ScriptResult.Succeeded _ -> {}
        case ScriptResult.Failed(String reason) -> log.error(reason);
        case ScriptResult.Ended(String reason) -> log.info(reason);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Begins nothing any more; what runs goes on without being watched. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
