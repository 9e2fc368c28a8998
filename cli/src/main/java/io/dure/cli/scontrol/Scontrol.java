package io.dure.cli.scontrol;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows and changes jobs, nodes and partitions: one line of words, or a prompt for many. */
public final class Scontrol implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    ScontrolSession session = new ScontrolSession(context);
    try {
      return run(context, session);
    } finally {
      session.close();
    }
  }

  private static int run(CommandContext context, ScontrolSession session) throws CommandException {
    CallOptions<ScontrolOption> parser =
        withoutFlags(context).options(Scontrol.class, ScontrolOption.values());
    // Root sees hidden partitions without --all.
    boolean root = context.caller().uid() == 0;
    session.display().setAll(root || context.environment().containsKey("SCONTROL_ALL"));
    String cluster = context.environment().get("SLURM_CLUSTERS");
    if (cluster != null) {
      session.onCluster(cluster);
    }
    for (ParsedOption<ScontrolOption> option = parser.next();
        option != null;
        option = parser.next()) {
      set(session, option);
    }
    return run(session, parser.operands());
  }

  /** Flags of the log that are taken away ({@code -Steps}) are no options. */
  private static CommandContext withoutFlags(CommandContext context) {
    List<String> words = context.arguments();
    if (words.isEmpty() || !words.getFirst().toLowerCase(Locale.ROOT).startsWith("setdebugf")) {
      return context;
    }
    List<String> marked = new ArrayList<>(words);
    marked.addFirst("--");
    return context.with().arguments(marked).build();
  }

  private static void set(ScontrolSession session, ParsedOption<ScontrolOption> option)
      throws CommandException {
    String value = option.value() == null ? "" : option.value();
    switch (option.key()) {
      case ALL -> session.display().setAll(true);
      case HIDE -> session.display().setAll(false);
      case DETAILS -> session.display().addDetail();
      case ONELINER -> session.display().setOneLine();
      case QUIET -> session.display().setQuiet();
      case VERBOSE -> session.display().addVerbosity();
      case CLUSTERS -> session.onCluster(value);
      case UID -> session.actAs(value);
      case JSON -> session.display().setDocument(DocumentFormat.json(value));
      case YAML -> session.display().setDocument(DocumentFormat.yaml(value));
      case FEDERATION, FUTURE, LOCAL, SIBLING, HELP, USAGE, VERSION -> {}
    }
  }

  private static int run(ScontrolSession session, List<String> words) {
    ScontrolInterpreter interpreter = new ScontrolInterpreter(session);
    if (!words.isEmpty()) {
      interpreter.run(words);
    } else {
      new ScontrolPrompt(session, interpreter).run();
    }
    return session.exitCode();
  }
}
