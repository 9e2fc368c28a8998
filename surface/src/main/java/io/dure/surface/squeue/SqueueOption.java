package io.dure.surface.squeue;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the queue listing, in the order in which ambiguous ones are listed. */
public enum SqueueOption {
  ACCOUNT('A', Argument.REQUIRED, "accounts account"),
  ALL('a', Argument.NONE, "all"),
  ARRAY('r', Argument.NONE, "array"),
  ARRAY_UNIQUE(OptionSpec.NO_LETTER, Argument.NONE, "array-unique"),
  CLUSTERS('M', Argument.REQUIRED, "clusters cluster"),
  EXPAND_PATTERNS(OptionSpec.NO_LETTER, Argument.NONE, "expand-patterns"),
  FEDERATION(OptionSpec.NO_LETTER, Argument.NONE, "federation"),
  FORMAT('o', Argument.REQUIRED, "format"),
  FORMAT_NAMES('O', Argument.REQUIRED, "Format"),
  HELP(OptionSpec.NO_LETTER, Argument.NONE, "help"),
  HIDE(OptionSpec.NO_LETTER, Argument.NONE, "hide"),
  ITERATE('i', Argument.REQUIRED, "iterate"),
  JOBS('j', Argument.OPTIONAL, "jobs job"),
  JSON(OptionSpec.NO_LETTER, Argument.OPTIONAL, "json"),
  LICENSES('L', Argument.REQUIRED, "licenses license"),
  LOCAL(OptionSpec.NO_LETTER, Argument.NONE, "local"),
  LONG('l', Argument.NONE, "long"),
  ME(OptionSpec.NO_LETTER, Argument.NONE, "me"),
  NAME('n', Argument.REQUIRED, "name names"),
  NOCONVERT(OptionSpec.NO_LETTER, Argument.NONE, "noconvert"),
  NODELIST('w', Argument.REQUIRED, "nodelist nodes node"),
  NOHEADER('h', Argument.NONE, "noheader"),
  ONLY_JOB_STATE(OptionSpec.NO_LETTER, Argument.NONE, "only-job-state"),
  PARTITION('p', Argument.REQUIRED, "partition partitions"),
  PRIORITY('P', Argument.NONE, "priority"),
  QOS('q', Argument.REQUIRED, "qos"),
  RESERVATION('R', Argument.REQUIRED, "reservation"),
  SIBLING(OptionSpec.NO_LETTER, Argument.NONE, "sibling"),
  SORT('S', Argument.REQUIRED, "sort"),
  START(OptionSpec.NO_LETTER, Argument.NONE, "start"),
  STATES('t', Argument.REQUIRED, "states state"),
  STEPS('s', Argument.OPTIONAL, "steps step"),
  USAGE(OptionSpec.NO_LETTER, Argument.NONE, "usage"),
  USER('u', Argument.REQUIRED, "user users"),
  VERBOSE('v', Argument.NONE, "verbose"),
  VERSION('V', Argument.NONE, "version"),
  YAML(OptionSpec.NO_LETTER, Argument.OPTIONAL, "yaml");

  private final char letter;
  private final Argument argument;
  private final String names;

  /** An option with its names, which blanks set apart. */
  SqueueOption(char letter, Argument argument, String names) {
    this.letter = letter;
    this.argument = argument;
    this.names = names;
  }

  /** All names of all options. */
  public static List<OptionSpec<SqueueOption>> specs() {
    List<OptionSpec<SqueueOption>> specs = new ArrayList<>();
    for (SqueueOption option : values()) {
      for (String name : option.names.split(" ", -1)) {
        specs.add(new OptionSpec<>(option, name, option.letter, option.argument));
      }
    }
    return specs;
  }
}
