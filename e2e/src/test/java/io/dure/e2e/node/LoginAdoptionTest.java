package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real logins by ssh through {@code pam_slurm_adopt.so}, with control groups where the machine has
 * them, and without.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class LoginAdoptionTest {
  private static final Await SOON = Await.seconds(30);
  private static final String NO_JOB =
      "Access denied by pam_slurm_adopt: you have no active jobs on this node";

  private Cluster cluster;
  private Session alice;
  private Session bob;

  @BeforeEach
  void check() {
    User.assumeRoot();
    LoginServer.assumeInstalled();
  }

  private LoginServer server(String proctrack, String stack, String... options) throws IOException {
    cluster =
        Cluster.start(
            Conf.nodes(2, 4)
                .with("PrologFlags", "Contain")
                .with("ProctrackType", "proctrack/" + proctrack));
    alice = cluster.as(User.named("dure-alice"));
    bob = cluster.as(User.named("dure-bob"));
    LoginServer server = new LoginServer(cluster, stack, options);
    for (Session user : List.of(alice, bob, cluster.admin())) {
      server.knows(user);
    }
    return server;
  }

  @AfterEach
  void stop() {
    if (cluster == null) {
      return;
    }
    cluster.admin().run("scancel", "--user=" + alice.user().name()).okSilently();
    SOON.until("nothing runs", () -> cluster.admin().run("squeue", "-h").ok().isEmpty());
    cluster.close();
  }

  private static int allocate(Session user, String node) {
    String said = user.run("salloc", "--no-shell", "-w", node).whatever();
    assertTrue(said.contains("Granted job allocation"), said);
    return Integer.parseInt(said.replaceAll("(?s).*allocation (\\d+).*", "$1"));
  }

  private static void isRefused(Ran login, String why) {
    String said = login.whatever();
    assertTrue(said.startsWith("exit 255\n") && said.contains(why), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cgroup", "linuxproc"})
  void aLoginJoinsTheJobAndEndsWithIt(String proctrack) throws Exception {
    try (LoginServer server = server(proctrack, "account")) {
      isRefused(alice.run(server.words(alice, "true")), NO_JOB);
      allocate(alice, "n2");
      isRefused(alice.run(server.words(alice, "true")), NO_JOB);
      int job = allocate(alice, "n1");
      assertEquals("" + job, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      isRefused(bob.run(server.words(bob, "true")), NO_JOB);
      Session root = cluster.admin();
      assertEquals("0 .", root.run(server.words(root, "echo $(id -u) $SLURM_JOB_ID.")).ok());
      String line = "setsid -f sleep 7781; echo $$; cat /proc/self/cgroup; exec sleep 7782";
      Process login = alice.start("login", server.words(alice, line));
      SOON.until("its shell runs", () -> sleeping("7782").size() == 1);
      SOON.until("what it left, too", () -> sleeping("7781").size() == 1);
      List<Integer> processes = List.of(sleeping("7781").getFirst(), sleeping("7782").getFirst());
      if (proctrack.equals("cgroup") && alice.read("login").contains("/dure/")) {
        String group = "/job_" + job + "/step_extern\n";
        assertTrue(alice.read("login").contains(group), alice.read("login"));
      }
      isOfJob(job, processes);
      cluster.daemonOf("n1").kill9();
      cluster.daemonOf("n1").start();
      SOON.until("it registers", () -> cluster.node("n1").get("State").equals("MIXED"));
      isOfJob(job, processes);
      String used =
          alice.run("sstat", "-nP", "-o", "ntasks,maxrsstask,maxrss", "-j", job + ".extern").ok();
      assertTrue(used.matches("1[|]0[|][1-9][0-9]*[KM]?\\s*"), used);
      alice.run("scancel", "" + job).okSilently();
      cluster.await(job, "CANCELLED");
      processes.forEach(pid -> assertFalse(Processes.isAlive(pid), "process " + pid));
      assertTrue(login.waitFor(30, TimeUnit.SECONDS));
      isRefused(alice.run(server.words(alice, "true")), NO_JOB);
    }
  }

  private static List<Integer> sleeping(String seconds) {
    return Processes.mentioning("DURE_LOGIN=n1").stream()
        .filter(seen -> seen.toString().endsWith(" sleep sleep " + seconds))
        .map(Processes.Seen::pid)
        .toList();
  }

  private void isOfJob(int job, List<Integer> processes) {
    List<String> lines =
        alice.run("scontrol", "listpids", job + ".extern", "n1").ok().lines().skip(1).toList();
    for (int pid : processes) {
      assertTrue(
          lines.stream().anyMatch(line -> line.matches(pid + " +" + job + " +extern +- +- *")),
          lines::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cgroup", "linuxproc"})
  void theNewestJobTakesItAndItsScriptsEndIsTheLogins(String proctrack) throws Exception {
    try (LoginServer server = server(proctrack, "account")) {
      int older = alice.submit("-w", "n1", "-n1", "--wrap", "exec sleep 600");
      cluster.await(older, "RUNNING");
      Path flag = alice.directory().resolve("flag");
      int newer =
          alice.submit(
              "-w", "n1", "-n1", "--wrap", "until [ -e " + flag + " ]; do sleep 0.05; done");
      cluster.await(newer, "RUNNING");
      Process login = alice.start("login", server.words(alice, "echo $SLURM_JOB_ID; sleep 7783"));
      SOON.until("it is in", () -> alice.read("login").equals(newer + "\n"));
      Files.createFile(flag);
      cluster.await(newer, "COMPLETED");
      assertTrue(login.waitFor(30, TimeUnit.SECONDS));
      assertEquals("" + older, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      Path socket = cluster.dir().resolve("spool/n1/step.sock");
      String asked =
          "use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;"
              + " print $s pack 'aNNC', 'J', 5, $<, 1; $s->flush; print <$s>;";
      String answer = alice.run("perl", "-e", asked, socket.toString()).output();
      assertTrue(answer.startsWith("R") && answer.contains("Access/permission denied"), answer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cgroup", "linuxproc"})
  void aSessionModuleDoesTheSame(String proctrack) throws Exception {
    try (LoginServer server = server(proctrack, "session")) {
      String said = alice.run(server.words(alice, "echo in")).whatever();
      assertEquals("exit 254\n" + NO_JOB + "\n", said);
      int job = allocate(alice, "n1");
      assertEquals("" + job, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      Process login = alice.start("login", server.words(alice, "echo in; sleep 7784"));
      SOON.until("it is in", () -> alice.read("login").equals("in\n"));
      isOfJob(job, sleeping("7784"));
      alice.run("scancel", "" + job).okSilently();
      assertTrue(login.waitFor(30, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"linuxproc"})
  void theOptionsSayWhatElseBecomesOfIt(String proctrack) throws Exception {
    String[] options = {
      "action_no_jobs=ignore", "action_unknown=deny", "action_generic_failure=deny"
    };
    try (LoginServer server = server(proctrack, "account", options)) {
      assertEquals(".", bob.run(server.words(bob, "echo $SLURM_JOB_ID.")).ok());
      int first = allocate(alice, "n1");
      assertEquals("" + first, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      int second = allocate(alice, "n1");
      isRefused(
          alice.run(server.words(alice, "true")),
          "Access denied by pam_slurm_adopt: unable to determine source job");
      alice.run("scancel", "" + first).okSilently();
      cluster.await(first, "CANCELLED");
      assertEquals("" + second, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      cluster.controller().pause();
      assertEquals("" + second, alice.run(server.words(alice, "echo $SLURM_JOB_ID")).ok());
      cluster.controller().goOn();
      cluster.daemonOf("n1").kill9();
      isRefused(
          alice.run(server.words(alice, "true")),
          "Access denied by pam_slurm_adopt: the node daemon did not answer");
      cluster.daemonOf("n1").start();
      SOON.until(
          "it takes logins again",
          () ->
              alice.run(server.words(alice, "echo $SLURM_JOB_ID")).output().equals(second + "\n"));
    }
  }
}
