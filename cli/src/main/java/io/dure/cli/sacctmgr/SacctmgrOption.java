package io.dure.cli.sacctmgr;

import io.dure.surface.option.OptionKey;

/** The options of the accounts' command, in the order in which ambiguous ones are listed. */
enum SacctmgrOption implements OptionKey {
  ASSOCIATIONS("-s --associations"),
  HELP("-h --help"),
  IMMEDIATE("-i --immediate"),
  JSON("--json[=]"),
  NOHEADER("-n --noheader"),
  ONELINER("-o --oneliner"),
  PARSABLE("-p --parsable"),
  PARSABLE2("-P --parsable2"),
  QUIET("-Q --quiet"),
  READONLY("-r --readonly"),
  USAGE("--usage"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  YAML("--yaml[=]");

  private final String form;

  SacctmgrOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
