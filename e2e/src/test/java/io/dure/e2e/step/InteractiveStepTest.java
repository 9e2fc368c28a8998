package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Session;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The shell of an allocation as a step on its first node, and the step for logins. */
@Tag("cluster")
class InteractiveStepTest {
  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() ->
          Conf.nodes(2, 4)
              .line("LaunchParameters=use_interactive_step")
              .line("JobAcctGatherType=jobacct_gather/linux")
              .line("PrologFlags=Contain"));

  private static Session shell;

  @BeforeAll
  static void start() {
    shell = RUNNING.shell();
  }

  /** What commands say that are typed into a salloc on a terminal, without what echoes them. */
  private static String typed(String salloc, String... lines) {
    shell.script("typed.sh", String.join("\n", lines) + "\n");
    return shell
        .shell(
            "printf '. ./typed.sh\\n' | SHELL=/bin/sh PS1= script -qec '"
                + salloc
                + "' /dev/null 2>&1; echo code $?")
        .ok()
        .replace("\r", "");
  }

  @Test
  void theShellIsAStepOnTheFirstNodeAndLeavesAllToOtherSteps() {
    String said =
        typed(
            "salloc -N2 -n4",
            "echo step $SLURM_STEP_ID on $SLURMD_NODENAME of $SLURM_NTASKS",
            "srun bash -c 'echo task $SLURM_PROCID of $SLURM_NTASKS in $SLURM_STEP_ID'",
            "squeue -s -h -o %.20i,%j,%N -j $SLURM_JOB_ID | sed s/$SLURM_JOB_ID/JOB/",
            "exit 7");
    assertTrue(said.contains("step 4294967290 on n1 of 4\n"), said);
    for (int task = 0; task < 4; task++) {
      assertTrue(said.contains("task " + task + " of 4 in 0\n"), said);
    }
    assertTrue(said.contains("JOB.interactive,interactive,n1\n"), said);
    assertTrue(said.contains("JOB.extern,extern,n[1-2]\n"), said);
    assertTrue(said.contains("srun: error: n1: task 0: Exited with exit code 7\n"), said);
    assertTrue(said.endsWith("code 7"), said);
  }

  @Test
  void withoutNumbersOfItsOwnItLeavesThemToSrun() {
    String said =
        typed(
            "salloc -N2",
            "echo tasks=$SLURM_NTASKS,$SLURM_NPROCS,$SLURM_TASKS_PER_NODE",
            "srun bash -c 'echo task $SLURM_PROCID'",
            "exit");
    assertTrue(said.contains("tasks=,,1(x2)\n"), said);
    assertTrue(said.contains("task 0\n") && said.contains("task 1\n"), said);
    assertTrue(said.endsWith("code 0"), said);
  }

  @Test
  void aCommandStaysWhereSallocRuns() {
    String said = shell.shell("salloc -Q bash -c 'echo in $SLURM_STEP_ID,$SLURMD_NODENAME.'").ok();
    assertEquals("in ,.", said);
  }

  @Test
  void whatIsNotNumberedIsShownAndNotCancelled() {
    String said =
        shell
            .shell(
                "salloc -Q -N2 bash -c '"
                    + "scontrol show step $SLURM_JOB_ID | tr -s \"\\n \" \" \";"
                    + "sstat -nPao jobid,nodelist -j $SLURM_JOB_ID;"
                    + "scancel $SLURM_JOB_ID.extern' 2>&1")
            .whatever()
            .replaceAll("[0-9]+[.]extern", "JOB.extern");
    assertTrue(said.contains("StepId=JOB.extern "), said);
    assertTrue(said.contains("CPUs=0 Tasks=2 Name=extern Network=(null) TRES=(null)"), said);
    assertTrue(said.contains("SrunHost:Pid=(null):0"), said);
    assertTrue(said.contains("JOB.extern|n[1-2]\n"), said);
    assertTrue(said.contains("scancel: error: Invalid job id JOB.extern\n"), said);
  }
}
