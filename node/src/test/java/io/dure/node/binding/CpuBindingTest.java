package io.dure.node.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.protocol.step.TaskBinding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which CPUs tasks are bound to on a node of two sockets with four cores of two threads each: core
 * c has the CPUs c and c + 8.
 */
@Tag("pure")
class CpuBindingTest {
  private static final List<List<Integer>> DOMAINS =
      List.of(List.of(0, 1, 2, 3, 8, 9, 10, 11), List.of(4, 5, 6, 7, 12, 13, 14, 15));
  private static final StepCpus ALL = cpus(0, 1, 2, 3, 4, 5, 6, 7);

  private static StepCpus cpus(int... cores) {
    return StepCpus.of(IntStream.of(cores).boxed().toList(), 4, core -> List.of(core, core + 8), 0);
  }

  private static CpuBinding bound(
      String type, String list, StepCpus cpus, int tasks, int each, String sockets)
      throws CpuBinding.UnsatisfiableException {
    return CpuBinding.of(
        new TaskBinding.Choice(false, type, list, false),
        cpus,
        new BoundTasks(tasks, each, sockets, 0, 0, ""),
        DOMAINS);
  }

  private static String masks(String type, StepCpus cpus, int tasks, int each, String sockets)
      throws CpuBinding.UnsatisfiableException {
    return bound(type, "", cpus, tasks, each, sockets).list();
  }

  @Test
  void withoutAWordTasksAreBoundToWhatFits() throws Exception {
    assertEquals("0xf0f,0xf0f0", masks("", ALL, 2, 1, "cyclic"), "two sockets");
    assertEquals("0x101,0x202", masks("", cpus(0, 1), 2, 1, "cyclic"), "two cores");
    assertEquals("0x1,0x100,0x2,0x200", masks("", cpus(0, 1), 4, 1, "block"), "four threads");
    assertEquals("0x707", masks("", cpus(0, 1, 2), 2, 1, "cyclic"), "nothing");
    assertEquals("0x303,0xc0c", masks("", cpus(0, 1, 2, 3), 2, 4, "cyclic"));
  }

  @Test
  void tasksAreGivenToSocketsAsAsked() throws Exception {
    assertEquals("0x101,0x202,0x404,0x808", masks("cores", ALL, 4, 1, "block"));
    assertEquals("0x101,0x1010,0x202,0x2020", masks("cores", ALL, 4, 1, "cyclic"));
    assertEquals("0x303,0x3030", masks("cores", ALL, 2, 4, "cyclic"));
    assertEquals("0x1111,0x2222", masks("cores", ALL, 2, 4, "fcyclic"));
    assertEquals("0x101,0x1010", masks("threads", ALL, 2, 2, "cyclic"));
    assertEquals("0xf0f,0xf0f0,0xf0f", masks("sockets", ALL, 3, 1, "cyclic"));
    assertEquals("0x303,0x1010", masks("ldoms", cpus(0, 1, 4), 2, 1, "cyclic"));
  }

  @Test
  void masksAreThoseOfARecording() throws Exception {
    StepCpus all =
        StepCpus.of(List.of(0, 1, 2, 3, 4, 5, 6, 7), 4, core -> List.of(2 * core, 2 * core + 1), 0);
    List<String> differences = new ArrayList<>();
    for (String line : recording()) {
      String[] words = line.split(" ", -1);
      BoundTasks tasks =
          new BoundTasks(
              Integer.parseInt(words[0]),
              Integer.parseInt(words[1]),
              words[3],
              Integer.parseInt(words[4]),
              Integer.parseInt(words[5]),
              "");
      String type = words[2].equals("-") ? "" : words[2];
      TaskBinding.Choice choice = new TaskBinding.Choice(false, type, "", false);
      String masks = CpuBinding.of(choice, all, tasks, DOMAINS).list();
      if (!masks.equals(words[6])) {
        differences.add(line + " is " + masks);
      }
    }
    assertEquals(List.of(), differences);
  }

