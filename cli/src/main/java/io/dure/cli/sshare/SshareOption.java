package io.dure.cli.sshare;

import io.dure.surface.option.OptionKey;

/** The options of the listing of shares. */
enum SshareOption implements OptionKey {
  ACCOUNTS("-A --accounts="),
  ALL("-a --all"),
  HELP_FORMAT("-e --helpformat"),
  LONG("-l --long"),
  PARTITION("-m --partition"),
  CLUSTERS("-M --clusters --cluster="),
  NO_HEADER("-n --noheader"),
  /** Slurm reads this letter as {@code -n}, not as help. */
  NO_HEADER_TOO("-h"),
  FORMAT("-o --format="),
  PARSABLE("-p --parsable"),
  PARSABLE2("-P --parsable2"),
  USERS("-u --users="),
  OWN("-U --Users"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("--help"),
  USAGE("--usage"),
  JSON("--json[=]"),
  YAML("--yaml[=]");

  private final String form;

  SshareOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
