package io.dure.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every command does to a job in every state. The expected table is a file that people read:
 * cluster/src/test/resources/life-cycle/jobs.txt.
 */
@Tag("pure")
class JobMatrixTest {
  @Test
  void everyCommandInEveryState() {
    Matrix.Comparison table = JobMatrix.of(Scene.all()).compare("jobs.txt");
    assertEquals(table.expected(), table.found());
  }
}
