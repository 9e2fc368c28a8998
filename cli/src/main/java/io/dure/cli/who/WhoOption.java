package io.dure.cli.who;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options, with their names, which blanks set apart. */
enum WhoOption {
  ACCOUNTS('A', Argument.REQUIRED, "account accounts"),
  ALL('a', Argument.NONE, "all"),
  GPUS(OptionSpec.NO_LETTER, Argument.NONE, "gpus"),
  HELP(OptionSpec.NO_LETTER, Argument.NONE, "help"),
  JSON(OptionSpec.NO_LETTER, Argument.OPTIONAL, "json"),
  PARTITION('p', Argument.REQUIRED, "partition"),
  USAGE(OptionSpec.NO_LETTER, Argument.NONE, "usage"),
  USERS('u', Argument.REQUIRED, "user users"),
  VERSION('V', Argument.NONE, "version");

  private final char letter;
  private final Argument argument;
  private final String names;

  WhoOption(char letter, Argument argument, String names) {
    this.letter = letter;
    this.argument = argument;
    this.names = names;
  }

  static List<OptionSpec<WhoOption>> specs() {
    List<OptionSpec<WhoOption>> specs = new ArrayList<>();
    for (WhoOption option : values()) {
      for (String name : option.names.split(" ", -1)) {
        specs.add(new OptionSpec<>(option, name, option.letter, option.argument));
      }
    }
    return specs;
  }
}
