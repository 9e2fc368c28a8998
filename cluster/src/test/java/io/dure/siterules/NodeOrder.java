package io.dure.siterules;

import io.dure.model.command.Command;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an operator asks of nodes, shorter to write. */
final class NodeOrder {
  private NodeOrder() {}

  /** {@code scontrol update nodename=} with keys and values in turns. */
  static Command.UserCommand of(String name, String... keysAndValues) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      keys.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Command.UpdateNodes(List.of(name), keys);
  }
}
