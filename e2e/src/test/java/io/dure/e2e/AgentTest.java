package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.FakeAgent;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What befalls the agent and its clients: nobody waits for ever, nothing happens twice. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class AgentTest {
  private static final Await SOON = Await.seconds(60);
  private static final String TIMED_OUT =
      "slurm_load_jobs error: Socket timed out on send/recv operation";
  private static final String FELL_SILENT =
      "sinfo: error: the agent of this machine fell silent while the command ran; what it was asked"
          + " to do may be done\n";

  /** Each has a JVM of its own once the agent is gone. */
  private static final int CALLERS = 15;

  private static final byte[] MAGIC = "DureAg01".getBytes(StandardCharsets.US_ASCII);

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(1, 8));
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void itServes() {
    if (!cluster.agent().isAlive()) {
      cluster.agent().start();
    }
    assertTrue(withoutJvm("sinfo -h").ok().contains("main"), "the agent serves");
  }

  /** Where no JVM can start, only the agent can have served. */
  private static Ran withoutJvm(String line) {
    return shell.shell("ulimit -v 100000; exec " + line);
  }

  @Test
  void itsEndUnderManyCallersLosesAndRepeatsNothing() {
    List<CompletableFuture<Ran>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String line =
          "for k in 1 2 3 4; do sbatch --parsable --hold -J caller-" + i + "-$k --wrap true; done";
      callers.add(
          CompletableFuture.supplyAsync(() -> shell.shell(line), Thread::startVirtualThread));
    }
    SOON.until("some are through", () -> cluster.jobs().size() > CALLERS);
    cluster.agent().kill9();
    List<String> ids = callers.stream().flatMap(caller -> caller.join().output().lines()).toList();
    List<String> names =
        cluster.jobs().stream()
            .map(job -> job.get("JobName"))
            .filter(name -> name.startsWith("caller-"))
            .toList();
    assertEquals(4 * CALLERS, names.size(), "jobs");
    assertEquals(names.size(), names.stream().distinct().count(), "a job was submitted twice");
    for (String id : ids) {
      cluster.job(Integer.parseInt(id));
    }
    assertEquals(4 * CALLERS, ids.size(), "each caller fell back");
    shell.run("scancel", "--state=PENDING").okSilently();
  }

  @Test
  void garbageHalfACallAndTooMuchOfOneDisturbNobody() throws IOException {
    List<SocketChannel> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        silent.add(connect(i % 2 == 0 ? new byte[0] : call(1000, new byte[10])));
      }
      for (byte[] bytes :
          List.of(
              "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
              call(Integer.MAX_VALUE, new byte[10]),
              call(-1, new byte[10]),
              call(3, new byte[] {1, 2, 3}),
              call(200, new byte[200]))) {
        try (SocketChannel caller = connect(bytes)) {
          assertEquals(-1, caller.read(ByteBuffer.allocate(10)), "it is hung up on");
        }
      }
      assertTrue(shell.run("sinfo", "-h").ok().contains("main"));
    } finally {
      for (SocketChannel channel : silent) {
        channel.close();
      }
    }
  }

  private static byte[] call(int length, byte[] payload) {
    return ByteBuffer.allocate(MAGIC.length + 5 + payload.length)
        .put(MAGIC)
        .put((byte) 'A')
        .putInt(length)
        .put(payload)
        .array();
  }

  private static SocketChannel connect(byte[] first) throws IOException {
    SocketChannel channel = SocketChannel.open(socket());
    channel.write(ByteBuffer.wrap(first));
    return channel;
  }

  private static UnixDomainSocketAddress socket() {
    return UnixDomainSocketAddress.of(cluster.dir().resolve("run/agent.sock"));
  }

  @Test
  void aReaderThatStopsHoldsNobodyUp() throws IOException {
    shell.run("sbatch", "-Q", "--hold", "--array=0-999", "--wrap", "true").okSilently();
    Session slow = shell.with("SQUEUE_FORMAT", "%i " + "x".repeat(500));
    List<Process> stopped = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        ProcessBuilder reader =
            new ProcessBuilder("sh", "-c", "squeue -r | (sleep 1000; cat)")
                .directory(slow.directory().toFile());
        reader.environment().clear();
        reader.environment().putAll(slow.environment());
        stopped.add(reader.start());
      }
      assertTrue(shell.run("sinfo", "-h").ok().contains("main"));
      assertEquals(1001, shell.run("squeue", "-r").ok().lines().count());
    } finally {
      stopped.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
      stopped.forEach(Process::destroyForcibly);
    }
    shell.run("scancel", "--state=PENDING").okSilently();
  }

  @Test
  void aFullDiskUnderTheOutputIsAFailure() {
    shell.shell("squeue > /dev/full").fails(1);
  }

  @Test
  void whyAFileCannotBeWrittenIsSaidInWords() {
    int job = shell.submit("--hold", "--wrap", "true");
    for (Session session : List.of(shell, shell.with("DURE_AGENT", ""))) {
      session
          .run("scontrol", "write", "batch_script", Integer.toString(job), "/dev/full")
          .fails(1, "scontrol: error: failed to open file `/dev/full`: No space left on device");
      session
          .run("scontrol", "write", "batch_script", Integer.toString(job), "/tmp")
          .fails(1, "scontrol: error: failed to open file `/tmp`: /tmp: Is a directory");
    }
    shell.run("scancel", Integer.toString(job)).okSilently();
  }

  @Test
  void theConfigurationMayHaveAnotherName() throws IOException {
    Path link = Files.createTempDirectory("e2e-conf").resolve("link");
    Files.createSymbolicLink(link, cluster.dir());
    for (String name : List.of("slurm.conf", "./run/../slurm.conf", link + "/slurm.conf")) {
      String line = "cd " + cluster.dir() + "; ulimit -v 100000; SLURM_CONF=" + name;
      assertTrue(shell.shell(line + " exec sinfo -h").ok().contains("main"), name);
    }
    Files.delete(link);
    Files.delete(link.getParent());
  }

  @Test
  void anAgentWithoutAConfigurationDoesNotStart() throws IOException {
    Path dir = Files.createTempDirectory("e2e-none");
    String conf = dir.resolve("slurm.conf").toString();
    shell
        .run(Checkout.daemon("dure-agent").toString(), "-f", conf)
        .fails(1, "dure-agent: fatal: Could not read the configuration file " + conf);
    // Nothing was made there.
    Files.delete(dir);
  }

  @Test
  void itSaysWhatItIs() {
    String agent = Checkout.daemon("dure-agent").toString();
    assertEquals("Usage: dure-agent [-D] [-f FILE] [-L FILE]", shell.run(agent, "--help").ok());
    assertEquals(shell.run("sinfo", "--version").ok(), shell.run(agent, "-V").ok());
  }

  @Test
  void aSocketThatSomebodyRemovesIsThereAgain() throws IOException {
    int agent = cluster.agent().pid();
    Path socket = cluster.dir().resolve("run/agent.sock");
    Files.delete(socket);
    SOON.until("it listens anew", () -> Files.exists(socket));
    assertTrue(withoutJvm("sinfo -h").ok().contains("main"));
    assertEquals(agent, cluster.agent().pid());
  }

  @Test
  void aCallerThatIsKilledLeavesNothingBehind() throws IOException {
    long threads = threads();
    int job = shell.submit("--hold", "--wrap", "true");
    List<Process> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ProcessBuilder builder =
          new ProcessBuilder(
                  Checkout.command("sbatch").toString(), "-W", "-d", "after:" + job, "--wrap=true")
              .directory(shell.directory().toFile());
      builder.environment().clear();
      builder.environment().putAll(shell.environment());
      waiting.add(builder.start());
    }
    SOON.until("they wait", () -> cluster.jobs().stream().filter(AgentTest::pending).count() > 20);
    waiting.forEach(Process::destroyForcibly);
    SOON.until("their threads end or rest", () -> callsInProgress() == 0);
    assertTrue(threads() <= threads + 25, "threads stay for the next calls only");
    shell.run("scancel", "--state=PENDING").okSilently();
  }

  private static boolean pending(Shown job) {
    return job.is("PENDING");
  }

  private static long threads() throws IOException {
    try (var tasks = Files.list(Path.of("/proc/" + cluster.agent().pid() + "/task"))) {
      return tasks.count();
    }
  }

  /** Connections that clients have with the agent. */
  private static long callsInProgress() {
    try (var lines = Files.lines(Path.of("/proc/net/unix"))) {
      String path = cluster.dir().resolve("run/agent.sock").toString();
      // The third state is that of a connected socket.
      return lines.filter(line -> line.endsWith(" " + path) && line.contains(" 03 ")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aPlantedListenerInPlaceOfTheAgentsIsReplaced() throws IOException {
    cluster.agent().stop();
    Path socket = cluster.dir().resolve("run/agent.sock");
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    cluster.agent().start();
    assertTrue(shell.run("sinfo", "-h").ok().contains("main"));
  }

  @Test
  void whatItsCallerHasDoneElsewhereIsNotDoneAgain() {
    shell.submit("--hold", "-J", "twice", "--wrap", "true");
    int later;
    try {
      cluster.agent().pause();
      // After five seconds without a word the client does it in a JVM.
      shell.run("scancel", "-n", "twice").okSilently();
      later = shell.with("DURE_AGENT", "").submit("--hold", "-J", "twice", "--wrap", "true");
    } finally {
      cluster.agent().goOn();
    }
    SOON.until("the agent has seen the old call", () -> callsInProgress() == 0);
    assertTrue(withoutJvm("squeue -h -j " + later).ok().contains("twice"), "the job was cancelled");
    shell.run("scancel", "--state=PENDING").okSilently();
  }

  @Test
  void anAgentThatFallsSilentIsLeftAndOneThatIsAtWorkIsNot()
      throws IOException, InterruptedException {
    Path early = shell.directory().resolve("early.sock");
    Path late = shell.directory().resolve("late.sock");
    byte[] said = FakeAgent.frames(FakeAgent.frame('K'), FakeAgent.frame('1', (byte) '!'));
    int held = shell.submit("--hold", "--wrap", "true");
    List<Process> quiet = new ArrayList<>();
    try (FakeAgent _ = new FakeAgent(early, FakeAgent.frame('K'));
        FakeAgent _ = new FakeAgent(late, said)) {
      List<CompletableFuture<Ran>> before = new ArrayList<>();
      List<CompletableFuture<Ran>> after = new ArrayList<>();
      for (Client client : List.of(Client.C, Client.PERL)) {
        Session own = Session.of(shell.user(), shell.directory(), cluster.confFile(), client);
        String waiting = "waiting-" + client;
        quiet.add(own.start(waiting, "sbatch", "-W", "-d", "afterany:" + held, "--wrap=true"));
        SOON.until("it waits", () -> own.read(waiting).startsWith("Submitted"));
        before.add(listing(own, early));
        after.add(listing(own, late));
      }
      for (CompletableFuture<Ran> one : before) {
        assertTrue(one.join().ok().contains("main"), "nothing was done yet: it fell back");
      }
      for (CompletableFuture<Ran> one : after) {
        assertEquals("exit 1\n!" + FELL_SILENT, one.join().whatever());
      }
    } finally {
      shell.run("scancel", Integer.toString(held)).okSilently();
    }
    for (Process one : quiet) {
      assertEquals(0, one.waitFor());
    }
  }

  private static CompletableFuture<Ran> listing(Session session, Path agent) {
    Session caller = session.with("DURE_AGENT", agent.toString());
    return CompletableFuture.supplyAsync(
        () -> caller.run("sinfo", "-h"), Thread::startVirtualThread);
  }

  @Test
  void aControllerThatHangsIsWaitedForOnce() {
    shell.run("squeue").ok();
    long began;
    try {
      cluster.controller().pause();
      began = System.nanoTime();
      List<CompletableFuture<Ran>> callers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        callers.add(
            CompletableFuture.supplyAsync(() -> shell.run("squeue"), Thread::startVirtualThread));
      }
      callers.forEach(caller -> caller.join().fails(1, TIMED_OUT));
    } finally {
      cluster.controller().goOn();
    }
    // The limit is ten seconds, for all of them together; a second question would take as long.
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    assertTrue(took.compareTo(Duration.ofSeconds(18)) < 0, took.toString());
    shell.run("squeue").ok();
  }

  /** A call of {@code sbatch} with so many empty words. */
  private static byte[] sbatch(int words) {
    byte[] fixed = new byte[12 + 8 + 80];
    String strings = "0".repeat(32) + "\0/tmp\0sbatch\0";
    String variable = "SLURM_CONF=" + cluster.dir().resolve("slurm.conf") + "\0";
    ByteBuffer payload =
        ByteBuffer.allocate(fixed.length + strings.length() + 4 + words + variable.length());
    payload.put(fixed).put(strings.getBytes(StandardCharsets.US_ASCII)).putInt(words);
    payload.position(payload.position() + words);
    payload.put(variable.getBytes(StandardCharsets.US_ASCII));
    return call(payload.capacity(), payload.array());
  }

  @Test
  void nobodyFillsTheAgentsMemory() throws IOException {
    int agent = cluster.agent().pid();
    byte[] words = sbatch((8 << 20) - 1000);
    for (int i = 0; i < 4; i++) {
      CompletableFuture.runAsync(() -> hungUpOn(words), Thread::startVirtualThread).join();
    }
    List<SocketChannel> callers = new ArrayList<>();
    try {
      List<CompletableFuture<Void>> sending = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        SocketChannel caller = connect(sbatch(0));
        callers.add(caller);
        sending.add(
            CompletableFuture.runAsync(() -> sendScript(caller), Thread::startVirtualThread));
      }
      sending.forEach(CompletableFuture::join);
      assertTrue(withoutJvm("sinfo -h").ok().contains("main"));
      assertEquals(agent, cluster.agent().pid());
    } finally {
      for (SocketChannel caller : callers) {
        caller.close();
      }
    }
  }

  private static void hungUpOn(byte[] call) {
    try (SocketChannel caller = SocketChannel.open(socket())) {
      ByteBuffer bytes = ByteBuffer.wrap(call);
      while (bytes.hasRemaining()) {
        caller.write(bytes);
      }
      assertEquals(-1, caller.read(ByteBuffer.allocate(10)));
    } catch (IOException e) {
      // it did not even read the call
    }
  }

  /** Sends four megabytes of a script that does not end, as far as the agent lets it. */
  private static void sendScript(SocketChannel caller) {
    ByteBuffer chunk = ByteBuffer.allocate(5 + (1 << 16)).put((byte) 'I').putInt(1 << 16);
    try {
      for (int sent = 0; sent < 64; ) {
        switch (frameOf(caller)) {
          case 'K' -> {}
          case 'S' -> {
            chunk.clear();
            while (chunk.hasRemaining()) {
              caller.write(chunk);
            }
            sent++;
          }
          default -> {
            return;
          }
        }
      }
    } catch (IOException e) {
      // hung up on
    }
  }

  /** The type of the next frame. */
  private static byte frameOf(SocketChannel caller) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(5);
    while (header.hasRemaining()) {
      if (caller.read(header) < 0) {
        throw new IOException("the end");
      }
    }
    return header.get(0);
  }
}
