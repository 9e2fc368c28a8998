package io.dure.cli.scancel;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of cancelling, in the order in which ambiguous ones are listed. */
enum ScancelOption {
  ACCOUNT("account", 'A', Argument.REQUIRED),
  BATCH("batch", 'b', Argument.NONE),
  CLUSTERS("clusters", 'M', Argument.REQUIRED),
  CRON("cron", OptionSpec.NO_LETTER, Argument.NONE),
  CTLD("ctld", 'c', Argument.NONE),
  FULL("full", 'f', Argument.NONE),
  HELP("help", OptionSpec.NO_LETTER, Argument.NONE),
  HURRY("hurry", 'H', Argument.NONE),
  INTERACTIVE("interactive", 'i', Argument.NONE),
  ME("me", OptionSpec.NO_LETTER, Argument.NONE),
  NAME("name", 'n', Argument.REQUIRED),
  NODELIST("nodelist", 'w', Argument.REQUIRED),
  PARTITION("partition", 'p', Argument.REQUIRED),
  QOS("qos", 'q', Argument.REQUIRED),
  QUIET("quiet", 'Q', Argument.NONE),
  RESERVATION("reservation", 'R', Argument.REQUIRED),
  SIBLING("sibling", OptionSpec.NO_LETTER, Argument.REQUIRED),
  SIGNAL("signal", 's', Argument.REQUIRED),
  STATE("state", 't', Argument.REQUIRED),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  USER("user", 'u', Argument.REQUIRED),
  VERBOSE("verbose", 'v', Argument.NONE),
  VERSION("version", 'V', Argument.NONE),
  WCKEY("wckey", OptionSpec.NO_LETTER, Argument.REQUIRED);

  private static final List<OptionSpec<ScancelOption>> TABLE = table();

  private final String longName;
  private final char letter;
  private final Argument argument;

  ScancelOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  /** The variable that stands for the option, {@code SCANCEL_NAME} for {@code --name}. */
  String variable() {
    return this == CLUSTERS ? "SLURM_CLUSTERS" : "SCANCEL_" + name();
  }

  Argument argument() {
    return argument;
  }

  /** All names. */
  static List<OptionSpec<ScancelOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<ScancelOption>> table() {
    List<OptionSpec<ScancelOption>> specs = new ArrayList<>();
    for (ScancelOption option : values()) {
      specs.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return List.copyOf(specs);
  }
}
