package io.dure.cli.why;

import io.dure.surface.option.OptionKey;

/** The options. */
enum WhyOption implements OptionKey {
  FACTS("-f --facts"),
  HELP("--help"),
  VERSION("-V --version");

  private final String form;

  WhyOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
