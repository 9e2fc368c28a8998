package io.dure.cli.admin;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.host.config.LocatedConfig;
import io.dure.host.process.MachineHardware;
import io.dure.model.config.slurmconf.ClusterLayout;
import io.dure.model.config.slurmconf.DefaultConfig;
import java.io.IOException;
import java.util.List;

/**
 * {@code make-config NAME DIR PORT NODES CPUS USER}: the slurm.conf of a cluster on this machine,
 * to standard output. For the launcher; CPUS is {@code -} for each node's share.
 */
public final class MakeConfig implements CliCommand {
  private static final int WORDS = 6;

  @Override
  public int execute(CommandContext context) {
    List<String> words = context.arguments();
    if (words.size() != WORDS) {
      context.err().print("Usage: make-config NAME DIR PORT NODES CPUS USER\n");
      return 2;
    }
    try {
      int port = Integer.parseInt(words.get(2));
      ClusterLayout layout =
          new ClusterLayout(
              words.get(0),
              words.get(1),
              port,
              port + 1,
              Integer.parseInt(words.get(3)),
              words.get(4).equals("-") ? null : Integer.valueOf(words.get(4)),
              words.get(5),
              words.get(5));
      context
          .out()
          .print(DefaultConfig.text(LocatedConfig.facts(MachineHardware.describe()), layout));
      return 0;
    } catch (NumberFormatException e) {
      context.err().print("dure: not a number: " + e.getMessage() + "\n");
    } catch (IOException e) {
      context.err().print("dure: cannot describe this machine: " + e.getMessage() + "\n");
    }
    return 1;
  }
}
