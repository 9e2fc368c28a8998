package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Session;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code srun --mpi} on several nodes, with clients of PMI-1 that are shell scripts. */
@Tag("cluster")
class MpiStepTest {
  private static final String CLIENT =
      """
      #!/bin/bash
      ask() { printf '%s\\n' "$1" >&$PMI_FD; IFS= read -r -u $PMI_FD answer; }
      ask 'cmd=init pmi_version=1 pmi_subversion=1'
      """;

  @RegisterExtension static final StepCluster RUNNING = StepCluster.of(() -> Conf.nodes(3, 4));

  private static Session shell;

  @BeforeAll
  static void start() {
    shell = RUNNING.shell();
  }

  @Test
  void tasksOfAllNodesExchangeWhatTheyPut() {
    shell.script(
        "exchange.sh",
        CLIENT
            + """
            ask "cmd=put kvsname=$PMI_JOBID key=card-$PMI_RANK value=of-$SLURMD_NODENAME"
            ask 'cmd=barrier_in'
            for rank in 0 1 2 3 4 5; do
              ask "cmd=get kvsname=$PMI_JOBID key=card-$rank"
              all="$all ${answer##*value=of-}"
            done
            echo $PMI_RANK of $PMI_SIZE: $all $SLURM_MPI_TYPE $SLURM_NTASKS_PER_NODE
            ask 'cmd=finalize'
            """);
    List<String> lines =
        shell
            .run("srun", "--mpi=pmi2", "-N3", "--ntasks-per-node=2", "bash", "exchange.sh")
            .ok()
            .lines()
            .sorted()
            .toList();
    List<String> expected =
        IntStream.range(0, 6).mapToObj(rank -> rank + " of 6: n1 n1 n2 n2 n3 n3 pmi2 2").toList();
    assertEquals(expected, lines);
    List<String> cyclic =
        shell
            .run(
                "srun",
                "--mpi=pmi2",
                "-N3",
                "--ntasks-per-node=2",
                "-m",
                "cyclic",
                "bash",
                "exchange.sh")
            .ok()
            .lines()
            .toList();
    assertTrue(cyclic.contains("5 of 6: n1 n2 n3 n1 n2 n3 pmi2 2"), cyclic::toString);
  }

  @Test
  void componentsOfAHeterogeneousStepAreOneWorld() {
    shell.script(
        "across.sh",
        CLIENT
            + """
            ask "cmd=put kvsname=$PMI_JOBID key=card-$PMI_RANK value=of-$SLURMD_NODENAME"
            ask 'cmd=barrier_in'
            for rank in 0 1 2 3; do
              ask "cmd=get kvsname=$PMI_JOBID key=card-$rank"
              all="$all ${answer##*value=of-}"
            done
            echo $PMI_RANK of $PMI_SIZE: $all
            ask 'cmd=finalize'
            """);
    List<String> lines =
        shell
            .run(
                "srun",
                "-Q",
                "--mpi=pmi2",
                "-N1",
                "-n2",
                "bash",
                "across.sh",
                ":",
                "-N2",
                "-n2",
                "bash",
                "across.sh")
            .ok()
            .lines()
            .sorted()
            .toList();
    List<String> nodes =
        List.of(lines.getFirst().substring(lines.getFirst().indexOf(": ") + 2).split(" +"));
    assertEquals(nodes.get(0), nodes.get(1), "two tasks of the first component");
    assertEquals(3, Set.copyOf(nodes).size(), "three nodes: " + nodes);
    String all = String.join(" ", nodes);
    assertEquals(
        IntStream.range(0, 4).mapToObj(rank -> rank + " of 4: " + all).toList(),
        lines.stream().map(line -> line.replaceAll(" +", " ")).toList());
  }

  @Test
  void aTaskThatDiesBeforeTheOthersAreDoneEndsTheStep() {
    shell.script(
        "dying.sh",
        CLIENT
            + """
            ask 'cmd=barrier_in'
            [ $PMI_RANK != 2 ] || exit 3
            ask 'cmd=barrier_in'
            """);
    String said = shell.run("srun", "--mpi=pmi2", "-N3", "-n3", "bash", "dying.sh").whatever();
    for (String line :
        List.of(
            "exit 137",
            "srun: error: n3: task 2: Exited with exit code 3",
            "slurmstepd: error: mpi/pmi2: task 2 has ended without finalizing MPI",
            "srun: error: n1: task 0: Killed",
            "srun: error: n2: task 1: Killed")) {
      assertTrue(said.lines().toList().contains(line), said);
    }
  }

  @Test
  void whatIsNoTypeIsRefused() {
    shell
        .run("srun", "--mpi=foo", "true")
        .fails(
            1,
            "srun: error: Couldn't find the specified plugin name for mpi/foo looking at all files",
            "srun: error: cannot find mpi plugin for mpi/foo",
            "srun: error: MPI: Cannot create context for mpi/foo",
            "srun: error: MPI: Unable to load any plugin",
            "srun: error: Invalid MPI type 'foo', --mpi=list for acceptable types");
    assertTrue(shell.run("srun", "--mpi=list").ok().contains("\tpmi2\n\tpmix"));
  }
}
