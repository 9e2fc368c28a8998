package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How a command is called and how it ends: the same through each of the clients. */
@ExtendWith(Diagnosis.class)
@ParameterizedClass
@EnumSource
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
