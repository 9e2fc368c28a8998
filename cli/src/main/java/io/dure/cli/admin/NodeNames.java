package io.dure.cli.admin;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.SlurmConf;
import io.dure.host.config.LocalConfigSource;

/** {@code node-names FILE}: the names of a configuration's nodes, a line each. For the launcher. */
public final class NodeNames implements Command {
  @Override
  public int run(CommandContext context) {
    if (context.arguments().size() != 1) {
      context.err().print("Usage: node-names FILE\n");
      return 2;
    }
    String file = context.arguments().getFirst();
    for (NodeConfig node : SlurmConf.parse(file, new LocalConfigSource()).config().nodes()) {
      context.out().print(node.name() + "\n");
    }
    return 0;
  }
}
