package io.dure.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every command does to a node in every condition. The expected table is a file that people
 * read: cluster/src/test/resources/life-cycle/nodes.txt.
 */
@Tag("pure")
class NodeMatrixTest {
  @Test
  void everyCommandInEveryCondition() {
    Matrix.Comparison table = NodeMatrix.of(NodeMatrix.conditions()).compare("nodes.txt");
    assertEquals(table.expected(), table.found());
  }
}
