package io.dure.node.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Steps whose shepherds another program starts and waits for. Any thread. */
public final class SpawnedSteps {
  private static final Executor CONCLUSIONS = Executors.newVirtualThreadPerTaskExecutor();

  /** Linux's number for a connection that was closed meanwhile. */
  private static final int NOT_CONNECTED = 107;

  private final Map<Path, Begun> begun = new ConcurrentHashMap<>();
  private final Map<Integer, Path> shepherds = new ConcurrentHashMap<>();

  private record Begun(
      StepDirectory directory, StepIdentity identity, CompletableFuture<StepExit> exit) {
    /** The shepherd is over, with that status if it is known. */
    void conclude(@Nullable Integer status) {
      CONCLUSIONS.execute(() -> {
        try {
          exit.complete(Shepherd.concluded(directory, identity, status));
        } catch (RuntimeException e) {
          exit.completeExceptionally(e);
        }
      });
    }
  }

  /** The step of a directory is about to be given to a shepherd. */
  public RunningStep begin(StepDirectory directory) throws IOException {
    Begun step = new Begun(directory, directory.identity(), new CompletableFuture<>());
    begun.put(directory.path(), step);
    return new RunningStep(directory, step.identity(), step.exit());
  }

  /** None is started for it after all; false if its lock is watched by now, which decides. */
  public boolean forget(StepDirectory directory) {
    return begun.remove(directory.path()) != null;
  }

  /** A shepherd was started for it. */
  public void started(int pid, Path directory) {
    shepherds.put(pid, directory);
  }

  /** None could be. */
  public void notStarted(int errno, Path directory) {
    Begun step = begun.remove(directory);
    if (step != null) {
      boolean alone = errno == NOT_CONNECTED;
      step.exit()
          .complete(
              new StepExit.LaunchFailed(
                  alone ? LaunchStage.CANCELLED : LaunchStage.SHEPHERD,
                  errno,
                  alone
                      ? "its front end has gone"
                      : "the shepherd was not started: errno " + errno));
    }
  }

  /** Nobody waits for it any more. */
  public void frontEndGone(Path directory) {
    notStarted(NOT_CONNECTED, directory);
  }

  /** A shepherd ended, with its status as {@code wait(2)} gives it. */
  public void ended(int pid, int status) {
    Path directory = shepherds.remove(pid);
    Begun step = directory == null ? null : begun.remove(directory);
    if (step != null) {
      boolean exited = (status & 0x7f) == 0;
      step.conclude(exited ? (Integer) (status >> 8 & 0xff) : null);
    }
  }

  /** What started them is gone: they are watched by their locks from now on. */
  public List<StepDirectory> lost() {
    List<StepDirectory> left = new ArrayList<>();
    for (Path directory : List.copyOf(begun.keySet())) {
      Begun step = begun.remove(directory);
      if (step != null) {
        left.add(step.directory());
        Shepherd.watchLock(step.directory(), step.identity(), step.exit());
      }
    }
    shepherds.clear();
    return left;
  }
}
