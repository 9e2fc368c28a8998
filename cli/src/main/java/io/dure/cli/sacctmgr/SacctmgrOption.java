package io.dure.cli.sacctmgr;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the accounts' command, in the order in which ambiguous ones are listed. */
enum SacctmgrOption {
  ASSOCIATIONS("associations", 's', OptionArgument.NONE),
  HELP("help", 'h', OptionArgument.NONE),
  IMMEDIATE("immediate", 'i', OptionArgument.NONE),
  JSON("json", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL),
  NOHEADER("noheader", 'n', OptionArgument.NONE),
  ONELINER("oneliner", 'o', OptionArgument.NONE),
  PARSABLE("parsable", 'p', OptionArgument.NONE),
  PARSABLE2("parsable2", 'P', OptionArgument.NONE),
  QUIET("quiet", 'Q', OptionArgument.NONE),
  READONLY("readonly", 'r', OptionArgument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  VERBOSE("verbose", 'v', OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE),
  YAML("yaml", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  SacctmgrOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SacctmgrOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
