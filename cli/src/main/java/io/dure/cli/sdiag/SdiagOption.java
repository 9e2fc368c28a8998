package io.dure.cli.sdiag;

import io.dure.surface.option.OptionKey;

/** The options of the statistics. */
enum SdiagOption implements OptionKey {
  ALL("-a --all"),
  HELP("-h --help"),
  SORT_BY_ID("-i --sort-by-id"),
  JSON("--json[=]"),
  CLUSTER("-M --cluster="),
  RESET("-r --reset"),
  SORT_BY_TIME("-t --sort-by-time"),
  SORT_BY_AVERAGE("-T --sort-by-time2"),
  USAGE("--usage"),
  VERSION("-V --version"),
  YAML("--yaml[=]");

  private final String form;

  SdiagOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
