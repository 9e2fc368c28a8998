package io.dure.node.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a task has used while its processes come and go. */
@Tag("pure")
class TaskUsageTest {
  private final TaskUsage usage = new TaskUsage();

  /** A process that began at 1. */
  private static ProcessSample process(int pid, long own, long children, long memory, long bytes) {
    return process(pid, 1, own, children, memory, bytes);
  }

  private static ProcessSample process(
      int pid, long begun, long own, long children, long memory, long bytes) {
    return new ProcessSample(
        pid, begun, own, children, own, children, memory, memory, memory, memory, bytes, bytes, 0);
  }

  private void look(ProcessSample... processes) {
    usage.take(List.of(processes));
  }

  @Test
  void whatIsThereCountsTogether() {
    look(process(1, 10, 0, 100, 7), process(2, 20, 5, 50, 3));
    assertEquals(35, usage.micros());
    assertEquals(35, usage.faults());
    assertEquals(150, usage.mostMemory());
    assertEquals(150, usage.mostSpace());
    assertEquals(10, usage.read());
    assertEquals(10, usage.written());
  }

  @Test
  void theMostOfAllLooksStays() {
    look(process(1, 1, 0, 100, 0), process(2, 1, 0, 900, 0));
    look(process(1, 1, 1, 100, 0));
    assertEquals(1000, usage.mostMemory());
    assertEquals(100, usage.point(0, 1, 0).memory());
    assertEquals(1000, usage.mostSpace());
  }

  @Test
  void oneThatWasWaitedForCountsOnce() {
    look(process(1, 10, 0, 1, 5), process(2, 20, 0, 1, 6));
    // The parent has its 20 and 3 more, which it used after the look, and its bytes.
    look(process(1, 11, 23, 1, 12));
    assertEquals(34, usage.micros());
    assertEquals(34, usage.faults());
    assertEquals(12, usage.read());
  }

  @Test
  void oneThatNobodyWaitedForCountsOn() {
    look(process(1, 10, 0, 1, 5), process(2, 20, 2, 1, 6));
    look(process(1, 12, 0, 1, 5));
    assertEquals(34, usage.micros());
    assertEquals(11, usage.written());
    look(process(1, 13, 0, 1, 7));
    assertEquals(35, usage.micros());
    assertEquals(13, usage.written());
  }

  @Test
  void aNumberThatIsUsedAgainIsAnotherProcess() {
    look(process(1, 10, 0, 1, 0), process(2, 20, 0, 1, 0));
    look(process(1, 10, 0, 1, 0), process(2, 9, 3, 0, 1, 0));
    assertEquals(33, usage.micros());
  }

  @Test
  void aFamilyThatWentAtOnceCountsOnce() {
    // The child was waited for by its parent, and that by the task.
    look(process(1, 1, 0, 1, 0), process(2, 5, 0, 1, 0), process(3, 7, 0, 1, 0));
    look(process(1, 1, 12, 1, 0));
    assertEquals(13, usage.micros());
  }
}
