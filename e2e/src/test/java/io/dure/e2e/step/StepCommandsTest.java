package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands about steps that run, on a cluster of two nodes. */
@Tag("cluster")
class StepCommandsTest {
  private static final Await SOON = Await.seconds(60);

  @RegisterExtension static final StepCluster RUNNING = StepCluster.of(() -> Conf.nodes(2, 4));

  private static Cluster cluster;
  private static Session shell;
  private static int counter;

  private final List<String> jobs = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = RUNNING.cluster();
    shell = RUNNING.shell();
  }

  @AfterEach
  void end() {
    jobs.forEach(job -> shell.run("scancel", job).whatever());
  }

  /**
   * A job of two nodes with a step of three tasks that run until the file of that name is there.
   */
  private String step(Path flag, String then) {
    String id = shell.shell("salloc -N2 -n3 --no-shell 2>&1 | grep -oE '[0-9]+' | head -1").ok();
    String job = id.strip();
    jobs.add(job);
    String script =
        "touch %1$s.$SLURM_PROCID; until [ -e %1$s ]; do echo tick; sleep 0.05; done; %2$s"
            .formatted(flag, then);
    var _ =
        CompletableFuture.runAsync(
            () -> shell.run("srun", "--jobid=" + job, "-n3", "bash", "-c", script).whatever(),
            Thread::startVirtualThread);
    for (int i = 0; i < 3; i++) {
      Path up = Path.of(flag + "." + i);
      SOON.until("task " + i + " runs", () -> Files.exists(up));
    }
    return job;
  }

  private static Path flag() {
    return cluster.dir().resolve("flag" + counter++);
  }

  @Test
  void aFileIsSentToAllNodesAndFetchedFromThem() throws IOException {
    Path flag = flag();
    String job = step(flag, "true");
    Path file = cluster.dir().resolve("file");
    Files.write(file, new byte[3_000_000]);
    Path copy = cluster.dir().resolve("copy");
    shell.run("sbcast", "-f", "-j", job, file.toString(), copy.toString()).okSilently();
    assertEquals(-1, Files.mismatch(file, copy));
    Ran again = shell.run("sbcast", "-j", job + ".0", file.toString(), copy.toString());
    String said = again.whatever();
    assertTrue(said.startsWith("exit 17\nsbcast: error: REQUEST_FILE_BCAST(n"), said);
    assertTrue(said.contains("(n1): File exists\n"), said);
    shell
        .with("SLURM_JOB_ID", job)
        .run("sgather", copy.toString(), cluster.dir().resolve("back").toString())
        .okSilently();
    assertEquals(-1, Files.mismatch(file, cluster.dir().resolve("back.n2")));
  }

  @Test
  void stepsOfASuspendedJobStandStill() {
    Path flag = flag();
    String job = step(flag, "true");
    String states =
        "ps -o stat= -p $(pgrep -d, -f '^[^ ]*bash -c touch " + flag + "') | cut -c1 | sort -u";
    shell.run("scontrol", "suspend", job).okSilently();
    SOON.until("all tasks have stopped", () -> shell.shell(states).ok().equals("T"));
    shell.run("scontrol", "resume", job).okSilently();
    SOON.until("all tasks go on", () -> !shell.shell(states).ok().contains("T"));
  }

  @Test
  void theProgramOfAStepIsSentFirst() {
    Path program = cluster.dir().resolve("program");
    String sent = "--bcast=" + program;
    assertEquals(program.toString(), shell.run("srun", sent, "sh", "-c", "echo $0").ok());
    Path nowhere = cluster.dir().resolve("nowhere/program");
    Ran failed = shell.run("srun", "--bcast=" + nowhere, "sh", "-c", "true");
    String said = failed.whatever();
    assertTrue(said.contains("Step launch aborted.\n"), said);
    assertTrue(said.startsWith("exit 1\nsrun: error: REQUEST_FILE_BCAST(n"), said);
  }

  @Test
  void itsLibrariesAreSentButForThoseOfTheSystem() {
    Path program = cluster.dir().resolve("linked");
    String[] look = {"sh", "-c", "ls $0_libs; echo $LD_LIBRARY_PATH"};
    String sent = "--bcast=" + program;
    Session first = shell.with("LD_LIBRARY_PATH", "/mine");
    String none =
        first
            .run("srun", sent, "--send-libs", "--bcast-exclude=none", look[0], look[1], look[2])
            .ok();
    assertTrue(none.contains("libc.so.6\n"), none);
    assertTrue(none.endsWith(program + "_libs:/mine"), none);
    String[] usual = {"sh", "-c", "ls $0_libs 2>/dev/null; echo $LD_LIBRARY_PATH"};
    assertEquals(
        program + "2_libs:/mine",
        first.run("srun", sent + "2", "--send-libs", usual[0], usual[1], usual[2]).ok());
  }

  @Test
  void aFileThatDoesNotFitIsTold() throws IOException {
    Path flag = flag();
    String job = step(flag, "true");
    Path small = Files.createDirectory(cluster.dir().resolve("small"));
    Path file = cluster.dir().resolve("large");
    Files.write(file, new byte[8_000_000]);
    shell.shell("mount -t tmpfs -o size=1m small " + small).okSilently();
    try {
      String said =
          shell
              .run("sbcast", "-j", job, file.toString(), small.resolve("large").toString())
              .whatever();
      assertTrue(said.contains("No space left on device\n"), said);
      assertTrue(said.matches("(?s)exit [1-9]\\d*\n.*REQUEST_FILE_BCAST\\(n.*"), said);
      assertEquals("", shell.shell("ls -A " + small).ok(), "nothing of it stays");
    } finally {
      shell.shell("umount " + small).okSilently();
    }
  }

  @Test
  void whenAJobWouldStartIsToldInsteadOfRunningIt() {
    Path file = cluster.dir().resolve("ran");
    String said = shell.run("srun", "--test-only", "-n1", "touch", file.toString()).whatever();
    assertTrue(
        said.matches(
            "exit 0\nsrun: Job \\d+ to start at \\S+ using 1 processors on nodes n\\d in partition \\S+\n?"),
        said);
    shell
        .run("srun", "--test-only", "-p", "none", "touch", file.toString())
        .fails(
            1,
            "srun: error: invalid partition specified: none",
            "allocation failure: Invalid partition name specified");
    shell
        .shell("salloc -Q -n1 srun --test-only touch " + file)
        .fails(1, "srun: error: --test-only is for a new job, not for a step of one");
    assertTrue(Files.notExists(file));
  }

  @Test
  void aJobHasTheHighestCodeOfItsStepsBesideItsOwn() {
    int job = shell.submit("--wrap", "srun -n1 sh -c 'exit 3'; srun -n1 sh -c 'exit 2'; srun true");
    cluster.await(job, "COMPLETED");
    assertEquals("0:0", cluster.job(job).get("ExitCode"));
    String details = shell.run("scontrol", "-d", "show", "job", Integer.toString(job)).ok();
    assertTrue(details.contains(" DerivedExitCode=3:0 "), details);
    assertEquals(
        "3:0",
        shell
            .run("squeue", "-h", "-t", "all", "-j", Integer.toString(job), "-O", "DerivedEC:5")
            .ok()
            .strip());
  }

  private static boolean has(Path file, String line) throws IOException {
    return Files.readAllLines(file).contains(line);
  }

  @Test
  void outputOfAStepIsShownToWhoAttaches() throws IOException {
    Path flag = flag();
    String job = step(flag, "echo out $SLURM_PROCID; [ $SLURM_PROCID = 0 ] || exit 3");
    assertEquals(
        """
        Job step layout:
        \t3 tasks, 2 nodes (n[1-2])

        \tNode 0 (n1), 2 task(s): 0 1\s
        \tNode 1 (n2), 1 task(s): 2\s
        """
            .strip(),
        shell.run("sattach", "--layout", job + ".0").ok());
    Path out = cluster.dir().resolve("out");
    Path all = cluster.dir().resolve("all");
    String filtered = "sattach -l --output-filter=2 " + job + ".0 > " + out;
    String whole = "sattach -l " + job + ".0 > " + all;
    CompletableFuture<Ran> attached =
        CompletableFuture.supplyAsync(() -> shell.shell(filtered), Thread::startVirtualThread);
    CompletableFuture<Ran> attachedToAll =
        CompletableFuture.supplyAsync(() -> shell.shell(whole), Thread::startVirtualThread);
    SOON.until("it is attached", () -> Files.exists(out) && out.toFile().length() > 0);
    // Each node is attached to by itself, and may be over before.
    SOON.until(
        "both nodes are attached to",
        () -> Files.exists(all) && has(all, "1: tick") && has(all, "2: tick"));
    Files.createFile(flag);
    assertTrue(attached.join().whatever().startsWith("exit 3\n"));
    String said = attachedToAll.join().whatever();
    assertTrue(said.startsWith("exit 3\n"), said);
    assertTrue(said.contains("sattach: error: task 1 exited with exit code 3\n"), said);
    List<String> lines = Files.readAllLines(out);
    assertEquals("2: tick", lines.getFirst());
    assertEquals("2: out 2", lines.getLast());
    shell
        .run("sattach", job + ".7")
        .fails(1, "sattach: error: Could not get job step info: Invalid job id specified");
  }

  @Test
  void whatTheTasksOfAStepUseAndWhichProcessesTheyHave() throws IOException {
    Path flag = flag();
    String job = step(flag, "exit 3");
    Ran listed = shell.run("scontrol", "listpids", job + ".0", "n2");
    List<String> lines = listed.ok().lines().toList();
    assertEquals("PID      JOBID    STEPID   LOCALID GLOBALID", lines.getFirst());
    String pid = lines.get(1).split(" ", 2)[0];
    assertTrue(lines.get(1).matches(pid + " +" + job + " +0 +0 +2 *"), lines.get(1));
    assertTrue(Files.exists(Path.of("/proc/" + pid)), pid);
    assertTrue(shell.run("scontrol", "pidinfo", pid).ok().startsWith("Slurm JobId=" + job));
    String row = shell.run("sstat", "-nP", "-o", "jobid,ntasks,maxrss,pids", "-j", job).ok();
    String[] cells = row.strip().split("\\|", -1);
    assertEquals(List.of(job + ".0", "3"), List.of(cells).subList(0, 2), row);
    assertTrue(cells[2].matches("[1-9][0-9]*K"), row);
    assertTrue(List.of(cells[3].split(",", -1)).contains(pid), row);
    Files.createFile(flag);
    SOON.until(
        "the step is over",
        () ->
            shell
                .run("scontrol", "listpids", job + ".0", "n2")
                .whatever()
                .contains("StepId=" + job + ".0 does not exist on node n2."));
  }
}
