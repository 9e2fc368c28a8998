package io.dure.cli.sshare;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options of the listing of shares. */
enum SshareOption {
  ACCOUNTS("accounts", 'A', OptionArgument.REQUIRED),
  ALL("all", 'a', OptionArgument.NONE),
  HELP_FORMAT("helpformat", 'e', OptionArgument.NONE),
  LONG("long", 'l', OptionArgument.NONE),
  PARTITION("partition", 'm', OptionArgument.NONE),
  CLUSTERS("cluster", 'M', OptionArgument.REQUIRED),
  NO_HEADER("noheader", 'n', OptionArgument.NONE),
  /** Slurm reads this letter as {@code -n}, not as help. */
  NO_HEADER_TOO("", 'h', OptionArgument.NONE),
  FORMAT("format", 'o', OptionArgument.REQUIRED),
  PARSABLE("parsable", 'p', OptionArgument.NONE),
  PARSABLE2("parsable2", 'P', OptionArgument.NONE),
  USERS("users", 'u', OptionArgument.REQUIRED),
  OWN("Users", 'U', OptionArgument.NONE),
  VERBOSE("verbose", 'v', OptionArgument.NONE),
  VERSION("version", 'V', OptionArgument.NONE),
  HELP("help", OptionSpec.NO_LETTER, OptionArgument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  JSON("json", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL),
  YAML("yaml", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  SshareOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<SshareOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}
