package io.dure.node.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Starts steps, one shepherd process each, and finds those again that an earlier daemon started.
 *
 * <p>The shepherd holds a lock on a file of the step's directory as long as it lives. That lock,
 * not a pid, is how a later daemon learns that it is alive and, by waiting for it, when it ends: at
 * once, without polling, and without mistaking another process or a zombie for it. Any thread may
 * use it.
 */
public final class Shepherd {
  /**
   * How long the processes of a lost step are killed again and again before they are reported as
   * survivors.
   */
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

  /** Exit statuses of a shepherd that did not get as far as to start the step. */
  private static final int FAILED = 1;

  private static final int NO_SPACE = 2;

  private static final Executor CONCLUSIONS = Executors.newVirtualThreadPerTaskExecutor();

  private final Path program;

  /** Uses the shepherd program at that path. */
  public Shepherd(Path program) {
    this.program = program.toAbsolutePath();
  }

  /** A program that lies beside it. */
  public Path sibling(String name) {
    return program.resolveSibling(name);
  }

  /**
   * Starts the step of that directory.
   *
   * @throws IOException when the shepherd cannot be started at all; the step has not run then and
   *     never will
   */
  public RunningStep start(StepDirectory directory) throws IOException {
    StepIdentity identity = directory.identity();
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), directory.path().toString())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    Process process = builder.start();
    CompletableFuture<StepExit> exit =
        process
            .onExit()
            .thenApplyAsync(
                ended -> concluded(directory, identity, ended.exitValue()), CONCLUSIONS);
    return new RunningStep(directory, identity, exit);
  }

  /**
   * Takes over a step that an earlier daemon started. Whatever became of it meanwhile, its exit
   * completes: at once with the exit record if it has ended, with {@link StepExit.Lost} if its
   * shepherd is gone without one or had never begun, else when its shepherd ends.
   */
  public RunningStep adopt(StepDirectory directory) throws IOException {
    StepIdentity identity = directory.identity();
    CompletableFuture<StepExit> exit = new CompletableFuture<>();
    watchLock(directory, identity, exit);
    return new RunningStep(directory, identity, exit);
  }

  /** Completes the exit once no shepherd holds the lock of that directory. */
  static void watchLock(
      StepDirectory directory, StepIdentity identity, CompletableFuture<StepExit> exit) {
    // A blocked file lock holds its carrier, so this waits on a platform thread, a small one.
    Thread.ofPlatform()
        .name("shepherd-" + directory.path().getFileName())
        .daemon(true)
        .stackSize(256 * 1024L)
        .start(() -> awaitLock(directory, identity, exit));
  }

  private static void awaitLock(
      StepDirectory directory, StepIdentity identity, CompletableFuture<StepExit> exit) {
    try (FileChannel channel =
            FileChannel.open(
                directory.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      if (directory.withdraw()) {
        exit.complete(new StepExit.Lost(StepExit.NEVER_STARTED, 0));
        return;
      }
    } catch (IOException | RuntimeException e) {
      exit.completeExceptionally(e);
      return;
    }
    try {
      exit.complete(concluded(directory, identity, null));
    } catch (RuntimeException e) {
      exit.completeExceptionally(e);
    }
  }

  /**
   * What the directory tells after the shepherd has ended, with its own exit value where that is
   * known.
   */
  static StepExit concluded(
      StepDirectory directory, StepIdentity identity, @Nullable Integer shepherdExit) {
    try {
      StepExit recorded = directory.exit();
      if (recorded != null) {
        return recorded;
      }
      if (shepherdExit != null && directory.child() == null) {
        String complaint = directory.logTail();
        if (shepherdExit == NO_SPACE || shepherdExit == FAILED) {
          // What it complained of may not have had room either.
          String cause = shepherdExit == NO_SPACE ? "No space left on device" : "shepherd failed";
          return new StepExit.LaunchFailed(
              LaunchStage.SHEPHERD, 0, complaint.isEmpty() ? cause : complaint);
        }
      }
      int survivors = StepProcesses.killLeftovers(identity, directory.child(), KILL_PATIENCE);
      return new StepExit.Lost("shepherd ended without an exit record", survivors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while cleaning up " + directory.path(), e);
    }
  }
}
