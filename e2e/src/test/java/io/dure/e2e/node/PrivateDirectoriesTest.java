package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Directories that each job has for itself ({@code job_container/tmpfs}), by real mounts of two
 * users: {@code /var/tmp} on the first node, where batch scripts run, {@code /tmp} too on the
 * second.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PrivateDirectoriesTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session alice;
  private static Session bob;
  private static Path dir;

  @BeforeAll
  static void start() throws Exception {
    User.assumeRoot();
    cluster =
        Cluster.prepare(
            Conf.nodes(2, 8)
                .with("NamespaceType", "namespace/tmpfs")
                .with("Epilog", "{dir}/epilog.sh"));
    dir = cluster.dir();
    Files.writeString(
        cluster.confFile().resolveSibling("job_container.conf"),
        """
        AutoBasePath=true
        BasePath=%1$s/space/%%n
        Dirs=/var/tmp,/dev/shm
        InitScript=%1$s/init.sh
        NodeName=n2 Dirs=/var/tmp,/tmp,/dev/shm
        """
            .formatted(dir));
    program(
        "init.sh",
        """
        [ ! -e %1$s/bad ] || { echo no luck; exit 3; }
        echo $SLURM_JOB_ID $SLURM_JOB_MOUNT_SRC $SLURMD_NODENAME >> %1$s/init.log
        """);
    program("epilog.sh", "ls -A /var/tmp > %1$s/epilog.$SLURM_JOB_ID.$SLURMD_NODENAME\n");
    cluster.startAll();
    alice = cluster.as(User.named("dure-alice"));
    bob = cluster.as(User.named("dure-bob"));
  }

  private static void program(String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.writeString(file, "#!/bin/bash\nPATH=/usr/bin:/bin\n" + text.formatted(dir));
    assertTrue(file.toFile().setExecutable(true, false));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Whatever a test did: no directory and no mount of a job stays. */
  @AfterEach
  void nothingIsLeft() {
    cluster.admin().shell("scancel -u dure-alice; scancel -u dure-bob").whatever();
    SOON.until("no job is left", () -> cluster.admin().run("squeue", "-h").ok().isEmpty());
    SOON.until("nothing is left", () -> spaces().isEmpty() && mounts().isEmpty());
  }

  private static List<String> spaces() {
    try (Stream<Path> all = Files.walk(dir.resolve("space"), 2)) {
      return all.map(path -> dir.resolve("space").relativize(path).toString())
          .filter(path -> path.matches("n[12]/[0-9]+"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> mounts() {
    try {
      return Files.readString(Path.of("/proc/self/mountinfo"))
          .lines()
          .filter(line -> line.contains(dir + "/space"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A job of alice on the first node that has written into each of its directories. */
  private static int holding(String... options) {
    Path up = alice.directory().resolve("up");
    String script =
        "echo mine > /var/tmp/mine; ln -s / /var/tmp/root; echo shared > /dev/shm/mine;"
            + " touch "
            + up
            + ".$SLURM_JOB_ID; sleep 1000";
    String[] words =
        Stream.of(new String[] {"-w", "n1"}, options, new String[] {"--wrap", script})
            .flatMap(Stream::of)
            .toArray(String[]::new);
    int job = alice.submit(words);
    SOON.until("it has written", () -> Files.exists(Path.of(up + "." + job)));
    return job;
  }

  private static String inside(Session user, int job, String line) {
    return user.run("srun", "-Q", "--overlap", "--jobid=" + job, "bash", "-c", line).ok();
  }

  private static void isIn(String part, String text) {
    assertTrue(text.contains(part), () -> part + " is not in: " + text);
  }

  @Test
  void stepsOfAJobShareThemAndNobodyElseSeesThem() throws IOException {
    Path out = Path.of("/var/tmp/dure-e2e-" + ProcessHandle.current().pid());
    try {
      int job = holding("-o", out.toString());
      assertEquals(List.of("n1/" + job), spaces());
      assertEquals(
          "mine\nshared\ndure-alice:700",
          inside(alice, job, "cat /var/tmp/mine /dev/shm/mine; stat -c %U:%a /var/tmp"));
      assertTrue(Files.exists(out), "its output lies on the node");
      assertFalse(Files.exists(Path.of("/var/tmp/mine")));
      assertFalse(Files.exists(Path.of("/dev/shm/mine")));
      String look =
          "ls -A /var/tmp /dev/shm; echo x > /var/tmp/x; cat %s/space/n1/%d/.*/_var_tmp/mine 2>&1"
              .formatted(dir, job);
      for (Session user : List.of(alice, bob)) {
        String seen = user.run("srun", "-Q", "-w", "n1", "bash", "-c", look).whatever();
        isIn("/dev/shm:\n\n/var/tmp:\ncat: ", seen);
        isIn("Permission denied", seen);
      }
      Files.writeString(alice.directory().resolve("cast"), "cast\n");
      int allocation = allocation("n1");
      String cast =
          alice
              .with("SLURM_JOB_ID", "" + allocation)
              .run("sbcast", "cast", "/var/tmp/cast")
              .whatever();
      assertTrue(cast.startsWith("exit 0"), cast);
      assertEquals("cast", inside(alice, allocation, "cat /var/tmp/cast"));
      assertFalse(Files.exists(Path.of("/var/tmp/cast")));
      String made = job + " " + dir + "/space/n1/" + job + "/." + alice.user().uid() + " n1\n";
      isIn(made, Files.readString(dir.resolve("init.log")));
      cluster.admin().run("scancel", "" + job).okSilently();
      cluster.await(job, "CANCELLED");
      Path seen = dir.resolve("epilog." + job + ".n1");
      SOON.until("its epilog ran", () -> Files.exists(seen));
      SOON.until("its directories are gone", () -> !spaces().contains("n1/" + job));
      isIn(String.valueOf(out.getFileName()), Files.readString(seen));
      assertTrue(Files.exists(Path.of("/bin/true")), "the link was not followed");
    } finally {
      Files.deleteIfExists(out);
    }
  }

  private static int allocation(String nodes) {
    String said = alice.run("salloc", "--no-shell", "-N1", "-w", nodes).whatever();
    isIn("Granted job allocation", said);
    return Integer.parseInt(said.replaceAll("(?s).*allocation (\\d+).*", "$1"));
  }

  @Test
  void aNodeMayHaveMoreOfThem() {
    String line = "echo $SLURM_PROCID > /tmp/x; cat /tmp/x; ls -A /tmp /var/tmp";
    assertEquals(
        "0\n/tmp:\nx\n\n/var/tmp:",
        alice.in(Path.of("/")).run("srun", "-Q", "-w", "n2", "-n1", "bash", "-c", line).ok());
    String said = alice.run("srun", "-w", "n2", "pwd").whatever();
    isIn("couldn't chdir to `" + alice.directory() + "'", said);
    isIn("going to /tmp instead", said);
    assertTrue(said.startsWith("exit 0\n/tmp\n"), said);
  }

  @Test
  void theyOutliveTheDaemonAndEndWithTheJob() {
    Daemon daemon = cluster.daemonOf("n1");
    int job = holding();
    daemon.kill9();
    daemon.start();
    cluster.awaitNodes();
    assertEquals("mine", inside(alice, job, "cat /var/tmp/mine"));
    int shepherd =
        Processes.mentioning(dir + "/spool/n1/runs").stream()
            .filter(seen -> seen.name().equals("shepherd"))
            .mapToInt(Processes.Seen::pid)
            .findFirst()
            .orElseThrow();
    Processes.kill(shepherd, "KILL");
    SOON.until("it is over", () -> !cluster.job(job).is("RUNNING"));
  }

  @Test
  void aDaemonRemovesThoseOfJobsThatItDoesNotKnow() throws IOException {
    Daemon daemon = cluster.daemonOf("n1");
    int job = holding();
    daemon.kill9();
    assertEquals(List.of("n1/" + job), spaces());
    cluster.processesOf(job).forEach(seen -> Processes.kill(seen.pid(), "KILL"));
    Path runs = dir.resolve("spool/n1/runs");
    SOON.until("its shepherd has ended", () -> Processes.mentioning(runs.toString()).isEmpty());
    Files.move(runs, dir.resolve("runs-" + job));
    daemon.start();
    SOON.until("its directories are gone", () -> spaces().isEmpty() && mounts().isEmpty());
    cluster.awaitNodes();
  }

  @Test
  void whereTheyCannotBeMadeTheNodeIsDrained() throws IOException {
    Files.writeString(dir.resolve("bad"), "");
    int job = alice.submit("-w", "n1", "--wrap", "true");
    SOON.until("the node is drained", () -> cluster.node("n1").get("State").contains("DRAIN"));
    isIn("no luck", cluster.node("n1").get("Reason"));
    isIn("exit code 3", cluster.node("n1").get("Reason"));
    Files.delete(dir.resolve("bad"));
    cluster.admin().run("scontrol", "update", "nodename=n1", "state=resume").okSilently();
    cluster.await(job, "COMPLETED");
  }

  @Test
  void aLoginEntersThem() throws Exception {
    LoginServer.assumeInstalled();
    int job = holding();
    try (LoginServer server = new LoginServer(cluster, "account")) {
      server.knows(alice);
      assertEquals(
          "mine\n" + job,
          alice.run(server.words(alice, "cat /var/tmp/mine; echo $SLURM_JOB_ID")).ok());
    }
    try (LoginServer server = new LoginServer(cluster, "account", "join_container=false")) {
      server.knows(alice);
      isIn("No such file", alice.run(server.words(alice, "cat /var/tmp/mine")).whatever());
    }
  }
}