  private static List<String> recording() throws IOException {
    try (InputStream file = CpuBindingTest.class.getResourceAsStream("/bindings-22.05.8.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void moreTasksThanCpusShareThem() throws Exception {
    assertEquals("0x101", masks("cores", cpus(0), 3, 1, "block"));
    assertEquals("0x101", masks("threads", cpus(0), 3, 1, "block"));
  }

  @Test
  void oneThreadOfEachCoreWhereThatIsAsked() throws Exception {
    StepCpus one = StepCpus.of(List.of(0, 1), 4, core -> List.of(core, core + 8), 1);
    assertEquals("0x1,0x2", masks("threads", one, 2, 1, "cyclic"));
    assertEquals("0x1,0x2", masks("cores", one, 2, 1, "cyclic"));
  }

  @Test
  void namedOnesAreTaken() throws Exception {
    CpuBinding map = bound("map_cpu:", "1,9", cpus(0, 1), 3, 1, "block");
    assertEquals(List.of(List.of(1), List.of(9), List.of(1)), map.cpus());
    assertEquals("cpu-bind=MAP  - n1, task  7  1 [%p]: mask 0x200 set", map.note("n1", 7, 1));
    assertEquals(
        List.of(
            "SLURM_CPU_BIND=verbose,map_cpu:1,9",
            "SLURM_CPU_BIND_LIST=1,9",
            "SLURM_CPU_BIND_TYPE=map_cpu:",
            "SLURM_CPU_BIND_VERBOSE=verbose"),
        map.variables(true));
    assertEquals(
        List.of(List.of(0, 1), List.of(8)),
        bound("mask_cpu:", "3,0x100", cpus(0, 1), 2, 1, "block").cpus());
    assertEquals(
        List.of(List.of(1), List.of(2), List.of(9)),
        bound("rank", "", cpus(1, 2), 3, 1, "block").cpus());
    assertEquals(List.of(DOMAINS.get(1)), bound("map_ldom:", "1", ALL, 1, 1, "block").cpus());
    assertEquals(
        "cpu-bind=NONE - n1, task  0  0 [%p]: mask 0x0",
        bound("none", "", ALL, 1, 1, "block").note("n1", 0, 0));
  }

  private static String refusal(String type, String list, StepCpus cpus) {
    return assertThrows(
            CpuBinding.UnsatisfiableException.class, () -> bound(type, list, cpus, 1, 1, "block"))
        .getMessage();
  }

  @Test
  void cpusOfOthersAreRefused() {
    assertEquals(
        "CPU binding outside of job step allocation, allocated CPUs are: 0x303.",
        refusal("map_cpu:", "5", cpus(0, 1)));
    refusal("mask_cpu:", "11", cpus(0, 1));
    refusal("rank", "", cpus()); // a node that claims cores that its machine lacks
  }

  @Test
  void memoryIsThatOfTheTasksCpus() {
    TaskBinding.Choice local = new TaskBinding.Choice(true, "local", "", true);
    MemoryBinding memory = MemoryBinding.of(local, 0, List.of(5), DOMAINS);
    assertEquals(List.of(1), memory.domains());
    assertEquals(
        "mem-bind PREFER LOC - n1, task  2  0 [%p]: mask 0x2 set", memory.note("n1", 2, 0, 2));
    TaskBinding.Choice rank = new TaskBinding.Choice(false, "rank", "", false);
    assertEquals(List.of(1), MemoryBinding.of(rank, 1, List.of(), DOMAINS).domains());
    assertEquals(
        "slurmstepd: error: NUMA node 2 does not exist; cannot bind local task 2 to it"
            + " (--mem-bind=rank)",
        MemoryBinding.of(rank, 2, List.of(), DOMAINS).failure());
    TaskBinding.Choice masks = new TaskBinding.Choice(false, "mask_mem:", "3,2", false);
    assertEquals(List.of(0, 1), MemoryBinding.of(masks, 0, List.of(), DOMAINS).domains());
    assertEquals(
        "mem-bind=NONE - n1, task  0  0 [%p]: mask 0x3", MemoryBinding.NONE.note("n1", 0, 0, 2));
    assertEquals(
        MemoryBinding.NONE, MemoryBinding.of(TaskBinding.Choice.NONE, 0, List.of(), DOMAINS));
  }

  @Test
  void domainsAreReadOfTheKernel(@TempDir Path folder) throws Exception {
    assertEquals(List.of(List.of()), MemoryDomains.of(folder));
    for (int domain = 0; domain < 2; domain++) {
      Path node = Files.createDirectory(folder.resolve("node" + domain));
      Files.writeString(node.resolve("cpulist"), domain == 0 ? "0-2,8\n" : "3\n");
    }
    assertEquals(List.of(List.of(0, 1, 2, 8), List.of(3)), MemoryDomains.of(folder));
  }
}
