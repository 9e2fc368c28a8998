package io.dure.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.FakeAgent;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
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
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How a command is called and how it ends: the same through each of the clients. */
@ExtendWith(Diagnosis.class)
@ParameterizedClass
@EnumSource
@Tag("cluster")
class ClientsTest {
  private static Cluster cluster;
  private final Session shell;

  ClientsTest(Client client) {
    cluster.through(client);
    shell = cluster.admin();
  }

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(1, 8));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A line of bash, which knows more than sh of how programs may be started. */
  private Ran bash(String line) {
    return shell.run("bash", "-c", line);
  }

  private static void exits(int code, Ran ran) {
    String said = ran.whatever();
    assertTrue(said.startsWith("exit " + code + "\n"), said);
  }

  @Test
  void closedStreamsGoNowhereAndBringNothing() {
    List<String> closed =
        List.of("<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-");
    for (String streams : closed) {
      exits(0, bash("squeue -h " + streams));
      exits(1, bash("squeue --nonsense " + streams));
      exits(1, bash("sbatch " + streams));
      exits(0, bash("sbatch --hold --wrap true " + streams));
    }
    assertEquals(closed.size(), shell.run("squeue", "-h", "-t", "PD").ok().lines().count());
    bash("sbatch <&-").fails(1, "sbatch: error: Batch script is empty!");
    shell.run("scancel", "--state=PENDING").okSilently();
  }

  @Test
  void theFilesNameCountsAndNotTheFirstWord() {
    for (String word : List.of("foo", "''", "sinfo", "/x/y/")) {
      bash("exec -a " + word + " $(command -v sbatch) --nonsense")
          .fails(
              1,
              "sbatch: unrecognized option '--nonsense'",
              "Try \"sbatch --help\" for more information");
    }
  }

  @Test
  void aLocaleThatIsNotInstalledIsNobodysAffair() {
    Session foreign = shell.with("LC_ALL", "xx_YY.UTF-8").with("LANG", "xx_YY.UTF-8");
    assertTrue(foreign.run("sinfo", "-h").ok().contains("main"));
    for (String given : List.of("", "1")) {
      Session caller = given.isEmpty() ? foreign : foreign.with("PERL_BADLANG", given);
      String wrapped = "echo ${PERL_BADLANG-none} $(env | grep -c BADLANG)";
      caller.run("sbatch", "-Q", "-W", "-o", "seen", "--wrap", wrapped).okSilently();
      assertEquals(given.isEmpty() ? "none 0\n" : "1 1\n", shell.read("seen"));
    }
  }

  @Test
  void programsAndSignalsAreForTheNamesThatNeedThem() throws IOException {
    if (shell.client() == Client.JVM) {
      return; // it hears no agent
    }
    Path socket = shell.directory().resolve("fake.sock");
    Session caller = shell.with("DURE_AGENT", socket.toString());
    Path ran = shell.directory().resolve("ran");
    byte[] touch =
        FakeAgent.frame('P', "\0\0\0\2.\0touch\0ran\0PATH=/usr/bin:/bin\0".getBytes(US_ASCII));
    byte[] signal = FakeAgent.frame('Y', new byte[] {0, 0, 0, 15});
    byte[] hear = FakeAgent.frame('H', "ended by %d".getBytes(US_ASCII));
    for (byte[] order : List.of(touch, signal, hear, FakeAgent.frame('X'))) {
      try (FakeAgent _ = new FakeAgent(socket, FakeAgent.frames(order, FakeAgent.exit(9)))) {
        assertTrue(caller.run("sinfo", "-h").ok().contains("main"), "it fell back");
      }
    }
    assertTrue(Files.notExists(ran));
    Path salloc = shell.directory().resolve("salloc");
    Files.createSymbolicLink(salloc, shell.client().directory().resolve("sinfo").toRealPath());
    byte[] all = FakeAgent.frames(signal, hear, touch, FakeAgent.exit(7));
    try (FakeAgent _ = new FakeAgent(socket, all)) {
      caller.run(salloc.toString()).fails(7, "");
    }
    Await.seconds(60).until("the program ran", () -> Files.exists(ran));
    Files.delete(ran);
    Files.delete(salloc);
    try (FakeAgent _ = new FakeAgent(socket, FakeAgent.exit(256 + 15))) {
      caller.run("sinfo").fails(128 + 15, "");
    }
  }

  @Test
  void whatWasReadFromAPipeIsNotReadAnew() throws IOException {
    if (shell.client() == Client.JVM) {
      return; // it hears no agent
    }
    Path socket = shell.directory().resolve("fake.sock");
    Session caller = shell.with("DURE_AGENT", socket.toString());
    byte[] open = FakeAgent.frame('O', "\0\0\0\0\0\0\0\1\0\0\0\0input\0".getBytes(US_ASCII));
    byte[] read = FakeAgent.frame('R', new byte[] {0, 0, 0, 0, 0, 0, 1, 0});
    byte[] all = FakeAgent.frames(FakeAgent.frame('K'), open, read, FakeAgent.frame('F'));
    try (FakeAgent _ = new FakeAgent(socket, all)) {
      caller.script("input", "a file\n");
      assertTrue(caller.run("sinfo", "-h").ok().contains("main"), "a file can be read anew");
      caller
          .shell(
              "rm input; mkfifo input; echo gone > input & sinfo -h; code=$?; rm input; exit $code")
          .fails(
              1,
              "sinfo: error: the agent of this machine ended while the command ran; what it was"
                  + " asked to do may be done");
    }
  }

  @Test
  void signalsEndACommandAsAnyProgram() {
    for (String signal : List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM")) {
      // The shell that runs the tests may ignore HUP, which a child takes along.
      String line = "ulimit -c 0; trap - INT QUIT; ";
      line += "env --default-signal=HUP squeue -i 600 > began & ";
      line += "until [ -s began ]; do sleep 0.05; done; kill -" + signal + " $!; wait $!; echo $?";
      String number = bash("kill -l " + signal).ok();
      // Job control, for else bash lets what runs in the background ignore INT and QUIT.
      String said = bash("rm -f began; set -m; " + line).output();
      assertEquals(128 + Integer.parseInt(number), Integer.parseInt(said.strip()), signal);
    }
    assertEquals("141", bash("squeue -i 1 | true; echo ${PIPESTATUS[0]}").ok());
    assertEquals("153", bash("(ulimit -f 0; squeue > file); echo $?").output().strip());
    exits(1, bash("trap '' XFSZ; ulimit -f 0; squeue > file"));
  }

  @Test
  void whoShowsToNobodyEnds() {
    exits(1, bash("timeout 60 squeue -i 1 > /dev/full"));
    exits(1, bash("timeout 60 sinfo -i 1 > /dev/full"));
    assertEquals(
        "1", bash("trap '' PIPE; timeout 60 squeue -i 1 | true; echo ${PIPESTATUS[0]}").ok());
  }

  @Test
  void whoActsGoesOnThoughNobodyHears() {
    String lines = "show config\\nupdate jobid=$job name=renamed\\n";
    String job = Integer.toString(shell.submit("--hold", "--wrap", "true"));
    exits(1, bash("job=" + job + "; printf \"" + lines + "\" | scontrol > /dev/full"));
    assertEquals("renamed", cluster.job(Integer.parseInt(job)).get("JobName"));
    exits(1, bash("sbatch --wait -o went --wrap 'echo went' > /dev/full"));
    assertEquals("went\n", shell.read("went"));
    shell.run("scancel", job).okSilently();
  }
}
