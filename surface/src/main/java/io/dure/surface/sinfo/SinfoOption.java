package io.dure.surface.sinfo;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the node listing, in the order in which ambiguous ones are listed. */
public enum SinfoOption {
  ALL('a', OptionArgument.NONE, "all"),
  CLUSTERS('M', OptionArgument.REQUIRED, "clusters cluster"),
  DEAD('d', OptionArgument.NONE, "dead"),
  EXACT('e', OptionArgument.NONE, "exact"),
  FEDERATION(OptionSpec.NO_LETTER, OptionArgument.NONE, "federation"),
  FORMAT('o', OptionArgument.REQUIRED, "format"),
  FORMAT_NAMES('O', OptionArgument.REQUIRED, "Format"),
  FUTURE('F', OptionArgument.NONE, "future"),
  HELP(OptionSpec.NO_LETTER, OptionArgument.NONE, "help"),
  HIDE(OptionSpec.NO_LETTER, OptionArgument.NONE, "hide"),
  ITERATE('i', OptionArgument.REQUIRED, "iterate"),
  JSON(OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, "json"),
  LIST_REASONS('R', OptionArgument.NONE, "list-reasons"),
  LOCAL(OptionSpec.NO_LETTER, OptionArgument.NONE, "local"),
  LONG('l', OptionArgument.NONE, "long"),
  NOCONVERT(OptionSpec.NO_LETTER, OptionArgument.NONE, "noconvert"),
  NODE('N', OptionArgument.NONE, "Node"),
  NODES('n', OptionArgument.REQUIRED, "nodes"),
  NOHEADER('h', OptionArgument.NONE, "noheader"),
  PARTITION('p', OptionArgument.REQUIRED, "partition"),
  RESERVATION('T', OptionArgument.NONE, "reservation"),
  RESPONDING('r', OptionArgument.NONE, "responding"),
  SORT('S', OptionArgument.REQUIRED, "sort"),
  STATES('t', OptionArgument.REQUIRED, "states"),
  SUMMARIZE('s', OptionArgument.NONE, "summarize"),
  USAGE(OptionSpec.NO_LETTER, OptionArgument.NONE, "usage"),
  VERBOSE('v', OptionArgument.NONE, "verbose"),
  VERSION('V', OptionArgument.NONE, "version"),
  YAML(OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, "yaml");

  private final String names;
  private final char letter;
  private final OptionArgument argument;

  /** An option with its names, which blanks set apart. */
  SinfoOption(char letter, OptionArgument argument, String names) {
    this.names = names;
    this.letter = letter;
    this.argument = argument;
  }

  /** All names of all options. */
  public static List<OptionSpec<SinfoOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.names, o.letter, o.argument));
  }
}
