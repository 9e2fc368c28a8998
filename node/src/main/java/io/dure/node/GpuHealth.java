package io.dure.node;

import io.dure.host.gpu.GpuFault;
import io.dure.host.process.ProgramHangsException;
import io.dure.model.node.NodeGpu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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

  /** What drivers tell once; it stays with the GPU until the daemon begins anew. */
  private final LinkedHashSet<GpuFault> events = new LinkedHashSet<>();

  private String failure = "";
  private @Nullable Thread asking;
  private boolean silent;

  /** Of the last answer, null without one. */
  private @Nullable List<GpuFault> faults;

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
        look();
      } while (!closed.await(SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has the drivers asked, by a thread of its own: one that hangs keeps that, and nothing else. */
  void look() {
    String drivers = mode.get();
    if (drivers.isEmpty()) {
      return;
    }
    Thread former = asking;
    if (former == null || !former.isAlive()) {
      asking = Thread.ofPlatform().daemon().name("GPU health").start(() -> ask(drivers));
    } else {
      doesNotAnswer();
    }
  }

  private synchronized void answers(List<GpuFault> now) {
    silent = false;
    now.stream().filter(GpuFault::isEvent).forEach(events::add);
    List<GpuFault> all = new ArrayList<>(now);
    all.removeIf(GpuFault::isEvent);
    all.addAll(events);
    faults = all;
  }

  private synchronized void doesNotAnswer() {
    if (!silent) {
      silent = true;
      log.error("the driver of this node's GPUs does not answer; the node is drained");
      unfit.accept("GPU driver does not answer");
    }
  }

  private synchronized void cannotTell() {
    silent = false; // an error is an answer
    faults = null;
  }

  /** Asks them, and says what is new. */
  void ask(String drivers) {
    try {
      List<GpuFault> told = gpus.faults(drivers);
      List<String> now = told.stream().map(GpuFault::sentence).toList();
      List<String> news = now.stream().filter(fault -> !known.contains(fault)).toList();
      known = now;
      answers(told);
      failure = "";
      if (!news.isEmpty()) {
        news.forEach(fault -> log.error(fault + "; the node is drained"));
        unfit.accept(String.join("; ", news));
      }
    } catch (ProgramHangsException e) {
      doesNotAnswer();
    } catch (IOException e) {
      cannotTell();
      if (!failure.equals(e.getMessage())) {
        failure = String.valueOf(e.getMessage());
        log.error("the health of GPUs is not known: " + failure);
      }
    }
  }

  /** How each GPU is, by what was last told of them. Any thread. */
  List<String> now() {
    String drivers = mode.get();
    return drivers.isEmpty() ? List.of() : gpus.cards(drivers).stream().map(this::health).toList();
  }

  private synchronized String health(MachineGpus.Found gpu) {
    if (silent) {
      return "driver does not answer";
    }
    if (!gpu.driver().tellsFaults()) {
      return NodeGpu.UNKNOWN;
    }
    // What has happened has happened, whatever the driver says later.
    List<GpuFault> told = faults == null ? List.copyOf(events) : faults;
    String uuid = gpu.card().whole().uuid();
    List<String> own =
        told.stream()
            .filter(fault -> fault.uuid().equals(uuid) || fault.uuid().isEmpty())
            .map(GpuFault::text)
            .toList();
    if (own.isEmpty()) {
      return faults == null ? NodeGpu.UNKNOWN : NodeGpu.WELL;
    }
    return String.join("; ", own);
  }

  /** Ends. */
  void close() {
    closed.countDown();
  }
}
