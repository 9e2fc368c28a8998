package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two clusters, and one slurmdbd that keeps the books and accounts of both. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class SharedBooksTest {
  private static final Await SOON = Await.seconds(60);

  private TwoClusters both;
  private Cluster left;
  private Cluster right;
  private Daemon books;

  @BeforeEach
  void start() throws IOException {
    both = TwoClusters.start();
    left = both.left();
    right = both.right();
    books = both.books();
  }

  @AfterEach
  void stop() {
    if (both != null) {
      both.close();
    }
  }

  private static String associations(Session shell) {
    return shell
        .run("sacctmgr", "-nP", "show", "assoc", "format=cluster,account,user,maxjobs")
        .ok();
  }

  private static String reason(Session shell, int job) {
    return shell.run("squeue", "-h", "-j", Integer.toString(job), "-o", "%r").ok().strip();
  }

  @Test
  void aLimitBindsOnBothAndOneOfACluster() {
    Session here = left.admin();
    Session there = right.admin();
    String added = here.run("sacctmgr", "-i", "add", "account", "lab").ok();
    assertTrue(
        added.contains("  A = lab        C = left      \n  A = lab        C = right"), added);
    here.run("sacctmgr", "-i", "modify", "user", "root", "set", "maxjobs=1").ok();
    // The answer came once both controllers had followed.
    for (Session shell : List.of(here, there)) {
      shell.submit("--wrap", "sleep 600");
      int second = shell.submit("--wrap", "sleep 600");
      SOON.until("the limit binds", () -> reason(shell, second).equals("AssocMaxJobsLimit"));
    }
    there
        .run(
            "sacctmgr",
            "-i",
            "modify",
            "user",
            "root",
            "where",
            "cluster=right",
            "set",
            "maxjobs=9")
        .ok();
    assertEquals(
        """
        left|root||
        left|root|root|1
        left|lab||
        right|root||
        right|root|root|9
        right|lab||
        """
            .strip(),
        associations(here));
    there
        .run("sacctmgr", "-i", "add", "account", "physics", "cluster=middle")
        .fails(
            1,
            " This cluster 'middle' doesn't exist.\n"
                + "        Contact your admin to add it to accounting.");
  }

  @Test
  void theDaemonIsKilledAndNothingIsLost() {
    Session here = left.admin();
    Session there = right.admin();
    here.run("sacctmgr", "-i", "add", "account", "lab").ok();
    here.run("sacctmgr", "-i", "add", "user", "root", "account=lab").ok();
    int first = here.submit("-A", "lab", "--wrap", "exit 3");
    SOON.until(
        "the end is in the books",
        () ->
            there
                .run("sacct", "-M", "left", "-nPX", "-o", "cluster,jobid,state")
                .ok()
                .equals("left|" + first + "|FAILED"));
    String before = associations(there);
    books.kill9();
    int second = here.submit("--wrap", "true");
    int third = there.submit("--wrap", "true");
    String refused = here.run("sacctmgr", "-i", "add", "account", "late").whatever();
    assertTrue(refused.contains("slurmdbd does not answer"), refused);
    String pinged = here.run("sacctmgr", "ping").whatever();
    assertTrue(pinged.contains(" is DOWN"), pinged);
    books.start();
    pinged = here.run("sacctmgr", "ping").ok();
    assertTrue(pinged.contains(" is UP"), pinged);
    assertEquals(before, associations(there));
    SOON.until(
        "the books catch up",
        () ->
            here.run("sacct", "-L", "-nPX", "-o", "cluster,jobid,state")
                .ok()
                .equals(
                    "left|%d|FAILED\nleft|%d|COMPLETED\nright|%d|COMPLETED"
                        .formatted(first, second, third)));
    putRight(here, there, first);
    here.run("sacctmgr", "-i", "add", "account", "late").ok();
    assertTrue(associations(there).contains("right|late||"), associations(there));
    String used =
        there
            .run(
                "sreport",
                "-nP",
                "cluster",
                "utilization",
                "all_clusters",
                "start=now-2hours",
                "end=now+2hours")
            .ok();
    assertTrue(used.contains("left|") && used.contains("right|"), used);
  }

  private static void putRight(Session here, Session there, int job) {
    String id = Integer.toString(job);
    here.run("sacctmgr", "-i", "modify", "job", id, "set", "admincomment=seen").ok();
    SOON.until(
        "the correction is in the books",
        () ->
            there
                .run("sacct", "-M", "left", "-nPX", "-j", id, "-o", "admincomment")
                .ok()
                .equals("seen"));
  }

  /** A connection that is made anew goes unnoticed where nothing is recorded meanwhile. */
  @Test
  void whatSlurmdbdConfHidesIsHiddenOnceTheDaemonBeganAnew() throws IOException {
    Session root = left.admin();
    root.run("sacctmgr", "-i", "add", "account", "lab").ok();
    root.run("sacctmgr", "-i", "add", "user", "dure-alice,dure-bob", "account=lab").ok();
    Session alice = left.as(User.named("dure-alice"));
    String open = alice.run("sacctmgr", "-nP", "show", "user").ok();
    assertTrue(open.contains("dure-bob"), open);
    Path file = left.dir().resolve("slurmdbd.conf");
    Files.writeString(file, Files.readString(file) + "PrivateData=users\n");
    books.kill9();
    books.start();
    SOON.until(
        "bob is hidden from alice",
        () -> !alice.run("sacctmgr", "-nP", "show", "user").ok().contains("dure-bob"));
    assertTrue(root.run("sacctmgr", "-nP", "show", "user").ok().contains("dure-bob"));
  }

  private static long rawUsage(Session shell) {
    return Long.parseLong(
        shell
            .run("sshare", "-nP", "-A", "lab", "-u", "", "-o", "rawusage")
            .ok()
            .lines()
            .findFirst()
            .orElseThrow()
            .strip());
  }

  @Test
  void whatWasUsedOnOneCountsOnTheOther() throws IOException {
    Session here = left.admin();
    Session there = right.admin();
    here.run("sacctmgr", "-i", "add", "account", "lab").ok();
    here.run("sacctmgr", "-i", "add", "user", "root", "account=lab").ok();
    here.run("sacctmgr", "-i", "modify", "account", "lab", "set", "grptresmins=cpu=1").ok();
    int first = here.submit("-A", "lab", "-c", "4", "--wrap", "sleep 600");
    SOON.until("it is used up there", () -> rawUsage(there) >= 60);
    assertTrue(rawUsage(here) >= 60);
    int second = there.submit("-A", "lab", "--wrap", "true");
    SOON.until(
        "the limit binds there", () -> reason(there, second).equals("AssocGrpCPUMinutesLimit"));
    here.run("scancel", Integer.toString(first)).ok();
    SOON.until("it is known to have ended", () -> rawUsage(there) == rawUsage(here));
    // It is remembered there, also while nobody tells of it; it fades a little.
    long used = rawUsage(there) - 5;
    left.controller().stop();
    books.kill9();
    right.controller().kill9();
    right.controller().start();
    assertTrue(rawUsage(there) >= used);
    books.start();
    left.controller().start();
    here.run("sacctmgr", "-i", "modify", "account", "lab", "set", "rawusage=0").ok();
    SOON.until("it is forgotten on both", () -> rawUsage(here) + rawUsage(there) == 0);
  }

  @Test
  void keysThatJobsUsedAreThoseOfTheirUsers() throws IOException {
    Session here = left.admin();
    Session there = right.admin();
    Path file = left.dir().resolve("slurmdbd.conf");
    Files.writeString(file, Files.readString(file) + "TrackWCKey=yes\n");
    books.kill9();
    books.start();
    int named = there.submit("--wckey=Blue", "--wrap", "true");
    int other = here.submit("--wrap", "true");
    SOON.until(
        "both are added",
        () ->
            here.run("sacctmgr", "-nP", "show", "wckey")
                .ok()
                .equals("*|left|root\nblue|right|root"));
    assertEquals(
        "left|%d|*\nright|%d|Blue".formatted(other, named),
        there.run("sacct", "-L", "-nPX", "-o", "cluster,jobid,wckey").ok());
    String told = here.run("sacctmgr", "show", "config").ok();
    assertTrue(told.matches("(?s).*\nTrackWCKey += Yes(\n.*)?"), told);
  }

  @Test
  void theDaemonArchivesAndTellsHowItKeepsRecords() {
    Session here = left.admin();
    String told = here.run("sacctmgr", "show", "config").ok();
    assertTrue(told.contains("SlurmDBD configuration:\n"), told);
    assertTrue(told.matches("(?s).*\nSLURMDBD_CONF +=.*/slurmdbd\\.conf\n.*"), told);
    String lost = here.run("sacctmgr", "-i", "archive", "load", "file=/no/archive").whatever();
    assertTrue(lost.contains("/no/archive"), lost);
  }

  /** In the books of a cluster: a change of its accounts of long ago. */
  private void recordOldChange(String cluster) throws SQLException {
    Path file = left.dir().resolve("books").resolve("accounting.db");
    try (Connection database =
            DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=60000");
        PreparedStatement insert =
            database.prepareStatement(
                "INSERT INTO txn (cluster_id, at_time, actor, action, target, info)"
                    + " SELECT id, ?, 'root', 'Add Users', 'old', 'x' FROM cluster WHERE name = ?")) {
      insert.setLong(1, Instant.now().minus(Duration.ofDays(40)).getEpochSecond());
      insert.setString(2, cluster);
      assertEquals(1, insert.executeUpdate());
    }
  }

  /** The clusters of which there are archives, each as often as there are. */
  private static List<String> archives(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("_txn_archive_.*", ""))
          .sorted()
          .toList();
    }
  }

  @Test
  void anAdministratorOfOneClusterArchivesThatOneAlone() throws Exception {
    Path directory = Files.createDirectory(left.dir().resolve("archives"));
    Path conf = left.dir().resolve("slurmdbd.conf");
    Files.writeString(conf, Files.readString(conf) + "ArchiveDir=" + directory + "\n");
    books.kill9();
    books.start();
    Session root = left.admin();
    root.run("sacctmgr", "-i", "add", "account", "lab").ok();
    root.run("sacctmgr", "-i", "add", "user", "dure-alice", "account=lab").ok();
    root.run(
            "sacctmgr -i modify user dure-alice where cluster=left set adminlevel=admin".split(" "))
        .ok();
    recordOldChange("left");
    recordOldChange("right");
    String[] dump = "sacctmgr -i archive dump txn purgetxnafter=1hours".split(" ");
    Session alice = left.as(User.named("dure-alice"));
    String own =
        SOON.value(
            "left's controller knows of alice",
            () -> alice.run(dump).whatever(),
            said -> !said.contains("permission denied"));
    assertTrue(own.startsWith("exit 1"), own);
    assertTrue(own.contains(" txn: 1 into " + directory), own);
    assertTrue(own.contains("your user is no administrator of right"), own);
    assertEquals(List.of("left"), archives(directory));
    String other = right.as(User.named("dure-alice")).run(dump).whatever();
    assertTrue(other.startsWith("exit 1") && other.contains("permission denied"), other);
    String all = root.run(dump).ok();
    assertEquals(1, all.lines().count(), all);
    assertEquals(List.of("left", "right"), archives(directory));
    assertEquals(" Nothing was old enough", root.run(dump).ok());
  }

  @Test
  void aSecondClusterOfANameGetsAndGivesNothing() throws IOException {
    Session here = left.admin();
    here.run("sacctmgr", "-i", "add", "account", "lab").ok();
    here.run("sacctmgr", "-i", "add", "user", "root", "account=lab").ok();
    here.submit("-A", "lab", "-c", "4", "--wrap", "sleep 600");
    SOON.until("it is used up there", () -> rawUsage(right.admin()) >= 40);
    try (Cluster second = both.secondLeft()) {
      String refused = "the accounting database has records of another cluster left (origin ";
      for (String effect : List.of("records are kept", "the accounts stay", "usage of other")) {
        SOON.until(
            effect,
            () ->
                second
                    .logs()
                    .lines()
                    .anyMatch(line -> line.contains(refused) && line.contains(effect)));
      }
      assertFalse(left.logs().contains(refused));
      // It would say that nobody used anything, and that its controller is left's.
      assertTrue(rawUsage(right.admin()) >= 40);
      String shown =
          here.run("sacctmgr", "-nP", "show", "cluster", "format=cluster,controlport").ok();
      assertEquals("left|%d\nright|%d".formatted(left.port(), right.port()), shown);
    }
  }

  @Test
  void withoutItsKeyNobodyIsHeard() throws IOException {
    Path key = right.dir().resolve(TwoClusters.KEY);
    right.controller().stop();
    Files.writeString(key, Files.readString(left.dir().resolve("dure.key")));
    right.controller().start();
    SOON.until(
        "the controller is refused", () -> right.logs().contains("does not belong to the cluster"));
    assertFalse(left.logs().contains("does not belong to the cluster"));
  }
}
