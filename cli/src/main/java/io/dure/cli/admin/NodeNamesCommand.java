package io.dure.cli.admin;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;

/** {@code node-names FILE}: the names of a configuration's nodes, a line each. For the launcher. */
public final class NodeNamesCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) {
    if (context.arguments().size() != 1) {
      context.err().print("Usage: node-names FILE\n");
      return 2;
    }
    String file = context.arguments().getFirst();
    for (NodeConfig node : SlurmConfParser.parse(file, new LocalConfigSource()).config().nodes()) {
      context.out().print(node.name() + "\n");
    }
    return 0;
  }
}
