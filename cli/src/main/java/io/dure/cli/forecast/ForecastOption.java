package io.dure.cli.forecast;

import io.dure.surface.option.OptionKey;

/** The options. */
enum ForecastOption implements OptionKey {
  ACCURACY("--accuracy"),
  ALL("-a --all"),
  HELP("--help"),
  JSON("--json[=]"),
  ME("--me"),
  USAGE("--usage"),
  USER("-u --user="),
  VERSION("-V --version");

  private final String form;

  ForecastOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
