package io.dure.cli.sacctmgr;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the accounts' command, in the order in which ambiguous ones are listed. */
enum SacctmgrOption {
  ASSOCIATIONS("associations", 's', Argument.NONE),
  HELP("help", 'h', Argument.NONE),
  IMMEDIATE("immediate", 'i', Argument.NONE),
  JSON("json", OptionSpec.NO_LETTER, Argument.OPTIONAL),
  NOHEADER("noheader", 'n', Argument.NONE),
  ONELINER("oneliner", 'o', Argument.NONE),
  PARSABLE("parsable", 'p', Argument.NONE),
  PARSABLE2("parsable2", 'P', Argument.NONE),
  QUIET("quiet", 'Q', Argument.NONE),
  READONLY("readonly", 'r', Argument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  VERBOSE("verbose", 'v', Argument.NONE),
  VERSION("version", 'V', Argument.NONE),
  YAML("yaml", OptionSpec.NO_LETTER, Argument.OPTIONAL);

  private final String longName;
  private final char letter;
  private final Argument argument;

  SacctmgrOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SacctmgrOption>> specs() {
    List<OptionSpec<SacctmgrOption>> table = new ArrayList<>();
    for (SacctmgrOption option : values()) {
      table.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return table;
  }
}
