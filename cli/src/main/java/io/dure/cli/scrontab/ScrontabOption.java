package io.dure.cli.scrontab;

import io.dure.surface.option.OptionKey;

/** The options of scrontab. */
enum ScrontabOption implements OptionKey {
  EDIT("-e"),
  LIST("-l"),
  REMOVE("-r"),
  USER("-u="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("--help"),
  USAGE("--usage");

  private final String form;

  ScrontabOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
