package io.dure.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.node.NodeLife;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every command does to a node in every condition. The expected table is a file that people
 * read: cluster/src/test/resources/life-cycle/nodes.txt.
 */
@Tag("pure")
class NodeMatrixTest {
  /** A command that brings a node to one of these needs a condition in the table. */
  private static final List<String> REACHED_BY_NO_COMMAND = List.of("Lent");

  @Test
  void everyCommandInEveryCondition() {
    Matrix.Comparison table = NodeMatrix.of(NodeMatrix.conditions()).compare("nodes.txt");
    assertEquals(table.expected(), table.found());
  }

  @Test
  void everyLifeOfANodeHasACondition() {
    TreeSet<String> lives = new TreeSet<>(REACHED_BY_NO_COMMAND);
    for (NodeMatrix.Condition condition : NodeMatrix.conditions()) {
      NodeLife life = condition.cluster().node(condition.name()).life();
      lives.add(life instanceof NodeLife.Plain ? life.toString() : life.getClass().getSimpleName());
    }
    TreeSet<String> all = new TreeSet<>();
    Arrays.stream(NodeLife.Plain.values()).map(Enum::name).forEach(all::add);
    Arrays.stream(NodeLife.Away.class.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .forEach(all::add);
    assertEquals(all, lives);
  }
}
