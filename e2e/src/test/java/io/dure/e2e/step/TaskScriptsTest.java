package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Conf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The site's programs around a task, and those that {@code srun} names. */
@Tag("cluster")
class TaskScriptsTest {
  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() ->
          Conf.nodes(1, 4)
              .with("TaskProlog", "{dir}/site-prolog")
              .with("TaskEpilog", "{dir}/site-epilog"));

  private static String script(String name, String text) throws IOException {
    Path file = RUNNING.cluster().dir().resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertTrue(file.toFile().setExecutable(true, false));
    return file.toString();
  }

  private static void site(String prolog) throws IOException {
    script("site-prolog", prolog);
    script("site-epilog", "echo site after");
  }

  private static void says(String begin, String complaint, String... words) {
    List<String> line = new ArrayList<>(List.of("srun"));
    line.addAll(Arrays.asList(words));
    String said = RUNNING.shell().run(line.toArray(String[]::new)).whatever();
    assertTrue(said.startsWith(begin), said);
    assertTrue(said.contains("slurmstepd: error: " + complaint + "\n"), said);
  }

  @Test
  void theSitesPrologIsBeforeTheStepsAndItsEpilogBehind() throws IOException {
    site("echo print site before; echo export A=site; echo export B=site");
    String prolog = script("prolog", "echo print own before $A; echo export A=own; echo unset B");
    String epilog = script("epilog", "echo own after");
    String task = "echo task $A ${B-unset}";
    assertEquals(
        "site before\nown before site\ntask own unset\nown after\nsite after",
        RUNNING
            .shell()
            .run("srun", "--task-prolog=" + prolog, "--task-epilog=" + epilog, "sh", "-c", task)
            .ok());
  }

  @Test
  void aTaskWhosePrologFailsEndsAsThat() throws IOException {
    site("true");
    String prolog = script("failing", "echo print no; exit 3");
    says(
        "exit 3\nno\nsite after\n",
        "--task-prolog failed status=3",
        "--task-prolog=" + prolog,
        "true");
  }

  @Test
  void aPrologIsNamedByItsWholePath() throws IOException {
    site("true");
    says(
        "exit 1\nsite after\n",
        "run_command: user task_prolog is not fully qualified pathname (prolog)",
        "--task-prolog=prolog",
        "true");
  }

  @Test
  void anEpilogLeavesTheTasksEndAlone() throws IOException {
    site("true");
    String epilog = script("failing", "exit 4");
    says(
        "exit 9\nsite after\n",
        "--task-epilog failed status=1024",
        "--task-epilog=" + epilog,
        "sh",
        "-c",
        "exit 9");
  }
}
