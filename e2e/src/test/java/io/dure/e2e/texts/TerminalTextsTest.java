package io.dure.e2e.texts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one user writes into names and comments neither moves nor misleads another's terminal. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class TerminalTextsTest {
  private static Cluster cluster;
  private static Session hers;
  private static Session his;

  @BeforeAll
  static void start() {
    User alice = User.named("dure-alice");
    User bob = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(1, 4));
    hers = cluster.as(alice);
    his = cluster.as(bob);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void clean(String shown, int lines) {
    assertEquals(lines, shown.lines().count(), shown);
    shown
        .chars()
        .filter(c -> c != '\n')
        .forEach(c -> assertFalse(Character.isISOControl(c), "U+" + Integer.toHexString(c)));
  }

  @Test
  void escapeSequencesAndForgedLines() {
    String evil = "a\u001b[2Jb\nJobId=77 JobName=forged\r\u009b31m\u0007\nc\n\nd";
    int job = hers.submit("-H", "-J", evil, "--comment", evil, "--wrap", "true");
    String id = Integer.toString(job);
    clean(his.run("squeue", "-h", "-j", id).ok(), 1);
    clean(his.run("squeue", "-h", "-j", id, "-o", "%i|%j|%k|%o|%Z").ok(), 1);
    clean(his.run("squeue", "-h", "-j", id, "-O", "JobID,Name:200,Comment:200").ok(), 1);
    clean(his.run("scontrol", "-o", "show", "job", id).ok(), 1);
    String shown = his.run("scontrol", "show", "job", id).ok();
    clean(shown, (int) shown.lines().count());
    assertEquals(1, shown.lines().filter(line -> line.startsWith("JobId=")).count(), shown);
    clean(his.run("dure-why", id).ok(), (int) his.run("dure-why", id).ok().lines().count());
    String json = his.run("squeue", "--json", "-j", id).ok();
    assertFalse(json.contains("\u001b"), json);
    assertEquals(0, json.lines().filter(line -> line.startsWith("JobId=")).count(), json);
    hers.run("scancel", id).okSilently();
  }

  @Test
  void aWidthBeyondReasonCostsNothing() {
    long began = System.nanoTime();
    String said = his.run("squeue", "--format=%2147483648b").whatever();
    double seconds = (System.nanoTime() - began) / 1e9;
    assertTrue(said.length() < 100_000, said.length() + " characters");
    assertTrue(seconds < 3, "it took " + seconds + " s");
  }
}
