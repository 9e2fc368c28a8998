package io.dure.surface.squeue;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the queue listing, in the order in which ambiguous ones are listed. */
public enum SqueueOption {
  ACCOUNT('A', OptionArgument.REQUIRED, "accounts account"),
  ALL('a', OptionArgument.NONE, "all"),
  ARRAY('r', OptionArgument.NONE, "array"),
  ARRAY_UNIQUE(OptionSpec.NO_LETTER, OptionArgument.NONE, "array-unique"),
  CLUSTERS('M', OptionArgument.REQUIRED, "clusters cluster"),
  EXPAND_PATTERNS(OptionSpec.NO_LETTER, OptionArgument.NONE, "expand-patterns"),
  FEDERATION(OptionSpec.NO_LETTER, OptionArgument.NONE, "federation"),
  FORMAT('o', OptionArgument.REQUIRED, "format"),
  FORMAT_NAMES('O', OptionArgument.REQUIRED, "Format"),
  HELP(OptionSpec.NO_LETTER, OptionArgument.NONE, "help"),
  HIDE(OptionSpec.NO_LETTER, OptionArgument.NONE, "hide"),
  ITERATE('i', OptionArgument.REQUIRED, "iterate"),
  JOBS('j', OptionArgument.OPTIONAL, "jobs job"),
  JSON(OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, "json"),
  LICENSES('L', OptionArgument.REQUIRED, "licenses license"),
  LOCAL(OptionSpec.NO_LETTER, OptionArgument.NONE, "local"),
  LONG('l', OptionArgument.NONE, "long"),
  ME(OptionSpec.NO_LETTER, OptionArgument.NONE, "me"),
  NAME('n', OptionArgument.REQUIRED, "name names"),
  NOCONVERT(OptionSpec.NO_LETTER, OptionArgument.NONE, "noconvert"),
  NODELIST('w', OptionArgument.REQUIRED, "nodelist nodes node"),
  NOHEADER('h', OptionArgument.NONE, "noheader"),
  ONLY_JOB_STATE(OptionSpec.NO_LETTER, OptionArgument.NONE, "only-job-state"),
  PARTITION('p', OptionArgument.REQUIRED, "partition partitions"),
  PRIORITY('P', OptionArgument.NONE, "priority"),
  QOS('q', OptionArgument.REQUIRED, "qos"),
  RESERVATION('R', OptionArgument.REQUIRED, "reservation"),
  SIBLING(OptionSpec.NO_LETTER, OptionArgument.NONE, "sibling"),
  SORT('S', OptionArgument.REQUIRED, "sort"),
  START(OptionSpec.NO_LETTER, OptionArgument.NONE, "start"),
  STATES('t', OptionArgument.REQUIRED, "states state"),
  STEPS('s', OptionArgument.OPTIONAL, "steps step"),
  USAGE(OptionSpec.NO_LETTER, OptionArgument.NONE, "usage"),
  USER('u', OptionArgument.REQUIRED, "user users"),
  VERBOSE('v', OptionArgument.NONE, "verbose"),
  VERSION('V', OptionArgument.NONE, "version"),
  YAML(OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, "yaml");

  private final String names;
  private final char letter;
  private final OptionArgument argument;

  /** An option with its names, which blanks set apart. */
  SqueueOption(char letter, OptionArgument argument, String names) {
    this.names = names;
    this.letter = letter;
    this.argument = argument;
  }

  /** All names of all options. */
  public static List<OptionSpec<SqueueOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.names, o.letter, o.argument));
  }
}
