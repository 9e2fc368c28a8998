package io.dure.surface.sinfo;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the node listing, in the order in which ambiguous ones are listed. */
public enum SinfoOption {
  ALL('a', Argument.NONE, "all"),
  CLUSTERS('M', Argument.REQUIRED, "clusters cluster"),
  DEAD('d', Argument.NONE, "dead"),
  EXACT('e', Argument.NONE, "exact"),
  FEDERATION(OptionSpec.NO_LETTER, Argument.NONE, "federation"),
  FORMAT('o', Argument.REQUIRED, "format"),
  FORMAT_NAMES('O', Argument.REQUIRED, "Format"),
  FUTURE('F', Argument.NONE, "future"),
  HELP(OptionSpec.NO_LETTER, Argument.NONE, "help"),
  HIDE(OptionSpec.NO_LETTER, Argument.NONE, "hide"),
  ITERATE('i', Argument.REQUIRED, "iterate"),
  JSON(OptionSpec.NO_LETTER, Argument.OPTIONAL, "json"),
  LIST_REASONS('R', Argument.NONE, "list-reasons"),
  LOCAL(OptionSpec.NO_LETTER, Argument.NONE, "local"),
  LONG('l', Argument.NONE, "long"),
  NOCONVERT(OptionSpec.NO_LETTER, Argument.NONE, "noconvert"),
  NODE('N', Argument.NONE, "Node"),
  NODES('n', Argument.REQUIRED, "nodes"),
  NOHEADER('h', Argument.NONE, "noheader"),
  PARTITION('p', Argument.REQUIRED, "partition"),
  RESERVATION('T', Argument.NONE, "reservation"),
  RESPONDING('r', Argument.NONE, "responding"),
  SORT('S', Argument.REQUIRED, "sort"),
  STATES('t', Argument.REQUIRED, "states"),
  SUMMARIZE('s', Argument.NONE, "summarize"),
  USAGE(OptionSpec.NO_LETTER, Argument.NONE, "usage"),
  VERBOSE('v', Argument.NONE, "verbose"),
  VERSION('V', Argument.NONE, "version"),
  YAML(OptionSpec.NO_LETTER, Argument.OPTIONAL, "yaml");

  private final char letter;
  private final Argument argument;
  private final String names;

  /** An option with its names, which blanks set apart. */
  SinfoOption(char letter, Argument argument, String names) {
    this.letter = letter;
    this.argument = argument;
    this.names = names;
  }

  /** All names of all options. */
  public static List<OptionSpec<SinfoOption>> specs() {
    List<OptionSpec<SinfoOption>> specs = new ArrayList<>();
    for (SinfoOption option : values()) {
      for (String name : option.names.split(" ", -1)) {
        specs.add(new OptionSpec<>(option, name, option.letter, option.argument));
      }
    }
    return specs;
  }
}
