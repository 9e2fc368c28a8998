package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code ./dure up}, {@code down}, {@code env} and {@code check-config}, as typed. */
@ExtendWith(Diagnosis.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("cluster")
class LauncherTest {
  private static final Thread AT_THE_END = new Thread(LauncherTest::endAll, "end-launched");

  private static Path dir;
  private static Path cluster;
  private static int port;
  private static Session shell;

  @BeforeAll
  static void begin() throws IOException {
    Checkout.build();
    dir = Files.createTempDirectory("dure-up-");
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    Runtime.getRuntime().addShutdownHook(AT_THE_END);
    cluster = dir.resolve("a cluster");
    port = Cluster.freePort(3);
    shell = Session.of(User.SELF, dir, cluster.resolve("slurm.conf"));
  }

  @AfterAll
  static void end() throws IOException {
    endAll();
    Runtime.getRuntime().removeShutdownHook(AT_THE_END);
    try (Stream<Path> files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    Ran.assertAllSeen();
  }

  private static void endAll() {
    Processes.mentioning(dir.toString()).forEach(seen -> Processes.kill(seen.pid(), "KILL"));
  }

  @Test
  @Order(1)
  void upStartsAClusterAndSaysWhatComesNext() {
    String said = up("--nodes", "2", "--cpus", "4", "--port", Integer.toString(port)).ok();
    assertTrue(said.startsWith("Started in " + cluster + ": controller n1 n2\n"), said);
    String next = said.substring(said.indexOf("Next: ") + "Next: ".length());
    String nodes = shell.shell(next.lines().findFirst().orElseThrow()).ok();
    assertTrue(nodes.contains("idle n[1-2]"), nodes);
    for (String file : List.of("run/controller.pid", "run/node-n1.pid", "run/node-n2.pid")) {
      assertTrue(Files.exists(cluster.resolve(file)), file);
    }
    assertTrue(Files.exists(cluster.resolve("log/controller.log")));
    assertTrue(Files.isDirectory(cluster.resolve("state")));
  }

  @Test
  @Order(2)
  void upOnAWholeClusterSaysSo() {
    assertTrue(
        up().ok().startsWith("The cluster in " + cluster + " is whole: nothing to start.\n"));
  }

  @Test
  @Order(3)
  void upStartsWhatHasDied() throws IOException {
    kill("run/node-n2.pid");
    assertTrue(up().ok().startsWith("Started in " + cluster + ": n2\n"));
    kill("run/controller.pid");
    assertTrue(up().ok().startsWith("Started in " + cluster + ": controller\n"));
    shell.run("sbatch", "--wait", "-o", "/dev/null", "--wrap", "true").ok();
  }

  private long scripts() {
    return Processes.mentioning("SLURM_CONF=" + cluster).stream()
        .filter(seen -> seen.words().contains("slurm_script"))
        .count();
  }

  @Test
  @Order(4)
  void downAndUpLoseNoJob() throws IOException {
    String wait = "echo began >> began; while [ ! -e go ]; do sleep 0.05; done; exit 3";
    int job = shell.submit("-o", "/dev/null", "--wrap", wait);
    int held = shell.submit("--hold", "--wrap", "true");
    Await.seconds(20).until("it runs", () -> shell.read("began").equals("began\n"));
    assertEquals(
        "Stopped the cluster in " + cluster + ". Jobs that ran go on; ./dure up finds them again.",
        dure("down").ok());
    // What it forks has its words until it is another program.
    Await.seconds(20).until("one script runs on", () -> scripts() == 1);
    shell
        .run("squeue")
        .fails(1, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)");
    up().ok();
    assertEquals(
        job + " RUNNING\n" + held + " PENDING",
        shell.run("squeue", "-h", "-S", "i", "-o", "%i %T").ok());
    shell.script("go", "");
    Await.seconds(20)
        .until("its end", () -> shell.run("squeue", "-h", "-t", "R,CG").ok().isEmpty());
    String shown = shell.run("scontrol", "-o", "show", "job", Integer.toString(job)).ok();
    assertTrue(shown.contains("JobState=FAILED ") && shown.contains("ExitCode=3:0 "), shown);
    assertEquals("began\n", shell.read("began"));
  }

  @Test
  @Order(5)
  void aUsedPortIsNamed() throws IOException {
    try (ServerSocket other = new ServerSocket()) {
      int used = Cluster.freePort(1);
      other.bind(new InetSocketAddress(used));
      Path second = dir.resolve("second");
      shell
          .run(dureWords("up", second, "--port", Integer.toString(used)))
          .fails(
              1,
              "dure: port %d is in use: end whoever has it or choose another with --port"
                  .formatted(used));
      assertTrue(Files.notExists(second.resolve("slurm.conf")));
    }
  }

  @Test
  @Order(6)
  void badWordsAreAnswered() {
    dure("up", "--nodes", "many").fails(1, "dure: --nodes many: give a number from 1 to 9999");
    dure("up", "--nonsense").fails(1, "dure: unknown option --nonsense (see ./dure help)");
    shell
        .run(dureWords("down", dir.resolve("none")))
        .fails(1, "dure: there is no cluster in " + dir.resolve("none"));
    shell
        .run(dureWords("env", dir.resolve("none")))
        .fails(1, "dure: there is no cluster in " + dir.resolve("none") + ": ./dure up starts one");
  }

  @Test
  @Order(7)
  void checkConfigFindsATypo() {
    assertTrue(
        shell
            .run(Checkout.dure().toString(), "check-config", cluster + "/slurm.conf")
            .ok()
            .contains("0 errors"));
    Path typo = shell.script("typo.conf", "ClusterName=c\nSlurmctldHst=localhost\n");
    String said = shell.run(Checkout.dure().toString(), "check-config", typo.toString()).whatever();
    assertTrue(said.startsWith("exit 1\n"), said);
    assertTrue(said.contains(typo + ":2: error: ") && said.contains("SlurmctldHost"), said);
  }

  @Test
  @Order(8)
  void aPlainUserHasAClusterToo() {
    User bob = User.named("dure-bob");
    Path his = dir.resolve("his");
    Session session = Session.of(bob, Path.of("/tmp"), his.resolve("slurm.conf"));
    String closed = session.run(dureWords("up", Path.of("/etc/his"))).whatever();
    assertEquals(
        "exit 1\ndure: cannot make /etc/his: no permission? Choose another with --dir\n", closed);
    try {
      Files.createDirectory(his);
      Files.setAttribute(his, "unix:uid", bob.uid());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    String free = Integer.toString(Cluster.freePort(2));
    String said = session.run(dureWords("up", his, "--port", free)).ok();
    assertTrue(said.startsWith("Started in " + his + ": controller "), said);
    session.run("sbatch", "--wait", "-o", his + "/out", "--wrap", "id -un").ok();
    assertEquals("dure-bob\n", session.in(his).read("out"));
    session.run(dureWords("down", his)).ok();
  }

  @Test
  @Order(9)
  void downLeavesNoDaemon() {
    dure("down").ok();
    assertEquals(
        List.of(),
        Processes.mentioning(cluster.toString()).stream()
            .filter(seen -> seen.name().startsWith("slurm"))
            .toList());
  }

  private static void kill(String pidFile) throws IOException {
    int pid = Integer.parseInt(Files.readString(cluster.resolve(pidFile)).strip());
    Processes.kill(pid, "KILL");
    Await.seconds(10).until("its end", () -> !Processes.isAlive(pid));
  }

  private static Ran up(String... options) {
    return dure("up", options);
  }

  private static Ran dure(String role, String... options) {
    return shell.run(dureWords(role, cluster, options));
  }

  private static String[] dureWords(String role, Path where, String... options) {
    return Stream.concat(
            Stream.of(Checkout.dure().toString(), role, "--dir", where.toString()),
            Stream.of(options))
        .toArray(String[]::new);
  }
}
