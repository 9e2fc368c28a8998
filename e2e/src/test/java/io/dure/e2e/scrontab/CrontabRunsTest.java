package io.dure.e2e.scrontab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs of crontabs, through the command, a run and kills of the controller. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class CrontabRunsTest {
  private static final String YEARLY = "0 0 1 1 * true\n";

  /** A minute, and what the machine takes for a job. */
  private static final Await NEXT_MINUTE = Await.seconds(120);

  private static Cluster cluster;
  private static User alice;
  private static User bob;

  @BeforeAll
  static void start() {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(1, 2).with("ScronParameters", "enable"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void install(Session session, String text) {
    session.script("crontab", text);
    session.run("scrontab", "crontab").okSilently();
  }

  private static String ids(Session session) {
    return session.run("squeue", "-h", "--me", "-o", "%i").ok().strip();
  }

  @Test
  void anEntryRunsAndWaitsForItsNextTimeUnderTheSameId() throws IOException {
    Session hers = cluster.as(alice);
    Path output = hers.directory().resolve("ran");
    String text =
        "WHO='you there'\n#SCRON -t 2 -J tick -o "
            + output
            + "\n* * * * * echo \"$WHO $(id -un) $(pwd) $SLURM_JOB_ID $HOME\"\n";
    install(hers, text);
    String id = ids(hers);
    assertEquals(
        "tick PD BeginTime Yes",
        String.join(
            " ",
            hers.run("squeue", "-h", "-j", id, "-O", "Name:6,StateCompact:4,Reason:11,CronJob:4")
                .ok()
                .strip()
                .split(" +")));
    String shown = hers.run("scontrol", "show", "job", id).ok();
    assertTrue(shown.contains("CronJob=Yes CrontabSpec=\"* * * * *\""), shown);
    assertTrue(shown.contains("WorkDir=" + alice.home() + "\n"), shown);
    cluster.controller().kill9();
    cluster.controller().start();
    assertEquals(text, hers.run("scrontab", "-l").output());
    NEXT_MINUTE.until("a run", () -> Files.exists(output) && Files.size(output) > 0);
    assertEquals(
        "you there " + alice.name() + " " + alice.home() + " " + id + " " + alice.home() + "\n",
        Files.readString(output));
    NEXT_MINUTE.until(
        "that it waits again",
        () ->
            hers.run("squeue", "-h", "-j", id, "-o", "%t %r").ok().strip().equals("PD BeginTime"));
    cluster.controller().kill9();
    cluster.controller().start();
    assertEquals(id, ids(hers));
    NEXT_MINUTE.until(
        "the books",
        () ->
            hers.run("sacct", "-n", "-X", "-D", "-P", "-j", id, "-o", "JobID,State")
                .ok()
                .lines()
                .toList()
                .containsAll(List.of(id + "|COMPLETED", id + "|PENDING")));
    String last = hers.run("sacct", "-n", "-X", "-P", "-o", "JobID,State").ok();
    assertEquals(1, last.lines().filter(line -> line.startsWith(id + "|")).count(), last);
    hers.run("scancel", id).okSilently();
    String disabled =
        text.replace("#SCRON", "#DISABLED: #SCRON").replace("* * * * *", "#DISABLED: * * * * *");
    assertEquals(disabled, hers.run("scrontab", "-l").output());
    assertEquals("", ids(hers));
    hers.run("scrontab", "-r").okSilently();
    hers.run("scrontab", "-l").fails(1, "scrontab: error: no crontab for " + alice.name());
  }

  @Test
  void othersCrontabsAreForOperators() {
    Session his = cluster.as(bob);
    install(his, YEARLY);
    Session hers = cluster.as(alice);
    hers.run("scrontab", "-u", bob.name(), "-l")
        .fails(1, "scrontab: error: Access/permission denied");
    hers.run("scrontab", "-u", bob.name(), "-r")
        .fails(1, "scrontab: error: Access/permission denied");
    String id = ids(his);
    Session root = cluster.admin();
    root.script("other", "#SCRON -J other\n" + YEARLY);
    root.run("scrontab", "-u", bob.name(), "other").okSilently();
    assertTrue(!id.equals(ids(his)), "another job took its place");
    assertEquals(
        bob.name() + "|other|" + bob.home(),
        root.run("squeue", "-h", "-j", ids(his), "-o", "%u|%j|%Z").ok().strip());
    root.run("scrontab", "-u", bob.name(), "-r").okSilently();
    assertEquals("", ids(his));
  }

  @Test
  void anEditorIsRunAgainUntilTheCrontabIsFine() throws IOException {
    for (Client client : Client.values()) {
      cluster.through(client);
      Session his = cluster.as(bob);
      // Adds a wrong line first, and mends it when it is asked again.
      his.script(
          "editor",
          """
          #!/bin/sh
          stat -c %a "$1" >mode
          if grep -q '^#BAD: 61' "$1"; then sed -i 's/^#BAD: 61/6/' "$1"
          else echo '61 1 1 1 * true' >>"$1"; fi
          """);
      Ran ran = his.with("EDITOR", "sh editor").shell("yes | head -1 | scrontab -e");
      String said = ran.okSaying("scrontab: error: line 7: bad minute '61': it is from 0 to 59");
      assertTrue(said.contains("There are errors in your crontab.\n"), said);
      assertTrue(said.contains("Do you want to retry the edit? (y/n)"), said);
      assertEquals("600\n", his.read("mode"));
      assertTrue(his.run("scrontab", "-l").output().endsWith("\n6 1 1 1 * true\n"), "mended");
      his.with("EDITOR", "true")
          .run("scrontab", "-e")
          .okSaying("scrontab: no changes made to the crontab");
      his.run("scrontab", "-r").okSilently();
    }
    cluster.through(Client.C);
  }
}
