package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Load;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Takeover;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three controllers keep the state together: the one that leads is killed in the middle of
 * submissions, again and again, and nothing that was acknowledged is forgotten.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class FailoverTest {
  private static final Await SOON = Await.seconds(60);
  private static final int KILLS = 4;
  private static final int EACH = 150;
  private static final Pattern LEADS = Pattern.compile("this controller leads, term (\\d+)");

  private static Cluster cluster;
  private static final List<Daemon> MEMBERS = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    User.assumeRoot();
    Conf conf = Conf.nodes(2, 32);
    cluster = Cluster.prepare(conf);
    // A controller that was alone, whose journal becomes the beginning of the group's.
    cluster.controller().start();
    cluster.controller().stop();
    cluster.configure(conf.line("SlurmctldHost=c2(127.0.0.2)").line("SlurmctldHost=c3(127.0.0.3)"));
    MEMBERS.clear();
    MEMBERS.add(cluster.controller());
    for (String host : List.of("c2", "c3")) {
      MEMBERS.add(Daemon.controllerOf(furnish(host), host, cluster.admin().environment()));
    }
    MEMBERS.forEach(Daemon::start);
    cluster.agent().start();
    cluster.daemonOf("n1").start();
    cluster.daemonOf("n2").start();
    cluster.awaitNodes();
  }

  /** One command ends all of them, whoever leads. */
  @AfterAll
  static void stop() {
    if (MEMBERS.size() == 3 && MEMBERS.stream().allMatch(Daemon::isAlive)) {
      cluster.admin().run("scontrol", "shutdown", "controller").okSilently();
      SOON.until("all controllers' end", () -> MEMBERS.stream().noneMatch(Daemon::isAlive));
      assertTrue(cluster.daemonOf("n1").isAlive(), "a node daemon ended too");
    }
    MEMBERS.stream().skip(1).filter(Daemon::isAlive).forEach(Daemon::stop);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** What an administrator copies to another machine: configuration, key, authority. */
  private static Path furnish(String host) throws IOException {
    Path from = cluster.dir();
    Path to = from.resolve(host);
    for (String name : List.of("run", "log", "state")) {
      Files.createDirectories(to.resolve(name));
    }
    String text = Files.readString(cluster.confFile());
    for (String name : List.of("/state", "/run/controller", "/log/controller")) {
      text = text.replace(from + name, to + name);
    }
    Files.writeString(to.resolve("slurm.conf"), text);
    Files.copy(from.resolve("dure.key"), to.resolve("dure.key"));
    try (Stream<Path> files = Files.walk(from.resolve("state/tls"))) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve("state").resolve(from.resolve("state").relativize(file)));
      }
    }
    return to;
  }

  private static Daemon leader() {
    long best = 0;
    Daemon found = null;
    for (Daemon member : MEMBERS) {
      Matcher lines = LEADS.matcher(member.log());
      while (lines.find()) {
        long term = Long.parseLong(lines.group(1));
        if (term > best && member.isAlive()) {
          best = term;
          found = member;
        }
      }
    }
    if (found == null) {
      throw new AssertionError("nobody leads");
    }
    return found;
  }

  @Test
  void anotherLeadsWhenItIsAskedTo() {
    Session admin = cluster.admin();
    boolean second = leads().equals("c2");
    Takeover.to(admin, second ? "c3"::equals : "c2"::equals, second ? "2" : "1");
    int job = admin.submit("--wrap", "true");
    cluster.await(job, "COMPLETED");
    String led = leads();
    Takeover.to(admin, leader -> !List.of(led, "").contains(leader));
    admin
        .run("scontrol", "takeover", "7")
        .fails(
            1,
            "slurm_takeover error: Requested operation not supported on this system",
            "scontrol: error: there is no SlurmctldHost[7]: give a number from 0 to 2");
  }

  @Test
  void whatWasChangedOutlivesATakeover() {
    Session admin = cluster.admin();
    String partition = admin.run("sinfo", "-h", "-o", "%R").ok().strip();
    admin.run("scontrol", "update", "partitionname=" + partition, "maxtime=7").okSilently();
    String before = leads();
    Takeover.to(admin, leader -> !List.of(before, "").contains(leader));
    String shown = admin.run("scontrol", "show", "partition", partition).ok();
    assertTrue(shown.contains("MaxTime=00:07:00"), shown);
    admin.run("scontrol", "reconfigure").okSilently();
    String read = admin.run("scontrol", "show", "partition", partition).ok();
    assertTrue(read.contains("MaxTime=UNLIMITED"), read);
    cluster.awaitNodes();
  }

  /** Who leads once all have caught up. */
  private static String leads() {
    Takeover.awaitCaughtUp(cluster.admin());
    return SOON.value(
        "a leader",
        () -> Takeover.leaderIn(cluster.admin().run("scontrol", "show", "replicas").whatever()),
        leader -> !leader.isEmpty());
  }

  @Test
  void everyAcknowledgedJobExistsAndRunsOnceWhoeverLeads()
      throws IOException, InterruptedException {
    Path ran = cluster.admin().directory().resolve("ran");
    List<Integer> acknowledged = new ArrayList<>();
    for (int round = 1; round <= KILLS; round++) {
      Path printed = cluster.dir().resolve("printed-" + round);
      Process clients = Load.begin(cluster.admin(), printed, ran, EACH);
      SOON.until("a third is acknowledged", () -> Load.ids(printed).size() >= EACH / 3);
      Daemon killed = leader();
      killed.kill9();
      assertTrue(clients.waitFor(90, TimeUnit.SECONDS), "the clients hang");
      List<Integer> ids = Load.ids(printed);
      assertEquals(EACH, ids.size(), "acknowledgements in spite of a kill");
      acknowledged.addAll(ids);
      killed.start();
    }
    TreeSet<Integer> distinct = new TreeSet<>(acknowledged);
    assertEquals(acknowledged.size(), distinct.size(), "an id was given twice");
    Await.seconds(120)
        .until(
            "all have run",
            () ->
                Load.runs(ran).keySet().containsAll(distinct)
                    && cluster.jobs().stream().allMatch(job -> job.is("COMPLETED")));
    SortedMap<Integer, Integer> runs = Load.runs(ran);
    runs.values().removeIf(times -> times == 1);
    assertEquals(Map.of(), runs, "ran more than once");
    TreeSet<Integer> known = new TreeSet<>();
    cluster.jobs().forEach(job -> known.add(Integer.valueOf(job.get("JobId"))));
    assertTrue(known.containsAll(distinct), "a job was forgotten");
    System.out.println(
        distinct.size() + " jobs acknowledged through " + KILLS + " leaders' ends, none lost");
  }

  /** What a loop of commands printed: a line for each that was done, and what went wrong. */
  private static Process loop(String output, String words, String command) throws IOException {
    return cluster
        .admin()
        .start(
            output,
            "sh",
            "-c",
            "for x in " + words + "; do " + command + " && echo done || echo failed $x; done");
  }

  @Test
  void aChangeWhoseAnswerIsLostWithTheLeaderIsDoneOnce() throws IOException, InterruptedException {
    Session admin = cluster.admin();
    Path out = admin.directory();
    List<Integer> all = new ArrayList<>();
    for (int round = 1; round <= KILLS; round++) {
      String submitted =
          admin
              .shell("for i in $(seq 40); do sbatch --parsable -o /dev/null --wrap true; done")
              .ok();
      List<Integer> jobs = submitted.lines().map(Integer::valueOf).toList();
      jobs.forEach(job -> cluster.await(job, "COMPLETED"));
      all.addAll(jobs);
      String first = words(jobs.subList(0, 20));
      String second = words(jobs.subList(20, 40));
      String name = "p" + round + "-$x";
      List<Process> loops =
          List.of(
              loop("first", first, "scontrol requeue $x"),
              loop("second", second, "scontrol requeue $x"),
              loop("made", "$(seq 30)", "scontrol create partitionname=" + name + " nodes=n1"));
      int enough = 3 + 3 * round;
      SOON.until("some are requeued", () -> lines(out.resolve("first")) >= enough);
      Daemon killed = leader();
      killed.kill9();
      for (Process process : loops) {
        assertTrue(process.waitFor(90, TimeUnit.SECONDS), "a command hangs");
      }
      assertEquals("done\n".repeat(20), Files.readString(out.resolve("first")));
      assertEquals("done\n".repeat(20), Files.readString(out.resolve("second")));
      assertEquals("done\n".repeat(30), Files.readString(out.resolve("made")));
      killed.start();
    }
    for (int job : all) {
      assertEquals("1", cluster.await(job, "COMPLETED").get("Restarts"), "restarts of " + job);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }

  private static String words(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
