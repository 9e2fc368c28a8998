package io.dure.cli.sdiag;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the statistics. */
enum SdiagOption {
  ALL("all", 'a', OptionArgument.NONE),
  HELP("help", 'h', OptionArgument.NONE),
  SORT_BY_ID("sort-by-id", 'i', OptionArgument.NONE),
  CLUSTER("cluster", 'M', OptionArgument.REQUIRED),
  RESET("reset", 'r', OptionArgument.NONE),
  SORT_BY_TIME("sort-by-time", 't', OptionArgument.NONE),
  SORT_BY_AVERAGE("sort-by-time2", 'T', OptionArgument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  SdiagOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SdiagOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
