package io.dure.e2e.controllers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Controllers that stand still keep their connections. Commands must not wait for them as long as
 * {@code MessageTimeout} allows, which is longer here than the test waits for anything.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class SilentControllerTest {
  private static final Await SOON = Await.seconds(60);

  private Group group;

  @BeforeEach
  void start() {
    User.assumeRoot();
    group = Group.start(Conf.nodes(1, 4).with("MessageTimeout", 300));
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  private int submit() throws IOException {
    Process sbatch = group.cluster().admin().start("sbatch.out", "sbatch", "--wrap", "true");
    SOON.until("the end of sbatch", () -> !sbatch.isAlive());
    return sbatch.exitValue();
  }

  /** The documented 2 and 30 seconds, and what a busy machine adds. */
  private static void within(String what, long began, int most) {
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf("%s: %.1f s%n", what, seconds);
    assertTrue(seconds < most, what + " took " + seconds + " s");
  }

  private void shownSilent(String... hosts) {
    for (String host : hosts) {
      String line = "SlurmctldHost=" + host + " Role=UNKNOWN [^\\n]*NotAnsweringFor=\\d+s\\n";
      SOON.until(
          host + " is shown as silent", () -> group.replicas().matches("(?s).*" + line + ".*"));
    }
  }

  @Test
  void withTwoOfThreeDeadACommandSaysSo() throws IOException {
    String leader = group.leader();
    String second = group.others(leader).getFirst();
    group.member(second).kill9();
    group.member(leader).kill9();
    long began = System.nanoTime();
    assertNotEquals(0, submit());
    within("sbatch, two of three dead", began, 40);
    shownSilent(leader, second);
    group.member(leader).start();
    group.member(second).start();
    group.awaitCaughtUp();
    assertEquals(0, submit());
  }

  @Test
  void aCommandLeavesThemAndSaysWhatIsKnown() throws IOException {
    // The machine's own, which is asked first, and at two doors.
    group.takeOver("c1");
    group.member("c1").pause();
    long began = System.nanoTime();
    assertEquals(0, submit());
    within("sbatch, from the stop of the leader", began, 10);
    String second = group.leaderAfter("c1");
    group.member(second).pause();
    began = System.nanoTime();
    assertNotEquals(0, submit());
    within("sbatch, two of three stopped", began, 40);
    shownSilent("c1", second);
    group.member("c1").goOn();
    group.member(second).goOn();
    group.awaitCaughtUp();
    assertEquals(0, submit());
  }
}
