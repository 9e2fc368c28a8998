package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people mistype and what arrives by accident: each is answered in Slurm's words, and the
 * cluster does not mind.
 */
@ExtendWith(Diagnosis.class)
@ParameterizedClass
@EnumSource
@Tag("cluster")
class BadInputTest {
  private static final String REFUSED = "sbatch: error: Batch job submission failed: ";
  private static final String TRY = "Try \"sbatch --help\" for more information";
  private static final String TOO_LONG =
      REFUSED + "Pathname of a file, directory or other parameter too long";

  private static Cluster cluster;
  private final Session shell;
  private static Map<Integer, Daemon> daemons;

  BadInputTest(Client client) {
    cluster.through(client);
    shell = cluster.admin();
  }

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 8));
    daemons = cluster.daemons().stream().collect(Collectors.toMap(Daemon::pid, daemon -> daemon));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void noDaemonIsDown() {
    daemons.forEach((pid, daemon) -> assertEquals(pid, daemon.pid()));
  }

  @Test
  void scriptsThatAreNone() throws IOException {
    shell.script("empty.sh", "");
    shell.script("blank.sh", "\n\n \n");
    shell.script("dos.sh", "#!/bin/sh\r\necho\r\n");
    shell.script("nul.sh", "#!/bin/sh\n\0\n");
    Files.copy(
        Path.of("/bin/true"),
        shell.directory().resolve("binary"),
        StandardCopyOption.REPLACE_EXISTING);
    shell.run("sbatch", "empty.sh").fails(1, "sbatch: error: Batch script is empty!");
    shell
        .run("sbatch", "blank.sh")
        .fails(1, "sbatch: error: Batch script contains only whitespace!");
    shell
        .run("sbatch", "dos.sh")
        .fails(
            1,
            "sbatch: error: Batch script contains DOS line breaks (\\r\\n)",
            "sbatch: error: instead of expected UNIX line breaks (\\n).");
    shell
        .run("sbatch", "nul.sh")
        .fails(
            1,
            "sbatch: error: The Slurm controller does not allow scripts that contain a NULL"
                + " character '\\0'.");
    shell
        .run("sbatch", "binary")
        .fails(
            1,
            "sbatch: error: This does not look like a batch script.  The first",
            "sbatch: error: line must start with #! followed by the path to an interpreter.",
            "sbatch: error: For instance: #!/bin/sh");
    for (String input : List.of("< .", "0> written", "<&-")) {
      shell.shell("sbatch " + input).fails(1, "sbatch: error: Batch script is empty!");
    }
    shell.run("sbatch", "none.sh").fails(1, "sbatch: error: Unable to open file none.sh");
  }

  @Test
  void tenGigabytesOfScript() throws IOException {
    Path huge = shell.script("huge.sh", "#!/bin/sh\n");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(10L << 30);
    }
    long began = System.nanoTime();
    shell.run("sbatch", "huge.sh").fails(1, TOO_LONG);
    shell.runReading(huge, "sbatch").fails(1, TOO_LONG);
    assertTrue(
        System.nanoTime() - began < Duration.ofSeconds(20).toNanos(), "the whole file was read");
  }

  @Test
  void optionsThatAreNone() {
    shell.script("option.sh", "#!/bin/sh\n#SBATCH --nonsense=1\n");
    shell.run("sbatch", "option.sh").fails(1, "sbatch: unrecognized option '--nonsense=1'", TRY);
    refused(1, "sbatch: unrecognized option '--nonsense'\n" + TRY, "--nonsense");
    refused(1, "sbatch: invalid option -- 'Z'\n" + TRY, "-Z");
  }

  @Test
  void figuresOutOfBounds() {
    refused(1, REFUSED + "Invalid job array specification", "--array=0-9999999");
    refused(1, REFUSED + "Invalid node name specified", "-w", "n[1-1000000]");
    refused(1, REFUSED + "Invalid node name specified", "-w", "n[1-100000000000]");
    refused(
        1,
        "sbatch: error: invalid partition specified: nope\n"
            + REFUSED
            + "Invalid partition name specified",
        "-p",
        "nope");
    int patient = shell.submit("-t", "99999999", "-o", "/dev/null", "--wrap", "true");
    assertEquals("69444-10:39:00", cluster.await(patient, "COMPLETED").get("TimeLimit"));
  }

  @Test
  void moreNodesThanThereAre() {
    int job = shell.submit("-N", "9", "--wrap", "true");
    Shown waits = cluster.await(job, "PENDING");
    Await.seconds(10)
        .until("its reason", () -> cluster.job(job).get("Reason").equals("PartitionNodeLimit"));
    assertEquals("", waits.get("NodeList"));
    shell.run("scancel", Integer.toString(job)).okSilently();
    cluster.await(job, "CANCELLED");
  }

  @Test
  void directoriesThatAreGone() throws IOException {
    int away =
        shell.submit("-D", "/no/such/dir", "-o", shell.directory() + "/away", "--wrap", "pwd");
    cluster.await(away, "COMPLETED", "0:0");
    assertEquals(
        "slurmstepd: error: couldn't chdir to `/no/such/dir': No such file or directory: going to"
            + " /tmp instead\n/tmp\n",
        shell.read("away"));
    int nowhere = shell.submit("-o", "/no/such/dir/out", "--wrap", "true");
    cluster.await(nowhere, "FAILED", "0:53");
    Path gone = shell.directory().resolve("gone");
    String inGone = "mkdir -p " + gone + "; cd " + gone + "; rmdir " + gone + "; exec ";
    for (String words : List.of("--wrap true", "-D /tmp --wrap true", "--version")) {
      shell
          .shell(inGone + "sbatch " + words)
          .fails(1, "sbatch: error: getcwd failed: No such file or directory");
    }
    assertTrue(shell.shell(inGone + "sinfo -h").ok().contains("main"));
  }

  @Test
  void anOutputThatMayNotBeWritten() {
    User alice = User.named("dure-alice");
    int job = cluster.as(alice).submit("-o", "/etc/mine", "--wrap", "true");
    cluster.await(job, "FAILED", "0:53");
    assertTrue(Files.notExists(Path.of("/etc/mine")));
  }

  @Test
  void enormousEnvironmentsAndNames() {
    Session full = shell;
    for (int i = 0; i < 8; i++) {
      full = full.with("BIG" + i, "x".repeat(100_000));
    }
    int job = full.submit("-o", "big", "--wrap", "echo ${#BIG7}");
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("100000\n", full.read("big"));
    int odd = shell.submit("-o", "odd", "-J", "a \"b' $c\té", "--wrap", "echo \"$SLURM_JOB_NAME\"");
    cluster.await(odd, "COMPLETED", "0:0");
    assertEquals("a \"b' $c\té\n", shell.read("odd"));
  }

  private void refused(int code, String complaint, String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "sbatch";
    System.arraycopy(options, 0, words, 1, options.length);
    words[options.length + 1] = "--wrap";
    words[options.length + 2] = "true";
    shell.run(words).fails(code, complaint);
  }
}
