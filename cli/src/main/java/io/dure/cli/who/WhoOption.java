package io.dure.cli.who;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options, with their names, which blanks set apart. */
enum WhoOption {
  ACCOUNTS('A', OptionArgument.REQUIRED, "account accounts"),
  ALL('a', OptionArgument.NONE, "all"),
  GPUS(OptionSpec.NO_LETTER, OptionArgument.NONE, "gpus"),
  HELP(OptionSpec.NO_LETTER, OptionArgument.NONE, "help"),
  JSON(OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, "json"),
  PARTITION('p', OptionArgument.REQUIRED, "partition"),
  USAGE(OptionSpec.NO_LETTER, OptionArgument.NONE, "usage"),
  USERS('u', OptionArgument.REQUIRED, "user users"),
  VERSION('V', OptionArgument.NONE, "version");

  private final String names;
  private final char letter;
  private final OptionArgument argument;

  WhoOption(char letter, OptionArgument argument, String names) {
    this.names = names;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<WhoOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.names, o.letter, o.argument));
  }
}
