package io.dure.cli.who;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
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

  private final char letter;
  private final OptionArgument argument;
  private final String names;

  WhoOption(char letter, OptionArgument argument, String names) {
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
