package io.dure.cli.sprio;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the listing of priorities. */
enum SprioOption {
  FEDERATION("federation", OptionSpec.NO_LETTER, Argument.NONE),
  NO_HEADER("noheader", 'h', Argument.NONE),
  JOBS("jobs", 'j', Argument.OPTIONAL),
  LOCAL("local", OptionSpec.NO_LETTER, Argument.NONE),
  LONG("long", 'l', Argument.NONE),
  CLUSTERS("cluster", 'M', Argument.REQUIRED),
  NORM("norm", 'n', Argument.NONE),
  FORMAT("format", 'o', Argument.REQUIRED),
  SIBLING("sibling", OptionSpec.NO_LETTER, Argument.NONE),
  PARTITION("partition", 'p', Argument.REQUIRED),
  SORT("sort", 'S', Argument.REQUIRED),
  USERS("user", 'u', Argument.REQUIRED),
  VERBOSE("verbose", 'v', Argument.NONE),
  VERSION("version", 'V', Argument.NONE),
  WEIGHTS("weights", 'w', Argument.NONE),
  HELP("help", OptionSpec.NO_LETTER, Argument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE);

  private final String longName;
  private final char letter;
  private final Argument argument;

  SprioOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SprioOption>> specs() {
    List<OptionSpec<SprioOption>> table = new ArrayList<>();
    for (SprioOption option : values()) {
      table.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return table;
  }
}
