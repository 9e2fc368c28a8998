package io.dure.cli.sprio;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the listing of priorities. */
enum SprioOption {
  FEDERATION("federation", OptionSpec.NO_LETTER, OptionArgument.NONE),
  NO_HEADER("noheader", 'h', OptionArgument.NONE),
  JOBS("jobs", 'j', OptionArgument.OPTIONAL),
  LOCAL("local", OptionSpec.NO_LETTER, OptionArgument.NONE),
  LONG("long", 'l', OptionArgument.NONE),
  CLUSTERS("cluster", 'M', OptionArgument.REQUIRED),
  NORM("norm", 'n', OptionArgument.NONE),
  FORMAT("format", 'o', OptionArgument.REQUIRED),
  SIBLING("sibling", OptionSpec.NO_LETTER, OptionArgument.NONE),
  PARTITION("partition", 'p', OptionArgument.REQUIRED),
  SORT("sort", 'S', OptionArgument.REQUIRED),
  USERS("user", 'u', OptionArgument.REQUIRED),
  VERBOSE("verbose", 'v', OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE),
  WEIGHTS("weights", 'w', OptionArgument.NONE),
  HELP("help", OptionSpec.NO_LETTER, OptionArgument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  SprioOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SprioOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
