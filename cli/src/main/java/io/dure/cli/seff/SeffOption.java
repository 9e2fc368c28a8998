package io.dure.cli.seff;

import io.dure.surface.option.OptionKey;

/** The options of {@code seff}. */
enum SeffOption implements OptionKey {
  DEBUG("-d"),
  HELP("-h --help"),
  VERSION("-v --version");

  private final String form;

  SeffOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
