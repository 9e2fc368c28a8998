package io.dure.cli.scontrol;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the administrator's command, in the order in which ambiguous ones are listed. */
enum ScontrolOption {
  ALL("all", 'a', OptionArgument.NONE),
  CLUSTERS("clusters", 'M', OptionArgument.REQUIRED),
  DETAILS("details", 'd', OptionArgument.NONE),
  FEDERATION("federation", 'F', OptionArgument.NONE),
  FUTURE("future", OptionSpec.NO_LETTER, OptionArgument.NONE),
  HELP("help", 'h', OptionArgument.NONE),
  HIDE("hide", OptionSpec.NO_LETTER, OptionArgument.NONE),
  JSON("json", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL),
  LOCAL("local", OptionSpec.NO_LETTER, OptionArgument.NONE),
  ONELINER("oneliner", 'o', OptionArgument.NONE),
  QUIET("quiet", 'Q', OptionArgument.NONE),
  SIBLING("sibling", OptionSpec.NO_LETTER, OptionArgument.NONE),
  UID("uid", 'u', OptionArgument.REQUIRED),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  VERBOSE("verbose", 'v', OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE),
  YAML("yaml", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  ScontrolOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<ScontrolOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
