package io.dure.cli.scontrol.show;

import io.dure.core.config.NodeConfig;
import io.dure.protocol.NodeInfo;

/** A node's state with all its flags: {@code IDLE+DRAIN}. */
final class NodeStateWord {

  private NodeStateWord() {}

  static String of(NodeInfo node) {
    StringBuilder text = new StringBuilder(base(node));
    flag(text, node.config().state() == NodeConfig.State.CLOUD, "CLOUD");
    flag(text, node.condition().drain(), "DRAIN");
    flag(text, node.completing(), "COMPLETING");
    boolean awaited = node.config().state() != NodeConfig.State.FUTURE;
    flag(text, awaited && !node.responding(), "NOT_RESPONDING");
    flag(text, node.condition().fail(), "FAIL");
    flag(text, node.planned() && base(node).equals("IDLE"), "PLANNED");
    return text.toString();
  }

  private static String base(NodeInfo node) {
    if (node.config().state() == NodeConfig.State.FUTURE && node.facts() == null) {
      return "FUTURE";
    }
    if (node.condition().down()) {
      return "DOWN";
    }
    if (node.facts() == null) {
      return "UNKNOWN";
    }
    if (node.allocatedCpus() == 0) {
      return "IDLE";
    }
    return node.allocatedCpus() >= node.config().shape().cpus() ? "ALLOCATED" : "MIXED";
  }

  private static void flag(StringBuilder text, boolean set, String word) {
    if (set) {
      text.append('+').append(word);
    }
  }
}
