package io.dure.cli.sjstat;

import io.dure.surface.option.OptionKey;

/** The options of {@code sjstat}. */
enum SjstatOption implements OptionKey {
  COMPUTING("-c"),
  HELP("-h --help"),
  RUNNING("-r"),
  VERBOSE("-v"),
  VERSION("-V --version");

  private final String form;

  SjstatOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
