package io.dure.cli.scancel;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of cancelling, in the order in which ambiguous ones are listed. */
enum ScancelOption {
  ACCOUNT("account", 'A', OptionArgument.REQUIRED),
  BATCH("batch", 'b', OptionArgument.NONE),
  CLUSTERS("clusters", 'M', OptionArgument.REQUIRED),
  CRON("cron", OptionSpec.NO_LETTER, OptionArgument.NONE),
  CTLD("ctld", 'c', OptionArgument.NONE),
  FULL("full", 'f', OptionArgument.NONE),
  HELP("help", OptionSpec.NO_LETTER, OptionArgument.NONE),
  HURRY("hurry", 'H', OptionArgument.NONE),
  INTERACTIVE("interactive", 'i', OptionArgument.NONE),
  ME("me", OptionSpec.NO_LETTER, OptionArgument.NONE),
  NAME("name", 'n', OptionArgument.REQUIRED),
  NODELIST("nodelist", 'w', OptionArgument.REQUIRED),
  PARTITION("partition", 'p', OptionArgument.REQUIRED),
  QOS("qos", 'q', OptionArgument.REQUIRED),
  QUIET("quiet", 'Q', OptionArgument.NONE),
  RESERVATION("reservation", 'R', OptionArgument.REQUIRED),
  SIBLING("sibling", OptionSpec.NO_LETTER, OptionArgument.REQUIRED),
  SIGNAL("signal", 's', OptionArgument.REQUIRED),
  STATE("state", 't', OptionArgument.REQUIRED),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  USER("user", 'u', OptionArgument.REQUIRED),
  VERBOSE("verbose", 'v', OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE),
  WCKEY("wckey", OptionSpec.NO_LETTER, OptionArgument.REQUIRED);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  ScancelOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  /** The variable that stands for the option, {@code SCANCEL_NAME} for {@code --name}. */
  String variable() {
    return this == CLUSTERS ? "SLURM_CLUSTERS" : "SCANCEL_" + name();
  }

  OptionArgument argument() {
    return argument;
  }

  static List<OptionSpec<ScancelOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
