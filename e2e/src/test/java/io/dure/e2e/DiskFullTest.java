package io.dure.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.SmallDisk;
import io.dure.e2e.cluster.User;
import io.dure.e2e.cluster.Witness;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three controllers under constant load whose disks fill up: a full one is done without, without a
 * majority nothing is acknowledged, and all of it heals by itself.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class DiskFullTest {
  private static final Await SOON = Await.seconds(60);
  private static final Await LATER = Await.seconds(400);
  private static final String FULL = "StateSaveLocation is not writable";

  private final Map<String, SmallDisk> disks = new LinkedHashMap<>();
  private Group group;
  private Witness witness;

  @BeforeEach
  void start() throws IOException {
    User.assumeRoot();
    String lack = SmallDisk.lacking();
    if (lack != null) {
      System.out.println("SKIPPED, nothing is known about full disks: " + lack);
    }
    assumeTrue(lack == null, lack);
    Map<String, Path> places = new LinkedHashMap<>();
    for (String host : List.of("c2", "c3")) {
      SmallDisk disk = SmallDisk.mount(1024);
      disks.put(host, disk);
      places.put(host, disk.directory());
    }
    group = Group.startOn(Conf.nodes(4, 16).with("MessageTimeout", 5), places);
    witness = new Witness(group, 50);
  }

  @AfterEach
  void stop() {
    if (witness != null) {
      witness.close();
    }
    if (group != null) {
      group.close();
    }
    disks.values().forEach(SmallDisk::close);
  }

  @Test
  void whoseDiskIsFullLeadsNoMoreAndWithoutAMajorityNothingIsAcknowledged() {
    group.awaitCaughtUp();
    group.takeOver("c2");
    fill("c2");
    System.out.println(group.leaderAfter("c2") + " leads, as c2's disk is full");
    witness.awaitMore(50);
    witness.awaitRuns(20);
    free("c2");
    group.awaitCaughtUp();

    fill("c2", "c3");
    // All that may still be counted as kept was sent before.
    SOON.until("silence", this::isSilent);
    free("c2");
    free("c3");
    witness.awaitMore(100);
    group.awaitCaughtUp();
    witness.awaitRuns(20);
    witness.verify();
  }

  /**
   * There is room in the segment that is open, so jobs with large scripts, which are held, are
   * submitted, too.
   */
  private void fill(String... hosts) {
    Map<String, Integer> before = new LinkedHashMap<>();
    for (String host : hosts) {
      before.put(host, timesFull(host));
      disks.get(host).fill();
    }
    Session admin = group.cluster().admin();
    Path filling = admin.script("filling", "");
    try {
      Process submissions =
          admin.start(
              "fillers.txt",
              "bash",
              "-c",
              "one() { while [ -e filling ]; do (echo '#!/bin/sh'; head -c 600000 /dev/urandom"
                  + " | base64 | sed 's/^/#/') | sbatch -H -Q || :; done; }; one & one & wait");
      before.forEach((host, times) ->
          LATER.until(host + " meets its full disk", () -> timesFull(host) > times));
      Files.delete(filling);
      submissions.descendants().forEach(ProcessHandle::destroyForcibly);
      submissions.destroyForcibly();
    } catch (IOException e) {
      throw new AssertionError("cannot submit", e);
    }
  }

  private void free(String host) {
    disks.get(host).free();
    SOON.until(
        host + " writes again",
        () -> {
          String log = group.member(host).log();
          return log.lastIndexOf("is writable again") > log.lastIndexOf(FULL);
        });
  }

  private int timesFull(String host) {
    return group.member(host).log().split(FULL, -1).length;
  }

  private boolean isSilent() {
    int before = witness.acknowledged();
    group.replicas();
    group.replicas();
    return witness.acknowledged() == before;
  }
}
