package io.dure.cli.admin;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code ./dure check-config FILE}: all there is to say of a slurm.conf, each with its line. */
public final class CheckConfig implements CliCommand {
  private static final int USAGE = 2;

  @Override
  public int execute(CommandContext context) {
    if (context.arguments().size() > 1) {
      context.err().print("Usage: dure check-config [FILE]\n");
      return USAGE;
    }
    Path file =
        context.arguments().isEmpty()
            ? LocalConfigSource.locate(context.environment())
            : context.directory().resolve(context.arguments().getFirst());
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      context.err().print("dure: cannot read " + file + "\n");
      return 1;
    }
    ParsedConfig parsed = SlurmConfParser.parse(file.toString(), new LocalConfigSource());
    for (String line : ConfigReport.lines(parsed)) {
      context.out().print(line + "\n");
    }
    return parsed.hasErrors() ? 1 : 0;
  }
}
