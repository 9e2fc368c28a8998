package io.dure.cli.sshare;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of the listing of shares. */
enum SshareOption {
  ACCOUNTS("accounts", 'A', Argument.REQUIRED),
  ALL("all", 'a', Argument.NONE),
  HELP_FORMAT("helpformat", 'e', Argument.NONE),
  LONG("long", 'l', Argument.NONE),
  PARTITION("partition", 'm', Argument.NONE),
  CLUSTERS("cluster", 'M', Argument.REQUIRED),
  NO_HEADER("noheader", 'n', Argument.NONE),
  /** Slurm reads this letter as {@code -n}, not as help. */
  NO_HEADER_TOO("", 'h', Argument.NONE),
  FORMAT("format", 'o', Argument.REQUIRED),
  PARSABLE("parsable", 'p', Argument.NONE),
  PARSABLE2("parsable2", 'P', Argument.NONE),
  USERS("users", 'u', Argument.REQUIRED),
  OWN("Users", 'U', Argument.NONE),
  VERBOSE("verbose", 'v', Argument.NONE),
  VERSION("version", 'V', Argument.NONE),
  HELP("help", OptionSpec.NO_LETTER, Argument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  JSON("json", OptionSpec.NO_LETTER, Argument.OPTIONAL),
  YAML("yaml", OptionSpec.NO_LETTER, Argument.OPTIONAL);

  private final String longName;
  private final char letter;
  private final Argument argument;

  SshareOption(String longName, char letter, Argument argument) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SshareOption>> specs() {
    List<OptionSpec<SshareOption>> table = new ArrayList<>();
    for (SshareOption option : values()) {
      table.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    return table;
  }
}
