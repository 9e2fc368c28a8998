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
  private static final List<String> REACHED_BY_NO_COMMAND =
      List.of("Lent", "PoweredDown", "PoweringUp", "Rebooting");

  @Test
  void everyCommandInEveryCondition() {
    Matrix.Comparison table = NodeMatrix.of(NodeMatrix.conditions()).compare("nodes.txt");
    assertEquals(table.expected(), table.found());
  }

  @Test
  void everyLifeOfANodeHasACondition() {
    TreeSet<String> lives = new TreeSet<>(REACHED_BY_NO_COMMAND);
    for (NodeMatrix.Condition condition : NodeMatrix.conditions()) {
      lives.add(condition.cluster().node(condition.name()).life().toString());
    }
    TreeSet<String> all = new TreeSet<>();
    Arrays.stream(NodeLife.Plain.values()).map(Enum::name).forEach(all::add);
    Arrays.stream(NodeLife.Away.class.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .forEach(all::add);
    assertEquals(all, lives);
  }
}
