package io.dure.cli.efficiency;

import io.dure.surface.option.OptionKey;

/** The options of {@code dure-efficiency}. */
enum EfficiencyOption implements OptionKey {
  ACCOUNT("-A --account="),
  ALL("-a --all"),
  END_TIME("-E --endtime="),
  FACTS("-f --facts"),
  HELP("--help"),
  JSON("--json[=]"),
  START_TIME("-S --starttime="),
  USAGE("--usage"),
  USER("-u --user="),
  VERSION("-V --version");

  private final String form;

  EfficiencyOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
