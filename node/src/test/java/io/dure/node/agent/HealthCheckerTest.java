package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.dure.host.log.DaemonLog;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.node.job.NodeLocalConfig;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HealthCheckNodeState: when the program of HealthCheckProgram runs. */
@Tag("process")
class HealthCheckerTest {
  private static final Await SOON = Await.seconds(60);

  @TempDir Path folder;

  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicInteger looks = new AtomicInteger();

  private NodeLocalConfig setup(String states) throws IOException {
    Path program = folder.resolve("check");
    Files.writeString(program, "#!/bin/sh\necho $SLURMD_NODENAME >> " + folder + "/runs\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    String conf =
        """
        ClusterName=c
        SlurmctldHost=h
        SlurmdSpoolDir=%1$s
        HealthCheckProgram=%1$s/check
        HealthCheckInterval=1
        HealthCheckNodeState=%2$s
        NodeName=n1
        """
            .formatted(folder, states);
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", conf).config();
    NodeConfig node = config.node("n1");
    assertNotNull(node);
    return new NodeLocalConfig("/slurm.conf", node, config.settings());
  }

  private HealthChecker start(String states, String boot) throws IOException {
    NodeLocalConfig setup = setup(states);
    HealthChecker checker =
        new HealthChecker(
            () -> {
              looks.incrementAndGet();
              return setup;
            },
            busy::get,
            boot,
            DaemonLog.silent());
    checker.start();
    return checker;
  }

  private long runs() throws IOException {
    Path file = folder.resolve("runs");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  /** Waits until the checker has thought of running it some times more. */
  private void letItLook() {
    int before = looks.get();
    SOON.until("it has looked again", () -> looks.get() > before + 3);
  }

  @Test
  void anyStateRunsItAgainAndAgain() throws IOException {
    try (HealthChecker _ = start("ANY", "boot")) {
      SOON.until("it has run twice", () -> runs() >= 2);
      busy.set(true);
      long before = runs();
      SOON.until("it runs beside jobs", () -> runs() > before + 1);
    }
  }

  @Test
  void idleAndAllocatedNodesAreToldApart() throws IOException {
    busy.set(true);
    try (HealthChecker _ = start("IDLE", "boot")) {
      letItLook();
      assertEquals(0, runs(), "the node is busy");
      busy.set(false);
      SOON.until("it runs on the idle node", () -> runs() > 0);
    }
    Files.delete(folder.resolve("runs"));
    try (HealthChecker _ = start("ALLOC", "boot")) {
      letItLook();
      assertEquals(0, runs(), "the node is idle");
      busy.set(true);
      SOON.until("it runs on the busy node", () -> runs() > 0);
    }
  }

  @Test
  void atTheStartOfTheDaemonOnly() throws IOException {
    try (HealthChecker _ = start("START_ONLY", "boot")) {
      SOON.until("it has run", () -> runs() == 1);
      letItLook();
      assertEquals(1, runs());
    }
    try (HealthChecker _ = start("START_ONLY", "boot")) {
      SOON.until("a new daemon runs it", () -> runs() == 2);
    }
  }

  @Test
  void onceAfterEachBoot() throws IOException {
    try (HealthChecker _ = start("REBOOT_ONLY", "boot")) {
      SOON.until("it has run", () -> runs() == 1);
    }
    try (HealthChecker _ = start("REBOOT_ONLY", "boot")) {
      letItLook();
      assertEquals(1, runs(), "a new daemon of the same boot does not");
    }
    try (HealthChecker _ = start("REBOOT_ONLY", "another")) {
      SOON.until("it runs after a boot", () -> runs() == 2);
    }
    assertFalse(busy.get());
  }
}
