package io.dure.e2e.texts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With {@code PrivateData} neither statistics nor logs tell one user of another. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PrivateTextsTest {
  private Cluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void neitherStatisticsNorLogsNameOthers() throws IOException {
    User alice = User.named("dure-alice");
    User bob = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(1, 4).with("PrivateData", "jobs,users"));
    Session hers = cluster.as(alice);
    Session his = cluster.as(bob);
    int job = hers.submit("-J", "very-secret", "--wrap", "true");
    cluster.await(job, "COMPLETED");
    assertTrue(cluster.admin().run("sdiag").ok().contains(alice.name()), "an operator sees her");
    assertTrue(hers.run("sdiag").ok().contains(alice.name()), "she sees herself");
    String told = his.run("sdiag").ok();
    assertFalse(told.contains(alice.name()), told);
    assertEquals("", his.run("squeue", "-h", "-t", "all").ok());
    try (Stream<Path> logs = Files.list(cluster.dir().resolve("log"))) {
      List<Path> all = logs.toList();
      assertTrue(all.size() >= 3, all::toString);
      for (Path log : all) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(log));
        assertTrue(mode.endsWith("------"), log + " has mode " + mode);
      }
    }
  }
}
