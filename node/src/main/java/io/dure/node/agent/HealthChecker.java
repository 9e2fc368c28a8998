package io.dure.node.agent;

import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import io.dure.model.config.ClusterSettings;
import io.dure.node.job.NodeLocalConfig;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Runs the health check program at its interval, from the daemon's start on. Its exit code changes
 * nothing, as in Slurm: a program that finds fault drains the node by scontrol. It runs on a thread
 * of its own until it is closed.
 */
public final class HealthChecker implements Closeable {
  /** How long to wait before looking whether a program is configured now. */
  private static final Duration WITHOUT_PROGRAM = Duration.ofSeconds(60);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Supplier<NodeLocalConfig> setup;
  private final BooleanSupplier busy;
  private final String bootId;
  private final Logger log;
  private boolean first = true;

  /**
   * Does nothing before {@link #start}.
   *
   * @param setup the configuration in force
   * @param busy whether a job is on the node now
   * @param bootId the kernel's boot id
   */
  public HealthChecker(
      Supplier<NodeLocalConfig> setup, BooleanSupplier busy, String bootId, Logger log) {
    this.setup = setup;
    this.busy = busy;
    this.bootId = bootId;
    this.log = log;
  }

  /** Begins. */
  public void start() {
    Thread.ofVirtual().name("health check").start(this::keepChecking);
  }

  private void keepChecking() {
    try {
      Duration pause = Duration.ZERO;
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        ClusterSettings.HealthCheck check = setup.get().settings().daemon().healthCheck();
        if (check != null && isDue(check)) {
          run(check);
        }
        first = false;
        pause = check == null ? WITHOUT_PROGRAM : check.interval();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isDue(ClusterSettings.HealthCheck check) {
    List<String> states = check.nodeStates();
    if (states.contains("REBOOT_ONLY")) {
      return isFirstOfBoot();
    }
    if (states.contains("START_ONLY")) {
      return first;
    }
    boolean alloc = states.contains("ALLOC") || states.contains("MIXED");
    boolean idle = states.contains("IDLE") || states.contains("NONDRAINED_IDLE");
    // Where none of these is named (ANY, CYCLE), every state is meant.
    return alloc == idle || (busy.getAsBoolean() ? alloc : idle);
  }

  private boolean isFirstOfBoot() {
    Path mark = setup.get().spool().resolve("health_check_boot");
    try {
      if (Files.exists(mark) && Files.readString(mark).equals(bootId)) {
        return false;
      }
      Files.writeString(mark, bootId);
    } catch (IOException e) {
      log.error("health check: " + mark + ": " + e);
    }
    return true;
  }

  private void run(ClusterSettings.HealthCheck check) throws InterruptedException {
    NodeLocalConfig now = setup.get();
    Map<String, String> environment = new TreeMap<>();
    environment.put("SLURM_CONF", now.confPath());
    environment.put("SLURMD_NODENAME", now.nodeName());
    ScriptRun run =
        new ScriptRun("health check", List.of(check.program()), environment, check.timeout(), null);
    if (run.run() instanceof ScriptResult.Failed(String reason)) {
      log.error(reason);
    }
  }

  /** Runs it no more; one that runs goes on. */
  @Override
  public void close() {
    closed.countDown();
  }
}
