package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scancel.Scancel;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsDependency;
import java.util.ArrayList;
import java.util.List;

/** Cancels jobs. */
public final class Qdel implements CliCommand {
  private static final String EVERY = "all";

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<QdelOption> parser = context.options(Qdel.class, "qdel-", QdelOption.values());
    boolean all = false;
    for (ParsedOption<QdelOption> option : parser.all()) {
      switch (option.key()) {
        case ALL -> all = true;
        case MESSAGE, PURGE, DELAY, HISTORY, HELP, VERSION -> {}
      }
    }
    List<String> jobs = new ArrayList<>(parser.operands());
    all |= jobs.removeIf(job -> job.equalsIgnoreCase(EVERY));
    if (jobs.isEmpty() && !all) {
      context.err().print(parser.usage());
      return 2;
    }
    PbsCall call = new PbsCall(context);
    int code = 0;
    if (all) {
      code = call.about(EVERY, new Scancel(), "scancel", List.of("--me"));
    }
    for (String job : jobs) {
      // A job that is gone is an error only to a call that says all.
      List<String> words = List.of("-v", PbsDependency.job(job));
      int failed = call.about(job, new Scancel(), "scancel", words);
      code = failed == 0 ? code : failed;
    }
    return code;
  }
}
