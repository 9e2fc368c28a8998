package io.dure.twin.gpupacking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class PackingCommandTest {
  private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";
  private static final String TASKS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void lists() throws IOException {
    nodes(1);
    StringBuilder tasks = new StringBuilder(TASKS);
    for (int i = 0; i < 60; i++) {
      tasks.append("t").append(100 + i).append(',');
      switch (i % 4) {
        case 0 -> tasks.append("8000,1000,1,1000,\n");
        case 1 -> tasks.append("4000,1000,1,470,\n");
        case 2 -> tasks.append("2000,1000,1,230,fast\n");
        default -> tasks.append(i % 8 == 3 ? "32000,1000,4,1000,\n" : "6000,1000,0,0,\n");
      }
    }
    Files.writeString(folder.resolve("tasks.csv"), tasks);
  }

  /** Twelve nodes; their names are given in steps of another width, so another order. */
  private void nodes(int step) throws IOException {
    StringBuilder nodes = new StringBuilder(NODES);
    for (int i = 0; i < 12; i++) {
      nodes.append("n").append(100 + i * step % 13).append(',');
      nodes.append(i % 3 == 0 ? "64000,100000,8,fast\n" : "24000,100000,2,slow\n");
    }
    Files.writeString(folder.resolve("nodes.csv"), nodes);
  }

  private int run(String options) {
    out.reset();
    err.reset();
    List<String> words =
        new ArrayList<>(List.of("--gpu-nodes", "nodes.csv", "--gpu-tasks", "tasks.csv"));
    if (!options.isEmpty()) {
      words.addAll(List.of(options.split(" ", -1)));
    }
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new PackingCommand(to, errors, folder, () -> 1L).run(words);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String told() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void oneLineForEachSeedThenMeanMinAndMax() {
    assertEquals(0, run("--seeds 42-44 --placement random,best-fit,first-fit,fgd,dure"), told());
    List<String> lines = printed().lines().toList();
    assertEquals(1 + 5 * 6 + 5, lines.size(), printed());
    assertTrue(lines.getFirst().contains("ALLOCATED_GPU_PERCENT"));
    assertTrue(lines.get(4).matches("random +mean +[0-9.]+ +[0-9.]+"), lines.get(4));
  }

  @Test
  void namesOfNodesChangeNothing() throws IOException {
    run("--placement dure --seeds 1-5 --json");
    String before = printed();
    nodes(5);
    run("--placement dure --seeds 1-5 --json");
    assertEquals(before, printed());
    assertTrue(before.contains("\"allocated_gpu_percent\""));
  }

  @Test
  void theSameSeedIsTheSameAgain() {
    run("--placement random --seeds 7 --json");
    String before = printed();
    run("--placement random --seeds 7 --json");
    assertEquals(before, printed());
  }

  @Test
  void moreArrivesThanFits() {
    run("--seeds 42 --arrived 3 --placement dure");
    String[] cells = printed().lines().toList().get(1).strip().split(" +", -1);
    assertTrue(Double.parseDouble(cells[2]) > 90, printed());
    assertTrue(Integer.parseInt(cells[5]) > 0, printed());
  }

  @Test
  void partitionsAreAccepted() {
    assertEquals(0, run("--mig --placement first-fit,best-fit,dure --seeds 42-43"), told());
    assertTrue(printed().contains("ACCEPTED_PERCENT"), printed());
    assertEquals(0, run("--mig --json --seeds 42"), told());
    assertTrue(printed().contains("\"accepted_percent\""), printed());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--placement worst-fit | --placement worst-fit: there is random, best-fit, first-fit, fgd, dure only",
        "--arrived 0 | --arrived 0: give a number such as 1.3, at most 10",
        "--arrived much | --arrived much: give a number such as 1.3, at most 10",
        "--seeds 5-1 | --seeds 5-1: give at most 1000, the lower first",
        "--seeds x | --seeds x: give numbers, such as 42-51 or 1,2,3",
        "--mig --placement fgd | --mig: there is --placement first-fit, best-fit, dure only",
        "--arrived | option --arrived requires an argument",
        "--trace log.swf | --trace does not go with --gpu-nodes: what goes is --gpu-tasks, --arrived, --seeds, --placement, --mig, --json",
      })
  void whatIsWrongIsSaid(String options, String text) {
    assertEquals(2, run(options));
    assertEquals("simulate: " + text, told().strip());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "t1,1,1,1,2000, | tasks.csv:2: column 5: gpu_milli is \"2000\"; write a whole number from 0 to 1000",
        "t1,1,1,1,0, | tasks.csv:2: column 5: it asks for GPUs, but for nothing of them; 1000",
        "t1,-1,1,1,1000, | tasks.csv:2: column 2: cpu_milli is \"-1\"; write a whole number from 0 to 1000000000",
        "t1,1,1,0,0, | tasks.csv: no task asks for GPUs; name a list of tasks",
        "t1,1,1,1,1000,fast,more | tasks.csv:2: column 7: has more cells than there are headings; leave them out",
      })
  void aListThatCannotBeReadIsNamed(String line, String text) throws IOException {
    Files.writeString(folder.resolve("tasks.csv"), TASKS + line + "\n");
    assertEquals(1, run(""));
    assertTrue(told().strip().endsWith(text), told());
  }

  @Test
  void aListThatIsNotThereIsNamed() throws IOException {
    Files.delete(folder.resolve("nodes.csv"));
    assertEquals(1, run(""));
    assertTrue(told().contains("there is no such file"), told());
  }
}
