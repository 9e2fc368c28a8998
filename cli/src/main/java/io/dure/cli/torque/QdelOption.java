package io.dure.cli.torque;

import io.dure.surface.option.OptionKey;

/** The options of {@code qdel}. */
enum QdelOption implements OptionKey {
  ALL("-a"),
  MESSAGE("-m="),
  PURGE("-p"),
  DELAY("-W="),
  HISTORY("-x"),
  HELP("--help"),
  VERSION("--version");

  private final String form;

  QdelOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
