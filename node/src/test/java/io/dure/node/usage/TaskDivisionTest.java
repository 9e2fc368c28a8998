package io.dure.node.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.host.process.ProcessStat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which processes are whose: 10 is the shepherd, 11 and 12 are its tasks. */
@Tag("pure")
class TaskDivisionTest {
  private static final List<Integer> TASKS = List.of(11, 12);

  private final Map<Integer, ProcessStat> all = new TreeMap<>();

  private void process(int pid, int parent, int group, int session) {
    all.put(pid, new ProcessStat(pid, "p", 'S', parent, group, session, 1));
  }

  private TaskDivision divided(Map<Integer, Integer> earlier, Integer... pids) {
    process(10, 1, 10, 10);
    process(11, 10, 11, 10);
    process(12, 10, 12, 10);
    return TaskDivision.of(List.of(pids), TASKS, all, earlier);
  }

  @Test
  void descendantsAreTheirAncestors() {
    process(20, 12, 20, 20);
    process(21, 20, 21, 21);
    assertEquals(
        new TaskDivision(Map.of(11, List.of(11), 12, List.of(12, 20, 21)), List.of()),
        divided(Map.of(), 11, 12, 20, 21));
  }

  @Test
  void orphansAndTheirChildrenAreTheirGroups() {
    process(20, 10, 11, 10);
    process(21, 20, 21, 10);
    process(22, 10, 22, 22);
    assertEquals(
        new TaskDivision(Map.of(11, List.of(11, 20, 21)), List.of(22)),
        divided(Map.of(), 11, 20, 21, 22));
  }

  @Test
  void whatWasATasksStaysIts() {
    process(22, 10, 22, 22);
    process(23, 22, 22, 22);
    assertEquals(
        new TaskDivision(Map.of(11, List.of(11), 12, List.of(12, 22, 23)), List.of()),
        divided(Map.of(22, 12), 11, 12, 22, 23));
  }

  @Test
  void whatATaskThatHasEndedLeftIsNobodys() {
    process(20, 10, 12, 10);
    assertEquals(new TaskDivision(Map.of(11, List.of(11)), List.of(20)), divided(Map.of(), 11, 20));
  }
}
