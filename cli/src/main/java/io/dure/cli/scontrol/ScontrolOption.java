package io.dure.cli.scontrol;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the administrator's command, in the order in which ambiguous ones are listed. */
enum ScontrolOption {
  ALL("all", 'a', Argument.NONE),
  CLUSTERS("clusters", 'M', Argument.REQUIRED),
  DETAILS("details", 'd', Argument.NONE),
  FEDERATION("federation", 'F', Argument.NONE),
  FUTURE("future", OptionSpec.NO_LETTER, Argument.NONE),
  HELP("help", 'h', Argument.NONE),
  HIDE("hide", OptionSpec.NO_LETTER, Argument.NONE),
  JSON("json", OptionSpec.NO_LETTER, Argument.OPTIONAL),
  LOCAL("local", OptionSpec.NO_LETTER, Argument.NONE),
  ONELINER("oneliner", 'o', Argument.NONE),
  QUIET("quiet", 'Q', Argument.NONE),
  SIBLING("sibling", OptionSpec.NO_LETTER, Argument.NONE),
  UID("uid", 'u', Argument.REQUIRED),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  VERBOSE("verbose", 'v', Argument.NONE),
  VERSION("version", 'V', Argument.NONE),
  YAML("yaml", OptionSpec.NO_LETTER, Argument.OPTIONAL);

  private static final List<OptionSpec<ScontrolOption>> TABLE = table();

  private final String longName;
  private final char letter;
  private final Argument argument;

  ScontrolOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  /** The long name without dashes. */
  String longName() {
    return longName;
  }

  /** All names. */
  static List<OptionSpec<ScontrolOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<ScontrolOption>> table() {
    List<OptionSpec<ScontrolOption>> specs = new ArrayList<>();
    for (ScontrolOption option : values()) {
      specs.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return List.copyOf(specs);
  }
}
