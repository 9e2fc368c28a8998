package io.dure.cli.sprio;

import io.dure.surface.option.OptionKey;

/** The options of the listing of priorities. */
enum SprioOption implements OptionKey {
  FEDERATION("--federation"),
  NO_HEADER("-h --noheader"),
  JOBS("-j --jobs[=]"),
  JSON("--json[=]"),
  LOCAL("--local"),
  LONG("-l --long"),
  CLUSTERS("-M --clusters --cluster="),
  NORM("-n --norm"),
  FORMAT("-o --format="),
  SIBLING("--sibling"),
  PARTITION("-p --partition="),
  SORT("-S --sort="),
  USERS("-u --user="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  WEIGHTS("-w --weights"),
  YAML("--yaml[=]"),
  HELP("--help"),
  USAGE("--usage");

  private final String form;

  SprioOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
