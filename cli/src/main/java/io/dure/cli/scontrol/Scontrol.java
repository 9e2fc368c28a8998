package io.dure.cli.scontrol;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.DureVersion;
import io.dure.surface.json.DataParserVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    OptionParser<ScontrolOption> parser = context.options(ScontrolOption.specs());
    // Whoever may see everything sees it without asking.
    boolean root = context.caller().uid() == 0;
    session.display().setAll(root || context.environment().containsKey("SCONTROL_ALL"));
    String cluster = context.environment().get("SLURM_CLUSTERS");
    if (cluster != null) {
      session.onCluster(cluster);
    }
    for (ParsedOption<ScontrolOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String text = text(option);
      if (text != null) {
        context.out().print(text);
        return 0;
      }
      set(session, option);
    }
    return run(session, parser.operands());
  }

  /** What an option prints instead of everything else, or null. */
  private static @Nullable String text(ParsedOption<ScontrolOption> option) {
    return switch (option.key()) {
      case HELP -> HelpText.of(Scontrol.class, "help.txt");
      case USAGE -> HelpText.of(Scontrol.class, "usage.txt");
      case VERSION -> DureVersion.LINE + "\n";
      default -> null;
    };
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
      case JSON -> {
        DataParserVersion.check(value);
        session.display().setJson();
      }
      case YAML -> throw DataParserVersion.noYaml();
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
