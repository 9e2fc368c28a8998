package io.dure.e2e.controllers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Controllers of which files were deleted. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class LostFilesTest {
  private @Nullable Cluster cluster;
  private @Nullable Group group;

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    } else if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aControllerWithoutItsJournalDoesNotBeginWithNothing() {
    Cluster made = Cluster.start(Conf.nodes(1, 4));
    cluster = made;
    Session shell = made.admin();
    int job = shell.submit("-H", "--wrap", "true");
    made.controller().stop();
    String state = made.dir() + "/state";
    shell.shell("mkdir " + state + "/away && mv " + state + "/journal-* " + state + "/away").ok();
    shell.shell("rm -f " + state + "/snapshot-*").ok();
    String call = Checkout.daemon("slurmctld") + " -f " + made.confFile();
    String said = shell.shell(call + " 2>&1; echo exit $?").ok();
    assertTrue(said.contains("is missing, and no other file of the journal is here"), said);
    assertFalse(said.endsWith("exit 0"), said);
    assertFalse(made.controller().isAlive());
    shell.shell("mv " + state + "/away/* " + state).ok();
    made.controller().start();
    made.awaitNodes();
    assertEquals("PENDING", made.job(job).get("JobState"));
  }

  /** All but {@code tls/}, which holds the private key that no controller gives away. */
  @Test
  void aMemberThatLostItsDirectoryComesBackByItself() {
    User.assumeRoot();
    Group made = Group.start(Conf.nodes(1, 4));
    group = made;
    Session shell = made.cluster().admin();
    String victim = made.others(made.leader()).getFirst();
    int job = shell.submit("-H", "--wrap", "true");
    made.awaitCaughtUp();
    made.member(victim).stop();
    shell.shell("cd " + made.state(victim) + " && rm -rf journal-* snapshot-* origin-* lock").ok();
    int later = shell.submit("-H", "--wrap", "true");
    made.member(victim).start();
    made.awaitCaughtUp();
    made.takeOver(victim);
    assertEquals("PENDING", made.cluster().job(job).get("JobState"));
    assertEquals("PENDING", made.cluster().job(later).get("JobState"));
    assertTrue(shell.submit("-H", "--wrap", "true") > later);
  }
}
