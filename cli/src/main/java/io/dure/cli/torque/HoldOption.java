package io.dure.cli.torque;

import io.dure.surface.option.OptionKey;

/** The options of {@code qhold}, {@code qrls} and {@code qrerun}. */
enum HoldOption implements OptionKey {
  FORCE("-f"),
  KIND("-h="),
  HELP("--help"),
  VERSION("--version");

  private final String form;

  HoldOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
