package io.dure.cli.scontrol;

import io.dure.surface.option.OptionKey;

/** The options of the administrator's command, in the order in which ambiguous ones are listed. */
enum ScontrolOption implements OptionKey {
  ALL("-a --all"),
  CLUSTERS("-M --clusters="),
  DETAILS("-d --details"),
  FEDERATION("-F --federation"),
  FUTURE("--future"),
  HELP("-h --help"),
  HIDE("--hide"),
  JSON("--json[=]"),
  LOCAL("--local"),
  ONELINER("-o --oneliner"),
  QUIET("-Q --quiet"),
  SIBLING("--sibling"),
  UID("-u --uid="),
  USAGE("--usage"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  YAML("--yaml[=]");

  private final String form;

  ScontrolOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
