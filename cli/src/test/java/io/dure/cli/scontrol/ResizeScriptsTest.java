package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.dure.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that a change of a running job's nodes leaves for the shell inside of it. */
@Tag("pure")
class ResizeScriptsTest extends ScontrolSite {
  private static final String[] FEWER = {"update", "jobid=21", "numnodes=2"};

  @TempDir private Path directory;

  @BeforeEach
  void insideOfTheJob() {
    world.directory = directory;
    world.environment.put("SLURM_JOBID", "21");
  }

  @Test
  void tellWhichNodesTheJobHasNow() throws IOException {
    controller.answer(done());
    controller.answer(
        jobs(
            JobFixture.running(21)
                .ran(
                    "2026-11-20T16:00:47Z",
                    "2026-11-20T17:00:47Z",
                    JobFixture.share("n1", 2, 100),
                    JobFixture.share("n2", 2, 100))));
    assertEquals(0, scontrol(FEWER), world.errors());
    assertEquals(
        """
        To reset Slurm environment variables, execute
          For bash or sh shells:  . ./slurm_job_21_resize.sh
          For csh shells:         source ./slurm_job_21_resize.csh
        """,
        world.printed());
    assertEquals(
        """
        export SLURM_NODELIST="n[1-2]"
        export SLURM_JOB_NODELIST="n[1-2]"
        export SLURM_NNODES=2
        export SLURM_JOB_NUM_NODES=2
        export SLURM_JOB_CPUS_PER_NODE="2(x2)"
        unset SLURM_NPROCS
        unset SLURM_NTASKS
        unset SLURM_TASKS_PER_NODE
        """,
        Files.readString(directory.resolve("slurm_job_21_resize.sh")));
    assertEquals(
        """
        setenv SLURM_NODELIST "n[1-2]"
        setenv SLURM_JOB_NODELIST "n[1-2]"
        setenv SLURM_NNODES 2
        setenv SLURM_JOB_NUM_NODES 2
        setenv SLURM_JOB_CPUS_PER_NODE "2(x2)"
        unsetenv SLURM_NPROCS
        unsetenv SLURM_NTASKS
        unsetenv SLURM_TASKS_PER_NODE
        """,
        Files.readString(directory.resolve("slurm_job_21_resize.csh")));
  }

  @Test
  void areNotWrittenForOneThatIsOutsideOrKeepsItsNodes() throws IOException {
    controller.answer(refused(ErrorCode.INVALID_ARRAY));
    assertEquals(1, scontrol(FEWER));
    assertEquals("scontrol: error: Job resizing not supported for job arrays\n", world.errors());
    world.environment.remove("SLURM_JOBID");
    controller.answer(done());
    assertEquals(0, scontrol(FEWER));
    try (var files = Files.list(directory)) {
      assertFalse(files.findAny().isPresent());
    }
  }
}
