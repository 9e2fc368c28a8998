package io.dure.cli.sjstat;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.squeue.Squeue;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows partitions with what is free in them, then the jobs that run. */
public final class Sjstat implements CliCommand {
  private static final String NODES = "%P|%m|%c|%F|%l|%s|%f";
  private static final String JOBS = "%i|%u|%C|%P|%t|%M|%l|%D|%R";

  /** What a user set for the two listings is not meant for this one. */
  private static final List<String> SETTINGS = List.of("SINFO_", "SQUEUE_");

  @Override
  public int execute(CommandContext asked) throws CommandException {
    CallOptions<SjstatOption> parser = asked.options(Sjstat.class, SjstatOption.values());
    boolean jobs = true;
    boolean nodes = true;
    boolean verbose = false;
    for (ParsedOption<SjstatOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case COMPUTING -> jobs = false;
        case RUNNING -> nodes = false;
        case VERBOSE -> verbose = true;
        case HELP, VERSION -> {}
      }
    }
    CommandContext context = asked.with().environment(withoutSettings(asked)).build();
    SjstatText text = new SjstatText(verbose);
    if (nodes) {
      CapturedCall pools =
          CapturedCall.of(new Sinfo(), context, "sinfo", List.of("-h", "-e", "-o", NODES));
      if (pools.code() != 0) {
        asked.err().print(pools.complaints());
        return pools.code();
      }
      asked.out().print(text.pools(pools.printed()));
    }
    if (jobs) {
      CapturedCall running =
          CapturedCall.of(
              new Squeue(), context, "squeue", List.of("-h", "-t", "R,CG,S", "-o", JOBS));
      if (running.code() != 0) {
        asked.err().print(running.complaints());
        return running.code();
      }
      asked.out().print(text.jobs(running.printed()));
    }
    return 0;
  }

  private static Map<String, String> withoutSettings(CommandContext context) {
    Map<String, String> left = new LinkedHashMap<>(context.environment());
    left.keySet().removeIf(name -> SETTINGS.stream().anyMatch(name::startsWith));
    return left;
  }
}
