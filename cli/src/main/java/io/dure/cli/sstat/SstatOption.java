package io.dure.cli.sstat;

import io.dure.surface.option.OptionKey;

/** The options of the listing of what running steps use. */
enum SstatOption implements OptionKey {
  ALL_STEPS("-a --allsteps"),
  HELP_FORMAT("-e --helpformat"),
  PID_FORMAT("-i --pidformat"),
  JOBS("-j --jobs="),
  NO_HEADER("-n --noheader"),
  NO_CONVERT("--noconvert"),
  FORMAT("-o --format --fields="),
  PARSABLE("-p --parsable"),
  PARSABLE2("-P --parsable2"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("-h --help"),
  USAGE("--usage");

  private final String form;

  SstatOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}
