package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.host.trust.CredentialSigner;
import io.dure.model.UserIdentity;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an ordinary user tries against another's step, and against the limits of her own. */
@Tag("cluster")
class StepIsolationTest {
  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() -> {
        User.assumeRoot();
        return Conf.nodes(1, 4).with("TaskPlugin", "task/cgroup");
      });

  private static final Await SOON = Await.seconds(60);

  /** Sends a file to a unix socket as it is, and prints the type and the text of the answer. */
  private static final String CLIENT =
      """
      use strict; use warnings; use IO::Socket::UNIX;
      my ($path, $file) = @ARGV; alarm 20;
      open my $in, '<:raw', $file or die "file: $!\\n";
      my $bytes = do { local $/; <$in> };
      my $socket = IO::Socket::UNIX->new(Peer => $path) or die "connect: $!\\n";
      $socket->autoflush(1); print $socket $bytes;
      my $answer = do { local $/; <$socket> } // '';
      my ($type, $length) = unpack 'aN', $answer;
      print $type // 'nothing', ' ', length $answer > 9 ? unpack 'Z*', substr $answer, 9 : '', "\\n";
      """;

  private static Cluster cluster;
  private static Session alice;
  private static Session bob;

  private CutConnection listening;
  private Process step;
  private String job;
  private byte[] launch;

  @BeforeAll
  static void start() throws IOException {
    cluster = RUNNING.cluster();
    alice = cluster.as(User.named("dure-alice"));
    bob = cluster.as(User.named("dure-bob"));
    Files.writeString(cluster.dir().resolve("client.pl"), CLIENT);
  }

  /** Bob's step runs, and what his srun sent was heard on the way. */
  @BeforeEach
  void begin() throws IOException {
    Path socket = socket();
    listening = new CutConnection(socket, cluster.dir().resolve("behind.sock"));
    step = bob.start("bob.out", "srun", "bash", "-c", "touch up; exec sleep 7770");
    SOON.until("it runs", () -> Files.exists(bob.directory().resolve("up")));
    job = RUNNING.shell().run("squeue", "-h", "-o", "%i").ok().strip();
    launch = firstFrame(listening.heard());
    listening.stepAside();
  }

  @AfterEach
  void end() throws Exception {
    RUNNING.shell().run("scancel", job).whatever();
    assertTrue(step.waitFor(60, TimeUnit.SECONDS), "srun ends");
    SOON.until("nothing of it is left", () -> runs().isEmpty());
    listening.close();
    Files.deleteIfExists(bob.directory().resolve("up"));
  }

  private static Path socket() {
    return cluster.dir().resolve("spool/n1/step.sock");
  }

  private static List<Path> runs() throws IOException {
    try (Stream<Path> runs = Files.list(cluster.dir().resolve("spool/n1/runs"))) {
      return runs.toList();
    }
  }

  private static byte[] firstFrame(byte[] heard) {
    assertEquals('L', heard[0]);
    return Arrays.copyOf(heard, 5 + ByteBuffer.wrap(heard).getInt(1));
  }

  /** What the node answers to bytes that come from that user. */
  private static String answer(Session user, byte[] bytes) throws IOException {
    Path file = cluster.dir().resolve("frame");
    Files.write(file, bytes);
    return user.run(
            "perl",
            cluster.dir().resolve("client.pl").toString(),
            socket().toString(),
            file.toString())
        .ok();
  }

  private static byte[] frame(StepLaunchOrder order) {
    byte[] payload = WireCodecs.launchOrders().encode(order);
    return ByteBuffer.allocate(5 + payload.length)
        .put((byte) 'L')
        .putInt(payload.length)
        .put(payload)
        .array();
  }

  private StepLaunchOrder order() throws Exception {
    return WireCodecs.launchOrders().strict().decode(Arrays.copyOfRange(launch, 5, launch.length));
  }

  private static StepLaunchOrder with(StepLaunchOrder order, byte[] credential, byte[] signature) {
    return new StepLaunchOrder(
        credential,
        signature,
        order.programs(),
        order.environment(),
        order.workDirectory(),
        order.umask(),
        order.limits(),
        order.streams(),
        order.mpi(),
        order.binding(),
        order.taskProlog(),
        order.taskEpilog(),
        false,
        order.accountingFrequency(),
        order.profile(),
        false);
  }

  @Test
  void aCredentialIsOfUseToItsUserOnceAndAsItIs() throws Exception {
    assertEquals("R Access/permission denied", answer(alice, launch));
    assertEquals("R Job credential replayed", answer(bob, launch));
    StepLaunchOrder order = order();
    StepCredential credential = WireCodecs.credentials().strict().decode(order.credential());
    var hers =
        credential
            .job()
            .withOwner(
                new UserIdentity(
                    alice.user().uid(), alice.user().gid(), alice.user().name(), "dure-alice"));
    byte[] forged =
        WireCodecs.credentials()
            .encode(
                new StepCredential(
                    credential.clusterName(),
                    hers,
                    credential.step(),
                    credential.issued(),
                    credential.expires()));
    assertEquals(
        "R Invalid job credential", answer(alice, frame(with(order, forged, order.signature()))));
    byte[] own = CredentialSigner.generate().sign(forged);
    assertEquals("R Invalid job credential", answer(alice, frame(with(order, forged, own))));
  }

  @Test
  void theSpoolAndTheSocketsOfAStepAreClosedToOthers() throws Exception {
    Path directory = stepDirectory();
    assertDenied(alice, "ls " + directory);
    assertDenied(alice, "ls " + directory.getParent());
    for (String file : List.of("launch", "step", "alive", "exit", "shepherd.log")) {
      assertDenied(alice, "cat " + directory.resolve(file));
      assertDenied(alice, "sh -c 'echo x >> " + directory.resolve(file) + "'");
    }
    assertDenied(alice, "rm -rf " + directory);
    assertDenied(alice, "mv " + socket() + " " + socket() + ".old");
    Path file = Files.write(cluster.dir().resolve("frame"), launch);
    String control = directory.resolve("control").toString();
    String client = cluster.dir().resolve("client.pl").toString();
    for (Session user : List.of(alice, bob)) {
      String said = user.run("perl", client, control, file.toString()).whatever();
      assertTrue(said.contains("connect: Permission denied"), said);
    }
    assertTrue(Files.exists(directory.resolve("control")));
  }

  @Test
  void processesOfAStepAreBeyondTheReachOfUsers() throws Exception {
    int shepherd = process("shepherd", stepDirectory().toString());
    int spawner = process("spawner", socket().toString());
    int srun = (int) step.pid();
    for (int pid : List.of(shepherd, spawner, cluster.daemonOf("n1").pid(), srun)) {
      assertDenied(alice, "kill -KILL " + pid);
      assertDenied(alice, "cat /proc/" + pid + "/environ");
      assertDenied(alice, "ls /proc/" + pid + "/fd");
      assertDenied(alice, "sh -c ': < /proc/" + pid + "/mem'");
      assertEquals("not permitted", traced(alice, pid));
    }
    // Nor do they reach what runs their own steps.
    for (int pid : List.of(shepherd, spawner)) {
      assertDenied(bob, "kill -KILL " + pid);
      assertDenied(bob, "ls /proc/" + pid + "/fd");
      assertEquals("not permitted", traced(bob, pid));
    }
    assertTrue(Processes.isAlive(shepherd));
  }

  @Test
  void anothersStepIsNotJoinedNorEndedNorFed() {
    for (String line :
        List.of(
            "sattach " + job + ".0",
            "srun --jobid=" + job + " id",
            "scancel " + job + ".0",
            "scancel " + job,
            "sbcast -j " + job + " /etc/hostname " + bob.directory() + "/x",
            "scontrol suspend " + job,
            "scontrol notify " + job + " boo",
            "scontrol update jobid=" + job + " timelimit=1")) {
      String said = alice.shell(line).whatever();
      assertFalse(said.startsWith("exit 0\n"), line + ": " + said);
    }
    String pids = alice.run("scontrol", "listpids", job).whatever();
    assertFalse(pids.matches("(?s).*\n[0-9]+ .*"), pids);
    assertTrue(cluster.job(Integer.parseInt(job)).is("RUNNING"));
    String pretended =
        alice
            .with("USER", "dure-bob")
            .with("LOGNAME", "dure-bob")
            .with("SLURM_JOB_USER", "dure-bob")
            .shell("srun -Q id -un")
            .ok();
    assertEquals("dure-alice", pretended);
  }

  @Test
  void memoryBeyondTheLimitEndsTheStep() {
    String said = alice.shell("srun --mem=60 sh -c 'head -c 400M /dev/zero | tail'").whatever();
    assertTrue(said.startsWith("exit 1\n"), said);
    assertTrue(said.matches("(?s).*srun: error: \\S+: task 0: Out Of Memory\n.*"), said);
    SOON.until(
        "its end is told",
        () -> cluster.jobs().stream().anyMatch(shown -> shown.is("OUT_OF_MEMORY")));
  }

  @Test
  void whoLeavesSessionTreeAndEnvironmentEndsWithTheStep() {
    String escape =
        """
        exec < /dev/null > /dev/null 2>&1
        setsid sleep 7781 & (setsid sh -c '(sleep 7782 &)' &)
        (env -i setsid bash -c '(exec -a innocent sleep 7783 &) & exec 0<&- 1>&- 2>&-' &)
        until pgrep -f '^innocent 7783' && pgrep -f '^sleep 7782'; do :; done
        """;
    String said = alice.shell("srun bash -c \"" + escape.replace("\"", "\\\"") + "\"").ok();
    assertEquals("", said);
    SOON.until("none of them runs", () -> living("778[1-3]").isEmpty());
    // A shepherd that is killed takes them along as well.
    String line = "srun bash -c \"" + escape + " exec sleep 7784\"";
    try {
      alice.start("escape.out", "bash", "-c", line);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    SOON.until("they run", () -> living("778[1-4]").size() >= 4);
    int last = living("7784").getFirst().pid();
    int shepherd =
        ProcessHandle.of(last)
            .flatMap(ProcessHandle::parent)
            .map(found -> (int) found.pid())
            .orElseThrow();
    assertEquals("shepherd", Processes.name(shepherd));
    Processes.kill(shepherd, "KILL");
    SOON.until("none of them runs", () -> living("778[1-4]").isEmpty());
  }

  private static List<Processes.Seen> living(String number) {
    return Processes.mentioning("778").stream()
        .filter(
            seen -> seen.words().replace('\0', ' ').strip().matches("(sleep|innocent) " + number))
        .toList();
  }

  /** What the kernel says to a ptrace of that process, which it would stop. */
  private static String traced(Session user, int pid) {
    String attach =
        "my $n = `uname -m` =~ /x86_64/ ? 101 : 117; my $ok = syscall($n, 16, %d, 0, 0);"
            .formatted(pid);
    return user.run(
            "perl", "-e", attach + " print $ok == 0 ? 'traced' : $!{EPERM} ? 'not permitted' : $!")
        .ok();
  }

  private static void assertDenied(Session user, String line) {
    String said = user.shell("LC_ALL=C " + line).whatever();
    assertTrue(
        said.matches("(?s)exit [1-9].*(Permission denied|Operation not permitted|No such file).*"),
        line + ": " + said);
  }

  private static Path stepDirectory() throws IOException {
    try (Stream<Path> all = Files.walk(cluster.dir().resolve("spool/n1/runs"))) {
      return all.filter(file -> file.getFileName().toString().matches("job.*\\.0"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static int process(String program, String word) {
    return Processes.mentioning(word).stream()
        .filter(seen -> seen.name().equals(program))
        .mapToInt(Processes.Seen::pid)
        .findFirst()
        .orElseThrow();
  }
}
