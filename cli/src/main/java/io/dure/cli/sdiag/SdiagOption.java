package io.dure.cli.sdiag;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the statistics. */
enum SdiagOption {
  ALL("all", 'a', Argument.NONE),
  HELP("help", 'h', Argument.NONE),
  SORT_BY_ID("sort-by-id", 'i', Argument.NONE),
  CLUSTER("cluster", 'M', Argument.REQUIRED),
  RESET("reset", 'r', Argument.NONE),
  SORT_BY_TIME("sort-by-time", 't', Argument.NONE),
  SORT_BY_AVERAGE("sort-by-time2", 'T', Argument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  VERSION("version", 'V', Argument.NONE);

  private final String longName;
  private final char letter;
  private final Argument argument;

  SdiagOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SdiagOption>> specs() {
    List<OptionSpec<SdiagOption>> table = new ArrayList<>();
    for (SdiagOption option : values()) {
      table.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return table;
  }
}
