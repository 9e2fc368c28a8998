package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Conf;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The site's programs around {@code srun}, and what else it says of all steps. */
@Tag("cluster")
class SrunScriptsTest {
  private static final Await SOON = Await.seconds(60);

  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() ->
          Conf.nodes(1, 2)
              .with("SrunProlog", "{dir}/srun-prolog")
              .with("SrunEpilog", "{dir}/srun-epilog")
              .with("KillOnBadExit", "1"));

  private static String script(String name, String text) throws IOException {
    Path file = RUNNING.cluster().dir().resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertTrue(file.toFile().setExecutable(true, false));
    return file.toString();
  }

  @BeforeEach
  void site() throws IOException {
    script("srun-prolog", "echo before $SLURM_STEP_ID $SLURM_STEP_NUM_TASKS $*");
    script("srun-epilog", "echo after $SLURM_STEP_ID $*");
  }

  @Test
  void thePrologIsBeforeTheTasksAndTheEpilogBehindTheStep() {
    assertEquals(
        "before 0 1 echo task\ntask\nafter 0 echo task",
        RUNNING.shell().run("srun", "-n1", "echo", "task").ok());
  }

  @Test
  void optionsTakeTheirPlace() throws IOException {
    String prolog = script("own", "echo own");
    assertEquals(
        "own\ntask",
        RUNNING.shell().run("srun", "--prolog=" + prolog, "--epilog=none", "echo", "task").ok());
    String said = RUNNING.shell().run("srun", "--prolog=/nowhere", "echo", "task").whatever();
    assertTrue(said.startsWith("exit 0\ntask\nafter 0 echo task\n"), said);
    assertTrue(said.contains("srun: error: Unable to run /nowhere\n"), said);
  }

  @Test
  void aPrologThatIsInterruptedLaunchesNothing() throws IOException {
    String prolog = script("interrupted", "kill -INT $$");
    String said = RUNNING.shell().run("srun", "--prolog=" + prolog, "echo", "task").whatever();
    assertTrue(
        said.matches(
            "exit 1\nsrun: error: StepId=\\d+\\.0 cancelled by signal 2 during " + prolog + "\n"),
        said);
    SOON.until("its job is over", () -> RUNNING.shell().run("squeue", "-h").ok().isEmpty());
  }

  @Test
  void theSiteSaysThatABadExitEndsAStep() {
    String task = "[ $SLURM_PROCID = 1 ] || exit 3; exec sleep 1000";
    String said =
        RUNNING
            .shell()
            .run("srun", "--prolog=none", "--epilog=none", "-n2", "sh", "-c", task)
            .whatever();
    assertTrue(said.contains("task 0: Exited with exit code 3\n"), said);
    assertTrue(said.contains("task 1: "), said);
  }

  @Test
  void aStepWaitsForRoomAsLongAsItSays() {
    String full =
        """
        salloc -Q -n2 sh -c '
          srun --prolog=none -n2 sh -c "touch up; exec sleep 1000" > /dev/null 2>&1 &
          until [ -e up ]; do sleep 0.05; done
          srun --immediate=1 --prolog=none -n2 true; echo code $?
          SLURM_EXIT_IMMEDIATE=9 srun --immediate=1 --prolog=none -n2 true; echo code $?
          scancel $SLURM_JOB_ID.0; wait'
        """;
    String said = RUNNING.shell().shell(full).whatever();
    assertTrue(said.contains("code 1\ncode 9\n"), said);
    assertTrue(said.contains("srun: error: Unable to create step for job "), said);
  }
}
