package io.dure.node;

import io.dure.host.process.ProgramHangsException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Asks the drivers of a node's GPUs each minute what is wrong with them. A fault drains the node;
 * one that stands is told once, so that an administrator may have the node go on.
 */
final class GpuHealth {
  private static final long SECONDS = 60;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final MachineGpus gpus;
  private final Supplier<String> mode;
  private final Consumer<String> unfit;
  private final Logger log;

  /** Of the thread that asks, one after the other. */
  private List<String> known = List.of();

  private String failure = "";
  private @Nullable Thread asking;
  private boolean silent;

  /**
   * Does nothing before {@link #start}.
   *
   * @param mode the drivers, as {@code AutoDetect} names them, empty for none
   * @param unfit told why no job is to start on the node
   */
  GpuHealth(MachineGpus gpus, Supplier<String> mode, Consumer<String> unfit, Logger log) {
    this.gpus = gpus;
    this.mode = mode;
    this.unfit = unfit;
    this.log = log;
  }

  /** Begins. */
  void start() {
    Thread.ofVirtual().name("GPU health clock").start(this::keepAsking);
  }

  private void keepAsking() {
    try {
      do {
        String drivers = mode.get();
        if (!drivers.isEmpty()) {
          begin(drivers);
        }
      } while (!closed.await(SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A driver that hangs keeps a thread of its own, and nothing else. */
  private void begin(String drivers) {
    Thread former = asking;
    if (former == null || !former.isAlive()) {
      asking = Thread.ofPlatform().daemon().name("GPU health").start(() -> ask(drivers));
    } else {
      doesNotAnswer();
    }
  }

  private synchronized void answers() {
    silent = false;
  }

  private synchronized void doesNotAnswer() {
    if (!silent) {
      silent = true;
      log.error("the driver of this node's GPUs does not answer; the node is drained");
      unfit.accept("GPU driver does not answer");
    }
  }

  private void ask(String drivers) {
    try {
      List<String> now = gpus.faults(drivers);
      List<String> news = now.stream().filter(fault -> !known.contains(fault)).toList();
      known = now;
      answers();
      failure = "";
      if (!news.isEmpty()) {
        news.forEach(fault -> log.error(fault + "; the node is drained"));
        unfit.accept(String.join("; ", news));
      }
    } catch (ProgramHangsException e) {
      doesNotAnswer();
    } catch (IOException e) {
      if (!failure.equals(e.getMessage())) {
        failure = String.valueOf(e.getMessage());
        log.error("the health of GPUs is not known: " + failure);
      }
    }
  }

  /** Ends. */
  void close() {
    closed.countDown();
  }
}
