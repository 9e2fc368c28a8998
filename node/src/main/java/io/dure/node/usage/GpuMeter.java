package io.dure.node.usage;

import io.dure.host.gpu.GpuProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Asks the drivers of a node's GPUs what processes have of them. A driver that hangs keeps one
 * thread, and is not asked again until it answers. Any thread.
 */
public final class GpuMeter {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Processes processes;
  private final Logger log;
  private @Nullable CompletableFuture<@Nullable GpuLook> asked;
  private String failure = "";

  /** Knows what processes have of GPUs. */
  public interface Processes {
    /**
     * What they have now, null where no driver tells that.
     *
     * @param mode the drivers, as {@code AutoDetect} names them
     * @throws IOException if a driver cannot tell
     */
    @Nullable List<GpuProcess> now(String mode) throws IOException;
  }

  /** One that asks there. */
  public GpuMeter(Processes processes, Logger log) {
    this.processes = processes;
    this.log = log;
  }

  /**
   * What processes have now, null where that is not known.
   *
   * @param mode the drivers, as {@code AutoDetect} names them, empty for none
   */
  @Nullable GpuLook look(String mode) {
    if (mode.isEmpty()) {
      return null;
    }
    try {
      return ask(mode).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      failed("no answer within " + PATIENCE);
    } catch (ExecutionException e) {
      failed(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  /** Those that ask at the same time get the same answer. */
  private synchronized CompletableFuture<@Nullable GpuLook> ask(String mode) {
    CompletableFuture<@Nullable GpuLook> open = asked;
    if (open == null || open.isDone()) {
      open = new CompletableFuture<>();
      asked = open;
      CompletableFuture<@Nullable GpuLook> answer = open;
      Thread.ofPlatform().daemon().name("GPU use").start(() -> answer(mode, answer));
    }
    return open;
  }

  private void answer(String mode, CompletableFuture<@Nullable GpuLook> answer) {
    try {
      List<GpuProcess> now = processes.now(mode);
      answer.complete(now == null ? null : GpuLook.of(now));
    } catch (IOException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private synchronized void failed(String why) {
    if (!failure.equals(why)) {
      failure = why;
      log.error("what tasks have of GPUs is not known: " + why);
    }
  }
}
